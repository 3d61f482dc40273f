package oral

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"anonymooc/internal/fault"
)

// The longest turn that is read as one text: a film without names of speakers
// would otherwise be one. A turn ends at the first sentence after the first, and
// at any cue after the second.
const (
	longTurn    = 1500
	longestTurn = 4000
)

// cueParser reads WebVTT and SubRip: blocks that a blank line ends.
type cueParser struct {
	*Transcript
	turn    *Turn
	shared  bool            // the cue holds several speakers
	prefix  map[string]bool // words before a colon that name speakers
	voices  map[string]bool // speakers that tags name
	classes []unit          // class names of tags
}

// line is one line of the file, without its end.
type line struct{ from, to int }

// lines cuts a file at its line ends: LF, CR LF or CR.
func (t *Transcript) lines() []line {
	var lines []line
	from := 0
	for i := 0; i < len(t.Raw); i++ {
		c := t.Raw[i]
		if c != '\n' && c != '\r' {
			continue
		}
		lines = append(lines, line{from, i})
		if c == '\r' && i+1 < len(t.Raw) && t.Raw[i+1] == '\n' {
			i++
		}
		from = i + 1
	}
	if from < len(t.Raw) {
		lines = append(lines, line{from, len(t.Raw)})
	}
	return lines
}

func (p *cueParser) blank(l line) bool { return len(bytes.TrimSpace(p.Raw[l.from:l.to])) == 0 }

// parseCues reads a WebVTT or SubRip file.
func parseCues(t *Transcript) error {
	p := &cueParser{Transcript: t, prefix: make(map[string]bool), voices: make(map[string]bool)}
	lines := t.lines()
	if len(lines) > 0 && bytes.HasPrefix(t.Raw, []byte("\xef\xbb\xbf")) {
		lines[0].from = 3
	}
	var blocks [][]line
	for i := 0; i < len(lines); {
		if p.blank(lines[i]) {
			i++
			continue
		}
		j := i
		for j < len(lines) && !p.blank(lines[j]) {
			j++
		}
		blocks = append(blocks, lines[i:j])
		i = j
	}
	if t.Format == WebVTT {
		if len(blocks) == 0 || !p.isHeader(blocks[0][0]) {
			return t.fault(fault.Usage, 0, "the file does not begin with WEBVTT")
		}
		p.header(blocks[0])
		blocks = blocks[1:]
	}
	p.findPrefixes(blocks)
	for _, block := range blocks {
		if err := p.block(block); err != nil {
			return err
		}
	}
	p.endTurn()
	for _, c := range p.classes {
		if name := t.encoding.text(t.Raw[c.from:c.to]); p.voices[speakerKey(name)] {
			t.Labels = append(t.Labels, Label{c.from, c.to, name})
		}
	}
	return nil
}

func (p *cueParser) isHeader(l line) bool {
	text := p.Raw[l.from:l.to]
	return bytes.HasPrefix(text, []byte("WEBVTT")) && (len(text) == 6 || text[6] == ' ' || text[6] == '\t')
}

// header reads what stands beside and below WEBVTT: text, but for what says how
// the file is to be shown.
func (p *cueParser) header(block []line) {
	if first := block[0]; first.to > first.from+6 {
		p.note(line{first.from + 6, first.to})
	}
	for _, l := range block[1:] {
		name, _, ok := strings.Cut(string(p.Raw[l.from:l.to]), ":")
		switch strings.ToLower(name) {
		case "kind", "language", "x-timestamp-map=mpegts", "x-timestamp-map=local":
			if ok {
				continue
			}
		}
		p.note(l)
	}
}

// note makes a text of its own of lines that nobody speaks.
func (p *cueParser) note(lines ...line) {
	p.endTurn()
	turn := &Turn{Note: true}
	for _, l := range lines {
		turn.Text.space()
		turn.Text.add(p.encoding, p.Raw, l.from, l.to)
	}
	p.Turns = append(p.Turns, turn)
}

// block reads a cue, a note or a style.
func (p *cueParser) block(block []line) error {
	at := 0
	for at < len(block) && at < 2 && !bytes.Contains(p.Raw[block[at].from:block[at].to], []byte("-->")) {
		at++
	}
	if at == len(block) || at == 2 {
		return p.other(block)
	}
	timing := block[at]
	start, end, err := p.timing(timing)
	if err != nil {
		return err
	}
	if at == 1 {
		p.identifier(block[0])
	}
	p.End = max(p.End, end)
	p.cue(block[at+1:], start, end)
	return nil
}

