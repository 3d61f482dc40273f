// Package grammar finds what people say about themselves and their relatives
// with local grammars: small descriptions of phrases, kept in text files that a
// linguist or a data officer can read and change, not in code.
//
// The method is that of Eshkol-Taravella, Baude, Kanaan-Caillol & Maurel 2014
// (section 3.2.2): two cascades over the same text. The first one finds named
// entities (persons, places, organisations); the second one finds designating
// entities around them: who speaks or is spoken of (speaker, spouse, parent,
// child …) and what is told (name, origin, age, work, studies, family,
// association, health). Hesitations may stand between any two words.
//
//	words.lg ─┬─► entities.lg    ─► first cascade  ─► {person} {place} {organisation}
//	          └─► designating.lg ─► second cascade ─► matches with captures
//
// # The file format
//
// Lines are UTF-8; "#" starts a comment; an indented line continues the
// statement above it. Case and accents do not matter: words are compared
// folded, and words are cut after an apostrophe (`j'habite` is `j'` `habite`)
// and at hyphens, so that `grand mère` also finds `grand-mère`.
//
//	skip euh, heu, hum                    words that may stand between any two others
//	set kin.child = fils, fille, gamin    a list of words or phrases
//	graph my = mon | ma | mes             a named piece, used as <my> below it
//	rule child.name: about child, says identity.name, score 0.8, verdict mask
//	    <my> <kin.child> [first: <name>]
//	    <my> <kin.child> <calls himself> [first: <name>]
//
// A rule's head also takes "alone": its captures are taken for what they are by
// their own looks (two words with capitals, a small town), and no phrase says of
// whom they are told. Readers believe such a rule less than a phrase.
//
// In a pattern:
//
//	word            the word, folded
//	"…"             a word or punctuation mark taken as it is
//	"*…"            a word with this ending
//	<a>             a class (below), a set or a graph of that name
//	<a b -c>        an atom with classes a and b and without class c
//	<s a -c>        the set or graph s, its first atom with class a, without c
//	{person}        a whole entity found by the first cascade
//	x y             x then y            x | y    x or y         ( … )  group
//	x?  x*  x+      optional, any number, one or more (at most eight)
//	<end>           nothing, but only where the line ends
//	!x              not before x (x: a word, class or set)
//	[label: …]      what is to be marked, and as what
//
// Classes of shape: word, capital, allcaps, lower, number, punct, initial,
// mention, linestart, lineend (nothing but punctuation follows), sentencestart,
// textend (on the last line), joined (bound by a hyphen to the word before),
// short (two letters at most), newline. Classes of meaning, answered by the
// Lexicon: first (a given name), usual (one known widely), surname, place,
// country, demonym, title, common (an ordinary word of the language), stop (a
// function word).
//
// A statement uses only sets and graphs that stand above it, in its own file or
// in words.lg; so no grammar can call itself, every program is finite, and a
// match never runs over more than MaxSpan atoms: time is linear in the text.
package grammar

// MaxSpan is the greatest number of atoms one match may cover.
const MaxSpan = 32

// Class is a set of properties of an atom.
type Class uint32

// The classes of shape come from the text alone; those of meaning are asked
// from the Lexicon.
const (
	Word Class = 1 << iota
	Capital
	AllCaps
	Lower
	Number
	Punct
	Initial
	Mention
	LineStart
	LineEnd
	SentenceStart
	TextEnd
	Joined
	Short
	Newline

	FirstName
	UsualName
	Surname
	Place
	Country
	Demonym
	Title
	Common
	Stop

	hesitation // a word that may stand anywhere; with a capital it is more likely a name (Ben)
	saidTwice  // the word before, once more
)

// meaning is the part of a Class that only the Lexicon knows.
const meaning = FirstName | UsualName | Surname | Place | Country | Demonym | Title | Common | Stop

// classNames are the words that name a class in a grammar file.
func classNames() map[string]Class {
	return map[string]Class{
		"word": Word, "capital": Capital, "allcaps": AllCaps, "lower": Lower,
		"number": Number, "punct": Punct, "initial": Initial, "mention": Mention,
		"linestart": LineStart, "lineend": LineEnd, "sentencestart": SentenceStart,
		"textend": TextEnd, "joined": Joined, "short": Short, "newline": Newline,
		"first": FirstName, "usual": UsualName, "surname": Surname,
		"place": Place, "country": Country, "demonym": Demonym, "title": Title,
		"common": Common, "stop": Stop,
	}
}

// Atom is a word, a number or a punctuation mark of a text.
type Atom struct {
	Start, End int     // bytes of the text
	Folded     string  // the comparison key: lower case, no accents; "\n" for a line end
	Known      *Lexeme // of Folded, by a matcher of this grammar; may be nil
	Classes    Class
	word       uint32 // number of Folded in the grammar's vocabulary; 0 when it has none
	looks      int32  // the number of its Classes among the looks that the matcher remembers
}

// Lexeme is what a matcher knows of a word wherever it stands. Texts say the same
// words again and again: whoever makes atoms may keep it.
type Lexeme struct {
	word    uint32
	skip    bool // a hesitation, unless it has a capital
	meaning Class
}

// Lexicon says what an atom may mean, by its Folded alone. The answer holds only
// classes of meaning.
type Lexicon interface {
	Meaning(atom *Atom) Class
}

// Entity is a named entity: atoms First to Last-1, of a kind such as "person".
type Entity struct {
	First, Last int
	Kind        string
}

// Rule is the head of a rule: what its matches are about.
type Rule struct {
	Name    string
	About   string  // speaker, spouse, parent, child, relative, other; empty in the first cascade
	Says    string  // identity.name, work.occupation …; in the first cascade the entity's kind
	Score   float64 // 0..1: how surely the captures must be masked
	Verdict string  // mask, keep, unsure; empty lets the caller decide by category
	Alone   bool    // no phrase around the captures says who or what they are
}

// Capture is a labelled part of a match, atoms First to Last-1.
type Capture struct {
	Label       string
	First, Last int
}

// Match is one place where a rule fits, atoms First to Last-1. Captures is
// valid until the next match.
type Match struct {
	Rule        *Rule
	First, Last int
	Captures    []Capture
}

// Grammar is the compiled grammar of one language. It is safe for concurrent use.
type Grammar struct {
	Language    string
	vocabulary  map[string]uint32
	skip        map[uint32]bool
	sets        numbers[*trie]
	members     membership      // of the sets
	brings      rows            // by word: the ways to begin that wait for it, of all cascades
	unneeding   row             // those that wait for no word
	endings     numbers[string] // of words
	kinds       numbers[string] // of entities, and what else rules say
	entities    *cascade
	designating *cascade
}

// Size returns the number of rules and of distinct words of the grammar.
func (g *Grammar) Size() (rules, words int) {
	return len(g.entities.rules) + len(g.designating.rules), len(g.vocabulary)
}
