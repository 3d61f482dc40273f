package tables

import (
	"errors"
	"fmt"
	"os"

	"github.com/gocarina/gocsv"

	"anonymooc/tables/jsonedit"
)

func mapSpec() Spec {
	return Spec{
		Name: "map", Family: "generalise", Summary: "replace values by a dictionary",
		Doc: `The dictionary stands in the rule (values) or in a CSV file with the columns from and to (file). A value that it does not hold becomes the fallback, or is emptied and counted when there is none: nothing passes through. Empty values and NULL stay.`,
		Settings: []Setting{
			{Name: "values", Meaning: "the dictionary, value: replacement"},
			{Name: "file", Meaning: "a CSV file with the columns from and to"},
			{Name: "fallback", Meaning: "what any other value becomes"},
		},
		Example: "{column: level_of_education, action: map, values: {p: postgraduate, m: postgraduate, b: graduate}, fallback: other, why: few hold a doctorate}",
		New: func(c *Column) (Action, error) {
			if (c.Values == nil) == (c.File == "") {
				return nil, errors.New("map wants either values or a file")
			}
			values := c.Values
			if c.File != "" {
				var err error
				if values, err = readDictionary(c.File); err != nil {
					return nil, err
				}
			}
			return dictionary{values, c.Fallback}, nil
		},
	}
}

// dictionary replaces a value by what stands for it.
type dictionary struct {
	values   map[string]string
	fallback *string
}

func (a dictionary) Apply(_ *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	to, ok := a.values[string(c.Text)]
	switch {
	case ok:
	case a.fallback != nil:
		to = *a.fallback
	default:
		return dst, Failed, nil
	}
	if c.Type == jsonedit.Number {
		if _, ok := parseNumber([]byte(to)); !ok {
			return dst, Failed, nil // a number stays a number
		}
	} else if c.Type != jsonedit.String {
		return dst, Failed, nil
	}
	return append(dst, to...), Changed, nil
}

func readDictionary(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the dictionary cannot be opened: %w", err)
	}
	defer f.Close()
	var rows []struct {
		From string `csv:"from"`
		To   string `csv:"to"`
	}
	if err := gocsv.Unmarshal(f, &rows); err != nil {
		return nil, fmt.Errorf("dictionary %s: not a CSV file with the columns from and to", path)
	}
	values := make(map[string]string, len(rows))
	for i, row := range rows {
		if _, twice := values[row.From]; twice {
			return nil, fmt.Errorf("dictionary %s: line %d: the value stands twice", path, i+2)
		}
		values[row.From] = row.To
	}
	return values, nil
}
