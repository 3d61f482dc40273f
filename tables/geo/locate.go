package geo

import (
	"net/netip"

	"github.com/oschwald/geoip2-golang/v2"
	"github.com/oschwald/maxminddb-golang/v2"
)

// A schema reads one record of a database.
type schema func(maxminddb.Result) (Place, error)

// cityRecord reads the nested records of GeoIP2, GeoLite2 and DB-IP.
func cityRecord(result maxminddb.Result) (Place, error) {
	var record geoip2.City
	if err := result.Decode(&record); err != nil {
		return Place{}, err
	}
	place := Place{Country: record.Country.ISOCode, City: record.City.Names.English}
	if len(record.Subdivisions) > 0 {
		place.Region = record.Subdivisions[0].Names.English
	}
	return place, nil
}

// flatRecord reads the records of the ip-location-db files, which have no
// levels: country_code, state1, city.
func flatRecord(result maxminddb.Result) (Place, error) {
	var record struct {
		Country string `maxminddb:"country_code"`
		Region  string `maxminddb:"state1"`
		City    string `maxminddb:"city"`
	}
	if err := result.Decode(&record); err != nil {
		return Place{}, err
	}
	return Place{Country: record.Country, Region: record.Region, City: record.City}, nil
}

// looksFlat reports whether the first records are flat ones with a country.
// The flat files have no type that tells, so their records decide.
func looksFlat(reader *maxminddb.Reader) bool {
	tried := 0
	for result := range reader.Networks() {
		if place, err := flatRecord(result); err == nil && isCountryCode(place.Country) {
			return true
		}
		if tried++; tried == 16 {
			break
		}
	}
	return false
}

// isCountryCode reports whether code has the shape of an ISO 3166-1 alpha-2
// code. "ZZ" is how some databases say that they do not know.
func isCountryCode(code string) bool {
	return len(code) == 2 && isCapital(code[0]) && isCapital(code[1]) && code != "ZZ"
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// maxPlaces bounds a Locator's cache of decoded records. A country database
// has some 250 of them; a city database has more than a course has visitors'
// towns, and starting again from nothing costs one decode each.
const maxPlaces = 1 << 16

// recentSlots is the size of the direct-mapped cache of addresses. A log's
// lines come from a few hundred people at a time, each with many lines.
const recentSlots = 1 << 10

// Locator looks addresses up. Make one for each goroutine: it caches.
type Locator struct {
	database *Database
	places   map[uintptr]found // by the offset of the record in the file
	recent   []visit           // by hash of the address
}

type found struct {
	place Place
	known bool
}

type visit struct {
	addr netip.Addr
	found
}

// Locator returns a new Locator of the database.
func (d *Database) Locator() *Locator {
	return &Locator{
		database: d,
		places:   map[uintptr]found{},
		recent:   make([]visit, recentSlots),
	}
}

// Place looks an address up. The second result is false when the database does
// not know the network: private and reserved addresses, the zero netip.Addr,
// gaps, and records that cannot be read.
func (l *Locator) Place(addr netip.Addr) (Place, bool) {
	if !addr.IsValid() {
		return Place{}, false
	}
	addr = addr.Unmap()
	last := &l.recent[slotOf(addr)]
	if last.addr == addr {
		return last.place, last.known
	}
	result := l.database.reader.Lookup(addr)
	if result.Err() != nil || !result.Found() {
		*last = visit{addr: addr}
		return Place{}, false
	}
	record, cached := l.places[result.Offset()]
	if !cached {
		if len(l.places) == maxPlaces {
			clear(l.places)
		}
		record = l.decode(result)
		l.places[result.Offset()] = record
	}
	*last = visit{addr: addr, found: record}
	return record.place, record.known
}

func (l *Locator) decode(result maxminddb.Result) found {
	place, err := l.database.read(result)
	if err != nil {
		return found{}
	}
	if !isCountryCode(place.Country) {
		place.Country = ""
	}
	return found{place: place, known: place != Place{}}
}

// slotOf spreads addresses over the recent slots (multiplication by the golden
// ratio, Knuth, The Art of Computer Programming 3, section 6.4).
func slotOf(addr netip.Addr) uint64 {
	const golden = 0x9e3779b97f4a7c15
	bytes := addr.As16()
	var high, low uint64
	for i := range 8 {
		high = high<<8 | uint64(bytes[i])
		low = low<<8 | uint64(bytes[i+8])
	}
	return ((high*golden ^ low) * golden) >> (64 - 10)
}
