package geo

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/oschwald/geoip2-golang/v2"

	"anonymooc/internal/fault"
)

// writeDatabase makes a database of the given type with one record for each network.
func writeDatabase(t *testing.T, kind string, records map[string]mmdbtype.Map) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: kind, IncludeReservedNetworks: true})
	if err != nil {
		t.Fatal(err)
	}
	for network, record := range records {
		_, prefix, err := net.ParseCIDR(network)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Insert(prefix, record); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if _, err := tree.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "places.mmdb")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func names(english string) mmdbtype.Map {
	return mmdbtype.Map{"names": mmdbtype.Map{"en": mmdbtype.String(english), "fr": mmdbtype.String("autre")}}
}

func nested(code, region, city string) mmdbtype.Map {
	record := mmdbtype.Map{"country": mmdbtype.Map{"iso_code": mmdbtype.String(code)}}
	if region != "" {
		record["subdivisions"] = mmdbtype.Slice{names(region), names("smaller")}
	}
	if city != "" {
		record["city"] = names(city)
	}
	return record
}

func flat(code, region, city string) mmdbtype.Map {
	return mmdbtype.Map{"country_code": mmdbtype.String(code), "state1": mmdbtype.String(region), "city": mmdbtype.String(city)}
}

func TestOpenReadsEveryKindOfCountryAndCityFile(t *testing.T) {
	type shape func(code, region, city string) mmdbtype.Map
	for kind, record := range map[string]shape{
		"GeoLite2-City": nested, "GeoIP2-City": nested, "GeoLite2-Country": nested, "GeoIP2-Country": nested,
		"GeoIP2-Enterprise": nested, "DBIP-City-Lite": nested, "DBIP-Country-Lite": nested,
		"DBIP-Location (compat=City)": nested, "ip-location-db": flat, "": flat,
	} {
		t.Run(kind, func(t *testing.T) {
			database, err := Open(writeDatabase(t, kind, map[string]mmdbtype.Map{
				"1.2.3.0/24":      record("FR", "Brittany", "Rennes"),
				"1.2.4.0/24":      record("CA", "", ""),
				"2001:db8:1::/48": record("JP", "Kyoto", ""),
				"1.2.5.0/24":      record("ZZ", "", ""),
			}))
			if err != nil {
				t.Fatal(err)
			}
			defer database.Close()
			locator := database.Locator()
			for addr, want := range map[string]Place{
				"1.2.3.4": {"FR", "Brittany", "Rennes"}, "::ffff:1.2.3.255": {"FR", "Brittany", "Rennes"},
				"1.2.4.1": {"CA", "", ""}, "2001:db8:1::9": {"JP", "Kyoto", ""},
				"1.2.5.1": {}, "1.2.6.1": {}, "10.0.0.1": {}, "2001:db8:2::": {},
			} {
				for range 2 { // the second time from the cache
					got, ok := locator.Place(netip.MustParseAddr(addr))
					if got != want || ok != (want != Place{}) {
						t.Errorf("%s: %+v, %v; want %+v", addr, got, ok, want)
					}
				}
			}
			if _, ok := locator.Place(netip.Addr{}); ok {
				t.Error("the zero address has a place")
			}
			if info := database.Info(); info.Type != kind || info.Embedded || info.Built.IsZero() {
				t.Errorf("%+v", info)
			}
		})
	}
}

func TestOpenRefusesTheWrongKindOfFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	network := func(kind string, record mmdbtype.Map) string {
		return writeDatabase(t, kind, map[string]mmdbtype.Map{"1.2.3.0/24": record})
	}
	whole, err := os.ReadFile(network("GeoLite2-City", nested("FR", "", "")))
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"network owners": network("GeoLite2-ASN", mmdbtype.Map{"autonomous_system_number": mmdbtype.Uint32(1)}),
		"unknown type":   network("made-up\x1b[31m", mmdbtype.Map{"colour": mmdbtype.String("red")}),
		"proxies":        network("GeoIP2-Anonymous-IP", mmdbtype.Map{"is_anonymous": mmdbtype.Bool(true)}),
		"spreadsheet":    write("country.csv", "1.0.0.0,1.0.0.255,AU\n"),
		"empty":          write("empty.mmdb", ""),
		"cut off":        write("cut.mmdb", string(whole[:len(whole)-40])),
		"compressed":     write("packed.mmdb.gz", "\x1f\x8b\x08\x00\x00"),
		"missing":        filepath.Join(dir, "nowhere.mmdb"),
		"folder":         dir,
	} {
		database, err := Open(path)
		if err == nil {
			database.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.Usage || f.File != path || f.Hint == "" {
			t.Errorf("%s: %v has no code, file or hint", name, err)
		}
		if strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: control characters in %q", name, err)
		}
	}
}

func openEmbeddedForTest(tb testing.TB) *Database {
	tb.Helper()
	database, err := Open("")
	if err != nil {
		tb.Fatal(err)
	}
	return database
}

