package tables

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// isNameByte accepts what usernames and e-mails are made of; bytes of other
// scripts are letters here.
func isNameByte(c byte) bool {
	return isWordByte(c) || c == '@' || c == '.' || c == '+' || c == '-' || c >= utf8.RuneSelf
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func isEdge(c byte) bool { return c == '.' || c == '-' || c == '+' || c == '@' || c == '_' }

// looksEmail reports whether a word has the shape local@domain.tld.
func looksEmail(word []byte) bool {
	at := bytes.LastIndexByte(word, '@')
	if at < 1 || at > len(word)-4 {
		return false
	}
	dot := bytes.LastIndexByte(word[at:], '.')
	if dot < 2 || len(word)-at-dot < 3 {
		return false
	}
	top := word[at+dot+1:]
	if bytes.HasPrefix(bytes.ToLower(top), []byte("xn--")) { // a domain in another script
		return true
	}
	for _, c := range top {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf) {
			return false
		}
	}
	return true
}

func looksIPv4(word []byte) bool {
	if len(word) < 7 || len(word) > 15 || bytes.Count(word, []byte{'.'}) != 3 {
		return false
	}
	for _, c := range word {
		if c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// ipv6At reads an IPv6 address that starts at i: hexadecimal digits and at least
// two colons, which no time or content id parses as.
func ipv6At(text []byte, i int) (netip.Addr, int) {
	if i > 0 && (isNameByte(text[i-1]) || text[i-1] == ':') {
		return netip.Addr{}, 0
	}
	end, colons := i, 0
	for end < len(text) && (text[end] == ':' || text[end] == '.' || hexOnly(text[end:end+1])) {
		if text[end] == ':' {
			colons++
		}
		end++
	}
	if colons < 2 || end < len(text) && isNameByte(text[end]) {
		return netip.Addr{}, 0
	}
	addr, err := netip.ParseAddr(string(text[i:end]))
	if err != nil || !addr.Is6() {
		return netip.Addr{}, 0
	}
	return addr, end - i
}

// phoneLength returns the length of a telephone number that starts at i: the
// international form +… with 8 to 15 digits, ten or eleven digits from 0 in
// groups, as in 06 12 34 56 78 and 07700 900123, or three, three and four as in
// (613) 555-0199. Anything looser would catch numbers that are content.
func phoneLength(text []byte, i int) int {
	c := text[i]
	if c != '+' && c != '(' && (c < '0' || c > '9') || i > 0 && (isNameByte(text[i-1]) || text[i-1] == '/') {
		return 0
	}
	switch c {
	case '+':
		return internationalPhone(text, i)
	case '0':
		return groupedPhone(text, i)
	}
	return americanPhone(text, i)
}

// americanPhone reads (613) 555-0199, 613-555-0199 and 613.555.0199.
func americanPhone(text []byte, i int) int {
	end := i
	take := func(n int) bool {
		if end+n > len(text) || !digitsOnly(text[end:end+n]) {
			return false
		}
		end += n
		return true
	}
	skip := func(marks string) bool {
		if end < len(text) && strings.IndexByte(marks, text[end]) >= 0 {
			end++
			return true
		}
		return false
	}
	open := skip("(")
	if !take(3) || open && !skip(")") {
		return 0
	}
	if between := skip(" -."); !between && !open || !take(3) || !skip("-. ") || !take(4) || end < len(text) && isWordByte(text[end]) {
		return 0
	}
	return end - i
}

func groupedPhone(text []byte, i int) int {
	digits, group, separator, end := 0, 0, byte(0), i
	for end < len(text) {
		c := text[end]
		if '0' <= c && c <= '9' {
			digits, group = digits+1, group+1
			end++
			continue
		}
		if c != ' ' && c != '.' && c != '-' || separator != 0 && c != separator || group < 2 || digits > 9 {
			break
		}
		separator, group = c, 0
		end++
	}
	if separator == 0 || digits < 10 || digits > 11 || group < 2 || end < len(text) && isWordByte(text[end]) {
		return 0
	}
	return end - i
}

func internationalPhone(text []byte, i int) int {
	digits, end := 0, i+1
	for j := i + 1; j < len(text); j++ {
		c := text[j]
		if '0' <= c && c <= '9' {
			digits, end = digits+1, j+1
			continue
		}
		if c != ' ' && c != '.' && c != '-' && c != '(' && c != ')' || j+1 == len(text) || digits == 0 {
			break
		}
	}
	if digits < 8 || digits > 15 || end < len(text) && isWordByte(text[end]) {
		return 0
	}
	return end - i
}
