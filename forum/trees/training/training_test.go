package training

import (
	"math/rand/v2"
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/internal/fault"
)

func open(t testing.TB) *lists.Lists {
	t.Helper()
	l, err := lists.Open()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestReadTakesLabelledLines(t *testing.T) {
	texts, err := Read(strings.NewReader(`{"id":"a","lang":"fr","text":"Été avec Zoé","spans":[{"start":9,"end":12,"type":"PER"}]}`+"\n\n"+
		`{"text":"rien"}`), "x.jsonl")
	if err != nil || len(texts) != 2 {
		t.Fatalf("%v %v", texts, err)
	}
	doc, named := texts[0].document()
	for i := range doc.Tokens {
		tok := &doc.Tokens[i]
		if want := tok.Text == "Zoé"; named[tok.Start] != want || named[tok.End-1] != want {
			t.Errorf("%s is labelled %v", tok.Text, !want)
		}
	}
	for _, bad := range []string{"no json", `{"text":"a","spans":[{"start":0,"end":2,"type":"PER"}]}`, `{"text":"a","spans":[{"start":-1,"end":1}]}`} {
		_, err := Read(strings.NewReader(`{"text":"x"}`+"\n"+bad), "x.jsonl")
		if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestSpansOfPeople(t *testing.T) {
	for kind, want := range map[string]bool{"PER": true, "person": true, "first_name": true, "USERNAME": true, "LOC": false, "place": false, "": false} {
		if (Span{Type: kind}).Person() != want {
			t.Errorf("%q: %v", kind, !want)
		}
	}
}

// texts are names after a greeting, and capitals in other places.
func texts(n int) []Text {
	random := rand.New(rand.NewPCG(1, 1))
	var list []Text
	for range n {
		word := string([]byte{byte('A' + random.IntN(26)), byte('a' + random.IntN(26)), "bdgkz"[random.IntN(5)], 'o', "bdgkz"[random.IntN(5)], 'u'})
		if random.IntN(2) == 0 {
			list = append(list, Text{Lang: "fr", Text: "merci " + word + " pour la figure", Spans: []Span{{6, 12, "PER"}}})
		} else {
			list = append(list, Text{Lang: "fr", Text: "la figure " + word + " est trop longue"})
		}
	}
	return list
}

// TestTrainingLearnsContexts: words that only their neighbours tell apart.
func TestTrainingLearnsContexts(t *testing.T) {
	l := open(t)
	var learn, test Set
	all := texts(500)
	learn.Add(all[:400], l)
	test.Add(all[400:], l)
	models, err := Train(&learn, 1)
	if err != nil {
		t.Fatal(err)
	}
	if q := Measure(models.Mention, test.Mentions); q.Examples == 0 || q.Precision < 0.95 || q.Recall < 0.95 {
		t.Errorf("on unseen words: %+v", q)
	}
	if _, mention, err := Folds(&test, &Set{}, 1, 1); err != nil || mention.Examples != len(test.Mentions) || mention.Accuracy < 0.8 {
		t.Errorf("folds: %+v %v", mention, err)
	}
}

// TestOnlyReviewedWordsAreLearned: what nobody has judged teaches nothing.
func TestOnlyReviewedWordsAreLearned(t *testing.T) {
	l := open(t)
	doc := detect.NewDocument(corpus.Post{Author: "7", Lang: "fr"}, "body", []byte("Namrata et Qibozu et Wobeku sont là"))
	var set Set
	set.Reviewed(doc, l, detect.NewLexicon(), func(start, _ int) (person, known bool) {
		return start == 0, start < 12
	})
	if len(set.Mentions) != 2 || !set.Mentions[0].Positive || set.Mentions[1].Positive || len(set.Messages) != 1 || !set.Messages[0].Positive {
		t.Errorf("%+v", set)
	}
	var none Set
	none.Reviewed(doc, l, nil, func(int, int) (bool, bool) { return false, false })
	if len(none.Mentions)+len(none.Messages) != 0 {
		t.Error("learned from what nobody judged")
	}
	if joined := Join(&set, &set, 3); len(joined.Mentions) != 8 {
		t.Errorf("%d examples joined, want 3 × 2 + 2", len(joined.Mentions))
	}
}
