package forum

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/forum/grammar"
	"anonymooc/forum/lists"
	"anonymooc/forum/mine"
)

// Standard gives the options of a strict engine with every detector and list
// that the program ships.
func Standard() (Options, error) { return StandardFor("") }

// StandardFor is Standard with the lists and grammars that the officer has
// edited and the forests that were trained in a project's folder, where there
// are any.
func StandardFor(folder Folder) (Options, error) { return StandardChoice(folder, Choice{}) }

// StandardChoice is StandardFor with some of the detectors.
func StandardChoice(folder Folder, choice Choice) (Options, error) {
	forests, err := folder.forests(choice)
	if err != nil {
		return Options{}, err
	}
	return StandardWith(folder, choice, forests)
}

// Forests are what an engine has learnt: decision trees, and what words around a form say.
type Forests struct {
	Words     *detect.Models // of Seek&Hide
	FirstLook Judges
	Evidence  Judges
	Around    *detect.Surroundings
	Passage   *detect.Passage
}

// forests are those that the project has trained, or that the program carries.
func (f Folder) forests(choice Choice) (Forests, error) {
	if !choice.Has("seekhide") {
		return Forests{}, nil
	}
	words, err := detect.OpenModels(f.below("models"))
	if err != nil {
		return Forests{}, err
	}
	evidence, err := openJudges(f.below("models"))
	if err != nil {
		return Forests{}, err
	}
	first, err := firstLooks()
	if err != nil {
		return Forests{}, err
	}
	around, err := detect.ShippedSurroundings()
	if err != nil {
		return Forests{}, err
	}
	passage, err := detect.ShippedPassage()
	return Forests{words, first, evidence, around, passage}, err
}

// StandardWith is StandardChoice with the caller's forests.
func StandardWith(folder Folder, choice Choice, forests Forests) (Options, error) {
	known, err := lists.Open()
	if err != nil {
		return Options{}, err
	}
	contexts, err := mine.StarterContexts()
	if err != nil {
		return Options{}, err
	}
	options := Options{
		Policy: Strict, Mine: choice.Has(CatalogueName), Identify: detect.Identify, Words: known, Places: general{known},
		Contexts: contexts, Names: general{known}, Choice: choice,
	}
	if options.Mine {
		if options.Familiar, err = mine.ShippedFamiliar(); err != nil {
			return Options{}, err
		}
	}
	if choice.Has("patterns") {
		options.Detectors = append(options.Detectors, detect.NewPatterns())
	}
	if choice.Has("eslo") {
		grammars, err := folder.grammars()
		if err != nil {
			return Options{}, err
		}
		options.Detectors = append(options.Detectors, detect.NewESLO(grammars, known))
	}
	if choice.Has("nome") {
		officer, err := lists.ReadOfficer(folder.below("lists"))
		if err != nil {
			return Options{}, err
		}
		nome := detect.NewNome(officer, known)
		options.Detectors, options.Learners = append(options.Detectors, nome), append(options.Learners, nome)
	}
	if choice.Has("seekhide") {
		words := detect.NewLexicon()
		options.Detectors = append(options.Detectors, detect.NewSeekHide(known, words, forests.Words, choice.level()))
		options.Learners = append(options.Learners, words)
		if choice.whole() { // the forest on the evidence has only seen what all detectors say together
			options.Judge, err = NewJudge(forests, known, words)
		}
	}
	return options, err
}

// below is the path of something in the folder; empty without a project.
func (f Folder) below(name string) string {
	if f == "" {
		return ""
	}
	return filepath.Join(string(f), name)
}

// grammars are those of the officer's folder laid over the shipped ones.
func (f Folder) grammars() (map[string]*grammar.Grammar, error) {
	languages := detect.Languages()
	return grammar.ReadOwn(f.below("grammars"), languages[:]...)
}

// Grammars is the folder of the officer's grammars: one folder a language.
func (f Folder) Grammars() string { return filepath.Join(string(f), "grammars") }

// Lists is the folder of the officer's lists: inclusions, exclusions, titles.
func (f Folder) Lists() string { return filepath.Join(string(f), "lists") }

// Models is the folder of the forests that the project has trained.
func (f Folder) Models() string { return filepath.Join(string(f), "models") }

// general is the program's lists, as the engine asks them.
type general struct{ *lists.Lists }

// IsCountry reports whether a key is a country or what its people are called.
func (g general) IsCountry(key string) bool { return g.Find(key).Is(lists.Country | lists.Demonym) }

// IsThing reports whether a key is what dictionaries write with a capital, or a
// place, and on no list of people's names.
func (g general) IsThing(key string) bool {
	e := g.Find(key)
	return e.Is(lists.Proper|lists.Place|lists.Country|lists.Demonym) && !e.Is(lists.FirstName|lists.Surname)
}

// Names offers surrogates that can be taken for nothing else: no words and no
// places. In Latin letters they are first names in wide use, and of plain
// letters; other scripts have fewer, and offer all.
func (g general) Names(category detect.Category) []SurrogateName {
	wanted, usual := lists.FirstName, lists.UsualName
	switch category {
	case detect.FirstName:
	case detect.LastName:
		wanted, usual = lists.Surname, lists.Surname
	default:
		return nil
	}
	var names []SurrogateName
	g.Each(func(key []byte, e lists.Entry) bool {
		if !e.Is(wanted) || e.Is(lists.AnyWord|lists.AnyStop|lists.OtherStop|lists.Place|lists.Country|lists.Demonym|lists.Chat) {
			return true
		}
		if e.Is(usual) && plainLatin(key) || key[0] >= utf8.RuneSelf && plainOther(string(key)) {
			names = append(names, SurrogateName{titled(string(key)), genderOf(e)})
		}
		return true
	})
	return names
}

// Gender tells the gender of a first name's usual bearers.
func (g general) Gender(key string) Gender { return genderOf(g.Find(key)) }

func genderOf(e lists.Entry) Gender {
	switch male, female := e.Is(lists.Male), e.Is(lists.Female); {
	case male && !female:
		return Male
	case female && !male:
		return Female
	}
	return EitherGender
}

// titled writes a key as a name: keys are in small letters and have lost the
// Greek final sigma.
func titled(key string) string {
	runes := []rune(key)
	runes[0] = unicode.ToTitle(runes[0])
	if last := len(runes) - 1; runes[last] == 'σ' {
		runes[last] = 'ς'
	}
	return string(runes)
}

// plainLatin reports whether a key is a word of four to ten plain letters.
func plainLatin(key []byte) bool {
	for _, c := range key {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return len(key) >= 4 && len(key) <= 10
}

// plainOther reports whether a key is one word of another script than the Latin.
func plainOther(key string) bool {
	script, ok := scriptOf(key)
	return ok && script != "Latin" && !strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsLetter(r) })
}
