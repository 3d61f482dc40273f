package oral

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"anonymooc/internal/fault"
)

// What becomes of the attributes of a Transcriber file (trans-14.dtd). An element
// or attribute that is not listed stops the run: nobody knows what it holds.
var transcriberAttributes = map[string]string{
	"Trans":      "scribe=person audio_filename=file version=keep version_date=year xml:lang=keep elapsed_time=keep",
	"Topics":     "",
	"Topic":      "id=keep desc=text",
	"Speakers":   "",
	"Speaker":    "id=id name=person check=keep type=keep dialect=keep accent=text scope=keep",
	"Episode":    "program=text air_date=year",
	"Section":    "type=keep topic=keep startTime=keep endTime=keep",
	"Turn":       "speaker=ids startTime=keep endTime=keep mode=keep fidelity=keep channel=keep",
	"Sync":       "time=keep",
	"Background": "time=keep type=keep level=keep",
	"Comment":    "desc=text",
	"Who":        "nb=keep",
	"Vocal":      "desc=text",
	"Event":      "desc=text type=keep extent=keep",
}

// tag is an element's start as it stands in the file.
type tag struct {
	name       string
	from       int
	attributes []attribute
	closes     bool // </name>
	empty      bool // <name/>
}

// attribute is one with the place of its value.
type attribute struct {
	name     string
	from, to int
}

func (t *tag) value(raw []byte, name string) (string, bool) {
	for _, a := range t.attributes {
		if a.name == name {
			return string(raw[a.from:a.to]), true
		}
	}
	return "", false
}

// transcriberParser reads a Transcriber file.
type transcriberParser struct {
	*Transcript
	names    map[string]string // speaker's id → name
	speaking []string          // ids of the turn's speakers
	who      int               // which of them; 0 when not told apart
	turn     *Turn
	inTurn   bool
	from     int // bytes of the turn's text that have no end yet
	start    float64
	end      float64
	open     []openPart // of the stretch between two time stamps
}

// openPart is a part that ends at the next time stamp.
type openPart struct {
	turn *Turn
	part Part
}

