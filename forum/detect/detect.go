// Package detect finds, in one text, what may name or describe somebody.
//
//	raw bytes ─ fold.View ─ Document (tokens) ─► Detector … Detector ─► marks
//
// A Document is a text cut into tokens, each with its decoded and folded
// spelling and its exact bytes. A Detector reads a Document and appends marks:
// spans of bytes with a category, the entities they may name, a proposal and
// how sure it is. Detectors never decide: package forum weighs all marks of a
// text, the reviewer's ledger and what it knows of the conversation.
//
// Texts say the same words again and again: what follows from a spelling alone
// is a form, made once, and each detector notes in it what it knows (form.go).
//
// One file per detector:
//
//	catalogue.go  known forms (rosters, officer's CSV): Reffay et al. 2012, step 3
//	patterns*.go  e-mails, phones, addresses, numbers
//	nome*.go      sequences of capitals: Pelletier, Plamondon & Lapalme
//	seekhide*.go  dictionary against anti-dictionary: Patel et al. 2013
//	eslo*.go      local grammars: Eshkol-Taravella et al. 2014
//	trees*.go     bagged decision trees over words: Patel et al. 2013
//	surroundings.go, senses.go  what the words around a form speak of
package detect

// Category says what kind of thing a surface form is.
type Category string

// The categories.
const (
	FirstName    Category = "first_name"
	LastName     Category = "last_name"
	FullName     Category = "full_name"
	Nickname     Category = "nickname"
	Username     Category = "username"
	Place        Category = "place"
	Organisation Category = "organisation"
	Email        Category = "email"
	Phone        Category = "phone"
	URL          Category = "url"
	Address      Category = "address"
	Date         Category = "date"
	Identifier   Category = "id" // national, student or account number
	Age          Category = "age"
	Job          Category = "job"
	Origin       Category = "origin"
	Family       Category = "family"
	Study        Category = "study"
	Health       Category = "health"
	Association  Category = "association"
	Other        Category = "other"
)

// Categories lists all categories, in the order of help texts and reports.
func Categories() []Category {
	return []Category{FirstName, LastName, FullName, Nickname, Username, Place, Organisation,
		Email, Phone, URL, Address, Date, Identifier, Age, Job, Origin, Family, Study, Health, Association, Other}
}

// Valid reports whether c is one of Categories.
func (c Category) Valid() bool {
	for _, known := range Categories() {
		if c == known {
			return true
		}
	}
	return false
}

// Person reports whether the category names a person directly.
func (c Category) Person() bool {
	switch c {
	case FirstName, LastName, FullName, Nickname, Username:
		return true
	}
	return false
}

// Indirect reports whether the category describes a person without naming
// anybody: harmless alone, telling in combination.
func (c Category) Indirect() bool {
	switch c {
	case Age, Job, Origin, Family, Study, Health, Association:
		return true
	}
	return false
}

// Verdict says what is to be done with a form or a mention.
type Verdict string

// The verdicts.
const (
	Mask   Verdict = "mask"
	Keep   Verdict = "keep"
	Unsure Verdict = "unsure"
)

// Valid reports whether v is one of the three verdicts.
func (v Verdict) Valid() bool { return v == Mask || v == Keep || v == Unsure }

// EntityID says who or what a form names: a person's pseudonymous username
// ("u1234567890"), an id from the officer's catalogue ("I03", "P007"), or one
// that a reviewer gave. Empty: unknown.
type EntityID string

// Mark is a mention that somebody should look at.
type Mark struct {
	Start, End int // bytes of Document.Raw
	Category   Category
	Type       string     // of the entity, where the detector knows: Row.Type
	Entities   []EntityID // who it may be: homonyms keep all readings
	Proposal   Verdict    // Mask, Keep or Unsure
	Score      float64    // 0 to 1: how surely it must be masked
	By         string     // the detector
	What       string     // its evidence, in words that quote nothing of the text but the form
	About      string     // whom a phrase speaks of: speaker, spouse, parent, child, relative, other; empty where none does
	Alone      bool       // the form speaks for itself: no phrase around it says who or what it is
}

// Detector finds marks in a text. Implementations are safe for concurrent use
// and append to marks whatever they find: they may look at the marks found
// before, and never change them.
type Detector interface {
	Name() string
	Detect(doc *Document, marks []Mark) []Mark
}
