package verify

import (
	"iter"
	"strings"
	"unicode"
)

// Kind says what an identifier is. The kinds of the id map keep their names.
type Kind string

// The kinds of identifiers that a release must not hold.
const (
	UserID      Kind = "user_id"
	Username    Kind = "username"
	Email       Kind = "email"
	AnonymousID Kind = "anonymous_id"
	HashID      Kind = "hash_id"
	FullName    Kind = "full_name"
	FirstName   Kind = "first_name"
	LastName    Kind = "last_name"
	Session     Kind = "session"
	Token       Kind = "token" // key, UUID or link of a certificate, ObjectId of a post
	Phone       Kind = "phone"
	Address     Kind = "address" // postal
	IP          Kind = "ip"
	URL         Kind = "url"
	External    Kind = "external_id"
)

// kinds fixes the number of each kind inside an Index; the first is none.
var kinds = [...]Kind{"", UserID, Username, Email, AnonymousID, HashID, FullName, FirstName, LastName, Session, Token, Phone, Address, IP, URL, External}

type kindNumber uint8

func numberOf(k Kind) kindNumber {
	for i, have := range kinds {
		if have == k {
			return kindNumber(i)
		}
	}
	return numberOfExternal // any other id that some system gave a person
}

// The numbers that the judge asks for.
const (
	numberOfUserID    kindNumber = 1
	numberOfUsername  kindNumber = 2
	numberOfEmail     kindNumber = 3
	numberOfFullName  kindNumber = 6
	numberOfFirstName kindNumber = 7
	numberOfLastName  kindNumber = 8
	numberOfToken     kindNumber = 10
	numberOfPhone     kindNumber = 11
	numberOfIP        kindNumber = 13
	numberOfURL       kindNumber = 14
	numberOfExternal  kindNumber = 15
)

// Known is one identifier of one person, as the source spells it.
type Known struct {
	Kind  Kind
	Value string
	// Common says that the value is an ordinary word too: it is judged where it
	// stands. Numbers, values of one or two letters and the platform's own words
	// are always judged so.
	Common bool
	// Person is the pseudonym of whose it is; 0 when unknown. It tells whose
	// first and last names must not stand in a conversation they take part in.
	Person uint32
}

// People yields every known identifier; it is asked more than once.
type People = iter.Seq[Known]

// platformWords are words that edX itself writes into columns and payloads, and
// that have been seen as usernames. They are the judge's own list, so that a
// gap in the engine's is seen.
var platformWords = words(`
about account active activity admin anonymous answer answers api audit author beta body bookmark button
certificate chapter choice close code comment commentthread common component content correct count
course courses courseware current dashboard data date default demo discussion done download downloadable edit edx
email en enrollment error es event false file files follow forum fr generating get global grade graded group
guest hidden history home honor html id image import inactive index info input instructor invite ip item
jump key label language left link list load local location login logout mail main management member
message mobile mode module name new next none notes notpassing null number object open option order other
page pause pdf peer play player post prev preview problem professional profile progress public query question quit
rate read register reset response result right root save saved score scope search self
seek send sequence sequential server session settings share show source speed staff start state
status stop student submit support survey system tab tag team teams test text textbook thread time title
token true type undefined unit unknown up update upload url user username users value verified vertical
video view vote web wiki word work xblock xml`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// ordinary reports whether an identifier must be judged where it stands
// whatever its owner says: a number, one or two letters, a platform word.
func ordinary(k Kind, value string) bool {
	switch k {
	case Username, FirstName, LastName, External, UserID:
		return len([]rune(value)) <= 2 || strings.IndexFunc(value, unicode.IsLetter) < 0 || platformWords[strings.ToLower(value)]
	case FullName: // one word is half a name
		return strings.IndexFunc(strings.TrimSpace(value), func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	}
	return false
}

// MarkCommon marks usernames and names that are made of nothing but ordinary
// words, as word tells them: the judge has no dictionary of its own.
func MarkCommon(people People, word func(string) bool) People {
	return func(yield func(Known) bool) {
		for known := range people {
			switch known.Kind {
			case Username, FullName, FirstName, LastName:
				known.Common = known.Common || allWords(known.Value, word)
			}
			if !yield(known) {
				return
			}
		}
	}
}

func allWords(value string, word func(string) bool) bool {
	parts := strings.FieldsFunc(value, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
	for _, part := range parts {
		if !word(part) {
			return false
		}
	}
	return len(parts) > 0
}

func allDigits[T string | []byte](s T) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}
