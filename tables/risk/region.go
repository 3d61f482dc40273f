package risk

import "golang.org/x/text/language"

// isCountry reports whether a value has the shape of an ISO 3166-1 alpha-2 code.
func isCountry(value string) bool {
	return len(value) == 2 && 'A' <= value[0] && value[0] <= 'Z' && 'A' <= value[1] && value[1] <= 'Z'
}

// The regions of the United Nations' standard M49, as CLDR holds them, in the
// two levels that a country code is generalised to.
var (
	continents = []group{{"002", "Africa"}, {"019", "Americas"}, {"142", "Asia"}, {"150", "Europe"}, {"009", "Oceania"}}
	subregions = []group{
		{"015", "Northern Africa"}, {"011", "Western Africa"}, {"017", "Middle Africa"}, {"014", "Eastern Africa"}, {"018", "Southern Africa"},
		{"021", "Northern America"}, {"013", "Central America"}, {"029", "Caribbean"}, {"005", "South America"},
		{"143", "Central Asia"}, {"030", "Eastern Asia"}, {"035", "South-eastern Asia"}, {"034", "Southern Asia"}, {"145", "Western Asia"},
		{"151", "Eastern Europe"}, {"154", "Northern Europe"}, {"039", "Southern Europe"}, {"155", "Western Europe"},
		{"053", "Australasia"}, {"054", "Melanesia"}, {"057", "Micronesian Region"}, {"061", "Polynesia"},
	}
)

// group is one region of a level.
type group struct{ code, name string }

// regionOf returns the name of the region that a country lies in; elsewhere for
// a code that CLDR does not know or that lies in none.
func regionOf(country string, level []group) string {
	const elsewhere = "elsewhere"
	region, err := language.ParseRegion(country)
	if err != nil {
		return elsewhere
	}
	for _, g := range level {
		if outer, err := language.ParseRegion(g.code); err == nil && outer.Contains(region) {
			return g.name
		}
	}
	return elsewhere
}
