package detect

import (
	"net/netip"
	"strings"
)

// versionWords stand before dotted numbers that are no network addresses.
const versionWords = " v version ver vers release build rev update firmware python java kernel windows android chrome firefox section chapitre chapter article "

// findIPv4 marks an IPv4 address that starts at token i. Addresses that no
// person has (loopback, private networks) are left. The answer says whether the
// number is an address, marked or not.
func findIPv4(s *scan, i int) bool {
	at := s.doc.Tokens[i].at
	end := at
	for end < len(s.text) && end-at < 16 && (s.text[end] == '.' || '0' <= s.text[end] && s.text[end] <= '9') {
		end++
	}
	candidate := strings.TrimRight(s.text[at:end], ".")
	end = at + len(candidate)
	if strings.Count(candidate, ".") != 3 || !s.bounded(at, end) {
		return false
	}
	if before := s.runeBefore(at); before == '.' || before == '-' {
		return false
	}
	if next := s.runeAfter(end); next == '-' || next == '.' && end+1 < len(s.text) && '0' <= s.text[end+1] && s.text[end+1] <= '9' {
		return false
	}
	address, err := netip.ParseAddr(candidate)
	if err != nil {
		return false
	}
	if public(address) && !s.follows(at, versionWords) {
		s.add(at, end, Identifier, Mask, 0.9, "IP address")
	}
	return true
}

// findIPv6 marks the IPv6 address around the colon that token i is.
func findIPv6(s *scan, i int) {
	at := s.doc.Tokens[i].at
	if at < s.taken {
		return
	}
	start, end := at, at
	for start > 0 && at-start < 40 && ipv6Byte(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && end-at < 40 && ipv6Byte(s.text[end]) {
		end++
	}
	candidate := strings.TrimRight(s.text[start:end], ".")
	if strings.HasSuffix(candidate, ":") && !strings.HasSuffix(candidate, "::") {
		candidate = candidate[:len(candidate)-1]
	}
	if strings.Count(candidate, ":") < 3 || !hasDigit(candidate) || !s.bounded(start, start+len(candidate)) {
		return
	}
	address, err := netip.ParseAddr(candidate)
	if err != nil || !public(address) {
		return
	}
	s.add(start, start+len(candidate), Identifier, Mask, 0.9, "IP address")
}

func ipv6Byte(c byte) bool {
	return c == ':' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func public(a netip.Addr) bool {
	return !a.IsLoopback() && !a.IsPrivate() && !a.IsUnspecified() && !a.IsMulticast() &&
		!a.IsLinkLocalUnicast() && a.Unmap().AsSlice()[0] != 0 && a.Unmap() != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// follows reports whether the word before the offset at is one of words, a
// list with a space before and after each.
func (s *scan) follows(at int, words string) bool {
	before := strings.TrimRight(s.text[max(0, at-24):at], " .:=#°")
	cut := strings.LastIndexAny(before, " \n\t,;(") + 1
	word := strings.ToLower(before[cut:])
	return word != "" && strings.Contains(words, " "+word+" ")
}
