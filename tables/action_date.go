package tables

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"anonymooc/tables/jsonedit"
)

func dateSpec() Spec {
	return Spec{
		Name: "date", Family: "shift", Summary: "cut dates to a unit, or shift them by a number of days per person",
		Doc:      `With unit, what is smaller than the day, week (to its Monday), month or year is set to its beginning. With shift, all dates of one person move by the same number of days, drawn between -shift and +shift and never 0, so that intervals stay; a row without a person is emptied. Dates are written as they came: 2014-02-03, 2014-02-03 10:11:12.123456+00:00, 2014-02-03T10:11:12Z and the like, and the milliseconds that MongoDB counts. Empty values and NULL stay; what is not a date is emptied and counted.`,
		Settings: []Setting{{Name: "unit", Meaning: "day, week, month or year"}, {Name: "shift", Meaning: "at most this many days, 1 to 3650"}},
		Example:  "{column: last_login, action: date, unit: month, why: the exact time singles people out}",
		New: func(c *Column) (Action, error) {
			switch {
			case (c.Unit == "") == (c.ShiftDays == 0):
				return nil, errors.New("date wants either a unit or a shift")
			case c.ShiftDays < 0 || c.ShiftDays > 3650:
				return nil, errors.New("a shift is 1 to 3650 days")
			case c.Unit != "" && c.Unit != "day" && c.Unit != "week" && c.Unit != "month" && c.Unit != "year":
				return nil, fmt.Errorf("unknown unit %q: it is day, week, month or year", c.Unit)
			}
			return date{c.Unit, c.ShiftDays}, nil
		},
	}
}

// date generalises or shifts a point in time.
type date struct {
	unit  string
	shift int
}

// dateLayouts are the spellings of edX exports. The fraction of a second is read
// where a layout has seconds, and kept as it is.
var dateLayouts = [...]string{
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
}

func (a date) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	if ms, ok := w.milliseconds(c); ok {
		at, ok, err := a.move(w, time.UnixMilli(ms).UTC())
		if err != nil || !ok {
			return dst, Failed, err
		}
		return strconv.AppendInt(dst, at.UnixMilli(), 10), Changed, nil
	}
	if c.Type != jsonedit.String {
		return dst, Failed, nil
	}
	at, layout, rest, ok := parseDate(c.Text)
	if !ok {
		return dst, Failed, nil
	}
	at, ok, err := a.move(w, at)
	if err != nil || !ok {
		return dst, Failed, err
	}
	if a.unit != "" {
		rest = zeroFraction(rest)
	}
	dst = at.AppendFormat(dst, layout)
	return append(dst, rest...), Changed, nil
}

// move cuts or shifts a point in time; ok is false where nobody is known by whom
// to shift it.
func (a date) move(w *Worker, at time.Time) (moved time.Time, ok bool, err error) {
	if a.unit != "" {
		return truncate(at, a.unit), true, nil
	}
	days, ok, err := w.shiftDays(a.shift)
	return at.AddDate(0, 0, days), ok, err
}

// milliseconds reads a date of MongoDB as it is counted: {"$date": 1391421072000},
// {"$date": {"$numberLong": "1391421072000"}}, a date of BSON.
func (w *Worker) milliseconds(c Cell) (int64, bool) {
	wrapper := "$date"
	if c.Type == jsonedit.String {
		wrapper = "$date.$numberLong"
	}
	if c.Type == jsonedit.Bool || !bytes.HasSuffix(w.path, []byte(wrapper)) {
		return 0, false
	}
	ms, err := strconv.ParseInt(string(c.Text), 10, 64)
	return ms, err == nil && ms > -1<<47 && ms < 1<<47
}

// parseDate splits a date into the time by the clock it was written with, its
// layout, and the rest: fraction and zone, which stay as they are.
func parseDate(text []byte) (at time.Time, layout string, rest []byte, ok bool) {
	for _, layout := range dateLayouts {
		if len(text) < len(layout) {
			continue
		}
		at, err := time.Parse(layout, string(text[:len(layout)]))
		if err != nil {
			continue
		}
		if rest = text[len(layout):]; dateRest(rest) {
			return at, layout, rest, true
		}
	}
	return time.Time{}, "", nil, false
}

// dateRest accepts a fraction and a zone: .123456, Z, +00:00, +0000, " UTC".
func dateRest(rest []byte) bool {
	if len(rest) > 0 && rest[0] == '.' {
		n := 1
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		if n == 1 {
			return false
		}
		rest = rest[n:]
	}
	switch {
	case len(rest) == 0, string(rest) == "Z", string(rest) == " UTC":
		return true
	case rest[0] != '+' && rest[0] != '-':
		return false
	case len(rest) == 6 && rest[3] == ':':
		return digitsOnly(rest[1:3]) && digitsOnly(rest[4:])
	}
	return (len(rest) == 5 || len(rest) == 3) && digitsOnly(rest[1:])
}

func truncate(at time.Time, unit string) time.Time {
	year, month, day := at.Date()
	switch unit {
	case "year":
		month, day = 1, 1
	case "month":
		day = 1
	case "week":
		day -= (int(at.Weekday()) + 6) % 7
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func zeroFraction(rest []byte) []byte {
	out := append([]byte(nil), rest...)
	for i := 0; i < len(out) && (i == 0 && out[i] == '.' || i > 0 && out[0] == '.' && '0' <= out[i] && out[i] <= '9'); i++ {
		if out[i] != '.' {
			out[i] = '0'
		}
	}
	return out
}

// shiftDays is the shift of the row's person: drawn from a token of the id map,
// so that it is constant and tells nothing. It is never 0.
func (w *Worker) shiftDays(most int) (int, bool, error) {
	person := w.place.Author
	if person == 0 {
		return 0, false, nil
	}
	token, err := w.ids.Token("date shift", binary.BigEndian.AppendUint32(nil, uint32(person)))
	if err != nil {
		return 0, false, err
	}
	days := int(binary.BigEndian.Uint64(token[:])%uint64(2*most)) - most
	if days >= 0 {
		days++
	}
	return days, true, nil
}
