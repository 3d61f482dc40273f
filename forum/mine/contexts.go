package mine

import (
	"bufio"
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
	"anonymooc/internal/safefile"
)

// ContextRule is a context that gives names away: the words on one side of them.
type ContextRule struct {
	Side     Side
	Items    []string        // in reading order: keys, "<first name>", "<line>", "<edge>", "<number>"
	Category detect.Category // what stands there
	Known    int             // occurrences beside a known form, over all corpora
	Total    int             // occurrences
	Lang     string          // file it is kept in; empty when unknown
}

// String writes the rule as its file does, the name's place as "…".
func (r ContextRule) String() string {
	words := strings.Join(r.Items, " ")
	if r.Side == Left {
		return words + " …"
	}
	return "… " + words
}

// readable reports whether the rule can be read back from its pattern.
func (r ContextRule) readable() bool {
	back, flaw := parseRule(r.String())
	return flaw == "" && back.Side == r.Side && slices.Equal(back.Items, r.Items)
}

// trust is the share of names among what stands beside the context; one sight
// is not yet certainty.
func (r ContextRule) trust() float64 {
	return (float64(r.Known) + 0.5) / (float64(r.Total) + 1)
}

func sortRules(rules []ContextRule) {
	slices.SortFunc(rules, func(a, b ContextRule) int {
		return cmp.Or(cmp.Compare(b.Known, a.Known), cmp.Compare(a.Total, b.Total), strings.Compare(a.String(), b.String()))
	})
}

// rule describes a context of the trie.
func (t *trie) rule(n int32) ContextRule {
	return ContextRule{
		Side: t.side, Items: t.items(n), Category: t.category(n),
		Known: int(t.nodes[n].known), Total: int(t.nodes[n].total),
	}
}

// enter adds a rule's context to the trie; not if one of its words does not
// occur in the corpus.
func (t *trie) enter(rule ContextRule) (int32, bool) {
	n := int32(0)
	for i := range rule.Items {
		text := rule.Items[i]
		if t.side == Left {
			text = rule.Items[len(rule.Items)-1-i]
		}
		item, ok := t.view.itemNumber(text)
		if !ok {
			return 0, false
		}
		n = t.add(n, item)
	}
	return n, n != 0
}

// itemNumber is the inverse of itemText.
func (v *view) itemNumber(text string) (uint32, bool) {
	for i, category := range v.category {
		if text == className(category) {
			return uint32(len(v.corpus.keys) + i), true
		}
	}
	item, ok := v.numbers[text]
	return item, ok
}

// Contexts is a store of contexts: those shipped, those that earlier corpora
// taught, and those a reviewer rejected. The paper calls keeping them
// capitalising.
//
// A file holds one language, one context a line: the pattern, what stands
// there, and in how many of its occurrences, separated by tabs.
//
//	je m'appelle …	first_name	9/10
//	… et <first name>	first_name	4/4
//
// A context that a reviewer rejected has the word "rejected" for what stands
// there. "…" is the name's place, at one end. Between angle brackets: a category,
// <line> (a line's end), <edge> (a text's start or end), <number>. A line that
// begins with "#" is a comment.
type Contexts struct {
	rules    map[string]ContextRule
	rejected map[string]bool
}

// NewContexts is an empty store.
func NewContexts() *Contexts {
	return &Contexts{rules: make(map[string]ContextRule), rejected: make(map[string]bool)}
}

//go:embed starters/*.txt
var starters embed.FS

// StarterContexts is the store that comes with the program: greetings, thanks,
// introductions and agreements in fr, en, es, it, pt and ca.
func StarterContexts() (*Contexts, error) {
	store := NewContexts()
	return store, store.read(starters, "starters")
}

// OpenContexts is the starter set with what the folder keeps; a folder that
// does not exist keeps nothing.
func OpenContexts(folder string) (*Contexts, error) {
	store, err := StarterContexts()
	if err != nil {
		return nil, err
	}
	if err := store.read(os.DirFS(folder), "."); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return store, nil
}

