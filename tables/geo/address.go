package geo

import (
	"bytes"
	"net/netip"
)

// ParseAddr reads an address as logs and proxies write it:
//
//	192.0.2.7   " 192.0.2.7 "   192.0.2.7:443   ::ffff:192.0.2.7
//	2001:db8::7   [2001:db8::7]   [2001:db8::7]:443   fe80::1%eth0
//	192.0.2.7, 10.0.0.1            (X-Forwarded-For: the client comes first)
//
// IPv4 inside IPv6 comes out as IPv4 and a zone is left out, so that one
// machine has one address. Anything else gives false.
func ParseAddr(text []byte) (netip.Addr, bool) {
	text = bytes.TrimSpace(text)
	if addr, ok := parseDotted(text); ok {
		return addr, true
	}
	if comma := bytes.IndexByte(text, ','); comma >= 0 {
		text = bytes.TrimSpace(text[:comma])
	}
	text = withoutPort(text)
	// The longest spelling of an address with a zone is far below this.
	if len(text) == 0 || len(text) > 100 {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(string(text))
	if err != nil {
		return netip.Addr{}, false
	}
	return addr.WithZone("").Unmap(), true
}

// parseDotted reads plain dotted IPv4, which nearly every line holds, without
// allocating. Like netip it takes no leading zeros: they mean octal to some
// readers and decimal to others.
func parseDotted(text []byte) (netip.Addr, bool) {
	var parts [4]byte
	part, value, digits := 0, 0, 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			if digits > 0 && value == 0 {
				return netip.Addr{}, false
			}
			value = value*10 + int(c-'0')
			if digits++; value > 255 {
				return netip.Addr{}, false
			}
		case c == '.' && digits > 0 && part < 3:
			parts[part] = byte(value)
			part, value, digits = part+1, 0, 0
		default:
			return netip.Addr{}, false
		}
	}
	if part != 3 || digits == 0 {
		return netip.Addr{}, false
	}
	parts[3] = byte(value)
	return netip.AddrFrom4(parts), true
}

// withoutPort takes brackets and a port away.
func withoutPort(text []byte) []byte {
	if len(text) > 0 && text[0] == '[' {
		end := bytes.IndexByte(text, ']')
		if end < 0 || !isPort(text[end+1:]) && end+1 != len(text) {
			return nil
		}
		return text[1:end]
	}
	if colon := bytes.IndexByte(text, ':'); colon >= 0 && bytes.IndexByte(text, '.') >= 0 && isPort(text[colon:]) {
		return text[:colon]
	}
	return text
}

// isPort reports whether text is a colon and one to five digits.
func isPort(text []byte) bool {
	if len(text) < 2 || len(text) > 6 || text[0] != ':' {
		return false
	}
	for _, c := range text[1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// Class says what an address can be used for, after the registries of special
// purpose addresses (RFC 6890 and its updates).
type Class uint8

// The classes of addresses. Only a public address can have a place.
const (
	Malformed     Class = iota // not an address
	Public                     // globally reachable
	Private                    // networks of homes and offices, carriers' shared space, unique local
	Local                      // this machine or this link
	Documentation              // examples in documents
	Multicast                  //
	Reserved                   // everything else that no machine on the internet has
)

var classNames = [...]string{"malformed", "public", "private", "local", "documentation", "multicast", "reserved"}

// String gives the class as it stands in tallies.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "malformed"
}

// specialNetwork is one entry of the registries.
type specialNetwork struct {
	prefix netip.Prefix
	class  Class
}

// specialNetworks are the entries that netip.Addr has no method for.
var specialNetworks = [...]specialNetwork{
	{netip.MustParsePrefix("100.64.0.0/10"), Private},         // shared by carriers, RFC 6598
	{netip.MustParsePrefix("192.0.2.0/24"), Documentation},    // RFC 5737
	{netip.MustParsePrefix("198.51.100.0/24"), Documentation}, // RFC 5737
	{netip.MustParsePrefix("203.0.113.0/24"), Documentation},  // RFC 5737
	{netip.MustParsePrefix("0.0.0.0/8"), Reserved},            // RFC 791
	{netip.MustParsePrefix("192.0.0.0/24"), Reserved},         // RFC 6890
	{netip.MustParsePrefix("198.18.0.0/15"), Reserved},        // benchmarks, RFC 2544
	{netip.MustParsePrefix("240.0.0.0/4"), Reserved},          // RFC 1112; pseudonymous addresses live here
	{netip.MustParsePrefix("2001:db8::/32"), Documentation},   // RFC 3849
	{netip.MustParsePrefix("3fff::/20"), Documentation},       // RFC 9637
	{netip.MustParsePrefix("100::/64"), Reserved},             // discard, RFC 6666
	{netip.MustParsePrefix("2001:2::/48"), Reserved},          // benchmarks, RFC 5180
	{netip.MustParsePrefix("fec0::/10"), Reserved},            // site local, RFC 3879
}

// ClassOf tells what an address can be used for. The zero netip.Addr is
// Malformed.
func ClassOf(addr netip.Addr) Class {
	addr = addr.Unmap()
	switch {
	case !addr.IsValid():
		return Malformed
	case addr.IsPrivate():
		return Private
	case addr.IsLoopback(), addr.IsLinkLocalUnicast():
		return Local
	case addr.IsMulticast():
		return Multicast
	case addr.IsUnspecified():
		return Reserved
	}
	for i := range specialNetworks {
		if specialNetworks[i].prefix.Contains(addr) {
			return specialNetworks[i].class
		}
	}
	return Public
}
