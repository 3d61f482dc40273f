package detect

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"anonymooc/forum/trees"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// The files of a project's own models.
const (
	messageFile = "message.jsonl"
	mentionFile = "mention.jsonl"
)

// OpenModels reads the models that were trained for a project; where there are
// none, or no folder, those that the program ships.
func OpenModels(folder string) (*Models, error) {
	if folder == "" {
		return ShippedModels()
	}
	var parts [2][]byte
	for i, name := range []string{messageFile, mentionFile} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			return ShippedModels()
		}
		if err != nil {
			return nil, fault.New(fault.Failure, "the model cannot be read").At(filepath.Join(folder, name), 0, "")
		}
		parts[i] = data
	}
	models, err := ReadModels(bytes.NewReader(parts[0]), bytes.NewReader(parts[1]))
	if err != nil {
		return nil, fault.New(fault.Usage, "the models are not of this version").At(folder, 0, "").Because(err).
			WithHint("remove them to use the shipped ones; anonymooc forum train makes others")
	}
	return models, nil
}

// Save writes the models into a folder of the project, each whole or not at all.
func (m *Models) Save(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, part := range []struct {
		name   string
		forest *trees.Forest
	}{{messageFile, m.Message}, {mentionFile, m.Mention}} {
		var data bytes.Buffer
		if err := part.forest.Write(&data); err != nil {
			return err
		}
		if err := safefile.Write(filepath.Join(folder, part.name), data.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}
