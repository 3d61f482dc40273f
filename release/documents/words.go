package documents

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed messages/*.yaml templates/*.tmpl
var sources embed.FS

// Languages are the languages that every document exists in.
func Languages() []string { return []string{"en", "fr"} }

// words are the messages of one language and its way to write numbers.
type words struct {
	language string
	messages map[string]string
	thousand string
	decimal  string
	percent  string
}

func wordsOf(language string) (*words, error) {
	data, err := sources.ReadFile("messages/" + language + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("documents: no messages in language %q", language)
	}
	w := &words{language: language, messages: map[string]string{}, thousand: ",", decimal: ".", percent: "%"}
	if language == "fr" { // a narrow no-break space before the sign and between thousands
		w.thousand, w.decimal, w.percent = "\u202f", ",", "\u202f%"
	}
	if err := yaml.Unmarshal(data, &w.messages); err != nil {
		return nil, fmt.Errorf("documents: messages in language %q: %w", language, err)
	}
	return w, nil
}

// say returns a message with its arguments put in; numbers are written as the
// language does.
func (w *words) say(key string, args ...any) (string, error) {
	message, ok := w.messages[key]
	if !ok {
		return "", fmt.Errorf("documents: no message %q in language %q", key, w.language)
	}
	if len(args) == 0 {
		return message, nil
	}
	for i, arg := range args {
		switch x := arg.(type) {
		case int:
			if strings.Contains(message, "%d") {
				continue
			}
			args[i] = w.number(int64(x))
		case int64:
			args[i] = w.number(x)
		}
	}
	return fmt.Sprintf(message, args...), nil
}

// number writes a whole number with its thousands apart.
func (w *words) number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + w.thousand + digits[i:]
	}
	return sign + digits
}

// share writes a share between 0 and 1 as a percentage. A share that is not
// nothing is never written as 0, nor one that is not all as 100.
func (w *words) share(x float64) string {
	text := strconv.FormatFloat(100*x, 'f', 1, 64)
	switch {
	case x > 0 && text == "0.0":
		text = "< 0.1"
	case x < 1 && text == "100.0":
		text = "> 99.9"
	}
	return strings.Replace(text, ".", w.decimal, 1) + w.percent
}

// decimals writes a number with two decimals.
func (w *words) decimals(x float64) string {
	return strings.Replace(strconv.FormatFloat(x, 'f', 2, 64), ".", w.decimal, 1)
}

// named returns a function that gives the name of a thing of a kind, or the
// thing itself when the messages do not know it.
func (w *words) named(kind string) func(string) string {
	return func(thing string) string {
		if name, ok := w.messages[kind+"."+thing]; ok {
			return name
		}
		return thing
	}
}
