package oral

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// Delivery is what a release is made of: transcripts, and the recordings of the
// same name.
type Delivery struct {
	Transcripts []*Transcript
	Recordings  map[string]string // by stem: path
}

// Gather reads the transcripts at some paths: files, and folders of which every
// file must be a transcript or its recording.
func Gather(paths []string, charset string) (*Delivery, error) {
	d := &Delivery{Recordings: make(map[string]string)}
	var faults fault.List
	stems := make(map[string]bool)
	for _, path := range paths {
		files, err := filesAt(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if err := d.add(file, charset, stems); err != nil {
				var list fault.List
				var one *fault.Fault
				switch {
				case errors.As(err, &list):
					faults = append(faults, list...)
				case errors.As(err, &one):
					faults = append(faults, one)
				default:
					return nil, err
				}
			}
		}
	}
	for stem, path := range d.Recordings {
		if !stems[stem] {
			faults = append(faults, fault.New(fault.Unbound, "a recording without a transcript: nobody knows what is said in it").At(filepath.Base(path), 0, "").
				WithHint("a recording lies beside its transcript and is called like it; move others away"))
		}
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b *fault.Fault) int { return strings.Compare(a.File, b.File) })
		return nil, faults
	}
	if len(d.Transcripts) == 0 {
		return nil, fault.New(fault.Usage, "no transcript found").WithHint("transcripts end in .vtt, .srt or .trs")
	}
	return d, nil
}

// filesAt lists a folder, or the one file. A transcript that is named alone
// brings its recording.
func filesAt(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "no such file or folder").At(path, 0, "")
	}
	if !info.IsDir() {
		files := []string{path}
		if _, ok := FormatOf(path); ok {
			for _, ending := range [...]string{".wav", ".WAV"} {
				recording := strings.TrimSuffix(path, filepath.Ext(path)) + ending
				if _, err := os.Stat(recording); err == nil {
					files = append(files, recording)
				}
			}
		}
		return files, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fault.New(fault.Failure, "the folder cannot be read").At(path, 0, "")
	}
	var files []string
	for _, entry := range entries {
		files = append(files, filepath.Join(path, entry.Name()))
	}
	return files, nil
}

// mostTranscript is the size of a transcript above which it is none: ten hours of
// speech are one megabyte.
const mostTranscript = 64 << 20

func (d *Delivery) add(path, charset string, stems map[string]bool) error {
	base := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return fault.New(fault.Unbound, "not a file that can be read").At(base, 0, "").WithHint("folders are not looked into: name them one by one")
	case strings.EqualFold(filepath.Ext(base), ".wav"):
		if known, twice := d.Recordings[Stem(base)]; twice && known != path {
			return fault.New(fault.Usage, "two recordings have the same name").At(base, 0, "")
		}
		d.Recordings[Stem(base)] = path
		return nil
	}
	if _, ok := FormatOf(base); !ok {
		return fault.New(fault.Unbound, "no rule names this file").At(base, 0, "").
			WithHint("a folder of transcripts holds .vtt, .srt, .trs and .wav; name the transcripts one by one, and sheets with --metadata")
	}
	if info.Size() > mostTranscript {
		return fault.New(fault.Usage, "the transcript is larger than 64 MB").At(base, 0, "")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return fault.New(fault.Failure, "the transcript cannot be read").At(base, 0, "")
	}
	if stems[Stem(base)] {
		return fault.New(fault.Usage, "two transcripts have the same name").At(base, 0, "").WithHint("release them one after the other")
	}
	stems[Stem(base)] = true
	t, err := Parse(base, raw, charset)
	if err != nil {
		return err
	}
	d.Transcripts = append(d.Transcripts, t)
	return nil
}

// Sum counts what a release did.
type Sum struct {
	Transcripts, Recordings            int
	Speakers, Masked, Waiting          int
	Silenced, Cuts, SuppressedMetadata int
	CutSeconds, Seconds                float64
}

// Folder is a release in the making.
type Folder struct {
	Out string
	*Treater
	Sum Sum

	partial string
	rows    [][]string
}

// PartialSuffix is what the folder ends in while a release is made.
const PartialSuffix = ".partial"

// Begin makes the folder in which the release grows. Sources are where it may not
// be.
func Begin(out string, treater *Treater) (*Folder, error) {
	f := &Folder{Out: out, Treater: treater, partial: strings.TrimRight(out, string(filepath.Separator)) + PartialSuffix}
	for _, path := range [...]string{f.Out, f.partial} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, fault.New(fault.Usage, "there is something here already").At(path, 0, "").WithHint("choose another folder, or move it away")
		}
	}
	if err := os.MkdirAll(f.partial, 0o755); err != nil {
		return nil, f.cannotWrite(err)
	}
	return f, nil
}

