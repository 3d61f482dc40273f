package review

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/source"
)

// saying are the functions that give a reason, or a part of one, as their result.
var saying = []string{"what", "onlyPerson", "sayNear", "page", "judge", "evidence", "Explain"}

// reasonsInSource gives every reason that the text engine's packages write down:
// what is given to a weighing, to a mark or to an evidence, wherever it is made.
func reasonsInSource(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string) // reason → where
	for _, folder := range []string{"..", "../detect", "../mine", "../check"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for _, reason := range reasonsOf(n) {
					found[reason] = filepath.Base(name)
				}
				return true
			})
		}
	}
	return found
}

// reasonsOf gives the reasons that a node of the source writes down.
func reasonsOf(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		if name, isName := n.Fun.(*ast.Ident); isName && name.Name == "add" || ok && (f.Sel.Name == "add" || f.Sel.Name == "full") {
			return slices.Concat(literals(n.Args[len(n.Args)-1]), literals(n.Args[0]))
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "What" || key.Name == "how") {
			return literals(n.Value)
		}
	case *ast.AssignStmt:
		var all []string
		for i, left := range n.Lhs {
			name := ""
			switch left := left.(type) {
			case *ast.Ident:
				name = left.Name
			case *ast.SelectorExpr:
				name = left.Sel.Name
			}
			if i < len(n.Rhs) && slices.Contains([]string{"what", "What", "how"}, name) {
				all = append(all, literals(n.Rhs[i])...)
			}
		}
		return all
	case *ast.CompositeLit:
		if list, ok := n.Type.(*ast.ArrayType); ok {
			if name, ok := list.Elt.(*ast.Ident); !ok || name.Name != "Evidence" {
				return nil
			}
			var all []string
			for _, e := range n.Elts {
				if e, ok := e.(*ast.CompositeLit); ok && len(e.Elts) >= 2 {
					all = append(all, literals(e.Elts[1])...)
				}
			}
			return all
		}
		name, _ := n.Type.(*ast.Ident)
		switch {
		case name != nil && name.Name == "Evidence" && len(n.Elts) >= 2:
			return literals(n.Elts[1])
		case name != nil && name.Name == "finding" && len(n.Elts) >= 2:
			return literals(n.Elts[0]) // how a form is made of a known one, which is quoted
		}
	case *ast.ValueSpec:
		if name := n.Names[0].Name; strings.HasPrefix(name, "how") || name == "gluedTo" || name == "categoryWords" {
			return literals(n)
		}
	case *ast.FuncDecl:
		if slices.Contains(saying, n.Name.Name) && n.Body != nil {
			return literals(n.Body)
		}
	}
	return nil
}

// literals gives the texts in an expression that are words.
func literals(n ast.Node) (all []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(l.Value)
		text = strings.TrimSpace(strings.TrimPrefix(strings.NewReplacer("%q", "%s", "%d", "%s").Replace(text), ", "))
		if err == nil && strings.Contains(text, " ") && !strings.ContainsAny(text, `\()[]<>`) {
			all = append(all, text)
		}
		return true
	})
	return all
}

// TestEveryReasonIsSaidInFrench: those that the source writes down, and those that
// a forum brings about. Add "why.<reason> = …" to the French messages.
func TestEveryReasonIsSaidInFrench(t *testing.T) {
	english, err := readMessages("en")
	if err != nil {
		t.Fatal(err)
	}
	french, err := readMessages("fr")
	if err != nil {
		t.Fatal(err)
	}
	written := reasonsInSource(t)
	if len(written) < 80 {
		t.Fatalf("the source gives only %d reasons: the test looks in the wrong places", len(written))
	}
	for _, reason := range slices.Sorted(maps.Keys(written)) {
		_, whole := french[why+reason]
		_, quoting := french[why+strings.TrimSpace(reason)+" %s"]
		if !whole && !quoting && !frame[reason] {
			t.Errorf("%s: no French for %q", written[reason], reason)
		}
	}
	known := newReasons(french, english)
	for reason := range reasonsOfAForum(t) {
		if text, ok := known.say(reason); !ok {
			t.Errorf("no French for %q: %q", reason, text)
		}
	}
}

// frame are what composes reasons, and no words of them.
var frame = map[string]bool{"%s %s": true, "of the": true}

// reasonsOfAForum gives the reasons that the bundled forum brings about.
func reasonsOfAForum(t *testing.T) map[string]bool {
	t.Helper()
	options, err := forum.Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Policy = forum.Reviewed
	export := filepath.Join("..", "..", "testdata", "export")
	files, err := filepath.Glob(filepath.Join(export, "*", "forum_contents.json"))
	if err != nil {
		t.Fatal(err)
	}
	posts, err := corpus.Open(source.AllOnDisk(files...)...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := forum.New(everyone(t, export), posts, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	err = e.Each(func(_ *detect.Document, findings []forum.Finding) {
		for _, f := range findings {
			for _, evidence := range f.Evidence {
				if evidence.What != "" {
					seen[evidence.What] = true
				}
			}
		}
	})
	if err != nil || len(seen) < 30 {
		t.Fatalf("the bundled forum brings about %d reasons: %v", len(seen), err)
	}
	return seen
}

func TestReasonsAreSaidInParts(t *testing.T) {
	english, err := readMessages("en")
	if err != nil {
		t.Fatal(err)
	}
	french, err := readMessages("fr")
	if err != nil {
		t.Fatal(err)
	}
	known := newReasons(french, english)
	for reason, want := range map[string]string{
		"beside a known form in 3 of 10 occurrences":                "à côté d'une graphie connue dans 3 cas sur 10",
		`one letter from "Rosa"`:                                    `à une lettre de "Rosa"`,
		"stands in <first name> , … <line>":                         "se trouve dans <prénom> , … ¶",
		"known first name, elongated":                               "prénom connu, allongé",
		"two or more words with capitals, one of them a given name": "deux mots ou plus avec majuscules, dont un prénom",
		"identity.name of the speaker (signature)":                  "un nom que donne l'auteur de lui-même",
		"place (small town)":                                        "un lieu",
	} {
		if got, ok := known.say(reason); !ok || got != want {
			t.Errorf("%s: %q, want %q", reason, got, want)
		}
	}
	for _, unknown := range []string{"nothing that is known", "known first name, whistled", "identity.shoe of the speaker (x)"} {
		if got, ok := known.say(unknown); ok {
			t.Errorf("%s is taken for known: %q", unknown, got)
		}
	}
}
