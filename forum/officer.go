package forum

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gocarina/gocsv"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// officerRow is a line of the officer's catalogue, with the columns of Reffay
// et al. 2012, table 2.
type officerRow struct {
	Form     string `csv:"form"`
	Shape    string `csv:"shape"`
	Category string `csv:"category"`
	Type     string `csv:"entity_type"`
	Entity   string `csv:"entity_id"`
}

// columns are the headings a catalogue may have, the paper's French ones
// included, by their folded spelling.
var columns = map[string]string{
	"form": "form", "graphie": "form", "graphie origine": "form", "surface": "form",
	"shape": "shape", "forme": "shape",
	"category": "category", "categorie": "category",
	"entity type": "entity_type", "entity_type": "entity_type", "type": "entity_type", "type entite": "entity_type",
	"entity id": "entity_id", "entity_id": "entity_id", "entity": "entity_id", "identifiant entite": "entity_id",
}

// categoryNames are what people call the categories, besides their own names.
var categoryNames = map[string]detect.Category{
	"first name": detect.FirstName, "firstname": detect.FirstName, "prenom": detect.FirstName,
	"last name": detect.LastName, "lastname": detect.LastName, "surname": detect.LastName, "patronyme": detect.LastName, "nom de famille": detect.LastName,
	"full name": detect.FullName, "nom complet": detect.FullName,
	"nickname": detect.Nickname, "surnom": detect.Nickname, "pseudo": detect.Username,
	"town": detect.Place, "city": detect.Place, "ville": detect.Place, "lieu": detect.Place,
	"institution": detect.Organisation, "school": detect.Organisation, "etablissement": detect.Organisation,
	"mail": detect.Email, "e-mail": detect.Email, "courriel": detect.Email, "telephone": detect.Phone,
}

// ReadCatalogue reads an officer's catalogue: a CSV (comma or semicolon) with a
// header; form and category must be there. name is the file's, for errors,
// which never hold a value.
func ReadCatalogue(r io.Reader, name string) ([]detect.Row, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fault.New(fault.Failure, "the catalogue cannot be read").At(name, 0, "")
	}
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	if header, _, _ := strings.Cut(string(text), "\n"); !strings.Contains(header, ",") && strings.Contains(header, ";") {
		reader.Comma = ';'
	}
	records, err := reader.ReadAll()
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return nil, fault.New(fault.Usage, "not a line of CSV").At(name, int64(broken.Line), "")
	}
	if len(records) == 0 {
		return nil, fault.New(fault.Usage, "the catalogue is empty").At(name, 0, "")
	}
	if err := canonicalHeader(records[0], name); err != nil {
		return nil, err
	}
	var lines []officerRow
	if err := gocsv.UnmarshalCSV(table{&records}, &lines); err != nil {
		return nil, fault.New(fault.Usage, "not a catalogue").At(name, 0, "")
	}
	rows := make([]detect.Row, 0, len(lines))
	for i, line := range lines {
		category, ok := line.category()
		if !ok {
			return nil, fault.New(fault.Usage, "not a category").At(name, int64(i+2), "category").
				WithHint("categories are first_name, last_name, full_name, nickname, username, place, organisation, email, phone, url, address, id …")
		}
		if strings.TrimSpace(line.Form) == "" {
			return nil, fault.New(fault.Usage, "the form is empty").At(name, int64(i+2), "form")
		}
		rows = append(rows, detect.Row{Form: line.Form, Shape: line.Shape, Category: category, Type: line.Type, Entity: detect.EntityID(line.Entity)})
	}
	return rows, nil
}

// table hands records to gocsv.
type table struct{ records *[][]string }

func (t table) Read() ([]string, error) {
	if len(*t.records) == 0 {
		return nil, io.EOF
	}
	first := (*t.records)[0]
	*t.records = (*t.records)[1:]
	return first, nil
}

func (t table) ReadAll() ([][]string, error) { return *t.records, nil }

// canonicalHeader renames the headings to the columns they mean.
func canonicalHeader(header []string, name string) error {
	for i, heading := range header {
		if column, ok := columns[fold.KeyString(strings.TrimSpace(heading))]; ok {
			header[i] = column
		}
	}
	for _, needed := range []string{"form", "category"} {
		if !slices.Contains(header, needed) {
			return fault.New(fault.Usage, "the column is missing").At(name, 1, needed).
				WithHint("the columns are form, shape, category, entity_type, entity_id")
		}
	}
	return nil
}

// category reads the category; "name" means what the entity's type says.
func (r *officerRow) category() (detect.Category, bool) {
	key := fold.KeyString(strings.TrimSpace(r.Category))
	if c := detect.Category(strings.ReplaceAll(key, " ", "_")); c.Valid() {
		return c, true
	}
	if c, ok := categoryNames[key]; ok {
		return c, true
	}
	if key != "nom" && key != "name" {
		return "", false
	}
	kind := fold.KeyString(r.Type)
	switch {
	case strings.Contains(kind, "institution") || strings.Contains(kind, "etablissement"):
		return detect.Organisation, true
	case strings.Contains(kind, "ville") || strings.Contains(kind, "town") || strings.Contains(kind, "city") || strings.Contains(kind, "place"):
		return detect.Place, true
	}
	return detect.LastName, true
}

// WriteCatalogue writes rows in the form ReadCatalogue reads.
func WriteCatalogue(w io.Writer, rows []detect.Row) error {
	lines := make([]officerRow, len(rows))
	for i, r := range rows {
		lines[i] = officerRow{r.Form, r.Shape, string(r.Category), r.Type, string(r.Entity)}
	}
	return gocsv.Marshal(lines, w)
}
