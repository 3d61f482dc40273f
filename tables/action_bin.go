package tables

import (
	"errors"
	"math"
	"strconv"

	"anonymooc/tables/jsonedit"
)

func binSpec() Spec {
	return Spec{
		Name: "bin", Family: "generalise", Summary: "put numbers into classes of equal width",
		Doc:      "1987 in classes of 5 becomes \"1985-1989\" when width and origin are whole numbers, else \"lower..upper\" with the upper end left out. In JSON, and so for a reader that wants a number, the lower end is written. Empty values and NULL stay; what is not a number is emptied and counted.",
		Settings: []Setting{{Name: "width", Meaning: "width of a class, above 0", Required: true}, {Name: "origin", Meaning: "where a class starts; 0 unless told"}},
		Example:  "{column: year_of_birth, action: bin, width: 5, role: quasi-identifier, why: an age class is enough}",
		New: func(c *Column) (Action, error) {
			if !(c.Width > 0) || math.IsInf(c.Width, 0) || math.IsNaN(c.Origin) || math.IsInf(c.Origin, 0) {
				return nil, errors.New("bin wants a width above 0")
			}
			return bin{c.Width, c.Origin}, nil
		},
	}
}

// bin generalises a number to its class.
type bin struct{ width, origin float64 }

func (a bin) Apply(_ *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	x, ok := parseNumber(c.Text)
	if !ok || c.Type == jsonedit.Bool {
		return dst, Failed, nil
	}
	lower := math.Floor((x-a.origin)/a.width)*a.width + a.origin
	whole := a.width == math.Trunc(a.width) && a.origin == math.Trunc(a.origin)
	switch {
	case c.Type == jsonedit.Number:
		return appendNumber(dst, lower), Changed, nil
	case whole:
		dst = append(appendNumber(dst, lower), '-')
		return appendNumber(dst, lower+a.width-1), Changed, nil
	}
	dst = append(appendNumber(dst, lower), ".."...)
	return appendNumber(dst, lower+a.width), Changed, nil
}

// parseNumber reads a decimal number: no hexadecimal, no infinity.
func parseNumber(text []byte) (float64, bool) {
	for _, c := range text {
		if c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' && (c < '0' || c > '9') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil
}

func appendNumber(dst []byte, x float64) []byte { return strconv.AppendFloat(dst, x, 'f', -1, 64) }
