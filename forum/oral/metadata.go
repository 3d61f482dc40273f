package oral

import (
	"encoding/csv"
	"io"
	"regexp"
	"strconv"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// Rule says what becomes of a column of a speakers' sheet.
type Rule string

// The rules.
const (
	KeepRule  Rule = "keep"
	DropRule  Rule = "drop"  // the column goes
	CodeRule  Rule = "code"  // a speaker: their code
	YearRule  Rule = "year"  // a date: its year
	BlockRule Rule = "block" // an address: the hundred of its house number, street and town
	AreaRule  Rule = "area"  // an address: postcode and town
	StemRule  Rule = "file"  // a transcript or recording: what the release calls it
)

// ParseRule reads "column=rule".
func ParseRule(text string) (column string, rule Rule, err error) {
	column, name, ok := strings.Cut(text, "=")
	switch rule = Rule(name); rule {
	case KeepRule, DropRule, CodeRule, YearRule, BlockRule, AreaRule, StemRule:
		if ok && strings.TrimSpace(column) != "" {
			return sheetKey(column), rule, nil
		}
	}
	return "", "", fault.New(fault.Usage, "not a rule for a column").WithHint("a rule is COLUMN=RULE, and rules are keep, drop, code, year, block, area and file")
}

func sheetKey(column string) string {
	return strings.Join(strings.FieldsFunc(fold.KeyString(column), func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), " ")
}

// sheetRules are the columns that sheets of speakers usually have. Whatever else
// there is must be named by the officer.
var sheetRules = map[string]Rule{
	"speaker": CodeRule, "locuteur": CodeRule, "name": CodeRule, "nom": CodeRule, "interviewer": CodeRule, "enqueteur": CodeRule,
	"transcript": StemRule, "transcription": StemRule, "recording": StemRule, "enregistrement": StemRule, "audio": StemRule, "file": StemRule, "fichier": StemRule,
	"date": YearRule, "birth date": YearRule, "date of birth": YearRule, "date de naissance": YearRule, "naissance": YearRule, "recorded": YearRule, "date d'enregistrement": YearRule,
	"address": BlockRule, "adresse": BlockRule,
	"gender": KeepRule, "sex": KeepRule, "genre": KeepRule, "sexe": KeepRule, "age group": KeepRule, "tranche d'age": KeepRule, "duration": KeepRule, "duree": KeepRule,
	"first name": DropRule, "prenom": DropRule, "phone": DropRule, "telephone": DropRule, "email": DropRule, "e mail": DropRule, "courriel": DropRule,
}

// Sheet coarsens a table of metadata, such as one line a speaker or recording.
type Sheet struct {
	Name     string
	Rules    map[string]Rule // the officer's, by sheetKey of the column
	Plan     *Plan
	FileName func(stem string) (string, error)
}

// Coarsen reads a sheet and writes what may be released of it. It returns how many
// cells were emptied because they are not what their column says.
func (s *Sheet) Coarsen(in io.Reader, out io.Writer) (suppressed int, err error) {
	header, rows, err := readCSV(in, s.Name)
	if err != nil {
		return 0, err
	}
	rules := make([]Rule, len(header))
	var unknown fault.List
	stemColumn := -1
	var kept []string
	for i, column := range header {
		rule, ok := s.Rules[sheetKey(column)]
		if !ok {
			rule, ok = sheetRules[sheetKey(column)]
		}
		if !ok {
			unknown = append(unknown, fault.New(fault.Unbound, "no rule names this column").At(s.Name, 1, column).
				WithHint("--column \"%s=keep\", or drop, code, year, block, area, file", column))
		}
		if rules[i] = rule; rule == StemRule && stemColumn < 0 {
			stemColumn = i
		}
		if rule != DropRule {
			kept = append(kept, column)
		}
	}
	if len(unknown) > 0 {
		return 0, unknown
	}
	w := csv.NewWriter(out)
	if err := w.Write(kept); err != nil {
		return 0, err
	}
	for _, row := range rows {
		stem := ""
		if stemColumn >= 0 {
			stem = Stem(strings.TrimSpace(row[stemColumn]))
		}
		cells := make([]string, 0, len(kept))
		for i, cell := range row {
			if rules[i] == DropRule {
				continue
			}
			cell = strings.TrimSpace(cell)
			released := ""
			if cell != "" {
				if released, err = s.cell(rules[i], cell, stem); err != nil {
					return suppressed, err
				}
				if released == "" {
					suppressed++
				}
			}
			cells = append(cells, released)
		}
		if err := w.Write(cells); err != nil {
			return suppressed, err
		}
	}
	w.Flush()
	return suppressed, w.Error()
}

func (s *Sheet) cell(rule Rule, cell, stem string) (string, error) {
	switch rule {
	case KeepRule:
		return cell, nil
	case CodeRule:
		return s.Plan.Code(stem, cell)
	case StemRule:
		return s.FileName(stem)
	case YearRule:
		return yearOf(cell), nil
	case BlockRule:
		return blockOf(cell), nil
	case AreaRule:
		return areaOf(cell), nil
	}
	return "", nil
}

var (
	houseFirst = regexp.MustCompile(`^(\d{1,5})(?:\s*(?:bis|ter|quater|[A-Za-z])\b)?\s*(?:[-/]\s*\d{1,5}\s*)?[ ,]+(\S.*)$`)
	houseLast  = regexp.MustCompile(`^(\D*\p{L}[.]?)\s+(\d{1,5})(?:\s*[a-z]\b)?\s*(,.*)?$`)
	postcode   = regexp.MustCompile(`\b(\d{4,5})\s+(\p{L}[\p{L}'’ .-]*)$`)
	door       = regexp.MustCompile(`(?i)\b(?:app(?:artemen)?t\.?|apartment|flat|bât(?:iment)?\.?|bat(?:iment)?\.?|escalier|esc\.?|étage|etage|floor|room|unit|suite|chambre|porte|résidence|residence|chez|c/o|boîte|boite|bp)\b`)
)

// blockOf coarsens an address to the hundred of its house number, as police
// statistics do: "112 bis rue des Lilas, 45000 Orléans" becomes "100-199 rue des
// Lilas, 45000 Orléans". Flats, floors and names of buildings go. What has no
// house number, or no street, is removed.
func blockOf(address string) string {
	var parts []string
	block := ""
	for part := range strings.SplitSeq(address, ",") {
		part = strings.TrimSpace(part)
		if door.MatchString(part) || part == "" {
			continue
		}
		m := houseFirst.FindStringSubmatch(part)
		number, street := "", ""
		if m != nil {
			number, street = m[1], m[2]
		} else if m = houseLast.FindStringSubmatch(part); m != nil {
			number, street = m[2], m[1]
		}
		switch {
		case block == "" && m != nil && !postcode.MatchString(part):
			n, err := strconv.Atoi(number)
			if err != nil || strings.ContainsAny(street, "0123456789") {
				return ""
			}
			low := n / 100 * 100
			block = strconv.Itoa(low) + "-" + strconv.Itoa(low+99) + " " + street
		case postcode.MatchString(part):
			parts = append(parts, postcode.FindString(part))
		}
	}
	if block == "" {
		return ""
	}
	return strings.Join(append([]string{block}, parts...), ", ")
}

// areaOf keeps the postcode and the town of an address.
func areaOf(address string) string { return postcode.FindString(strings.TrimSpace(address)) }
