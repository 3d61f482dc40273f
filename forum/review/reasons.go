package review

import (
	"regexp"
	"strings"
)

// reasons says the engine's reasons in a language of the interface. A reason is
// known whole; or with the form that it quotes, as "one letter from %s"; or as
// what a rule of the local grammars tells; or in parts, between commas.
type reasons struct {
	said    map[string]string
	quoting []quoting
	tags    *strings.Replacer // "<first name>" in a pattern of words
}

// quoting is a reason with quoted forms or numbers in it.
type quoting struct {
	reason *regexp.Regexp
	text   string
}

// why begins the keys of reasons.
const why = "why."

func newReasons(said, english map[string]string) *reasons {
	r := &reasons{said: said}
	for key, text := range said {
		reason, ok := strings.CutPrefix(key, why)
		if ok && strings.Contains(reason, "%s") {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(reason), "%s", "(.+)")
			r.quoting = append(r.quoting, quoting{regexp.MustCompile("^" + pattern + "$"), text})
		}
	}
	tags := []string{"<line>", "¶"}
	for key, name := range english {
		if strings.HasPrefix(key, "category.") {
			tags = append(tags, "<"+name+">", "<"+said[key]+">")
		}
	}
	r.tags = strings.NewReplacer(tags...)
	return r
}

// ruled is what a rule of the local grammars says: of whom, what, and which rule.
var ruled = regexp.MustCompile(`^([a-z]+(?:\.[a-z]+)?)(?: of the ([a-z ]+))? \((.+)\)$`)

// say gives a reason in words; ok reports whether all of it is known.
func (r *reasons) say(what string) (text string, ok bool) {
	if text, ok := r.said[why+what]; ok {
		return text, true
	}
	for _, q := range r.quoting {
		if quoted := q.reason.FindStringSubmatch(what); quoted != nil {
			text := q.text
			for _, form := range quoted[1:] {
				text = strings.Replace(text, "%s", r.tags.Replace(form), 1)
			}
			return text, true
		}
	}
	if m := ruled.FindStringSubmatch(what); m != nil {
		says, known := r.said["says."+m[1]]
		if m[2] == "" {
			return says, known
		}
		about, whom := r.said["about."+m[2]]
		return says + " " + about, known && whom
	}
	parts := strings.Split(what, ", ")
	if len(parts) == 1 {
		return what, false
	}
	return r.sayParts(parts)
}

// sayParts says what is known of a reason's beginning, the longest first, and then
// the rest.
func (r *reasons) sayParts(parts []string) (text string, ok bool) {
	for n := len(parts) - 1; n > 0; n-- {
		head, known := r.said[why+strings.Join(parts[:n], ", ")]
		if !known {
			continue
		}
		tail, known := r.say(strings.Join(parts[n:], ", "))
		return head + ", " + tail, known
	}
	return strings.Join(parts, ", "), false
}

// ruleOf names the rule of the local grammars that a reason comes from.
func ruleOf(what string) string {
	if m := ruled.FindStringSubmatch(what); m != nil {
		return m[3]
	}
	return ""
}