// identifier looks at a cue's name: a number, or a word that may name somebody.
func (p *cueParser) identifier(l line) {
	for _, c := range p.Raw[l.from:l.to] {
		if c < '0' || c > '9' {
			turn := &Turn{Note: true}
			turn.Text.add(p.encoding, p.Raw, l.from, l.to)
			p.Turns = append(p.Turns, turn)
			return
		}
	}
}

// other reads a block without times: NOTE, STYLE and REGION of WebVTT.
func (p *cueParser) other(block []line) error {
	first := string(p.Raw[block[0].from:block[0].to])
	if p.Format == WebVTT {
		for _, word := range [...]string{"NOTE", "STYLE", "REGION"} {
			if first == word || strings.HasPrefix(first, word+" ") || strings.HasPrefix(first, word+"\t") {
				if word == "STYLE" {
					p.style(line{block[0].from, block[len(block)-1].to})
				}
				rest := block[0]
				rest.from += len(word)
				p.note(append([]line{rest}, block[1:]...)...)
				return nil
			}
		}
	}
	return p.fault(fault.Usage, block[0].from, "a block has no line with times").
		WithHint("a cue is an optional number or name, a line \"00:00:01.000 --> 00:00:02.000\", and its text, ended by a blank line")
}

var voiceSelector = regexp.MustCompile(`voice\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// style finds the speakers that a style sheet names.
func (p *cueParser) style(l line) {
	for _, m := range voiceSelector.FindAllSubmatchIndex(p.Raw[l.from:l.to], -1) {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		p.label(l.from+from, l.from+to)
	}
}

// label notes a place that names a speaker, without the space round the name.
func (p *cueParser) label(from, to int) string {
	for from < to && p.Raw[from] <= ' ' {
		from++
	}
	for from < to && p.Raw[to-1] <= ' ' {
		to--
	}
	name := p.encoding.text(p.Raw[from:to])
	if name == "" {
		return ""
	}
	p.Labels = append(p.Labels, Label{from, to, name})
	p.voices[speakerKey(name)] = true
	return name
}

// timing reads "00:00:01.000 --> 00:00:02.000"; settings may follow.
func (p *cueParser) timing(l line) (start, end float64, err error) {
	before, after, _ := strings.Cut(string(p.Raw[l.from:l.to]), "-->")
	fields := strings.Fields(after)
	start, okStart := parseTime(strings.TrimSpace(before))
	okEnd := len(fields) > 0
	if okEnd {
		end, okEnd = parseTime(fields[0])
	}
	if !okStart || !okEnd || end < start {
		return 0, 0, p.fault(fault.Usage, l.from, "not the times of a cue")
	}
	return start, end, nil
}

// parseTime reads hours, which may be missing, minutes, seconds and thousandths.
func parseTime(text string) (float64, bool) {
	seconds, fraction, ok := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	parts := strings.Split(seconds, ":")
	if !ok || len(fraction) != 3 || len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	total := 0.0
	for i, part := range append(parts, fraction) {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil {
			return 0, false
		}
		if i == len(parts) {
			return total + float64(n)/1000, true
		}
		total = total*60 + float64(n)
	}
	return 0, false
}

// cue reads a cue's text: tags apart, speakers apart.
func (p *cueParser) cue(lines []line, start, end float64) {
	p.shared = p.speakers(lines) > 1
	for n, l := range lines {
		from := l.from
		if name, a, b, rest := p.prefixOf(l); b > 0 && p.prefix[speakerKey(name)] {
			for a < b && p.Raw[a] == '[' {
				a++
			}
			for b > a && p.Raw[b-1] == ']' {
				b--
			}
			p.speak(p.label(a, b))
			from = rest
		} else if n == 0 {
			p.mayEndTurn()
		}
		p.words(line{from, l.to}, start, end)
	}
}

// speak begins the turn of a speaker, unless it is theirs already.
func (p *cueParser) speak(name string) {
	if p.turn != nil && p.turn.Speaker == name {
		p.mayEndTurn()
		return
	}
	p.endTurn()
	p.turn = &Turn{Speaker: name}
}

// mayEndTurn ends a turn that has grown long.
func (p *cueParser) mayEndTurn() {
	if p.turn == nil || len(p.turn.Text.Bytes) < longTurn {
		return
	}
	text := bytes.TrimRight(p.turn.Text.Bytes, " ")
	if len(text) > longestTurn || len(text) > 0 && strings.IndexByte(".!?", text[len(text)-1]) >= 0 {
		speaker := p.turn.Speaker
		p.endTurn()
		p.turn = &Turn{Speaker: speaker}
	}
}

func (p *cueParser) endTurn() {
	if p.turn != nil && len(p.turn.Text.Bytes) > 0 {
		p.Turns = append(p.Turns, p.turn)
	}
	p.turn = nil
}

// words adds a line's words to the turn. A time stamp within begins a part of
// its own.
func (p *cueParser) words(l line, start, end float64) {
	if p.turn == nil {
		p.turn = new(Turn)
	}
	p.turn.Text.space()
	from := len(p.turn.Text.Bytes)
	flush := func(until float64) {
		if to := len(p.turn.Text.Bytes); to > from {
			p.turn.addPart(Part{from, to, start, until, p.shared})
			from = to
		}
	}
	for at := l.from; at < l.to; {
		size, kind := p.tag(at, l.to)
		if size == 0 {
			next := at + 1
			for next < l.to && p.Raw[next] != '<' && p.Raw[next] != '{' {
				next++
			}
			p.turn.Text.add(p.encoding, p.Raw, at, next)
			at = next
			continue
		}
		switch {
		case kind == "v":
			flush(end)
			name, to := p.Raw[at:at+size-1], at+size-1
			if i := bytes.IndexAny(name, " \t"); i > 0 {
				p.speak(p.label(at+i+1, to))
				p.turn.Text.space()
				from = len(p.turn.Text.Bytes)
			}
			p.class(at, at+size)
		case kind == "time":
			if when, ok := parseTime(string(p.Raw[at+1 : at+size-1])); ok && when >= start && when <= end {
				flush(when)
				start = when
			}
		case kind == "tag":
			p.class(at, at+size)
		}
		at += size
	}
	flush(end)
}

// addPart adds a part, or lengthens the last one when it goes on on another line.
func (t *Turn) addPart(part Part) {
	if n := len(t.Parts); n > 0 {
		if last := &t.Parts[n-1]; last.Start == part.Start && last.End == part.End {
			last.To = part.To
			return
		}
	}
	t.Parts = append(t.Parts, part)
}

// class notes the class names of a tag: they are kept unless they are speakers'.
func (p *cueParser) class(from, to int) {
	for at := from; at < to && p.Raw[at] > ' '; at++ {
		if p.Raw[at] != '.' {
			continue
		}
		end := at + 1
		for end < to && p.Raw[end] > ' ' && p.Raw[end] != '.' && p.Raw[end] != '>' {
			end++
		}
		p.classes = append(p.classes, unit{at + 1, end})
	}
}

var (
	cueTag     = regexp.MustCompile(`^</?(?:c|i|b|u|s|ruby|rt|lang|font|v)(?:[.\s][^<>]*)?>`)
	stampTag   = regexp.MustCompile(`^<[0-9:]+\.[0-9]{3}>`)
	assTag     = regexp.MustCompile(`^\{\\[a-z0-9]+[^{}]*\}`)
	voiceTag   = regexp.MustCompile(`<v[.\s]`)
	voiceStart = regexp.MustCompile(`^<v[.\s]`)
)

// tag finds out whether a tag of the format begins here. What merely looks like
// one is text.
func (p *cueParser) tag(at, end int) (size int, kind string) {
	text := p.Raw[at:end]
	switch {
	case text[0] == '{' && p.Format == SubRip:
		return len(assTag.Find(text)), "skip"
	case text[0] != '<':
		return 0, ""
	case voiceStart.Match(text):
		if i := bytes.IndexByte(text, '>'); i > 0 {
			return i + 1, "v"
		}
	}
	if m := stampTag.Find(text); m != nil {
		return len(m), "time"
	}
	return len(cueTag.Find(text)), "tag"
}
