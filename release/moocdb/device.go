package moocdb

import (
	"encoding/binary"
	"net/netip"
	"strings"
)

// address gives an IPv4 address as MOOCdb stores it, as an unsigned number; nil
// for any other.
func address(text string) any {
	first, _, _ := strings.Cut(text, ",") // proxies add theirs behind
	addr, err := netip.ParseAddr(strings.TrimSpace(first))
	if err != nil || !addr.Unmap().Is4() {
		return nil
	}
	bytes := addr.Unmap().As4()
	return int64(binary.BigEndian.Uint32(bytes[:]))
}

// systems are words of a browser's description and the system they stand for;
// the first that is found counts.
var systems = [...][2]string{
	{"Android", "Android"}, {"iPhone", "iOS"}, {"iPad", "iOS"}, {"Windows Phone", "Windows Phone"}, {"Windows", "Windows"},
	{"CrOS", "Chrome OS"}, {"Mac OS X", "Mac OS X"}, {"Macintosh", "Mac OS X"}, {"X11", "Linux"}, {"Linux", "Linux"},
}

// system tells the operating system from a browser's description of itself; nil
// when it does not say.
func system(agent string) any {
	for _, s := range systems {
		if strings.Contains(agent, s[0]) {
			return s[1]
		}
	}
	return nil
}

// orNil is NULL for an empty text.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
