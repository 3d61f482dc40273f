package moocdb

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"anonymooc/release/records"
)

// row is one record of a table, by column.
type row struct {
	at     map[string]int
	fields records.Fields
}

func newRow(header []string) *row {
	r := &row{at: map[string]int{}}
	for i, name := range header {
		r.at[name] = i
	}
	return r
}

// get gives a cell's text; "" for NULL and for what is not there.
func (r *row) get(name string) string {
	i, ok := r.at[name]
	if !ok || i >= len(r.fields.Values) || records.IsNull(r.fields.Raw[i]) {
		return ""
	}
	return string(r.fields.Values[i])
}

// tableReaders are the tables that MOOCdb has a place for, by the name that
// their files hold.
var tableReaders = map[string]func(*builder, *row){
	"auth_user": func(b *builder, r *row) {
		number := personNumber(r.get("id"))
		if number == 0 {
			return
		}
		who := b.people.get(number)
		b.people.claim(r.get("username"), number)
		who.name = r.get("username")
		who.staff = who.staff || r.get("is_staff") == "1" || r.get("is_superuser") == "1"
		if at, ok := records.Moment([]byte(r.get("date_joined"))); ok {
			who.joined = showTime(at)
		}
	},
	"user_id_map": func(b *builder, r *row) {
		if number := personNumber(r.get("id")); number != 0 {
			b.people.get(number)
			b.people.claim(r.get("username"), number)
		}
	},
	"email_opt_in": func(b *builder, r *row) {
		if number := personNumber(r.get("user_id")); number != 0 {
			b.people.get(number)
			b.people.claim(r.get("username"), number)
		}
	},
	"auth_userprofile": func(b *builder, r *row) {
		number := personNumber(r.get("user_id"))
		if number == 0 {
			return
		}
		who := b.people.get(number)
		who.gender, who.country, who.language = r.get("gender"), r.get("country"), r.get("language")
		if year := r.get("year_of_birth"); len(year) == 4 {
			who.birth = year + "-01-01" // the day is not known
		}
	},
	"student_courseenrollment": func(b *builder, r *row) {
		if number := personNumber(r.get("user_id")); number != 0 {
			b.people.get(number)
		}
	},
	"student_courseaccessrole": func(b *builder, r *row) {
		if number := personNumber(r.get("user_id")); number != 0 {
			b.people.get(number).staff = true
		}
	},
	"certificates_generatedcertificate": func(b *builder, r *row) {
		number := personNumber(r.get("user_id"))
		grade, err := strconv.ParseFloat(r.get("grade"), 64)
		if number == 0 {
			return
		}
		if who := b.people.get(number); err == nil {
			who.grades = append(who.grades, grade)
		}
	},
	"courseware_studentmodule": func(b *builder, r *row) {
		if number := personNumber(r.get("student_id")); number != 0 {
			b.people.get(number)
		}
		weight, err := strconv.ParseFloat(r.get("max_grade"), 64)
		if id := r.get("module_id"); err == nil && weight > b.problems.weights[id] {
			b.problems.weights[id] = weight
		}
	},
}

// wholeNumber and floatNumber give a number of a JSON value, or nil.
func wholeNumber(v jsontext.Value) any {
	n, err := strconv.ParseInt(str(v), 10, 64)
	if err != nil {
		return nil
	}
	return n
}

func floatNumber(v jsontext.Value) any {
	x, err := strconv.ParseFloat(str(v), 64)
	if err != nil {
		return nil
	}
	return x
}

// readTable reads one table.
func (b *builder) readTable(f file, read func(*builder, *row)) error {
	head, err := records.Beginning(f.name)
	if err != nil {
		return err
	}
	r := newRow(records.Header(bytes.TrimSpace(head), f.format))
	return records.Walk(f.name, f.format, func(_ int64, record []byte) bool {
		r.fields.Read(record, f.format)
		read(b, r)
		return true
	})
}
