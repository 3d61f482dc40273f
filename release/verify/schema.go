package verify

import (
	"path"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"anonymooc/release/records"
)

// schema is what the checker knows of the file it reads: shared by all workers
// and only read.
type schema struct {
	file    string
	table   string
	format  records.Format
	columns []column        // of a table, in the order of its header
	words   map[string]bool // column names and keys of the manifest: safe to show
	output  *Output         // the file's entry in the manifest; may be nil
	actions []pathAction    // of the output's columns
	// describes says that the file tells about the release, as the manifest does:
	// what it calls user_id is a count or a rule, and nobody's number.
	describes bool
	// reviewed says that a person decided what stays in the texts.
	reviewed bool
	// talk knows the conversations of a forum; nil elsewhere.
	talk *talk
}

// column is one column of a table.
type column struct {
	name  string
	place place
	joins string // its name in joinRules; empty when no rule has it
	// moment reads a Parquet value that is a moment; nil for others.
	moment func(parquet.Value) time.Time
}

// newSchema tells what is known of a file before it is read.
func newSchema(file string, f records.Format, m *Manifest) *schema {
	s := &schema{file: file, format: f, words: map[string]bool{}}
	if m != nil {
		s.output = m.output(file)
		if c := m.parquet(file); c != nil { // people stand where they do in the file it was made of
			if of := m.output(c.Of); of != nil {
				s.table = of.Table
				s.learn(of.Columns)
			}
		}
	}
	if s.output != nil {
		s.table = s.output.Table
		s.learn(s.output.Columns)
		s.actions = actionsOf(s.output.Columns)
	}
	if s.table == "" {
		s.table = tableOf(file)
	}
	s.describes = f == records.Document && s.output == nil
	return s
}

// learn takes in the names of columns and paths.
func (s *schema) learn(columns []Column) {
	for _, c := range columns {
		for _, word := range strings.FieldsFunc(c.Name, func(r rune) bool { return r == '.' || r == '*' || r == '[' || r == ']' }) {
			s.words[word] = true
		}
		s.learn(c.Fields)
	}
}

// header learns the columns of a table.
func (s *schema) header(names []string) {
	s.columns = make([]column, len(names))
	for i, name := range names {
		s.words[name] = true
		s.columns[i] = column{name: name, place: s.placeOf(name)}
		if join := s.table + "." + name; joinColumns[join] || joinColumns[strings.Replace(join, "teams_courseteam.", "teams.", 1)] {
			s.columns[i].joins = join
		}
	}
}

// placeOf tells what stands in a column of this table. Names that mean different
// things in different tables come first; the manifest may call more columns free
// text than the judge knows, never fewer.
func (s *schema) placeOf(name string) place {
	switch s.table + "." + name {
	case "auth_user.id", "user_id_map.id":
		return numberPlace
	case "auth_userprofile.name", "certificates_generatedcertificate.name":
		return personPlace
	case "teams.name", "teams_courseteam.name":
		return textPlace
	case "auth_userprofile.courseware", "auth_userprofile.language", "wiki_article.group_id":
		return anyPlace
	}
	if strings.HasPrefix(s.table, "ora") || strings.HasPrefix(s.table, "assessment_") || strings.HasPrefix(s.table, "submissions_") {
		if name == "student_id" || name == "scorer_id" {
			return personPlace
		}
	}
	if p := placeOf([]byte(name)); p != anyPlace {
		return p
	}
	if s.output != nil {
		for _, c := range s.output.Columns {
			if c.Name == name && c.Role == "free text" {
				return textPlace
			}
		}
	}
	return anyPlace
}

// action gives the action of a column or JSON path in the manifest, "" when it
// has none. Where several patterns fit one path, it is "keep" only if all are.
func (s *schema) action(path []string) string { return actionAt(s.actions, path, "") }

// singles tells how many cells of a table's column are single people's.
func (s *schema) singles(name string) int64 {
	for _, c := range s.output.Columns {
		if c.Name == name {
			return c.Single
		}
	}
	return 0
}

// pathAction is a column of the manifest with its pattern taken apart.
type pathAction struct {
	pattern []string
	action  string
	fields  []pathAction
}

func actionsOf(columns []Column) []pathAction {
	actions := make([]pathAction, len(columns))
	for i, c := range columns {
		actions[i] = pathAction{strings.Split(strings.ReplaceAll(c.Name, "[]", ""), "."), c.Action, actionsOf(c.Fields)}
	}
	return actions
}

func actionAt(actions []pathAction, path []string, found string) string {
	for _, a := range actions {
		if fits(a.pattern, path) && (found == "" || found == "keep") {
			found = a.action
		}
		if len(a.fields) > 0 && len(path) > 1 && fits(a.pattern, path[:1]) {
			found = actionAt(a.fields, path[1:], found)
		}
	}
	return found
}

// fits reports whether a pattern of a rule covers a path: "*" is one step, "**"
// any number of them, and a step may begin or end with "*".
func fits(pattern, path []string) bool {
	switch {
	case len(pattern) == 0:
		return len(path) == 0
	case pattern[0] == "**":
		for i := 0; i <= len(path); i++ {
			if fits(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	case len(path) == 0:
		return false
	}
	step, name := pattern[0], path[0]
	ok := step == "*" || step == name ||
		strings.HasPrefix(step, "*") && strings.HasSuffix(name, step[1:]) ||
		strings.HasSuffix(step, "*") && strings.HasPrefix(name, step[:len(step)-1])
	return ok && fits(pattern[1:], path[1:])
}

// tableNames are the tables of an export, longest first where one begins another.
var tableNames = [...]string{
	"auth_userprofile", "auth_user_groups", "auth_user", "student_courseenrollment", "courseware_studentmodule",
	"certificates_generatedcertificate", "tracking_log", "user_id_map", "student_anonymoususerid", "user_api_usercoursetag",
	"teams_membership", "teams_courseteam", "teams", "verify_student_verificationstatus", "student_courseaccessrole",
	"django_comment_client_role_users", "course_groups_cohortmembership", "student_languageproficiency", "email_opt_in",
	"credit_crediteligibility", "wiki_articlerevision", "wiki_article", "forum",
}

// tableOf guesses the table from a file's name.
func tableOf(file string) string {
	base := strings.ToLower(path.Base(file))
	for _, name := range tableNames {
		if strings.Contains(base, name) {
			return name
		}
	}
	switch {
	case strings.HasPrefix(path.Dir(file), "ora") || strings.Contains(file, "/ora/"):
		return "ora"
	case strings.Contains(base, ".mongo") || strings.Contains(base, "contents"):
		return "forum"
	case strings.Contains(base, "-events-") || strings.Contains(base, ".log"):
		return "tracking_log"
	}
	return ""
}
