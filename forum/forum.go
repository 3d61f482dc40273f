// Package forum treats free text: it finds who is named and replaces the names,
// after the method of Reffay, Blondel, Allaire & Giguet (2012), and asks a
// person only about what it cannot tell.
//
//	id map ─ Roster ┐                                 ledger (who decided what)
//	officer's CSV ──┼─► Catalogue ┐                        │
//	mined forms ────┘             ├─► marks ─► findings ─► verdicts ─┬─► Treat: the released text
//	patterns, grammars, lists … ──┘     ▲          ▲                 └─► Questions: what a person must say
//	                                    │          │
//	                      document (tokens)   conversation (author, thread, post answered)
//
// The engine is built once per run: New reads the roster and the forum (twice:
// once for its lexicon, once for the open questions) and compiles the
// catalogue. Then Treat is a pure function of a text and its place, safe for
// concurrent use, for posts as for any other text column.
//
// Detectors propose; the engine weighs the marks of each span (findings.go,
// evidence.go), a forest judges what they are worth (judge.go, traits.go), and of
// overlapping spans one is chosen. It decides (decide.go) in this order: the reviewer's
// verdict on the mention, the reviewer's verdict on the form, the rule (clear
// scores), the policy. Marks are never stored, decisions always: the same
// export, map and ledger give the same release.
//
// Memory, beside the catalogue and the mining lexicon: the corpus's index (100
// bytes a post) and the open questions with a few lines each.
package forum

import (
	"anonymooc/forum/detect"
	"anonymooc/forum/mine"
	"anonymooc/forum/recheck"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// Policy says what becomes of what nobody has decided.
type Policy string

// The policies.
const (
	Drop     Policy = "drop"     // every text is removed
	Strict   Policy = "strict"   // what is undecided is masked
	Reviewed Policy = "reviewed" // what is undecided stops the release (exit status 4)
)

// ParsePolicy reads a policy's name.
func ParsePolicy(name string) (Policy, error) {
	switch p := Policy(name); p {
	case Drop, Strict, Reviewed:
		return p, nil
	}
	return "", fault.New(fault.Usage, "unknown text policy").WithHint("text policies are drop, strict and reviewed")
}

// Words tells ordinary words from names. The general lists implement it; the
// two overlap, and neither is ever taken from the other.
type Words interface {
	IsCommonWord(language, key string) bool // a dictionary word; language "" asks for any
	IsFirstName(key string) bool
	IsSurname(key string) bool
}

// Places knows the world's places, and what else bears a name, by its folded name.
type Places interface {
	Place(key string) (population uint32, country string, ok bool) // the largest of that name
	IsCountry(key string) bool
	IsThing(key string) bool // always has a capital, and is no name of people
}

// Learner learns something of a forum by reading every text of it once, such as
// which words its people use. Learn is called from one goroutine.
type Learner interface {
	Learn(doc *detect.Document)
}

// Options configure an engine. The zero value is a strict engine with the
// catalogue alone.
type Options struct {
	Policy    Policy
	Choice    Choice                      // who looks: with or without the catalogue; the others are in Detectors
	Detectors []detect.Detector           // besides the catalogue
	Learners  []Learner                   // read the whole forum before anything is marked
	Identify  func([]detect.Token) string // language of a text; may be nil
	Words     Words                       // may be nil
	Places    Places                      // may be nil
	Rows      []detect.Row
	Styles    map[detect.Category]Style
	Names     SurrogateNames // for the surrogate style; may be nil

	HideGender bool // surrogates do not follow the gender of the name they replace

	// Number gives a form its number for code replacements: equal forms get
	// equal numbers, and nobody without the id map can go back. Nil: codes carry
	// no number.
	Number func(form string) (uint64, error)

	// Categories are those to treat: step 1 of the method. Empty: all that name
	// somebody directly. Indirect ones (age, job, origin …) are only masked when
	// listed here, or by a reviewer's decision.
	Categories []detect.Category

	// Texts calls visit with every text outside the corpus that the engine will be
	// asked to treat, for mining to read; always in the same order. Nil: mining
	// reads the corpus alone.
	Texts func(visit func(text []byte, place tables.TextPlace)) error

	// Price is what asking a question costs, in words masked in vain: what costs
	// less when the rule decides it is not asked. 0 means the usual price.
	Price float64

	Code      bool           // look into code and formulas
	Strangers bool           // people on no roster are spoken of as often as not, as in interviews: none is taken for public
	SmallTown int            // places with fewer people are masked; 0 means DefaultSmallTown
	Mine      bool           // propose new forms from the corpus
	Contexts  *mine.Contexts // that gave names away in other corpora; may be nil
	Familiar  mine.Familiar  // what people are called by custom; may be nil
	Judge     *Judge         // the forest on the evidence; nil: the reasons are added up

	Recheck *recheck.Estimate // what the blind re-check says, for the report; nil: there was none
}

// DefaultSmallTown is the population below which a town singles people out. The
// lists round populations down to powers of two.
const DefaultSmallTown = 1 << 16

// Report counts what an engine knows and found, for the manifest. It holds no
// form.
type Report struct {
	Policy     Policy                  `json:"policy"`
	Detectors  []string                `json:"detectors"` // that looked
	Expert     detect.Expert           `json:"expert"`    // how much they left to a person
	People     int                     `json:"people"`
	Forms      int                     `json:"forms"`      // known to the catalogue
	Mined      int                     `json:"mined"`      // of these, found by mining
	Decisions  int                     `json:"decisions"`  // in the ledger
	Questions  int                     `json:"questions"`  // still open
	Texts      int64                   `json:"texts"`      // treated
	Masked     map[detect.Category]int `json:"masked"`     // spans replaced
	Kept       map[detect.Category]int `json:"kept"`       // spans recognised and kept
	Waiting    map[detect.Category]int `json:"waiting"`    // spans masked undecided
	Categories []detect.Category       `json:"categories"` // treated
	Recheck    *recheck.Estimate       `json:"recheck,omitempty"`
}