// unpackEmbedded writes the embedded database as a plain file.
func unpackEmbedded(tb testing.TB) string {
	tb.Helper()
	decoder, err := zstd.NewReader(bytes.NewReader(embeddedCountries))
	if err != nil {
		tb.Fatal(err)
	}
	defer decoder.Close()
	path := filepath.Join(tb.TempDir(), "embedded.mmdb")
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	if _, err := decoder.WriteTo(file); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestEmbeddedDatabaseWorksWithNoDownload(t *testing.T) {
	database := openEmbeddedForTest(t)
	locator := database.Locator()
	for addr, country := range map[string]string{
		"8.8.8.8":              "US", // a public resolver
		"193.51.224.1":         "FR", // RENATER
		"130.59.1.1":           "CH", // SWITCH
		"131.111.150.25":       "GB", // University of Cambridge
		"2001:660::1":          "FR", // RENATER
		"2001:620::1":          "CH", // SWITCH
		"::ffff:130.59.1.1":    "CH",
		"2002:823b:0101::1":    "CH", // 6to4 of a Swiss address
		"192.168.1.1":          "",
		"10.0.0.1":             "",
		"198.51.100.1":         "",
		"240.0.0.1":            "",
		"::1":                  "",
		"fd00::1":              "",
		"2001:db8::1":          "",
		"255.255.255.255":      "",
		"0.0.0.0":              "",
		"fe80::1":              "",
		"ff02::1":              "",
		"2001:db8:ffff:ffff::": "",
	} {
		place, ok := locator.Place(netip.MustParseAddr(addr))
		if place.Country != country || ok != (country != "") || place.City != "" {
			t.Errorf("%s: %+v, %v; want country %q", addr, place, ok, country)
		}
	}
	info := database.Info()
	if !info.Embedded || info.Type != "DBIP-Country-Lite" || info.Credit == "" || info.Built.Year() < 2026 {
		t.Errorf("%+v", info)
	}
}

func randomAddr(random *rand.Rand) netip.Addr {
	if random.IntN(4) > 0 {
		word := random.Uint32()
		return netip.AddrFrom4([4]byte{byte(word >> 24), byte(word >> 16), byte(word >> 8), byte(word)})
	}
	var bytes [16]byte
	bytes[0], bytes[1] = 0x20|byte(random.IntN(16)), byte(random.IntN(256))
	for i := 2; i < 8; i++ {
		bytes[i] = byte(random.IntN(256))
	}
	return netip.AddrFrom16(bytes)
}

// The caches change nothing: a Locator says what geoip2 says without them.
func TestLocatorAgreesWithGeoip2(t *testing.T) {
	model, err := geoip2.Open(unpackEmbedded(t))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	database := openEmbeddedForTest(t)
	var group sync.WaitGroup
	for seed := range uint64(4) {
		group.Go(func() {
			random, locator := rand.New(rand.NewPCG(seed, 2)), database.Locator()
			var earlier []netip.Addr
			known := 0
			for range 20_000 {
				addr := randomAddr(random)
				if len(earlier) > 0 && random.IntN(2) == 0 {
					addr = earlier[random.IntN(len(earlier))]
				}
				earlier = append(earlier, addr)
				record, err := model.City(addr)
				if err != nil {
					t.Error(err)
					return
				}
				got, ok := locator.Place(addr)
				if got.Country != record.Country.ISOCode || ok != (got.Country != "") {
					t.Errorf("%v: %+v, %v; geoip2 has %q", addr, got, ok, record.Country.ISOCode)
					return
				}
				if ok {
					known++
				}
			}
			if known < 5_000 {
				t.Errorf("only %d of 20000 addresses had a place", known)
			}
		})
	}
	group.Wait()
}

func TestLocatorForgetsNothingWhenItsCacheIsFull(t *testing.T) {
	locator := openEmbeddedForTest(t).Locator()
	for i := range uintptr(maxPlaces) {
		locator.places[1<<40+i] = found{}
	}
	place, ok := locator.Place(netip.MustParseAddr("130.59.1.1"))
	if !ok || place.Country != "CH" || len(locator.places) != 1 {
		t.Errorf("%+v, %v with %d records cached", place, ok, len(locator.places))
	}
}

// benchAddrs gives the addresses of a log: visitors who come back.
func benchAddrs(visitors, lines int) []netip.Addr {
	random := rand.New(rand.NewPCG(7, 7))
	people := make([]netip.Addr, visitors)
	for i := range people {
		people[i] = randomAddr(random)
	}
	addrs := make([]netip.Addr, lines)
	for i := range addrs {
		addrs[i] = people[random.IntN(visitors)]
	}
	return addrs
}

func BenchmarkPlace(b *testing.B) {
	model, err := geoip2.Open(unpackEmbedded(b))
	if err != nil {
		b.Fatal(err)
	}
	defer model.Close()
	database := openEmbeddedForTest(b)
	for _, c := range []struct {
		name     string
		visitors int
	}{{"300-visitors", 300}, {"200000-visitors", 200_000}} {
		addrs := benchAddrs(c.visitors, 1<<18)
		b.Run(c.name, func(b *testing.B) {
			locator := database.Locator()
			for i := 0; b.Loop(); i++ {
				locator.Place(addrs[i&(len(addrs)-1)])
			}
			ours := b.Elapsed().Seconds() / float64(b.N)
			const peerRounds = 1 << 15
			start := time.Now()
			for i := range peerRounds {
				if _, err := model.City(addrs[i]); err != nil {
					b.Fatal(err)
				}
			}
			peer := time.Since(start).Seconds() / peerRounds
			b.ReportMetric(1/ours/1e6, "M/s")
			b.ReportMetric(peer/ours, "×geoip2")
		})
	}
}

func BenchmarkOpenEmbedded(b *testing.B) {
	for b.Loop() {
		database, err := Open("")
		if err != nil {
			b.Fatal(err)
		}
		database.Close()
	}
}

func BenchmarkParseAddr(b *testing.B) {
	text := []byte("198.51.100.23")
	for b.Loop() {
		ParseAddr(text)
	}
}
