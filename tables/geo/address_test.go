package geo

import (
	"net/netip"
	"strings"
	"testing"
)

func TestParseAddrReadsWhatLogsWrite(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7":                 "192.0.2.7",
		" 192.0.2.7\t":              "192.0.2.7",
		"192.0.2.7:443":             "192.0.2.7",
		"192.0.2.7, 10.0.0.1":       "192.0.2.7",
		"0.0.0.0":                   "0.0.0.0",
		"255.255.255.255":           "255.255.255.255",
		"::ffff:192.0.2.7":          "192.0.2.7",
		"[::ffff:192.0.2.7]:80":     "192.0.2.7",
		"2001:DB8::7":               "2001:db8::7",
		"[2001:db8::7]":             "2001:db8::7",
		"[2001:db8::7]:65535":       "2001:db8::7",
		"fe80::1%eth0":              "fe80::1",
		"2001:db8::7 , 192.0.2.7 ,": "2001:db8::7",
		"64:ff9b::192.0.2.33":       "64:ff9b::c000:221",
	} {
		got, ok := ParseAddr([]byte(text))
		if !ok || got.String() != want {
			t.Errorf("%q: got %v, %v; want %s", text, got, ok, want)
		}
	}
}

func TestParseAddrRefusesEverythingElse(t *testing.T) {
	for _, text := range []string{
		"", " ", ",", "unknown", "-", "null", "192.0.2", "192.0.2.", ".192.0.2", "192.0.2.256", "192.0.2.7.1",
		"192.0.2.07", "0192.0.2.7", "192.0.2.7:", "192.0.2.7:123456", "192.0.2.7:http", "192.0.2.7/24",
		"[2001:db8::7", "[2001:db8::7]x", "2001:db8::7::", "[]", "3221225991", "٣.٣.٣.٣", "1..2.3",
		"fe80::1%" + strings.Repeat("x", 200), "localhost",
	} {
		if got, ok := ParseAddr([]byte(text)); ok {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

// Every address comes back from its own spelling, alone and with decorations,
// and what ParseAddr takes plainly is what net/netip takes.
func FuzzParseAddrAgreesWithNetip(f *testing.F) {
	f.Add([]byte("192.0.2.7"))
	f.Add([]byte("2001:db8::7"))
	f.Add([]byte("::ffff:1.2.3.4"))
	f.Add([]byte("01.2.3.4"))
	f.Add([]byte("1.2.3.4%zone"))
	f.Fuzz(func(t *testing.T, text []byte) {
		model, err := netip.ParseAddr(string(text))
		got, ok := ParseAddr(text)
		if err == nil && len(text) <= 100 && !strings.ContainsAny(model.Zone(), ", \t\r\n\v\f\u0085\u00a0") {
			if want := model.WithZone("").Unmap(); !ok || got != want {
				t.Fatalf("%q: got %v, %v; netip has %v", text, got, ok, want)
			}
		}
		if !ok {
			return
		}
		if got.Zone() != "" || got.Is4In6() {
			t.Fatalf("%q: %v has two spellings", text, got)
		}
		spellings := []string{got.String(), " " + got.String() + "\n", got.String() + ", 10.0.0.1", netip.AddrPortFrom(got, 8080).String()}
		for _, spelling := range spellings {
			if again, ok := ParseAddr([]byte(spelling)); !ok || again != got {
				t.Fatalf("%q from %q: got %v, %v", spelling, text, again, ok)
			}
		}
	})
}

func TestParseAddrDoesNotAllocateForIPv4(t *testing.T) {
	text := []byte("198.51.100.23")
	if n := testing.AllocsPerRun(100, func() { ParseAddr(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestClassOfFollowsTheSpecialPurposeRegistries(t *testing.T) {
	for text, want := range map[string]Class{
		"8.8.8.8": Public, "2a01:e0a::1": Public, "172.15.255.255": Public, "172.32.0.0": Public, "100.128.0.0": Public,
		"10.1.2.3": Private, "172.16.0.1": Private, "192.168.1.1": Private, "100.64.0.1": Private, "fd00::1": Private,
		"::ffff:10.1.2.3": Private,
		"127.0.0.1":       Local, "::1": Local, "169.254.1.1": Local, "fe80::1": Local,
		"192.0.2.1": Documentation, "198.51.100.1": Documentation, "203.0.113.1": Documentation, "2001:db8::1": Documentation, "3fff::1": Documentation,
		"224.0.0.1": Multicast, "ff02::1": Multicast,
		"0.0.0.0": Reserved, "0.1.2.3": Reserved, "240.0.0.1": Reserved, "255.255.255.255": Reserved, "198.18.0.1": Reserved,
		"192.0.0.1": Reserved, "::": Reserved, "100::1": Reserved, "fec0::1": Reserved,
	} {
		if got := ClassOf(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if got := ClassOf(netip.Addr{}); got != Malformed {
		t.Errorf("the zero address: %v, want %v", got, Malformed)
	}
	names := map[string]bool{}
	for c := Malformed; c <= Reserved; c++ {
		names[c.String()] = true
	}
	if len(names) != len(classNames) || names[""] {
		t.Errorf("the classes have %d names, want %d", len(names), len(classNames))
	}
}
