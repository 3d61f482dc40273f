package sample

import "unicode/utf8"

const lowerHex = "0123456789abcdef"

// appendJSON writes value as the inside of a JSON string. With ascii, all that
// is not ASCII becomes \uXXXX in lower case, as Python's json module does.
func appendJSON(dst, value []byte, ascii bool) []byte {
	start := 0
	for i := 0; i < len(value); {
		c := value[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf && !ascii {
			i++
			continue
		}
		dst = append(dst, value[start:i]...)
		if c < utf8.RuneSelf {
			dst = appendJSONControl(dst, c)
			i++
		} else {
			r, size := utf8.DecodeRune(value[i:])
			dst = appendJSONRune(dst, r)
			i += size
		}
		start = i
	}
	return append(dst, value[start:]...)
}

func appendJSONControl(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return appendUnit(dst, uint16(c))
}

func appendJSONRune(dst []byte, r rune) []byte {
	if r < 0x10000 {
		return appendUnit(dst, uint16(r))
	}
	r -= 0x10000
	dst = appendUnit(dst, uint16(0xD800+(r>>10)))
	return appendUnit(dst, uint16(0xDC00+(r&0x3FF)))
}

func appendUnit(dst []byte, u uint16) []byte {
	return append(dst, '\\', 'u', lowerHex[u>>12], lowerHex[u>>8&15], lowerHex[u>>4&15], lowerHex[u&15])
}

// appendPercent writes value percent-encoded, with only the unreserved
// characters of RFC 3986 left as they are.
func appendPercent(dst, value []byte) []byte {
	const upperHex = "0123456789ABCDEF"
	for _, c := range value {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_', c == '~':
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

// appendHex writes the n low hexadecimal digits of x.
func appendHex(dst []byte, x uint64, n int) []byte {
	for i := n - 1; i >= 0; i-- {
		dst = append(dst, lowerHex[x>>(4*uint(i))&15])
	}
	return dst
}

// appendTwo writes two decimal digits.
func appendTwo(dst []byte, n int) []byte {
	return append(dst, byte('0'+n/10), byte('0'+n%10))
}

// moment is a time in microseconds since 1970, UTC.
type moment int64

const (
	second moment = 1_000_000
	day           = 24 * 3600 * second
)

// civil splits a moment into date and time of day (Howard Hinnant's
// days-from-civil algorithm, inverted; exact for the Gregorian calendar).
func (m moment) civil() (year, month, dayOfMonth, secondOfDay, micro int) {
	days := int(m / day)
	rest := m % day
	z := days + 719468
	era := z / 146097
	dayOfEra := z - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153
	dayOfMonth = dayOfYear - (153*shifted+2)/5 + 1
	month = shifted + 3
	if month > 12 {
		month -= 12
	}
	year = yearOfEra + era*400
	if month <= 2 {
		year++
	}
	return year, month, dayOfMonth, int(rest / second), int(rest % second)
}

// appendMoment writes "2014-10-03", between, "12:01:02" and, with fraction,
// the ".123456" that Python adds.
func appendMoment(dst []byte, m moment, between byte, fraction bool) []byte {
	year, month, date, clock, micro := m.civil()
	dst = append(dst, byte('0'+year/1000), byte('0'+year/100%10))
	dst = appendTwo(dst, year%100)
	dst = append(dst, '-')
	dst = appendTwo(dst, month)
	dst = append(dst, '-')
	dst = appendTwo(dst, date)
	dst = append(dst, between)
	dst = appendTwo(dst, clock/3600)
	dst = append(dst, ':')
	dst = appendTwo(dst, clock/60%60)
	dst = append(dst, ':')
	dst = appendTwo(dst, clock%60)
	if fraction {
		dst = append(dst, '.')
		dst = appendTwo(dst, micro/10000)
		dst = appendTwo(dst, micro/100%100)
		dst = appendTwo(dst, micro%100)
	}
	return dst
}
