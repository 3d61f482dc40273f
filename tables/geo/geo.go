// Package geo turns the address of a log line into a place.
//
//	text ── ParseAddr ──► netip.Addr ── Locator.Place ──► Place{Country, Region, City}
//	                          │
//	                          └─ ClassOf ──► public, private, documentation, …
//
// A country database travels inside the program (DB-IP Country Lite, see
// build/main.go for how it is made), so that Open("") works with no download.
// Open also reads any country or city file in the MaxMind DB format: GeoIP2,
// GeoLite2, DB-IP, and the flat files of the ip-location-db project.
//
// Two libraries share the work. geoip2 knows the kinds of databases and the
// shape of their records; maxminddb walks the search tree, which lets a Locator
// decode each record once: millions of addresses end in a few hundred (country)
// or a few ten thousand (city) records, and a record's offset in the file is
// the key of the Locator's cache.
//
// Only what the database knows is told: an unknown region or city is an empty
// string, an unknown network is no place at all, never a guess.
package geo

import (
	"errors"
	"io/fs"
	"net/netip"
	"strings"
	"time"

	"github.com/oschwald/geoip2-golang/v2"
	"github.com/oschwald/maxminddb-golang/v2"

	"anonymooc/internal/fault"
)

// Place is where a network stands. Unknown parts are empty.
type Place struct {
	Country string // ISO 3166-1 alpha-2 code, "FR"
	Region  string // first subdivision, English name
	City    string // English name
}

// Info says what a database is, for the manifest and the report.
type Info struct {
	Type     string    // as its metadata says: "GeoLite2-City"
	Built    time.Time // when its maker built it, UTC
	Embedded bool      // the one inside the program
	Credit   string    // the attribution its licence asks for; empty when unknown
}

// Database is an open geographic database. It is safe for concurrent use; the
// Locators made from it are not.
type Database struct {
	reader *maxminddb.Reader
	read   schema
	info   Info
}

// Open reads the database at path, or the embedded one when path is empty. A
// file that holds neither countries nor cities is refused (fault.Usage).
func Open(path string) (*Database, error) {
	if path == "" {
		return openEmbedded()
	}
	reader, err := maxminddb.Open(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	read := cityRecord
	if !holdsCities(path) {
		if read = flatRecord; !looksFlat(reader) {
			kind := printable(reader.Metadata.DatabaseType)
			reader.Close()
			return nil, fault.New(fault.Usage, "holds neither countries nor cities, its type is %q", kind).At(path, 0, "").
				WithHint("give a GeoIP2, GeoLite2 or DB-IP country or city file (.mmdb), or leave --geo-db out for the embedded one")
		}
	}
	return newDatabase(reader, read), nil
}

func newDatabase(reader *maxminddb.Reader, read schema) *Database {
	kind := printable(reader.Metadata.DatabaseType)
	return &Database{reader: reader, read: read, info: Info{
		Type:   kind,
		Built:  reader.Metadata.BuildTime().UTC(),
		Credit: Credit(kind),
	}}
}

// Info tells what the database is.
func (d *Database) Info() Info { return d.info }

// Close releases the file. No Locator of the database may be used afterwards.
func (d *Database) Close() error { return d.reader.Close() }

// holdsCities asks geoip2, which keeps the list of database types, whether
// the records of a file are laid out as city records. A country database is a
// city database without the cities.
func holdsCities(path string) bool {
	reader, err := geoip2.Open(path)
	if reader == nil {
		return false
	}
	defer reader.Close()
	if err == nil {
		_, err = reader.City(netip.IPv4Unspecified())
	}
	return err == nil
}

// openFault tells a missing file from one that is not in the format.
func openFault(path string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return fault.New(fault.Usage, "the geographic database cannot be read").At(path, 0, "").
			Because(pathError.Err).WithHint("check the path given with --geo-db")
	}
	return fault.New(fault.Usage, "not a MaxMind DB file, or cut off").At(path, 0, "").
		WithHint("unpack it if it is compressed and compare its size with the publisher's; CSV editions cannot be read")
}

// printable keeps a file's description of itself from carrying control
// characters into a message.
func printable(s string) string {
	if len(s) > 60 {
		s = s[:60]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

// Credit gives the attribution that the licences of the free editions of a type
// of database ask for; empty when none is known to be asked for.
func Credit(kind string) string {
	switch {
	case strings.HasPrefix(kind, "DBIP-"):
		return "IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0"
	case strings.HasPrefix(kind, "GeoLite2-"):
		return "This product includes GeoLite2 data created by MaxMind, available from https://www.maxmind.com"
	}
	return ""
}
