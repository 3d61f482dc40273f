package tables

import "unicode/utf8"

// base64Text appends what a word says in base64, of either alphabet and without
// padding, if that is a text: UTF-8 without control characters. Nearly every word
// could be base64, and of nearly none the first letters give a text: the decoding
// stops there.
func base64Text(dst, word []byte) (text []byte, ok bool) {
	if len(word)%4 == 1 {
		return dst, false
	}
	var bits, held, alphabets uint32
	runes := len(dst) // dst[:runes] is whole characters
	for _, c := range word {
		digit := base64Digits[c]
		if digit == 0 {
			return dst, false
		}
		alphabets |= uint32(digit) >> 8
		bits, held = bits<<6|uint32(digit)&63, held+6
		if held < 8 {
			continue
		}
		held -= 8
		b := byte(bits >> held)
		if b < ' ' {
			return dst, false
		}
		dst = append(dst, b)
		if runes, ok = wholeRunes(dst, runes); !ok {
			return dst, false
		}
	}
	return dst, runes == len(dst) && alphabets&3 != 3
}

// wholeRunes returns up to where text is whole characters; ok is false when what
// follows cannot become one.
func wholeRunes(text []byte, from int) (to int, ok bool) {
	for from < len(text) {
		if !utf8.FullRune(text[from:]) {
			return from, true
		}
		r, size := utf8.DecodeRune(text[from:])
		if r == utf8.RuneError && size == 1 {
			return from, false
		}
		from += size
	}
	return from, true
}

// base64Digits gives the value of a digit in the lower bits. Above them is 1 for
// those of the standard alphabet alone, 2 for those of the one for URLs alone and 4
// for those of both; 0 is no digit.
var base64Digits = func() (digits [256]uint16) {
	const both = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for i := range len(both) {
		digits[both[i]] = uint16(i) | 4<<8
	}
	digits['+'], digits['/'] = 62|1<<8, 63|1<<8
	digits['-'], digits['_'] = 62|2<<8, 63|2<<8
	return digits
}()
