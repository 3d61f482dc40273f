package forum

import (
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

// standardEngine has everything that is shipped and the roster of the tests.
func standardEngine(t *testing.T, policy Policy, posts ...testPost) *Engine {
	t.Helper()
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Policy = policy
	return engineOf(t, options, nil, posts...)
}

// verdictOf gives the verdict and score on a form in a post.
func verdictOf(e *Engine, post, text, form string) (detect.Verdict, float64) {
	doc := detect.NewDocument(corpus.Post{ID: post}, "body", []byte(text))
	e.identify(doc)
	for _, f := range e.Findings(doc) {
		if f.Surface == form {
			return f.Verdict, f.Score
		}
	}
	return detect.Keep, 0
}

// TestCommonVocabularyIsDecidedByRule: a word of the language in small letters
// stays in a text that knows capitals, whoever talks there; in a text without
// any, somebody must say.
func TestCommonVocabularyIsDecidedByRule(t *testing.T) {
	e := standardEngine(t, Reviewed, testPost{"a", "a", "6", "Une question."}, testPost{"b", "a", "3", "Une réponse."}, testPost{"c", "a", "5", "Merci."})
	if verdict, score := verdictOf(e, "c", "Il y a une rosa sur la page deux de mon cahier.", "rosa"); verdict != detect.Keep {
		t.Errorf("with capitals: %s (%.2f), want keep", verdict, score)
	}
	_, with := verdictOf(e, "c", "Je suis d'accord avec la page deux", "page")
	_, without := verdictOf(e, "c", "je suis d'accord avec la page deux", "page")
	if without < with {
		t.Errorf("a word in a text without capitals (%.2f) is less of a name than in one with them (%.2f)", without, with)
	}
}

// TestTheAuthorsOwnTownIsMaskedByRule, large as it may be: with the author's
// other traits it singles out. Where nobody here lives, a large town stays.
func TestTheAuthorsOwnTownIsMaskedByRule(t *testing.T) {
	options := testOptions(Reviewed)
	forum := forumOf(t, testPost{"a", "a", "1", "x"}, testPost{"b", "a", "2", "x"})
	people := []Person{testRoster[0], testRoster[1]}
	people[0].Cities = []string{"Perpignan"}
	e, err := New(people, forum, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		post, text string
		want       detect.Verdict
	}{
		{"a", "J'habite à Perpignan depuis longtemps.", detect.Mask},
		{"a", "Ici, Perpignan est au soleil.", detect.Mask},
		{"b", "Ils iront voir Perpignan en mai.", detect.Keep},
	} {
		if verdict, score := verdictOf(e, tt.post, tt.text, "Perpignan"); verdict != tt.want {
			t.Errorf("%s: %s (%.2f), want %s", tt.text, verdict, score, tt.want)
		}
	}
}

// TestThingsWithACapitalAreNotAskedAbout: what dictionaries and gazetteers know
// with a capital, and no list of names has, is no unknown person.
func TestThingsWithACapitalAreNotAskedAbout(t *testing.T) {
	const text = "On a lu un article sur Wikipédia hier, et croisé Zorbulin ensuite."
	e := standardEngine(t, Reviewed, testPost{"a", "a", "1", text})
	verdict, thing := verdictOf(e, "a", text, "Wikipédia")
	_, unknown := verdictOf(e, "a", text, "Zorbulin")
	if verdict != detect.Keep || unknown < 2*thing {
		t.Errorf("a thing: %s (%.2f), an unknown word scores %.2f", verdict, thing, unknown)
	}
	questions, err := e.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		if q.Surface == "Wikipédia" {
			t.Errorf("a thing that scores %.2f is asked about", q.Score)
		}
	}
}

// engineOfTwo has everything that is shipped and a roster of two people, of whom the
// first writes.
func engineOfTwo(t *testing.T, name func(first, second *Person)) *Engine {
	t.Helper()
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Policy = Reviewed
	people := []Person{testRoster[0], testRoster[1]}
	name(&people[0], &people[1])
	e, err := New(people, forumOf(t, testPost{"a", "a", "1", "x"}, testPost{"b", "a", "3", "x"}), nil, options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestTwoNamesThatMakeATownAreNotSure: somebody's names run together are theirs, unless
// they make the name of a town.
func TestTwoNamesThatMakeATownAreNotSure(t *testing.T) {
	e := engineOfTwo(t, func(first, second *Person) {
		first.FirstNames, first.LastNames = []string{"Mont"}, []string{"Luçon"}
		second.FirstNames, second.LastNames = []string{"Mont"}, []string{"Kerbadec"}
	})
	for text, town := range map[string]bool{"On va à Montluçon demain.": true, "On va avec Montkerbadec demain.": false} {
		form := strings.Fields(text)[3]
		if verdict, score := verdictOf(e, "b", text, form); town == (verdict == detect.Mask) {
			t.Errorf("%s: %s (%.2f)", form, verdict, score)
		}
	}
}

// TestAUsernameThatIsNothingElseIsMaskedByRule, whoever writes; one that is a word is not.
func TestAUsernameThatIsNothingElseIsMaskedByRule(t *testing.T) {
	e := engineOfTwo(t, func(first, second *Person) {
		first.Usernames, second.Usernames = []string{"zorbulinette"}, []string{"chapitre"}
	})
	for form, want := range map[string]bool{"zorbulinette": true, "chapitre": false} {
		if verdict, score := verdictOf(e, "b", "Je ne trouve pas "+form+" dans la liste du cours.", form); want != (verdict == detect.Mask) {
			t.Errorf("%s: %s (%.2f)", form, verdict, score)
		}
	}
}
