package check

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

// export is a Text made of lists.
type export struct{ left, participants []string }

func (e export) Left(key string) int {
	n := 0
	for _, form := range e.left {
		if form == key {
			n++
		}
	}
	return n
}
func (e export) Participant(key string) bool { return slices.Contains(e.participants, key) }

func person(form, entity, pseudonym string) Row {
	return Row{Form: form, Category: detect.FirstName, Entity: detect.EntityID(entity), Pseudonym: pseudonym}
}

func initials(form, entity, pseudonym string) Row {
	row := person(form, entity, pseudonym)
	row.Initials = true
	return row
}

func generic(form, pseudonym string) Row {
	return Row{Form: form, Category: detect.FirstName, Pseudonym: pseudonym, Generic: true}
}

var text = export{left: []string{"dublin", "dublin", "rose"}, participants: []string{"kelly"}}

func TestAlertsOfStepSix(t *testing.T) {
	for name, c := range map[string]struct {
		table []Row
		want  []string // kind, then forms
	}{
		"one pseudonym for two people":      {[]Row{person("Zoé", "a", "Anna"), person("Léa", "b", "Anna")}, []string{"shared Léa Zoé"}},
		"one pseudonym for two loose forms": {[]Row{person("Zoé", "", "Anna"), person("Léa", "", "ANNA")}, []string{"shared Léa Zoé"}},
		"two spellings of one person":       {[]Row{person("Zoé", "a", "Anna"), person("zoe", "a", "anna")}, nil},
		"two spellings of one loose form":   {[]Row{person("Zoé", "", "Anna"), person("ZOE", "", "Anna")}, nil},
		"a pseudonym left in the corpus":    {[]Row{person("Paris", "a", "Dublin")}, []string{"collision Paris"}},
		"a participant's name":              {[]Row{person("Zoé", "a", "Kelly")}, []string{"participant Zoé"}},
		"one form, two pseudonyms":          {[]Row{person("Paris", "a", "Lima"), person("Paris", "b", "Oslo")}, []string{"split Paris"}},
		"shared initials":                   {[]Row{initials("Zoé Brun", "a", "Z. B."), initials("Zita Blanc", "b", "Z. B.")}, []string{"initials Zita Blanc Zoé Brun"}},
		"initials that are a word":          {[]Row{initials("Rose", "a", "ROSE")}, nil},
		"hyperonyms":                        {[]Row{generic("Zoé", "NPERS"), generic("Léa", "NPERS"), generic("Zoé", "***")}, nil},
		"nothing wrong":                     {[]Row{person("Zoé", "a", "Anna"), person("Léa", "b", "Ida")}, nil},
	} {
		var got []string
		for _, alert := range Alerts(c.table, text) {
			got = append(got, string(alert.Kind)+" "+strings.Join(alert.Forms, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestHomonymsAreToldFromMistakes(t *testing.T) {
	meant := Alerts([]Row{person("Paris", "a", "Lima"), person("Paris", "b", "Oslo")}, text)
	mistake := Alerts([]Row{person("Paris", "a", "Lima"), person("Paris", "a", "Oslo")}, text)
	if meant[0].What == mistake[0].What || !strings.HasPrefix(meant[0].What, "homonyms") {
		t.Errorf("got %q and %q", meant[0].What, mistake[0].What)
	}
}

func TestAlertsDoNotDependOnTheTablesOrder(t *testing.T) {
	var table []Row
	for i := range 40 {
		table = append(table, person(fmt.Sprint("form", i%17), fmt.Sprint("e", i%13), fmt.Sprint("name", i%11)))
	}
	want := Alerts(table, text)
	if len(want) == 0 {
		t.Fatal("no alerts: the test proves nothing")
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		random.Shuffle(len(table), func(i, j int) { table[i], table[j] = table[j], table[i] })
		if got := Alerts(table, text); !reflect.DeepEqual(got, want) {
			t.Fatal("the alerts changed with the order of the rows")
		}
	}
}

func TestExplainedNamesAreFound(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Je m'appelle Sylvie «Paris» (comme la capitale française)...": true,
		"Je m'appelle «Paris», comme la capitale":                      true,
		"Moi c'est «Zoé», ça veut dire vie":                            true,
		"Mon nom, «Schwarz», qui signifie noir, est allemand":          true,
		"My name is «Rose» (like the flower)":                          true,
		"I'm «Siobhan», it's pronounced differently":                   true,
		"Hi, «Fred» here, short for something longer":                  true,
		"me llamo «Sol», como el del cielo":                            true,
		"mi chiamo «Stella» (come la birra)":                           true,
		"meu nome é «Vitória», como a cidade":                          true,
		"em dic «Roser» (com la flor)":                                 true,
		"«Paris» comme toujours est belle":                             false,
		"Merci «Zoé», comme tu dis":                                    false,
		"Bonjour «Zoé». Comme la dernière fois, je passe":              false,
		"«Rose» likes the garden":                                      false,
		"merci «Zoé»":                                                  false,
		"«Zoé», tu viens demain avec nous dans le bus, comme le reste": false,
	} {
		raw := strings.NewReplacer("«", "", "»", "").Replace(sentence)
		start := strings.Index(sentence, "«")
		end := strings.Index(sentence, "»") - len("«")
		doc := detect.NewDocument(corpus.Post{ID: "p1"}, "body", []byte(raw))
		alerts := Explanations(doc, [][2]int{{start, end}})
		if got := len(alerts) == 1; got != want {
			t.Errorf("%s: got %v, want %v", sentence, alerts, want)
		} else if want && (alerts[0].Post != "p1" || raw[alerts[0].Start:alerts[0].End] != alerts[0].Forms[0]) {
			t.Errorf("%s: wrong place: %+v", sentence, alerts[0])
		}
	}
}
