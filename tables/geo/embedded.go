package geo

import (
	_ "embed"

	"github.com/klauspost/compress/zstd"
	"github.com/oschwald/maxminddb-golang/v2"

	"anonymooc/internal/fault"
)

// embeddedCountries is DB-IP Country Lite as a compressed MaxMind DB file.
//
//go:generate go run ./build -out dbip-country-lite.mmdb.zst
//go:embed dbip-country-lite.mmdb.zst
var embeddedCountries []byte

// openEmbedded unpacks the embedded database; a program that never asks for a
// place does not pay for it.
func openEmbedded() (*Database, error) {
	broken := func(err error) error {
		return fault.New(fault.Failure, "the embedded geographic database is damaged").Because(err).
			WithHint("build the program again, or name a file with --geo-db")
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		return nil, broken(err)
	}
	defer decoder.Close()
	data, err := decoder.DecodeAll(embeddedCountries, nil)
	if err != nil {
		return nil, broken(err)
	}
	reader, err := maxminddb.OpenBytes(data)
	if err != nil {
		return nil, broken(err)
	}
	database := newDatabase(reader, cityRecord)
	database.info.Embedded = true
	return database, nil
}
