// Package oral makes releases of transcripts and recordings: WebVTT, SubRip and
// Transcriber files, and the WAV files they belong to, after the practice of the
// ESLO corpus (Eshkol-Taravella, Baude, Kanaan-Caillol & Maurel 2014).
//
//	x.vtt, x.srt, x.trs ─ Parse ─► Transcript ┬ labels ─ Plan ─► the speaker's code
//	                                          ├ turns ── Engine ► findings ─► edits of the file's bytes
//	                                          └ dates, file names ─► coarsened
//	x.wav ─ OpenWAV ─► cuts (word times, margins) ─ Hum ─► the same samples but for the cuts
//	speakers.csv ─ Coarsen ─► codes, blocks, years
//
// A transcript is a thread: each turn is a post by its speaker, so that the text
// engine weighs a name among those who talk. The engine sees the words alone,
// without time stamps, tags and the file's encoding; every byte of what it sees
// leads back to the bytes of the file, and only those of a masked name change.
//
// A transcript says when a cue or a segment begins and ends, not a word: a word's
// time is interpolated by letters and gets margins (see Timing). The masked
// stretches of the recording become a hum that keeps how long, how loud and how
// high the voice was, and nothing of what it said (see Hummer).
package oral

import (
	"path/filepath"
	"strings"

	"anonymooc/internal/fault"
)

// Format is a kind of transcript.
type Format string

// The formats, by the ending of their files.
const (
	WebVTT      Format = ".vtt"
	SubRip      Format = ".srt"
	Transcriber Format = ".trs"
)

// FormatOf tells a transcript by its file's name.
func FormatOf(path string) (Format, bool) {
	switch f := Format(strings.ToLower(filepath.Ext(path))); f {
	case WebVTT, SubRip, Transcriber:
		return f, true
	}
	return "", false
}

// Stem is what a transcript and its recording are called alike.
func Stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Transcript is a file cut into what is kept, what is said, and who says it.
type Transcript struct {
	Name   string // the file's
	Format Format
	Raw    []byte
	Turns  []*Turn
	Labels []Label
	Fixed  []Coarse
	End    float64 // seconds: the latest time that is named

	encoding encoding
}

// Turn is a stretch of text with one author: what a speaker says without
// interruption, or a note that has no author and no time.
type Turn struct {
	Speaker string // as the file names them; empty when it does not
	Note    bool   // written about the recording, not said in it
	Text    Text
	Parts   []Part
}

// Part is a piece of a turn whose time is known: a cue, or what stands between
// two time stamps.
type Part struct {
	From, To   int     // bytes of the turn's text
	Start, End float64 // seconds
	Shared     bool    // with another speaker: nothing is known about when within it
}

// Label is a place of the file that names a speaker.
type Label struct {
	From, To int // bytes of the file
	Speaker  string
}

// Coarse is a place of the file that is neither said nor a speaker.
type Coarse struct {
	From, To int
	Kind     coarseKind
}

type coarseKind uint8

const (
	coarseYear     coarseKind = iota // a date, of which the year stays
	coarseFile                       // the recording's name
	coarseNoCode                     // an id that may hold a name
	coarseSuppress                   // what no rule keeps
)

// Parse reads a transcript. Charset is the encoding of files that do not name
// theirs; empty means UTF-8.
func Parse(name string, raw []byte, charset string) (*Transcript, error) {
	format, ok := FormatOf(name)
	if !ok {
		return nil, fault.New(fault.Unbound, "not a transcript").At(name, 0, "").WithHint("transcripts end in .vtt, .srt or .trs")
	}
	t := &Transcript{Name: name, Format: format, Raw: raw}
	var err error
	if t.encoding, err = encodingOf(name, format, raw, charset); err != nil {
		return nil, err
	}
	switch format {
	case Transcriber:
		err = parseTranscriber(t)
	default:
		err = parseCues(t)
	}
	return t, err
}

// fault makes an error at a byte of the file.
func (t *Transcript) fault(code fault.Code, at int, what string) *fault.Fault {
	line := int64(1)
	for i := 0; i < at && i < len(t.Raw); i++ {
		if t.Raw[i] == '\n' || t.Raw[i] == '\r' && (i+1 == len(t.Raw) || t.Raw[i+1] != '\n') {
			line++
		}
	}
	return fault.New(code, "%s", what).At(t.Name, line, "")
}
