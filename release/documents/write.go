package documents

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// WriteRelease writes the documents for researchers into the release's folder
// and returns their names.
func WriteRelease(dir string, f *Facts) ([]string, error) {
	data, err := dataPackageJSON(f)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"datapackage.json": data}
	names := []string{"datapackage.json"}
	for _, language := range Languages() {
		for _, form := range []struct{ name, template string }{
			{"CODEBOOK." + language + ".md", "codebook.md"},
			{"CODEBOOK." + language + ".html", "codebook.html"},
			{"report." + language + ".html", "report.html"},
		} {
			if files[form.name], err = render(form.template, language, f); err != nil {
				return nil, err
			}
			names = append(names, form.name)
		}
	}
	// The English codebook is the one that is looked for by name.
	files["CODEBOOK.md"] = files["CODEBOOK.en.md"]
	delete(files, "CODEBOOK.en.md")
	names[1] = "CODEBOOK.md"
	return names, writeAll(dir, names, files, 0o644)
}

// WriteOfficer writes the officer's documents into a folder, which is made when
// it is not there and must not be in the release, and returns their names.
func WriteOfficer(dir string, f *Facts) ([]string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.Failure, "the folder for the officer's documents cannot be made").At(dir, 0, "")
	}
	files := map[string][]byte{}
	var names []string
	for _, document := range []string{"record", "dpia", "checklist", "erasure"} {
		for _, language := range Languages() {
			name := document + "." + language + ".md"
			text, err := render(name, language, f)
			if err != nil {
				return nil, err
			}
			files[name] = text
			names = append(names, name)
		}
	}
	return names, writeAll(dir, names, files, 0o600)
}

func writeAll(dir string, names []string, files map[string][]byte, perm os.FileMode) error {
	for _, name := range names {
		if err := safefile.Write(filepath.Join(dir, name), files[name], perm); err != nil {
			return fault.New(fault.Failure, "the document cannot be written").At(filepath.Join(dir, name), 0, "").
				WithHint("is there space left, and may the folder be written to?")
		}
	}
	return nil
}

// render fills a template with the facts in one language.
func render(name, language string, f *Facts) ([]byte, error) {
	w, err := wordsOf(language)
	if err != nil {
		return nil, err
	}
	style, err := sources.ReadFile("templates/style.tmpl")
	if err != nil {
		return nil, err
	}
	text, err := sources.ReadFile("templates/" + name + ".tmpl")
	if err != nil {
		return nil, err
	}
	functions := w.functions()
	functions["style"] = func() htmltemplate.CSS { return htmltemplate.CSS(style) }
	var t interface{ Execute(io.Writer, any) error }
	if strings.HasSuffix(name, ".html") {
		t, err = htmltemplate.New(name).Funcs(functions).Parse(string(text))
	} else {
		t, err = template.New(name).Funcs(functions).Parse(string(text))
	}
	if err != nil {
		return nil, fmt.Errorf("documents: template %s: %w", name, err)
	}
	facts := *f
	facts.Title = f.title()
	var out bytes.Buffer
	if err := t.Execute(&out, &facts); err != nil {
		return nil, fmt.Errorf("documents: template %s: %w", name, err)
	}
	return out.Bytes(), nil
}
