package detect

import "anonymooc/internal/fault"

// MessageVerdict is what one of the two methods says of a whole message (Patel
// et al. 2013, section 5).
type MessageVerdict uint8

// The verdicts on messages, with the paper's abbreviations.
const (
	NothingToMask   MessageVerdict = iota // NTA
	SomethingToMask                       // TA
	Untagged                              // the rules cannot tell
	AskExpert                             // the methods disagree
)

// String gives the paper's abbreviation.
func (v MessageVerdict) String() string { return [...]string{"NTA", "TA", "untagged", "expert"}[v] }

// Agree combines the rules' verdict with the trees' (table 2): agreement
// decides, disagreement goes to the expert, and the trees decide what the rules
// leave open.
func Agree(rules, trees MessageVerdict) MessageVerdict {
	if rules == Untagged || rules == trees {
		return trees
	}
	return AskExpert
}

// Expert says how much is left to a person.
type Expert string

// The levels.
const (
	ExpertAll   Expert = "all"   // every ambiguous and unknown word is asked about (Seek&Hide alone)
	ExpertTable Expert = "table" // the agreement table decides who is asked
	ExpertNone  Expert = "none"  // nobody is asked: the trees decide
)

// ParseExpert reads a level's name.
func ParseExpert(name string) (Expert, error) {
	switch e := Expert(name); e {
	case ExpertAll, ExpertTable, ExpertNone:
		return e, nil
	}
	return "", fault.New(fault.Usage, "unknown expert level").WithHint("expert levels are all, table and none")
}
