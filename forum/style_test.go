package forum

import (
	"os"
	"testing"

	"anonymooc/forum/detect"
)

func TestAStyleIsChosen(t *testing.T) {
	folder := Folder(t.TempDir())
	choose := func(c detect.Category, s Style) {
		t.Helper()
		if err := folder.ChooseStyle(c, s); err != nil {
			t.Fatal(err)
		}
	}
	choose(detect.Place, Hyperonym)
	if err := os.WriteFile(folder.Styles(), []byte("# ours\nplace  hyperonym\ngender hidden\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	choose(detect.Place, Code)
	choose(detect.FirstName, Surrogate)
	text, err := os.ReadFile(folder.Styles())
	if want := "# ours\nplace  code\ngender hidden\nfirst_name  surrogate\n"; err != nil || string(text) != want {
		t.Errorf("%v, %q, want %q", err, text, want)
	}
	for _, wrong := range []struct {
		category detect.Category
		style    Style
	}{{"colour", Code}, {detect.Place, "rot13"}, {"place\nfirst_name", Code}} {
		if folder.ChooseStyle(wrong.category, wrong.style) == nil {
			t.Errorf("%v was chosen", wrong)
		}
	}
	if after, err := os.ReadFile(folder.Styles()); err != nil || string(after) != string(text) {
		t.Errorf("a wrong choice was written: %v, %q", err, after)
	}
	if err := os.WriteFile(folder.Styles(), []byte("place code code\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if folder.ChooseStyle(detect.Place, Code) == nil {
		t.Error("a damaged file was taken")
	}
}
