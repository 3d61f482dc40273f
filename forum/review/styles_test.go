package review

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/detect"
)

func TestStylesAreChosenOnThePage(t *testing.T) {
	posts, people := thanks()
	d := review(t, posts, people, forum.Options{Mine: true, Styles: map[detect.Category]forum.Style{detect.Place: forum.Hyperonym}})
	d.desk.options.Check = func(*forum.Engine) ([]check.Row, []check.Alert, error) {
		return []check.Row{{Form: "Dole", Category: detect.Place, Pseudonym: "NLIEU"}}, nil, nil
	}
	ada := d.enter("ada")
	table := func() (page string) {
		for end := time.Now().Add(mostWait); time.Now().Before(end); {
			if page = ada.get("/replacements"); !strings.Contains(page, `class="page-preparing"`) {
				break
			}
		}
		return page
	}
	if strings.Contains(table(), `action="/styles"`) {
		t.Error("styles are offered that cannot be chosen")
	}
	if code, _ := ada.post("/styles", url.Values{"category": {"place"}, "style": {"code"}}); code != 404 {
		t.Errorf("choosing what cannot be chosen answers %d", code)
	}
	var chosen []string
	d.desk.options.ChooseStyle = func(c detect.Category, s forum.Style) error {
		chosen = append(chosen, string(c)+" "+string(s))
		return nil
	}
	if page := table(); !strings.Contains(page, `<option value="hyperonym" selected>`) || strings.Count(page, `action="/styles"`) != 1 {
		t.Errorf("the style of the table's category is not offered:\n%s", page)
	}
	if code, to := ada.post("/styles", url.Values{"category": {"place"}, "style": {"rot13"}}); code != 404 {
		t.Errorf("a style that is none answers %d, %s", code, to)
	}
	if code, to := ada.post("/styles", url.Values{"category": {"place"}, "style": {"code"}}); code != 303 || to != "/replacements" {
		t.Errorf("choosing answers %d, %s", code, to)
	}
	if len(chosen) != 1 || chosen[0] != "place code" {
		t.Errorf("chosen: %q", chosen)
	}
}
