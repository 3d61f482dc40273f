package lists

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists/automaton"
	"anonymooc/forum/lists/hunspell"
	"anonymooc/internal/fault"
)

// Dictionary is a dictionary of the officer's computer.
type Dictionary struct {
	Language string
	Path     string // a Hunspell .dic with its .aff beside it, or one word a line
}

// SystemDictionaries finds the dictionaries that Linux distributions install
// for languages whose larger word lists may not be shipped, in the folder root
// ("/" but for tests).
func SystemDictionaries(root string) []Dictionary {
	var found []Dictionary
	for _, d := range []Dictionary{
		{"ca", "usr/share/hunspell/ca.dic"}, {"ca", "usr/share/hunspell/ca_ES.dic"}, {"ca", "usr/share/dict/catalan"},
		{"it", "usr/share/hunspell/it_IT.dic"}, {"it", "usr/share/dict/italian"},
		{"fr", "usr/share/dict/french"},
		{"de", "usr/share/hunspell/de_DE.dic"}, {"de", "usr/share/dict/ngerman"},
	} {
		d.Path = filepath.Join(root, d.Path)
		if _, err := os.Stat(d.Path); err == nil {
			found = append(found, d)
		}
	}
	return found
}

// With gives these lists and the words of more dictionaries. Reading a large
// Hunspell dictionary takes a few seconds.
func (l *Lists) With(dictionaries ...Dictionary) (*Lists, error) {
	words := make(map[string]Kind)
	for _, d := range dictionaries {
		kind := WordOf(d.Language)
		if kind == 0 {
			return nil, fault.New(fault.Usage, "no word list can be added for this language").
				At(d.Path, 0, "").WithHint("the languages are %s", strings.Join(Languages(), ", "))
		}
		err := d.read(func(word string) {
			first, _ := utf8.DecodeRuneInString(word)
			if unicode.IsUpper(first) {
				words[Key(word)] |= Proper
			} else {
				words[Key(word)] |= kind
			}
		})
		if err != nil {
			return nil, fault.New(fault.Usage, "cannot read the dictionary").At(d.Path, 0, "").Because(err)
		}
	}
	more, err := extraBlob(words)
	if err != nil || more == nil {
		return l, err
	}
	return newLists(append(slices.Clone(l.blobs), *more)), nil
}

// read calls each with every word of a dictionary that is one token.
func (d Dictionary) read(each func(string)) error {
	single := func(word string) {
		if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
			each(word)
		}
	}
	file, err := os.Open(d.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	affixes, hunspellPair := strings.CutSuffix(d.Path, ".dic")
	if !hunspellPair {
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			single(strings.TrimSpace(lines.Text()))
		}
		return lines.Err()
	}
	rules, err := os.Open(affixes + ".aff")
	if err != nil {
		return err
	}
	defer rules.Close()
	read, err := hunspell.ReadRules(rules)
	if err != nil {
		return err
	}
	return read.Expand(file, single)
}

// extraBlob makes a blob in memory; nil for no words.
func extraBlob(words map[string]Kind) (*blob, error) {
	delete(words, "")
	if len(words) == 0 {
		return nil, nil
	}
	keys := make([]string, 0, len(words))
	for key := range words {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	numbers := make(map[Kind]uint32)
	b := blob{}
	builder := automaton.NewBuilder()
	for _, key := range keys {
		number, known := numbers[words[key]]
		if !known {
			number = uint32(len(b.entries))
			numbers[words[key]] = number
			b.entries = append(b.entries, Entry{Kinds: words[key]})
		}
		if err := builder.Add(key, number); err != nil {
			return nil, err
		}
	}
	data, err := builder.Bytes()
	if err != nil {
		return nil, err
	}
	b.words, err = automaton.Open(string(data))
	return &b, err
}
