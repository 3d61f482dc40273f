package verify

import (
	"bytes"
	"net/netip"
)

// shapes finds what names somebody by its shape alone, known or not: e-mail
// addresses and IPv6 addresses.
func (f *finder) shapes(text []byte) {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '@')
		if i < 0 {
			break
		}
		at += i + 1
		if start, end, ok := emailAround(text, at-1); ok {
			f.hits = append(f.hits, hit{start: int32(start), end: int32(end), kind: numberOfEmail, shape: true})
		}
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("::"))
		if i < 0 {
			break
		}
		at += i + 2
		f.address6(text, at-2)
	}
	if bytes.Count(text, []byte{':'}) >= 7 {
		f.longAddresses6(text)
	}
}

// reservedHost can be nobody's (RFC 2606): the release's own addresses are there.
const reservedHost = "example.invalid"

// emailAround reads the address whose "@" stands at i.
func emailAround(text []byte, i int) (start, end int, ok bool) {
	start = i
	for start > 0 && localByte(text[start-1]) {
		start--
	}
	end = i + 1
	dot := -1
	for end < len(text) && hostByte(text[end]) {
		if text[end] == '.' {
			dot = end
		}
		end++
	}
	for end > i && (text[end-1] == '.' || text[end-1] == '-') {
		end--
		dot = bytes.LastIndexByte(text[:end], '.')
	}
	if start == i || dot <= i+1 || end-dot < 3 {
		return 0, 0, false
	}
	for _, c := range text[dot+1 : end] {
		if class := ascii.class[c]; class != classLower && class != classUpper && class != classBeyond {
			return 0, 0, false
		}
	}
	host := text[i+1 : end]
	if bytes.EqualFold(host, []byte(reservedHost)) && (pseudonymName(text[start:i]) || string(text[start:i]) == "someone") {
		return 0, 0, false
	}
	return start, end, true
}

func localByte(c byte) bool {
	return ascii.class[c] != classGap || bytes.IndexByte([]byte("._%+-'!#$*^`{|}~"), c) >= 0
}

func hostByte(c byte) bool { return ascii.class[c] != classGap || c == '.' || c == '-' }

func addressByte(c byte) bool {
	return c == ':' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// address6 reads an IPv6 address around at.
func (f *finder) address6(text []byte, at int) {
	start, end := at, at
	for start > 0 && addressByte(text[start-1]) {
		start--
	}
	for end < len(text) && addressByte(text[end]) {
		end++
	}
	if start > 0 && ascii.class[text[start-1]] != classGap || end < len(text) && ascii.class[text[end]] != classGap {
		return
	}
	end -= len(text[start:end]) - len(bytes.TrimRight(text[start:end], ".:"))
	if end-start < 4 {
		return
	}
	addr, err := netip.ParseAddr(string(text[start:end]))
	if err != nil || addr.Is4() || addr.Is4In6() && addr.Unmap().As4()[0] >= 240 {
		return
	}
	f.hits = append(f.hits, hit{start: int32(start), end: int32(end), kind: numberOfIP, shape: true})
}

// longAddresses6 finds IPv6 addresses of eight written groups.
func (f *finder) longAddresses6(text []byte) {
	for at := 0; at < len(text); {
		start := at
		colons := 0
		for at < len(text) && addressByte(text[at]) {
			if text[at] == ':' {
				colons++
			}
			at++
		}
		if colons == 7 && at-start >= 15 && !bytes.Contains(text[start:at], []byte("::")) {
			f.address6(text, start)
		}
		at = max(at, start+1)
	}
}

// pseudonymName reports whether a word is what a release shows for a username:
// "u" and ten digits of the range of pseudonyms.
func pseudonymName(word []byte) bool {
	return len(word) == 11 && word[0] == 'u' && pseudonymNumber(word[1:])
}

// pseudonymNumber reports whether a number is in the range of pseudonyms.
func pseudonymNumber(digits []byte) bool {
	return len(digits) == 10 && allDigits(digits) && digits[0] >= '1' && string(digits) <= "2147483647"
}

// pseudonymWord reports whether a word is a pseudonym in either form.
func pseudonymWord(word []byte) bool {
	switch len(word) {
	case 10:
		return pseudonymNumber(word)
	case 11:
		return pseudonymName(word)
	}
	return false
}