func (s *Contexts) read(files fs.FS, folder string) error {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		lang, ok := strings.CutSuffix(entry.Name(), ".txt")
		if !ok {
			continue
		}
		data, err := fs.ReadFile(files, folder+"/"+entry.Name())
		if folder == "." {
			data, err = fs.ReadFile(files, entry.Name())
		}
		if err != nil {
			return err
		}
		rules, err := ReadRules(bytes.NewReader(data), entry.Name(), lang)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			if rule.Category == rejectedMark {
				s.Reject(rule.String())
				continue
			}
			s.rules[rule.String()] = rule
		}
	}
	return nil
}

// ReadRules reads a file of contexts in one language.
func ReadRules(r io.Reader, name, lang string) ([]ContextRule, error) {
	var rules []ContextRule
	lines := bufio.NewScanner(r)
	for number := int64(1); lines.Scan(); number++ {
		line := lines.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rule, flaw := parseRule(line)
		if flaw != "" {
			return nil, fault.New(fault.Usage, "%s", flaw).At(name, number, "").
				WithHint("a line is: je m'appelle …<tab>first_name<tab>9/10")
		}
		rule.Lang = lang
		rules = append(rules, rule)
	}
	return rules, lines.Err()
}

// rejectedMark stands in a file for the category of a rejected context.
const rejectedMark detect.Category = "rejected"

// placeMark stands for the name in a pattern.
const placeMark = "…"

func parseRule(line string) (rule ContextRule, flaw string) {
	fields := strings.Split(line, "\t")
	pattern := strings.TrimSpace(fields[0])
	rule.Category, rule.Known, rule.Total = detect.FirstName, 1, 2
	switch {
	case strings.Count(pattern, placeMark) != 1:
		return rule, "the context has no single place for the name"
	case strings.HasSuffix(pattern, placeMark):
		rule.Side, pattern = Left, strings.TrimSuffix(pattern, placeMark)
	case strings.HasPrefix(pattern, placeMark):
		rule.Side, pattern = Right, strings.TrimPrefix(pattern, placeMark)
	default:
		return rule, "the name's place is not at an end of the context"
	}
	if rule.Items = itemsOf(pattern); len(rule.Items) == 0 {
		return rule, "the context has no words"
	}
	if len(fields) > 1 && strings.TrimSpace(fields[1]) != "" {
		rule.Category = detect.Category(strings.TrimSpace(fields[1]))
		if !rule.Category.Valid() && rule.Category != rejectedMark {
			return rule, "the context's category is not known"
		}
	}
	if len(fields) > 2 {
		if _, err := fmt.Sscanf(strings.TrimSpace(fields[2]), "%d/%d", &rule.Known, &rule.Total); err != nil ||
			rule.Known < 0 || rule.Total < rule.Known || rule.Total == 0 {
			return rule, "the context's counts are not known/total"
		}
	}
	return rule, ""
}

var bracketed = regexp.MustCompile(`<[a-z ]+>`)

// itemsOf cuts a pattern into items as documents are cut.
func itemsOf(pattern string) []string {
	var items []string
	plain := func(text string) {
		doc := new(detect.Document)
		doc.Reset(doc.Post, "", []byte(text))
		for i := range doc.Tokens {
			item := fold.KeyString(doc.Tokens[i].Text)
			if doc.Tokens[i].Has(detect.Number) {
				item = numberItem
			}
			items = append(items, item)
		}
	}
	at := 0
	for _, found := range bracketed.FindAllStringIndex(pattern, -1) {
		plain(pattern[at:found[0]])
		items = append(items, pattern[found[0]:found[1]])
		at = found[1]
	}
	plain(pattern[at:])
	return items
}

// Rules gives the contexts that were not rejected, surest first.
func (s *Contexts) Rules() []ContextRule {
	rules := make([]ContextRule, 0, len(s.rules))
	for pattern, rule := range s.rules {
		if !s.rejected[pattern] {
			rules = append(rules, rule)
		}
	}
	sortRules(rules)
	return rules
}

