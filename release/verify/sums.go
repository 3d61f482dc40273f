package verify

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/release/records"
)

// sumsName is the file with the hashes of everything in a release.
const sumsName = "SHA256SUMS"

// papers are the documents that a release may hold beside its data.
var papers = words(`datapackage.json CODEBOOK.md CODEBOOK.fr.md CODEBOOK.en.html CODEBOOK.fr.html report.en.html report.fr.html`)

// sums looks for files that nobody accounts for, and for those that were changed
// after they were hashed. Data is accounted for by the manifest alone: whoever
// puts a file into a release can put it into the list of hashes, too.
func (v *verifier) sums(files []records.Entry) error {
	if v.manifest == nil {
		return nil
	}
	listed, err := v.readSums()
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, file := range files {
		have[file.Path] = true
		if !file.Regular || file.Path == sumsName {
			continue
		}
		data := v.manifest.output(file.Path) != nil || v.manifest.parquet(file.Path) != nil
		if !data && file.Path != ManifestName && !papers[file.Path] && !v.readable(file.Path) {
			v.problem(file.Path, "is a data file that the manifest does not list")
			continue
		}
		switch sum, ok := listed[file.Path]; {
		case listed == nil && !data && file.Path != ManifestName:
			v.limit(file.Path + ": the release has no " + sumsName + ", so nothing tells whether it was changed")
		case listed == nil:
		case !ok && data || !ok && file.Path == ManifestName || !ok && papers[file.Path]:
			v.problem(file.Path, "is not in "+sumsName)
		case !ok:
			v.limit(file.Path + ": is not in " + sumsName + ", so nothing tells where it is from")
		case data && sum == v.recorded(file.Path):
			// recount has hashed it
		default:
			if err := v.hashed(file.Path, sum); err != nil {
				return err
			}
		}
	}
	for name := range listed {
		if !have[name] {
			v.problem(name, "is in "+sumsName+", and not in the release")
		}
	}
	return nil
}

// recorded is the hash of a data file in the manifest.
func (v *verifier) recorded(file string) string {
	if o := v.manifest.output(file); o != nil {
		return o.SHA256
	}
	return v.manifest.parquet(file).SHA256
}

func (v *verifier) hashed(file, want string) error {
	sum, _, err := hashOf(filepath.Join(v.request.Release, filepath.FromSlash(file)))
	if err != nil {
		return unreadable(file)
	}
	if sum != want {
		v.problem(file, "was changed after the release was made: its SHA-256 is not that of "+sumsName)
	}
	return nil
}

// readable reports whether a file is a text to be read, as a licence is, and holds
// no rows.
func (v *verifier) readable(file string) bool {
	head, err := records.Beginning(filepath.Join(v.request.Release, filepath.FromSlash(file)))
	return err == nil && records.FormatOf(file, head) == records.Text
}

// readSums reads the list of hashes; nil when there is none.
func (v *verifier) readSums() (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(v.request.Release, sumsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "cannot be read").At(sumsName, 0, "")
	}
	listed := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for number := int64(1); lines.Scan(); number++ {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != 32 || name == "" {
			return nil, fault.New(fault.Failure, "is no list of hashes").At(sumsName, number, "").WithHint("the release may be damaged: make it again")
		}
		listed[name] = sum
	}
	return listed, lines.Err()
}

// recountParquet compares a Parquet file with what the manifest says of it.
func (v *verifier) recountParquet(told *File) {
	if v.manifest == nil {
		return
	}
	c := v.manifest.parquet(told.Path)
	if c == nil {
		return // told by sums
	}
	of := v.manifest.output(c.Of)
	if sum, size, err := hashOf(filepath.Join(v.request.Release, filepath.FromSlash(told.Path))); err != nil || sum != c.SHA256 && c.SHA256 != "" {
		v.problem(told.Path, "is not the file that the manifest describes: its SHA-256 differs")
	} else if c.Bytes != 0 && size != c.Bytes {
		v.problem(told.Path, fmt.Sprintf("has %d bytes, the manifest says %d", size, c.Bytes))
	}
	switch {
	case of == nil:
		v.problem(told.Path, "was made of a file that the manifest does not list")
	case told.Rows != of.RowsOut || told.Rows != c.Rows:
		v.problem(told.Path, fmt.Sprintf("has %d rows, the file it was made of has %d", told.Rows, of.RowsOut))
	}
}