func (f *Folder) cannotWrite(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	var inFile *fs.PathError
	if errors.As(err, &inFile) {
		err = inFile.Err
	}
	return fault.New(fault.Failure, "the release cannot be written").At(f.Out, 0, "").Because(err)
}

// Add releases a transcript, and its recording where there is one.
func (f *Folder) Add(ctx context.Context, t *Transcript, recording string) error {
	treated, err := f.Treat(t)
	if err != nil {
		return err
	}
	name, err := f.FileName(Stem(t.Name))
	if err != nil {
		return err
	}
	f.Sum.Transcripts++
	f.Sum.Speakers += treated.Speakers
	f.Sum.Masked += treated.Masked
	f.Sum.Waiting += treated.Waiting
	f.Sum.Silenced += treated.Silenced
	if err := safefile.Write(filepath.Join(f.partial, name+string(t.Format)), treated.Raw, 0o644); err != nil {
		return f.cannotWrite(err)
	}
	var wav *WAV
	if recording != "" {
		if wav, err = f.record(ctx, t, treated.Cuts, recording, name); err != nil {
			return f.cannotWrite(err)
		}
	}
	for _, c := range treated.Cuts {
		row := []string{name, "", "", seconds(c.Start), seconds(c.End), string(c.Category)}
		if wav != nil {
			r := wav.Range(c)
			row[1], row[2] = strconv.FormatInt(r.From, 10), strconv.FormatInt(r.To, 10)
			f.Sum.CutSeconds += float64(r.To-r.From) / float64(wav.Rate)
		}
		f.Sum.Cuts++
		f.rows = append(f.rows, row)
	}
	return nil
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

// late is how much later than its recording a transcript may end, in seconds.
const late = 2

// record writes a recording with its cuts hummed.
func (f *Folder) record(ctx context.Context, t *Transcript, cuts []Cut, path, name string) (*WAV, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.Failure, "the recording cannot be read").At(filepath.Base(path), 0, "")
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	wav, err := OpenWAV(filepath.Base(path), in, info.Size())
	if err != nil {
		return nil, err
	}
	if t.End > wav.Seconds()+late {
		return nil, fault.New(fault.Usage, "the transcript goes on after the recording ends: they do not belong together").At(wav.Name, 0, "").
			WithHint("what would be cut is not where the transcript says")
	}
	var ranges []Range
	for _, c := range cuts {
		r := wav.Range(c)
		if n := len(ranges); n > 0 && r.From < ranges[n-1].To {
			r.From = ranges[n-1].To
		}
		if r.To > r.From {
			ranges = append(ranges, r)
		}
	}
	out, err := safefile.Create(filepath.Join(f.partial, name+".wav"), 0o644)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	if err := wav.WriteMasked(ctx, out, ranges); err != nil {
		return nil, err
	}
	f.Sum.Recordings++
	f.Sum.Seconds += wav.Seconds()
	return wav, out.Commit()
}

// AddSheet releases a table of metadata under its own name's place, metadata.csv.
func (f *Folder) AddSheet(path string, rules map[string]Rule) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fault.New(fault.Usage, "the metadata cannot be read").At(path, 0, "")
	}
	var out bytes.Buffer
	sheet := Sheet{Name: filepath.Base(path), Rules: rules, Plan: f.Plan, FileName: f.FileName}
	if f.Sum.SuppressedMetadata, err = sheet.Coarsen(bytes.NewReader(raw), &out); err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(f.partial, "metadata.csv"), out.Bytes(), 0o644); err != nil {
		return f.cannotWrite(err)
	}
	return nil
}

// Publish writes the list of cuts and gives the release its name.
func (f *Folder) Publish() error {
	var list bytes.Buffer
	w := csv.NewWriter(&list)
	w.Comma = '\t'
	w.Write([]string{"file", "from_sample", "to_sample", "from_seconds", "to_seconds", "what"})
	w.WriteAll(f.rows)
	if err := safefile.Write(filepath.Join(f.partial, "cuts.tsv"), list.Bytes(), 0o644); err != nil {
		return f.cannotWrite(err)
	}
	if err := os.Rename(f.partial, f.Out); err != nil {
		return f.cannotWrite(err)
	}
	return safefile.SyncDir(filepath.Dir(filepath.Clean(f.Out)))
}

// Abort leaves nothing of a release that is not published.
func (f *Folder) Abort() error { return os.RemoveAll(f.partial) }
