package sample

import (
	"math/rand/v2"
	"net/netip"
)

// nation is what a person gets from their country: cities, streets, a range of
// telephone numbers set aside for fiction, and blocks of addresses that a
// country database places there.
//
// An address is drawn at random from a whole national block, as an input for a
// country look-up and nothing else: it stands for no subscriber.
type nation struct {
	language string
	cities   []string
	streets  []string // with the leading space and comma the number needs
	phone    string   // its digits to draw are #
	blocks   []string
}

var nations = map[string]nation{
	"FR": {"fr", []string{"Lyon", "Tours", "Nice", "Besançon", "Saint-Étienne", "Villeneuve-d'Ascq"},
		[]string{", rue des Lilas", " bis, rue de l'Église", ", avenue du Général-Imaginaire"}, "06 39 98 ## ##",
		[]string{"90.0.0.0/10", "78.192.0.0/12", "2a01:cb00::/28"}},
	"BE": {"fr", []string{"Liège", "Namur", "Mons"}, []string{", rue Haute", ", chaussée de la Fable"}, "02 61 91 ## ##",
		[]string{"91.176.0.0/13"}},
	"SN": {"fr", []string{"Dakar", "Thiès"}, []string{", rue du Baobab"}, "05 36 49 ## ##", []string{"41.82.0.0/16"}},
	"MA": {"fr", []string{"Rabat", "Fès"}, []string{", rue de l'Oranger"}, "04 65 71 ## ##", []string{"105.128.0.0/12"}},
	"US": {"en", []string{"Springfield", "Reading", "Mobile"}, []string{" Elm Street", " Nowhere Road"}, "+1 202 555 01##",
		[]string{"73.0.0.0/9", "2601::/24"}},
	"GB": {"en", []string{"Bath", "Deal", "Ham"}, []string{" Church Lane", " Fable Street"}, "+44 7700 900###",
		[]string{"86.128.0.0/11", "81.128.0.0/12"}},
	"CA": {"fr", []string{"Trois-Rivières", "Gaspé"}, []string{", rang du Conte"}, "(613) 555-01##", []string{"142.112.0.0/13"}},
	"ES": {"es", []string{"Cuenca", "León", "Málaga"}, []string{", calle de la Fábula"}, "03 53 01 ## ##", []string{"83.32.0.0/12"}},
	"MX": {"es", []string{"Puebla", "Mérida"}, []string{", calle del Cuento"}, "01 99 00 ## ##", []string{"187.128.0.0/11"}},
	"IT": {"it", []string{"Siena", "L'Aquila", "Forlì"}, []string{", via della Favola"}, "+33 2 61 91 ## ##", []string{"79.0.0.0/11", "87.0.0.0/12"}},
	"RU": {"ru", []string{"Тверь", "Псков", "Казань"}, []string{", улица Сказочная"}, "+33 5 36 49 ## ##", []string{"95.24.0.0/14", "178.64.0.0/14"}},
	"DE": {"en", []string{"Essen", "Regen"}, []string{", Märchenstraße"}, "+49 30 23125 ###", []string{"84.128.0.0/11", "2003::/20"}},
	"NL": {"en", []string{"Haarlem", "Delft"}, []string{", Sprookjeslaan"}, "07700 900###", []string{"84.80.0.0/14"}},
	"JP": {"en", []string{"Nara"}, []string{", Monogatari"}, "07700900###", []string{"126.0.0.0/9"}},
	"BR": {"es", []string{"Natal"}, []string{", rua do Conto"}, "+44 (0)7700 900 ###", []string{"177.32.0.0/12"}},
}

// nationCodes orders the nations, so that drawing from them is repeatable; the
// first user's country comes up most.
var nationCodes = []string{"FR", "FR", "FR", "FR", "BE", "SN", "MA", "US", "US", "GB", "CA", "ES", "MX", "IT", "RU", "DE", "NL", "JP", "BR"}

// mailHosts end in names that RFC 2606 sets aside.
var mailHosts = []string{"courriel.example", "boite.example", "mail.example", "post.univ-imaginaire.example", "poste.example.org"}

// address draws an address in one of the nation's blocks.
func (n nation) address(rng *rand.Rand) string {
	prefix, err := netip.ParsePrefix(n.blocks[rng.IntN(len(n.blocks))])
	if err != nil {
		return "" // unreachable: a test parses every block
	}
	bytes := prefix.Addr().AsSlice()
	for i := range bytes {
		fixed := max(0, min(8, prefix.Bits()-8*i)) // bits of this byte that belong to the block
		bytes[i] |= byte(rng.UintN(256)) & byte(0xFF>>fixed)
	}
	addr, _ := netip.AddrFromSlice(bytes)
	return addr.String()
}

// number draws a telephone number of the nation's range for fiction.
func (n nation) number(rng *rand.Rand) string {
	digits := []byte(n.phone)
	for i, c := range digits {
		if c == '#' {
			digits[i] = byte('0' + rng.IntN(10))
		}
	}
	return string(digits)
}
