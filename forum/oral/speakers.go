package oral

import (
	"encoding/csv"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// Codes says what stands for a speaker.
type Codes string

// The naming plans. The number is the person's pseudonym in the domain: random,
// the same in every transcript and in every table of the domain's releases.
const (
	RandomCodes   Codes = "random"   // u1234567890
	GenderCodes   Codes = "gender"   // u1234567890F
	RelationCodes Codes = "relation" // u1234567890FEM: the wife of u1234567890
)

// ParseCodes reads a naming plan's name.
func ParseCodes(name string) (Codes, error) {
	switch c := Codes(name); c {
	case RandomCodes, GenderCodes, RelationCodes:
		return c, nil
	}
	return "", fault.New(fault.Usage, "unknown naming plan").WithHint("naming plans are random, gender and relation")
}

// Speaker is a line of the officer's list: who a speaker is. Nobody has to be on
// it.
type Speaker struct {
	Transcript string // the file's name without its ending; empty for all
	Name       string // as the transcript names them
	Person     string // who that is: the same word for the same person, or "user_id:17"; empty: the name
	Of         string // the name or person they are related to
	Relation   string // letters that follow the other's code: FEM, FIL, MER
	Gender     string // a letter: F, M
}

// Plan gives speakers their codes.
type Plan struct {
	codes    Codes
	listed   []Speaker
	resolver *idmap.Resolver
	made     map[string]string // code → speaker's identity, so that no two share one
}

var speakerColumns = map[string]string{
	"transcript": "transcript", "transcription": "transcript", "file": "transcript", "fichier": "transcript",
	"speaker": "speaker", "locuteur": "speaker", "name": "speaker", "nom": "speaker",
	"person": "person", "personne": "person", "of": "of", "de": "of",
	"relation": "relation", "gender": "gender", "genre": "gender", "sexe": "gender", "sex": "gender",
}

var (
	relationCode = regexp.MustCompile(`^[A-Z]{1,6}[0-9]{0,2}$`)
	genderCode   = regexp.MustCompile(`^[A-Z]$`)
)

// ReadSpeakers reads the officer's list, a CSV with a header.
func ReadSpeakers(r io.Reader, name string) ([]Speaker, error) {
	header, rows, err := readCSV(r, name)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int)
	for i, heading := range header {
		column, ok := speakerColumns[fold.KeyString(strings.TrimSpace(heading))]
		if !ok {
			return nil, fault.New(fault.Unbound, "a column that the list of speakers does not have").At(name, 1, heading).
				WithHint("the columns are transcript, speaker, person, of, relation, gender")
		}
		at[column] = i
	}
	if _, ok := at["speaker"]; !ok {
		return nil, fault.New(fault.Usage, "the column is missing").At(name, 1, "speaker")
	}
	var speakers []Speaker
	for n, row := range rows {
		cell := func(column string) string {
			if i, ok := at[column]; ok {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		s := Speaker{cell("transcript"), cell("speaker"), cell("person"), cell("of"), cell("relation"), cell("gender")}
		line := int64(n + 2)
		switch {
		case s.Name == "":
			return nil, fault.New(fault.Usage, "the cell is empty").At(name, line, "speaker")
		case s.Relation != "" && !relationCode.MatchString(s.Relation):
			return nil, fault.New(fault.Usage, "not a relation").At(name, line, "relation").WithHint("a relation is up to six capitals and perhaps a number: FEM, FIL, FIL2")
		case (s.Relation == "") != (s.Of == ""):
			return nil, fault.New(fault.Usage, "a relation wants somebody it is to, and the other way round").At(name, line, "of")
		case s.Gender != "" && !genderCode.MatchString(s.Gender):
			return nil, fault.New(fault.Usage, "not a gender").At(name, line, "gender").WithHint("a gender is one capital: F, M, X")
		}
		speakers = append(speakers, s)
	}
	return speakers, nil
}

// readCSV reads a small table: comma, semicolon or tab, as its header tells.
func readCSV(r io.Reader, name string) (header []string, rows [][]string, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fault.New(fault.Failure, "the file cannot be read").At(name, 0, "")
	}
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	first, _, _ := strings.Cut(string(text), "\n")
	for _, comma := range ",;\t" {
		if strings.ContainsRune(first, comma) {
			reader.Comma = comma
			break
		}
	}
	rows, err = reader.ReadAll()
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return nil, nil, fault.New(fault.Usage, "not a line of CSV").At(name, int64(broken.Line), "")
	}
	if len(rows) == 0 {
		return nil, nil, fault.New(fault.Usage, "the file is empty").At(name, 0, "")
	}
	return rows[0], rows[1:], nil
}

// speakerKey folds a speaker's name.
func speakerKey(name string) string {
	return strings.Join(strings.Fields(fold.KeyString(html.UnescapeString(name))), " ")
}

var nobodysName = regexp.MustCompile(`^(?:(?:spk|spkr|speaker|locuteur|loc|interlocuteur|intervenant|intervieweur|enqueteur|enquete|temoin|interviewer|interviewee|participant|student|etudiant|voice|voix|guest|host|man|woman|homme|femme|male|female|unknown|inconnu|inconnue|nontrans|pi)?[ _#.-]*(?:[0-9]{1,4}|[a-z])?|(?:all|both|tous|ensemble)|no speaker)$`)

