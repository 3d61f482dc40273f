package oral

import (
	"bytes"
	"cmp"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// Engine is what the text engine does for a transcript.
type Engine interface {
	Findings(doc *detect.Document) []forum.Finding
	Rewrite(dst []byte, doc *detect.Document, findings []forum.Finding) ([]byte, error)
}

// Treated is a transcript as a release shows it.
type Treated struct {
	Raw      []byte
	Cuts     []Cut
	Masked   int // spans of the text
	Waiting  int // of these, undecided
	Speakers int // places that name a speaker
	Silenced int // turns removed whole: their speaker was forgotten, or texts are dropped
}

// edit replaces some bytes of the file.
type edit struct {
	from, to int
	with     []byte
}

// Treater makes the released form of transcripts.
type Treater struct {
	Engine   Engine // nil: every text is dropped
	Identify func([]detect.Token) string
	Plan     *Plan
	Timing   Timing
	FileName func(stem string) (string, error) // what a file is called in the release, without its ending
}

// Treat makes a transcript's released form and says where its recording is cut.
func (r *Treater) Treat(t *Transcript) (*Treated, error) {
	w := &treatment{Treater: r, Transcript: t, stem: Stem(t.Name)}
	for _, step := range [...]func() error{w.labels, w.coarsen, w.turns} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(w.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	at := 0
	for _, e := range joined(w.edits) {
		w.out.Raw = append(append(w.out.Raw, t.Raw[at:e.from]...), e.with...)
		at = e.to
	}
	w.out.Raw = append(w.out.Raw, t.Raw[at:]...)
	w.out.Cuts = mergeCuts(w.out.Cuts)
	return &w.out, w.residual()
}

// residual looks for speakers' names of two words or more in what would be released,
// without asking the engine again. Whatever was decided, those are not kept.
func (w *treatment) residual() error {
	raw := w.encoding.text(w.out.Raw)
	text := " " + words(raw) + " \n " + words(anyTag.ReplaceAllString(raw, " ")) + " "
	for _, name := range w.speakers() {
		if key := words(html.UnescapeString(name)); strings.Contains(key, " ") && !placeholder(name) && strings.Contains(text, " "+key+" ") {
			return fault.New(fault.Residual, "a speaker is still named in the transcript").At(w.Name, 0, "").
				WithHint("was the form decided to be kept? \"anonymooc forum decide --undo\" takes a decision back")
		}
	}
	return nil
}

var anyTag = regexp.MustCompile(`<[^<>]*>`)

// words folds a text and leaves its words, a space between them.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(fold.KeyString(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) }), " ")
}

// joined makes one edit of those that overlap, as where a style sheet names a
// speaker whom the engine finds too: what either removes is removed.
func joined(edits []edit) []edit {
	var apart []edit
	for _, e := range edits {
		if n := len(apart); n > 0 && e.from < apart[n-1].to {
			apart[n-1].to = max(apart[n-1].to, e.to)
			continue
		}
		apart = append(apart, e)
	}
	return apart
}

// treatment is the work on one transcript.
type treatment struct {
	*Treater
	*Transcript
	stem  string
	edits []edit
	out   Treated
}

func (w *treatment) replace(from, to int, text string) error {
	with, err := w.encoding.append(nil, text)
	if err != nil {
		return err
	}
	w.edits = append(w.edits, edit{from, to, with})
	return nil
}

// labels writes the codes of the speakers.
func (w *treatment) labels() error {
	seen := make(map[int]bool)
	for _, l := range w.Labels {
		if seen[l.From] {
			continue
		}
		seen[l.From] = true
		code, err := w.Plan.Code(w.stem, l.Speaker)
		if err != nil {
			return err
		}
		if err := w.replace(l.From, l.To, code); err != nil {
			return err
		}
		w.out.Speakers++
	}
	return nil
}

// coarsen treats what is neither said nor a speaker.
func (w *treatment) coarsen() error {
	ids := make(map[string]string)
	for _, c := range w.Fixed {
		text, with := string(w.Raw[c.From:c.To]), ""
		switch c.Kind {
		case coarseYear:
			with = yearOf(text)
		case coarseFile:
			name, err := w.FileName(w.stem)
			if err != nil {
				return err
			}
			with = name
		case coarseNoCode:
			if ids[text] == "" {
				ids[text] = "id_" + strconv.Itoa(len(ids)+1)
			}
			with = ids[text]
		}
		if err := w.replace(c.From, c.To, with); err != nil {
			return err
		}
	}
	return nil
}

// turns has the engine treat what is said.
func (w *treatment) turns() error {
	for i, turn := range w.Turns {
		forgotten := false
		if turn.Speaker != "" {
			var err error
			if _, forgotten, err = w.Plan.pseudonym(w.stem, turn.Speaker); err != nil {
				return err
			}
		}
		if w.Engine == nil || forgotten {
			w.silence(turn)
			continue
		}
		doc := detect.NewDocument(corpus.Post{ID: w.postID(i), Thread: w.Name, Author: w.author(turn)}, "body", turn.Text.Bytes)
		if w.Identify != nil {
			doc.Lang = w.Identify(doc.Tokens)
		}
		findings := w.Engine.Findings(doc)
		for f := range findings {
			if findings[f].Verdict == detect.Keep {
				continue
			}
			if err := w.mask(turn, doc, &findings[f]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *treatment) author(turn *Turn) string {
	if turn.Speaker == "" {
		return ""
	}
	return authorID(w.stem, turn.Speaker)
}

// omitted stands for what was removed whole, a line at a time: an empty line would
// end a cue.
const omitted = "[...]"

// silence removes a turn: its words from the file, its time from the recording.
func (w *treatment) silence(turn *Turn) {
	last := -1 // where the last omission ends
	for _, run := range turn.Text.runs(0, len(turn.Text.Bytes)) {
		run = w.trimmed(run)
		switch {
		case run.from == run.to:
			continue
		case last < 0 || bytes.ContainsAny(w.Raw[last:run.from], "\r\n"):
			w.edits = append(w.edits, edit{run.from, run.to, []byte(omitted)})
		default:
			w.edits = append(w.edits, edit{run.from, run.to, nil})
		}
		last = run.to
	}
	for _, p := range turn.Parts {
		w.out.Cuts = append(w.out.Cuts, Cut{Start: p.Start, End: p.End, Category: "turn"})
	}
	w.out.Silenced++
}

// trimmed is a stretch of the file without the white space around it.
func (t *Transcript) trimmed(u unit) unit {
	for u.from < u.to && t.Raw[u.from] <= ' ' {
		u.from++
	}
	for u.from < u.to && t.Raw[u.to-1] <= ' ' {
		u.to--
	}
	return u
}

// longestElision is how far before a name its replacement may change an elision:
// "lorsqu'".
const longestElision = 16

// mask replaces a finding in the file: once in every cue that holds some of it.
func (w *treatment) mask(turn *Turn, doc *detect.Document, f *forum.Finding) error {
	w.out.Masked++
	if f.Verdict != detect.Mask {
		w.out.Waiting++
	}
	from := max(0, f.Start-longestElision)
	for from > 0 && !utf8.RuneStart(doc.Raw[from]) {
		from--
	}
	alone := *f
	alone.Start, alone.End = f.Start-from, f.End-from
	written, err := w.Engine.Rewrite(nil, &detect.Document{Raw: doc.Raw[from:f.End]}, []forum.Finding{alone})
	if err != nil {
		return err
	}
	same := 0 // bytes before the name that stay
	for same < alone.Start && same < len(written) && doc.Raw[from+same] == written[same] {
		same++
	}
	for same > 0 && same < len(written) && !utf8.RuneStart(written[same]) {
		same--
	}
	if err := w.put(turn, from+same, f.End, string(written[same:])); err != nil {
		return err
	}
	w.out.Cuts = append(w.out.Cuts, w.Timing.cuts(turn, f)...)
	return nil
}

// put writes a replacement over bytes of the turn's text. A name that goes on in
// the next cue is replaced in both.
func (w *treatment) put(turn *Turn, from, to int, text string) error {
	part := -1
	for _, run := range turn.Text.runs(from, to) {
		if run = w.trimmed(run); run.from == run.to {
			continue
		}
		with := ""
		if hasWord(w.encoding.text(w.Raw[run.from:run.to])) {
			if p := turn.partAt(run.from); p != part || part < 0 {
				with, part = text, max(p, 0)
			}
		}
		if err := w.replace(run.from, run.to, with); err != nil {
			return err
		}
	}
	return nil
}

func hasWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

// partAt is the part that a byte of the file is in; -1 for none.
func (t *Turn) partAt(raw int) int {
	for i, p := range t.Parts {
		for _, u := range t.Text.units[p.From:p.To] {
			if u.from <= raw && raw < u.to {
				return i
			}
		}
	}
	return -1
}

// yearOf keeps the year of a date: "2008-05-17", "17/05/2008", Transcriber's
// "080517". What is no date is removed.
func yearOf(date string) string {
	numbers := strings.FieldsFunc(date, func(r rune) bool { return r < '0' || r > '9' })
	for _, n := range numbers {
		if len(n) == 4 && (n[:2] == "19" || n[:2] == "20") {
			return n
		}
	}
	if len(numbers) == 1 && len(numbers[0]) == len(strings.TrimSpace(date)) {
		switch n := numbers[0]; {
		case len(n) == 8 && (n[:2] == "19" || n[:2] == "20"):
			return n[:4]
		case len(n) == 6:
			return n[:2]
		}
	}
	return ""
}
