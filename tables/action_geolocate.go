package tables

import (
	"bytes"
	"net/netip"

	"anonymooc/tables/geo"
	"anonymooc/tables/jsonedit"
)

func geolocateSpec() Spec {
	return Spec{
		Name: "geolocate", Family: "generalise", Summary: "replace an IP address by a pseudonymous one, and put its place beside it",
		Doc:      `The address becomes one of 240.0.0.0/4, which is reserved and can be nobody's: equal addresses stay equal. With the setting beside, a JSON object receives a member of that name that holds what the database knows: country, region, city. An address that cannot be read becomes 240.0.0.0; of private and unknown addresses the place is empty. Empty values and NULL stay.`,
		Settings: []Setting{{Name: "beside", Meaning: "name of the JSON member that receives the place"}},
		Example:  "{column: ip, action: geolocate, beside: geo, role: direct identifier, why: the place is studied}",
		New:      func(c *Column) (Action, error) { return geolocate{c.Beside}, nil },
	}
}

// UnknownAddress stands where an address could not be read.
const UnknownAddress = "240.0.0.0"

// geolocate replaces an address and tells its place.
type geolocate struct{ beside string }

func (a geolocate) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	if c.Type != jsonedit.String {
		return dst, Failed, nil
	}
	out, readable, err := w.places.do(w.treated[:0], c.Text, w.locate)
	if err != nil {
		return dst, Failed, err
	}
	w.treated = out[:0]
	if !readable {
		w.counts().Failed++
		out = unknownAddress
	}
	address, place, _ := bytes.Cut(out, []byte{0})
	if a.beside != "" {
		w.beside = append(append(append(append(w.beside[:0], '"'), a.beside...), `": `...), place...)
	}
	return append(dst, address...), Changed, nil
}

// unknownAddress is what locate makes of what is no address.
var unknownAddress = []byte(UnknownAddress + "\x00{}")

// locate appends the pseudonymous address of an address, NUL, and its place as a
// JSON object; readable is false for what is no address.
func (w *Worker) locate(dst, text []byte) (out []byte, readable bool, err error) {
	addr, ok := geo.ParseAddr(text)
	if !ok {
		return dst, false, nil
	}
	if dst, err = w.address(dst, addr); err != nil {
		return dst, false, err
	}
	place, _ := w.locator.Place(addr)
	return appendPlace(append(dst, 0), place), true, nil
}

// address appends the pseudonymous address of addr.
func (w *Worker) address(dst []byte, addr netip.Addr) ([]byte, error) {
	p, err := w.ids.Address(addr)
	if err != nil {
		return dst, err
	}
	return p.AppendTo(dst), nil
}

// appendPlace appends what is known of a place as a JSON object.
func appendPlace(dst []byte, p geo.Place) []byte {
	dst = append(dst, '{')
	first := true
	for _, part := range [...]struct{ key, value string }{{"country", p.Country}, {"region", p.Region}, {"city", p.City}} {
		if part.value == "" {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(append(append(dst, '"'), part.key...), `": `...)
		dst = jsonedit.AppendQuoted(dst, part.value)
	}
	return append(dst, '}')
}
