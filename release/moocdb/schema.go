package moocdb

import (
	"fmt"
	"strings"
)

// sqlType is the type of a column, named as in MOOCdb's own schema.
type sqlType uint8

const (
	integer  sqlType = iota // INT(11)
	unsigned                // INT UNSIGNED: an IPv4 address
	number                  // DOUBLE
	moment                  // DATETIME(6)
	date                    // DATE
	short                   // VARCHAR(255)
	long                    // TEXT
)

// table is one table of MOOCdb. Its first column is the primary key unless key
// names others.
type table struct {
	name    string
	columns []column
}

type column struct {
	name       string
	kind       sqlType
	references string // table whose primary key it holds
}

func (t *table) key() string { return t.columns[0].name }

// schema lists the tables so that what is referred to comes first.
var schema = []table{
	{"user_types", []column{{"user_type_id", integer, ""}, {"user_type_name", short, ""}}},
	{"users", []column{
		{"user_id", integer, ""}, {"user_name", short, ""}, {"user_gender", short, ""}, {"user_birthdate", date, ""},
		{"user_country", short, ""}, {"user_ip", unsigned, ""}, {"user_timezone_offset", integer, ""},
		{"user_final_grade", number, ""}, {"user_join_timestamp", moment, ""}, {"user_os", short, ""}, {"user_agent", long, ""},
		{"user_language", short, ""}, {"user_screen_resolution", short, ""}, {"user_type_id", integer, "user_types"}}},
	{"resource_types", []column{{"resource_type_id", integer, ""}, {"resource_type_name", short, ""}}},
	{"resources", []column{
		{"resource_id", integer, ""}, {"resource_name", short, ""}, {"resource_uri", long, ""}, {"resource_type_id", integer, "resource_types"},
		{"resource_parent_id", integer, "resources"}, {"resource_child_number", integer, ""},
		{"resource_relevant_week", integer, ""}, {"resource_release_timestamp", moment, ""}}},
	{"urls", []column{{"url_id", integer, ""}, {"url", long, ""}}},
	{"resources_urls", []column{{"resources_urls_id", integer, ""}, {"resource_id", integer, "resources"}, {"url_id", integer, "urls"}}},
	{"observed_events", []column{
		{"observed_event_id", integer, ""}, {"user_id", integer, "users"}, {"url_id", integer, "urls"}, {"observed_event_timestamp", moment, ""},
		{"observed_event_duration", integer, ""}, {"observed_event_ip", unsigned, ""}, {"observed_event_os", short, ""}, {"observed_event_agent", long, ""}}},
	{"problem_types", []column{{"problem_type_id", integer, ""}, {"problem_type_name", short, ""}}},
	{"problems", []column{
		{"problem_id", integer, ""}, {"problem_name", long, ""}, {"problem_parent_id", integer, "problems"}, {"problem_child_number", integer, ""},
		{"problem_type_id", integer, "problem_types"}, {"problem_release_timestamp", moment, ""}, {"problem_soft_deadline", moment, ""},
		{"problem_hard_deadline", moment, ""}, {"problem_max_submission", integer, ""}, {"problem_max_duration", integer, ""},
		{"problem_weight", number, ""}, {"resource_id", integer, "resources"}}},
	{"submissions", []column{
		{"submission_id", integer, ""}, {"user_id", integer, "users"}, {"problem_id", integer, "problems"}, {"submission_timestamp", moment, ""},
		{"submission_attempt_number", integer, ""}, {"submission_answer", long, ""}, {"submission_is_submitted", integer, ""},
		{"submission_ip", unsigned, ""}, {"submission_os", short, ""}, {"submission_agent", long, ""}}},
	{"assessments", []column{
		{"assessment_id", integer, ""}, {"submission_id", integer, "submissions"}, {"assessment_feedback", long, ""}, {"assessment_grade", number, ""},
		{"assessment_grade_with_penalty", number, ""}, {"assessment_grader_id", integer, "users"}, {"assessment_timestamp", moment, ""}}},
	{"collaboration_types", []column{{"collaboration_type_id", integer, ""}, {"collaboration_type_name", short, ""}}},
	{"collaborations", []column{
		{"collaboration_id", integer, ""}, {"user_id", integer, "users"}, {"collaboration_type_id", integer, "collaboration_types"},
		{"collaboration_content", long, ""}, {"collaboration_timestamp", moment, ""}, {"collaboration_parent_id", integer, "collaborations"},
		{"collaboration_child_number", integer, ""}, {"collaborations_ip", unsigned, ""}, {"collaborations_os", short, ""},
		{"collaborations_agent", long, ""}, {"resource_id", integer, "resources"}}},
	{"surveys", []column{{"survey_id", integer, ""}, {"survey_start_timestamp", moment, ""}, {"survey_end_timestamp", moment, ""}}},
	{"questions", []column{{"question_id", integer, ""}, {"question_content", long, ""}, {"question_type", integer, ""}, {"survey_id", integer, "surveys"}}},
	{"answers", []column{{"answer_id", integer, ""}, {"answer_content", long, ""}, {"question_id", integer, "questions"}}},
	{"feedbacks", []column{{"feedback_id", integer, ""}, {"user_id", integer, "users"}, {"answer_id", integer, "answers"},
		{"question_id", integer, "questions"}, {"feedback_timestamp", moment, ""}}},
}

// position finds a table in the schema.
func position(name string) int {
	for i := range schema {
		if schema[i].name == name {
			return i
		}
	}
	return -1
}

// Format says what is written.
type Format string

// The formats.
const (
	SQLite     Format = "sqlite"   // one database file
	CSV        Format = "csv"      // a folder with one file a table
	MySQL      Format = "mysql"    // a folder with schema.sql, load.sql and one file a table
	PostgreSQL Format = "postgres" // likewise
)

// Formats lists the formats.
func Formats() []Format { return []Format{SQLite, CSV, MySQL, PostgreSQL} }

// typeNames are the types of a database's columns, in the order of sqlType.
var typeNames = map[Format][]string{
	SQLite:     {"INTEGER", "INTEGER", "REAL", "TEXT", "TEXT", "TEXT", "TEXT"},
	MySQL:      {"INT(11)", "INT UNSIGNED", "DOUBLE", "DATETIME(6)", "DATE", "VARCHAR(255)", "LONGTEXT"},
	PostgreSQL: {"INTEGER", "BIGINT", "DOUBLE PRECISION", "TIMESTAMP", "DATE", "VARCHAR(255)", "TEXT"},
}

// ddl is the statement that makes a table. MySQL checks no key that is written
// beside its column, so all keys stand at the end.
func (t *table) ddl(f Format) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (\n", t.name)
	for i, c := range t.columns {
		fmt.Fprintf(&b, "  %s %s", c.name, typeNames[f][c.kind])
		if i == 0 {
			b.WriteString(" NOT NULL PRIMARY KEY")
		}
		b.WriteString(",\n")
	}
	for _, c := range t.columns {
		if c.references != "" {
			fmt.Fprintf(&b, "  FOREIGN KEY (%s) REFERENCES %s (%s),\n", c.name, c.references, schema[position(c.references)].key())
		}
	}
	return strings.TrimSuffix(b.String(), ",\n") + "\n)"
}
