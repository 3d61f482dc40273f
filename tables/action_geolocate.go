package tables

import (
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
	addr, ok := geo.ParseAddr(c.Text)
	if !ok {
		w.putBeside(a.beside, geo.Place{})
		w.counts().Failed++
		return append(dst, UnknownAddress...), Changed, nil
	}
	if a.beside != "" {
		place, _ := w.locator.Place(addr)
		w.putBeside(a.beside, place)
	}
	dst, err := w.address(dst, addr)
	return dst, Changed, err
}

// address appends the pseudonymous address of addr.
func (w *Worker) address(dst []byte, addr netip.Addr) ([]byte, error) {
	p, err := w.ids.Address(addr)
	if err != nil {
		return dst, err
	}
	return p.AppendTo(dst), nil
}

// putBeside leaves `"name": {place}` for the JSON object that holds the value.
func (w *Worker) putBeside(name string, p geo.Place) {
	if name == "" {
		return
	}
	w.beside = append(w.beside[:0], '"')
	w.beside = append(append(w.beside, name...), `": {`...)
	first := true
	for _, part := range [...]struct{ key, value string }{{"country", p.Country}, {"region", p.Region}, {"city", p.City}} {
		if part.value == "" {
			continue
		}
		if !first {
			w.beside = append(w.beside, ", "...)
		}
		first = false
		w.beside = append(append(append(w.beside, '"'), part.key...), `": `...)
		w.beside = jsonedit.AppendQuoted(w.beside, part.value)
	}
	w.beside = append(w.beside, '}')
}
