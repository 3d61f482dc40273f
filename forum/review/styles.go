package review

import (
	"net/http"
	"slices"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/detect"
)

// styleChoice is how the forms of a category are replaced, and how they could be.
type styleChoice struct {
	Category detect.Category
	Style    forum.Style
	All      []forum.Style
}

// styles are the choices for the categories of a table of replacements; none when
// they cannot be changed here.
func (d *Desk) styles(table []check.Row) (all []styleChoice) {
	if d.options.ChooseStyle == nil {
		return nil
	}
	d.mu.RLock()
	engine := d.round.engine
	d.mu.RUnlock()
	seen := make(map[detect.Category]bool)
	for _, row := range table { // in the table's order: people first
		if !seen[row.Category] {
			seen[row.Category] = true
			all = append(all, styleChoice{row.Category, engine.Style(row.Category), forum.AllStyles()})
		}
	}
	return all
}

// chooseStyle changes what stands for the forms of a category and builds the
// engine that writes it.
func (s *site) chooseStyle(w http.ResponseWriter, r *http.Request) {
	category, style := detect.Category(r.PostFormValue("category")), forum.Style(r.PostFormValue("style"))
	if s.desk.options.ChooseStyle == nil || !slices.Contains(forum.AllStyles(), style) {
		s.missing(w, r)
		return
	}
	if err := s.desk.options.ChooseStyle(category, style); err != nil {
		s.fail(w, r, err)
		return
	}
	s.desk.renew()
	s.back(w, r, "/replacements", "flash.style")
}