// Reject takes a context, as String writes it, out of use.
func (s *Contexts) Reject(pattern string) { s.rejected[pattern] = true }

// trusted is how often a context that a reviewer trusts is taken to stand beside
// a name: in as many of its occurrences as the surest of those shipped.
var trusted = struct{ known, total int }{9, 10}

// Trust puts a context, as String writes it, into use, however often it was
// seen; it reports whether the pattern is one. What stands there is what the
// store knows, or else category.
func (s *Contexts) Trust(pattern string, category detect.Category) bool {
	rule, flaw := parseRule(pattern)
	if flaw != "" {
		return false
	}
	if category.Valid() {
		rule.Category = category
	}
	if known, ok := s.rules[rule.String()]; ok {
		rule = known
	}
	if rule.Known*trusted.total < trusted.known*rule.Total {
		rule.Known, rule.Total = trusted.known, trusted.total
	}
	delete(s.rejected, rule.String())
	s.rules[rule.String()] = rule
	return true
}

// Clone gives a store of the same contexts, which can be changed apart.
func (s *Contexts) Clone() *Contexts {
	return &Contexts{rules: maps.Clone(s.rules), rejected: maps.Clone(s.rejected)}
}

// RejectAll rejects what another store rejects.
func (s *Contexts) RejectAll(other *Contexts) { maps.Copy(s.rejected, other.rejected) }

// Rule is the rule of a pattern, as String writes it, whether rejected or not.
func (s *Contexts) Rule(pattern string) (ContextRule, bool) {
	rule, ok := s.rules[pattern]
	return rule, ok
}

// Rejected reports whether a context was rejected.
func (s *Contexts) Rejected(rule ContextRule) bool { return s.rejected[rule.String()] }

// Capitalise keeps rules for the next corpus and gives how many were taken:
// those that may leave this one and were not rejected.
func (s *Contexts) Capitalise(corpus *Corpus, rules []ContextRule) int {
	return s.Keep(Shareable(corpus, rules))
}

// Keep takes the rules that were not rejected and gives their number.
func (s *Contexts) Keep(rules []ContextRule) int {
	taken := 0
	for _, rule := range rules {
		if !s.rejected[rule.String()] {
			s.rules[rule.String()] = rule
			taken++
		}
	}
	return taken
}

// Shareable gives the rules that may leave their corpus: seen twice at least,
// and made of words that three people wrote each. A phrase of one person stays.
func Shareable(corpus *Corpus, rules []ContextRule) []ContextRule {
	shared := make(map[string]bool)
	for i := range corpus.forms {
		if form := &corpus.forms[i]; !form.Word || form.ManyAuthors() {
			shared[form.Key] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(rule ContextRule) bool {
		return rule.Total < 2 || !rule.readable() ||
			slices.ContainsFunc(rule.Items, func(item string) bool { return !shared[item] && !bracketed.MatchString(item) })
	})
}

// Save writes the store to the folder, one file per language, each whole or not
// at all and for the owner's eyes only.
func (s *Contexts) Save(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fault.New(fault.Failure, "cannot make the folder for contexts").At(folder, 0, "").Because(err)
	}
	files := make(map[string]*bytes.Buffer)
	line := func(lang, format string, values ...any) {
		name := cmp.Or(lang, "und") + ".txt"
		if files[name] == nil {
			files[name] = bytes.NewBufferString("# context\tcategory\tbeside known forms/occurrences\n")
		}
		fmt.Fprintf(files[name], format+"\n", values...)
	}
	for _, rule := range s.Rules() {
		line(rule.Lang, "%s\t%s\t%d/%d", rule, rule.Category, rule.Known, rule.Total)
	}
	for _, pattern := range slices.Sorted(maps.Keys(s.rejected)) {
		line("", "%s\t%s", pattern, rejectedMark)
	}
	for name, content := range files {
		if err := safefile.Write(filepath.Join(folder, name), content.Bytes(), 0o600); err != nil {
			return fault.New(fault.Failure, "cannot write contexts").At(name, 0, "").Because(err)
		}
	}
	return nil
}
