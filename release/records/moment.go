package records

import "time"

// Moment reads a moment as edX writes it, in microseconds since 1970: RFC 3339
// with or without a zone, and MySQL's form; a day alone is its midnight. Without
// a zone it is in UTC.
func Moment(text []byte) (microseconds int64, ok bool) {
	if len(text) < len("2006-01-02") || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	year, month, day := digits(text[0:4]), digits(text[5:7]), digits(text[8:10])
	if year < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) {
		return 0, false
	}
	seconds := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()
	text = text[10:]
	if len(text) == 0 {
		return seconds * 1_000_000, true
	}
	if len(text) < len("T15:04:05") || text[0] != 'T' && text[0] != ' ' || text[3] != ':' || text[6] != ':' {
		return 0, false
	}
	hour, minute, second := digits(text[1:3]), digits(text[4:6]), digits(text[7:9])
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, false
	}
	seconds += int64(hour*3600 + minute*60 + second)
	text, fraction := fractionOf(text[9:])
	if fraction < 0 {
		return 0, false
	}
	east, ok := zoneOf(text)
	return (seconds-east)*1_000_000 + fraction, ok
}

// Day reads a day, in days since 1970.
func Day(text []byte) (days int64, ok bool) {
	if len(text) != len("2006-01-02") {
		return 0, false
	}
	at, ok := Moment(text)
	return at / (24 * 3600 * 1_000_000), ok
}

// fractionOf takes the fraction of a second off a text, in microseconds; -1 when
// it is none.
func fractionOf(text []byte) ([]byte, int64) {
	if len(text) == 0 || text[0] != '.' {
		return text, 0
	}
	fraction, n := int64(0), 1
	for ; n < len(text) && text[n] >= '0' && text[n] <= '9'; n++ {
		if n <= 6 {
			fraction = fraction*10 + int64(text[n]-'0')
		}
	}
	if n == 1 || n > 10 {
		return text, -1
	}
	for i := n; i <= 6; i++ {
		fraction *= 10
	}
	return text[n:], fraction
}

// zoneOf reads Z, +01:00, +0100, or nothing.
func zoneOf(text []byte) (east int64, ok bool) {
	switch {
	case len(text) == 0 || len(text) == 1 && text[0] == 'Z':
		return 0, true
	case len(text) == 6 && text[3] == ':':
		text = append(append(make([]byte, 0, 5), text[:3]...), text[4:]...)
	}
	if len(text) != 5 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	hours, minutes := digits(text[1:3]), digits(text[3:5])
	if hours < 0 || hours > 24 || minutes < 0 || minutes > 60 {
		return 0, false
	}
	east = int64(hours*3600 + minutes*60)
	if text[0] == '-' {
		east = -east
	}
	return east, true
}

// digits reads a number of digits only; -1 when there is anything else.
func digits(text []byte) int {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func daysOf(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