// placeholder reports whether a speaker's name is one that many transcripts use
// for somebody of their own.
func placeholder(name string) bool { return nobodysName.MatchString(speakerKey(name)) }

// find gives the officer's line for a speaker.
func (p *Plan) find(stem, name string) (Speaker, bool) {
	key := speakerKey(name)
	for _, everywhere := range [...]bool{false, true} {
		for _, s := range p.listed {
			if speakerKey(s.Name) == key && (everywhere && s.Transcript == "" || !everywhere && s.Transcript == stem) {
				return s, true
			}
		}
	}
	return Speaker{}, false
}

// identifier is the person behind a speaker, as the id map knows them. A name
// stands for the same person in every transcript, a placeholder for another one
// in each.
func (p *Plan) identifier(stem, name string) idmap.Identifier {
	person := ""
	if s, ok := p.find(stem, name); ok {
		person = s.Person
	}
	if kind, value, ok := strings.Cut(person, ":"); ok {
		if k, err := idmap.ParseKind(kind); err == nil {
			return idmap.Identifier{Kind: k, Value: value}
		}
	}
	switch {
	case person != "":
		return idmap.Identifier{Kind: idmap.ExternalID, Value: "oral person " + speakerKey(person)}
	case placeholder(name):
		return idmap.Identifier{Kind: idmap.ExternalID, Value: "oral speaker " + speakerKey(name) + " in " + stem}
	}
	return idmap.Identifier{Kind: idmap.ExternalID, Value: "oral speaker " + speakerKey(name)}
}

// NewPlan tells the domain who speaks in the transcripts, and by what names they
// may be called in them.
func NewPlan(domain *idmap.Domain, codes Codes, listed []Speaker, transcripts []*Transcript) (*Plan, error) {
	p := &Plan{codes: codes, listed: listed, made: make(map[string]string)}
	for _, t := range transcripts {
		stem := Stem(t.Name)
		for _, name := range t.speakers() {
			id := p.identifier(stem, name)
			if err := domain.Claim(id, idmap.Identifier{Kind: idmap.ExternalID, Value: authorID(stem, name)}); err != nil {
				return nil, err
			}
			if placeholder(name) {
				continue
			}
			if err := domain.Describe(id, idmap.Attribute{Name: "name", Value: html.UnescapeString(name)}); err != nil {
				return nil, err
			}
		}
	}
	if _, err := domain.Settle(); err != nil {
		return nil, err
	}
	p.resolver = domain.Resolver()
	return p, nil
}

// authorID is what the posts of a transcript call a speaker. It follows from the
// transcript alone, so that whoever reads it without the officer's list finds the
// same person in the id map.
func authorID(stem, name string) string { return "oral turn " + speakerKey(name) + " in " + stem }

// speakers lists everybody a transcript names as one, once.
func (t *Transcript) speakers() []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, l := range t.Labels {
		add(l.Speaker)
	}
	for _, turn := range t.Turns {
		add(turn.Speaker)
	}
	return names
}

// Pseudonym is the person behind a speaker; Forgotten says that they were erased.
func (p *Plan) pseudonym(stem, name string) (person idmap.Pseudonym, forgotten bool, err error) {
	id := p.identifier(stem, name)
	person, err = p.resolver.Person(id.Kind, []byte(id.Value))
	if errors.Is(err, idmap.ErrForgotten) {
		person, err = p.resolver.Orphan(id.Kind, []byte(id.Value))
		return person, true, err
	}
	return person, false, err
}

// Forgotten gives catalogue rows for the speakers who were erased: the id map no
// longer knows their names, but the transcripts do, and may tell them in what others
// say.
func (p *Plan) Forgotten(transcripts []*Transcript) ([]detect.Row, error) {
	var rows []detect.Row
	for _, t := range transcripts {
		for _, name := range t.speakers() {
			orphan, forgotten, err := p.pseudonym(Stem(t.Name), name)
			if err != nil {
				return nil, err
			}
			if forgotten && !placeholder(name) {
				person := forum.Person{Pseudonym: orphan, Names: []string{html.UnescapeString(name)}}
				rows = append(rows, person.Rows()...)
			}
		}
	}
	return rows, nil
}

// Code is what stands for a speaker in a release.
func (p *Plan) Code(stem, name string) (string, error) {
	person, _, err := p.pseudonym(stem, name)
	if err != nil {
		return "", err
	}
	code, owner := person.Username(), person.Username()
	listed, ok := p.find(stem, name)
	switch {
	case !ok:
	case p.codes == GenderCodes:
		code += listed.Gender
	case p.codes == RelationCodes && listed.Relation != "":
		other, _, err := p.pseudonym(stem, listed.Of)
		if err != nil {
			return "", err
		}
		code = other.Username() + listed.Relation
	}
	if p.made[code] != "" && p.made[code] != owner {
		return "", fault.New(fault.Usage, "two speakers would get the same code").At("", 0, "relation").
			WithHint("number the relations: FIL1, FIL2")
	}
	p.made[code] = owner
	return code, nil
}