var tagPattern = regexp.MustCompile(`^<(/?)([A-Za-z_][A-Za-z0-9_.:-]*)((?:\s+[A-Za-z_][A-Za-z0-9_.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`)
var attributePattern = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`)

// parseTranscriber reads a .trs file.
func parseTranscriber(t *Transcript) error {
	if err := t.wellFormed(); err != nil {
		return err
	}
	p := &transcriberParser{Transcript: t, names: make(map[string]string)}
	var unknown fault.List
	for at := 0; at < len(t.Raw); {
		if t.Raw[at] != '<' {
			next := at + 1
			for next < len(t.Raw) && t.Raw[next] != '<' {
				next++
			}
			p.text(at, next)
			at = next
			continue
		}
		size, err := p.markup(at, &unknown)
		if err != nil {
			return err
		}
		at += size
	}
	return unknown.Err()
}

// wellFormed has the file checked by a reader of XML that is not ours.
func (t *Transcript) wellFormed() error {
	decoder := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(t.encoding.text(t.Raw), "\ufeff")))
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	root := ""
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f := fault.New(fault.Usage, "the file is not well-formed XML").At(t.Name, 0, "")
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				f.Line = int64(syntax.Line)
			}
			return f
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
	}
	if root != "Trans" {
		return fault.New(fault.Usage, "the file is no transcript of Transcriber").At(t.Name, 0, "").WithHint("its first element would be Trans")
	}
	return nil
}

// markup reads what begins with "<" and gives its length.
func (p *transcriberParser) markup(at int, unknown *fault.List) (int, error) {
	rest := p.Raw[at:]
	until := func(end string) int { return bytes.Index(rest, []byte(end)) + len(end) }
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		size := until("-->")
		p.note(at+len("<!--"), at+size-len("-->"))
		return size, nil
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return 0, p.fault(fault.Usage, at, "a CDATA section")
	case bytes.HasPrefix(rest, []byte("<?xml ")) || bytes.HasPrefix(rest, []byte("<?xml\t")):
		return until("?>"), nil
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		size := until(">")
		if bytes.IndexByte(rest[:size], '[') >= 0 {
			return 0, p.fault(fault.Usage, at, "a document type with declarations of its own")
		}
		return size, nil
	}
	m := tagPattern.FindSubmatchIndex(rest)
	if m == nil {
		return 0, p.fault(fault.Usage, at, "markup that is no element")
	}
	t := tag{name: string(rest[m[4]:m[5]]), from: at, closes: m[3] > m[2], empty: m[9] > m[8]}
	for _, a := range attributePattern.FindAllSubmatchIndex(rest[m[6]:m[7]], -1) {
		from, to := a[4], a[5]
		if from < 0 {
			from, to = a[6], a[7]
		}
		t.attributes = append(t.attributes, attribute{string(rest[m[6]+a[2] : m[6]+a[3]]), at + m[6] + from, at + m[6] + to})
	}
	if err := p.element(&t, unknown); err != nil {
		return 0, err
	}
	return m[1], nil
}

// element does what a tag asks for.
func (p *transcriberParser) element(t *tag, unknown *fault.List) error {
	if _, known := transcriberAttributes[t.name]; !known {
		*unknown = append(*unknown, p.fault(fault.Unbound, t.from, "an element that no rule names").At("", 0, t.name))
		return nil
	}
	if !t.closes {
		p.attributes(t, unknown)
	}
	switch {
	case t.name == "Speaker" && !t.closes:
		id, _ := t.value(p.Raw, "id")
		name, _ := t.value(p.Raw, "name")
		if name = html.UnescapeString(p.encoding.text([]byte(name))); strings.TrimSpace(name) == "" {
			name = id
		}
		p.names[id] = name
	case t.name == "Turn" && t.closes:
		p.endStretch(p.end)
		p.inTurn, p.turn = false, nil
	case t.name == "Turn":
		return p.beginTurn(t)
	case t.name == "Sync":
		when, err := p.time(t, "time")
		if err != nil {
			return err
		}
		p.endStretch(when)
		p.start, p.who = when, 0
		p.say()
	case t.name == "Who":
		nb, _ := t.value(p.Raw, "nb")
		n, err := strconv.Atoi(nb)
		if err != nil || n < 1 || n > len(p.speaking) {
			return p.fault(fault.Usage, t.from, "a speaker's number that the turn does not have").At("", 0, "Who")
		}
		p.who = n
		p.say()
	}
	return nil
}

// attributes sorts out what a tag's attributes hold.
func (p *transcriberParser) attributes(t *tag, unknown *fault.List) {
	kinds := make(map[string]string)
	for pair := range strings.FieldsSeq(transcriberAttributes[t.name]) {
		name, kind, _ := strings.Cut(pair, "=")
		kinds[name] = kind
	}
	for _, a := range t.attributes {
		switch kind, known := kinds[a.name]; {
		case !known:
			*unknown = append(*unknown, p.fault(fault.Unbound, t.from, "an attribute that no rule names").At("", 0, t.name+"/@"+a.name))
		case a.from == a.to:
		case kind == "person":
			if name := html.UnescapeString(p.encoding.text(p.Raw[a.from:a.to])); strings.TrimSpace(name) != "" {
				p.Labels = append(p.Labels, Label{a.from, a.to, name})
			}
		case kind == "file":
			p.Fixed = append(p.Fixed, Coarse{a.from, a.to, coarseFile})
		case kind == "year":
			p.Fixed = append(p.Fixed, Coarse{a.from, a.to, coarseYear})
		case kind == "id" || kind == "ids":
			p.ids(a)
		case kind == "text":
			p.note(a.from, a.to)
		}
	}
}

var plainID = regexp.MustCompile(`^[a-z]{0,4}[0-9]+$`)

// ids notes the speakers' ids that may say more than a number.
func (p *transcriberParser) ids(a attribute) {
	for at := a.from; at < a.to; {
		end := at
		for end < a.to && p.Raw[end] > ' ' {
			end++
		}
		if end > at && !plainID.Match(p.Raw[at:end]) {
			p.Fixed = append(p.Fixed, Coarse{at, end, coarseNoCode})
		}
		at = max(end, at+1)
	}
}

// note makes a text of its own of what nobody speaks.
func (p *transcriberParser) note(from, to int) {
	if len(bytes.TrimSpace(p.Raw[from:to])) == 0 {
		return
	}
	turn := &Turn{Note: true}
	turn.Text.add(p.encoding, p.Raw, from, to)
	p.Turns = append(p.Turns, turn)
}

func (p *transcriberParser) time(t *tag, name string) (float64, error) {
	value, ok := t.value(p.Raw, name)
	seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if !ok || err != nil || !(seconds >= 0 && seconds < 1e7) {
		return 0, p.fault(fault.Usage, t.from, "not a time in seconds").At("", 0, t.name+"/@"+name)
	}
	p.End = max(p.End, seconds)
	return seconds, nil
}

func (p *transcriberParser) beginTurn(t *tag) error {
	var err error
	if p.start, err = p.time(t, "startTime"); err != nil {
		return err
	}
	if p.end, err = p.time(t, "endTime"); err != nil {
		return err
	}
	if p.end < p.start {
		return p.fault(fault.Usage, t.from, "a turn that ends before it begins").At("", 0, "Turn")
	}
	ids, _ := t.value(p.Raw, "speaker")
	p.speaking = strings.Fields(ids)
	p.who, p.inTurn = 0, true
	p.say()
	return nil
}

// say finds the turn that goes on: the same speaker's in the same element, or a
// new one.
func (p *transcriberParser) say() {
	if !p.inTurn {
		return
	}
	p.closePart()
	speaker := ""
	switch {
	case p.who > 0:
		speaker = p.speaker(p.speaking[p.who-1])
	case len(p.speaking) > 0:
		speaker = p.speaker(p.speaking[0])
	}
	if p.turn == nil || p.turn.Speaker != speaker || p.who > 0 || len(p.turn.Text.Bytes) > longestTurn {
		p.turn = &Turn{Speaker: speaker}
	}
	p.from = len(p.turn.Text.Bytes)
}

// speaker is what a speaker's id stands for.
func (p *transcriberParser) speaker(id string) string {
	if name := p.names[id]; name != "" {
		return name
	}
	return id
}

// text adds characters that stand between tags.
func (p *transcriberParser) text(from, to int) {
	if !p.inTurn {
		p.note(from, to)
		return
	}
	p.turn.Text.add(p.encoding, p.Raw, from, to)
}

// closePart ends what was said since the last tag that begins a part.
func (p *transcriberParser) closePart() {
	if p.turn == nil || len(bytes.TrimSpace(p.turn.Text.Bytes[p.from:])) == 0 {
		return
	}
	p.open = append(p.open, openPart{p.turn, Part{From: p.from, To: len(p.turn.Text.Bytes), Start: p.start, Shared: p.who > 0}})
	p.from = len(p.turn.Text.Bytes)
}

// endStretch gives the open parts their end.
func (p *transcriberParser) endStretch(end float64) {
	p.closePart()
	shared := slices.ContainsFunc(p.open, func(o openPart) bool { return o.part.Shared })
	for _, o := range p.open {
		o.part.End, o.part.Shared = max(end, o.part.Start), shared
		if len(o.turn.Parts) == 0 {
			p.Turns = append(p.Turns, o.turn)
		}
		o.turn.Parts = append(o.turn.Parts, o.part)
	}
	p.open = p.open[:0]
}
