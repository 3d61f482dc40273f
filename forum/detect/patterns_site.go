package detect

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What follows finds the address of somebody's own site far from the words for it:
// "Tengo un canal de cocina. (…) Si alguien se anima: cocinalenta.example". Who says
// that they have a site, and gives one address in all of the text, gives their own.

// keptSites are the folded words for a site of which nobody speaks but its keeper
// when "my" or "I have a" stands before it. "My page is blank" is a reader's.
var keptSites = wordSet(`blog bloc blogue blogs website homepage portfolio chaine channel canal canale kanal podcast newsletter
	boutique shop tienda loja negozio depot repo repository repositorio repositori site sito sitio web webseite internetseite youtube github gitlab`)

var (
	// keeping matches what stands before such a word: "my", "I have a", "my brother has a".
	keeping = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:(?:` + ownerWords + `)\s(?:\pL[\pL'’\-]*\s)?|(?:` + keeperWords + `)\s(?:` + oneWords + `)\s(?:\pL[\pL'’\-]*\s){0,2}|` +
		`(?:` + ownerWords + `)\s(?:\pL[\pL'’\-]*\s)(?:has|runs|keeps|a|tient|tiene|lleva|ha|gestisce|hat|betreibt|té|porta|tem|mantém)\s(?:` + oneWords + `)\s(?:\pL[\pL'’\-]*\s)?)$`)

	// notKept matches what stands behind such a word where it is no site of one's own,
	// or not spoken of as one.
	notKept = regexp.MustCompile(`(?i)^\s(?:to recommend|à (?:vous )?(?:recommander|conseiller)|(?:para|que|a|da|per|zu) (?:te |os |les |vos )?(?:recom|aconse|consigli|empfehl|suger)\pL*|pr[ée]f[ée]r\pL*|favou?rit\pL*|predilet\pL*|` +
		`(?:de |of |do |del |della )?(?:travail|work|trabajo|lavoro|trabalho|production|produ[cç][ãa]o|stage|construction|chantier|cours|course|curso|corso|curs|kurs|class)(?:[^\pL]|$)|` +
		`(?:problem|error|idea|question|browser|page? list)\pL*)`)

	// citing matches the words for what is not one's own, before its address.
	citing = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:articles?|art[íi]culos?|articol[oi]|artigos?|artikel|aufsatz|essays?|tutorials?|tutoriels?|tuto|wikip[ée]dia|wiki|dictionn?a\w+|diccionari\w*|dizionario|dicion[áa]rio|w[öo]rterbuch|` +
		`cours|courses?|cursos?|cors[oi]|curs|kurs\w*|mooc|m[óo]dul\w*|lesson|le[çc]on|lecci[óo]n|lezione|aula|lektion|exerci[cs]es?|exercices?|ejercicios?|eserciz\w+|exerc[íi]cios?|[üu]bung\w*|quiz|campus|plat[ae]fo\w+|piattaforma|` +
		`recom\w+|conseill\w+|consigli\w+|empfehl\w+|selon|seg[úu]n|secondo|segundo|segons|laut|according|enqu[êe]te|survey|encuesta|questionnaire|cuestionario|questionario|fragebogen|` +
		`i read|read (?:this|that|the|about)|j['’]ai lu|j['’]ai vu|j['’]ai trouvé|he le[íi]do|he llegit|ho letto|ho trovato|eu li|li (?:o|a|um|uma|no|na)|gelesen|gefunden|found (?:this|a|the)|newspaper|journal|revue|revista|rivista|zeitschrift)(?:[^\pL]|$)`)
)

// troubled matches a reader's words for a page of the course, or one that fails.
var troubled = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:du cours|del curso|do curso|del corso|del curs|of the course|course page|vom kurs|des kurses|page blanche|blank page|p[áa]gina en blanco|error|erreur|errore|erro|fehler\w*|navigateur|navegador|browser)(?:[^\pL]|$)`)

// oneWords are the articles before a site that somebody has.
const oneWords = `a|an|un|une|una|um|uma|ein|eine|einen|the|le|la|el|il|o`

// publicSites are the labels of hosts whose pages are cited and are nobody's.
var publicSites = wordSet(`wikipedia wikimedia wikisource wiktionary wikidata edx coursera futurelearn moodle moodlecloud udemy khanacademy arxiv doi archive gutenberg
	gallica bnf persee jstor cairn openedition hal scielo dialnet redalyc europeana bbc lemonde liberation lefigaro nytimes guardian theguardian elpais elmundo lavanguardia repubblica
	corriere publico folha globo spiegel zeit google bing duckduckgo stackoverflow w3 w3schools mozilla python microsoft apple unesco europa un who insee ted
	cours course courses corso curso curs kurs mooc moocs lms docs doc wiki forum forums campus localhost ac gov gouv gob edu`)

// kept reports whether the words around token i, a word for a site, say that somebody
// here has it.
func (f *urlForms) kept(s *scan, i int) bool {
	t := &s.doc.Tokens[i]
	if !keptSites[t.Folded] {
		return false
	}
	before, _ := s.window(t.at, 56, 0)
	if cut := sentenceEnd.FindAllStringIndex(before, -1); cut != nil {
		before = before[cut[len(cut)-1][1]:]
	}
	m := keeping.FindStringIndex(before)
	if m == nil || f.liked.MatchString(before[max(m[0]-6, 0):]) {
		return false
	}
	behind, _ := s.window(t.at+len(t.Text), 0, 40)
	return !notKept.MatchString(behind)
}

// link is what is known of the addresses in a text.
type link uint8

const (
	unsought link = iota
	noLink
	someLink
)

// mayLink reports whether there may be an address in the text: a dot between letters,
// or "://".
func (s *scan) mayLink() bool {
	if s.links == unsought {
		s.links = noLink
		for i := 1; i+1 < len(s.text); i++ {
			if c := s.text[i]; c == '.' && s.text[i-1] > ' ' && (letterASCII(s.text[i+1]) || s.text[i+1] >= utf8.RuneSelf) || c == ':' && s.text[i+1] == '/' {
				s.links = someLink
				break
			}
		}
	}
	return s.links == someLink
}

// onlyAddress is an address and where it stands in the text.
type onlyAddress struct {
	start, end int
	body       string // without scheme
}

// findOnly marks the address of a text in which somebody says that they have a site,
// if it is the only one there, and not cited.
func (f *urlForms) findOnly(s *scan) {
	var found []onlyAddress
	tokens := s.doc.Tokens
	for i := 0; i < len(tokens); {
		end := i + 1
		dotted := false
		for end < len(tokens) && tokens[end].Flags&(SpaceBefore|LineStart) == 0 {
			dotted = dotted || tokens[end].Text == "."
			end++
		}
		if dotted && tokens[i].Flags&(InCode|InContentID) == 0 {
			last := &tokens[end-1]
			if a, ok := addressIn(s.text, tokens[i].at, last.at+len(last.Text)); ok {
				if len(found) > 0 && found[0].body != a.body {
					return // two of them: a list of sites
				}
				found = append(found, a)
			}
		}
		i = end
	}
	taken := s.maskedAddresses()
	for _, a := range found {
		host, _, _ := strings.Cut(strings.ToLower(a.body), "/")
		for label := range strings.SplitSeq(host, ".") {
			if publicSites[label] {
				return
			}
		}
		from, to := s.doc.view.Span(a.start, a.end)
		for len(taken) > 0 && taken[0].end <= from {
			taken = taken[1:]
		}
		if marked := len(taken) > 0 && taken[0].start < to; !marked && !f.cited(s, a.start) {
			s.add(a.start, a.end, URL, Mask, 0.8, "the only address of a text whose author has a site")
		}
	}
}

// addressIn finds the address in a piece of text without spaces: behind "http://" or
// what looks like a link without it. E-mail addresses are none.
func addressIn(text string, start, end int) (onlyAddress, bool) {
	body := start
	if i := strings.Index(text[start:end], "://"); i >= 0 {
		body = start + i + len("://")
		start += i
		for start > 0 && isSchemeByte(text[start-1]) {
			start--
		}
		end = urlEnd(text, body)
		return onlyAddress{start, end, text[body:end]}, body < end
	}
	for start < end && strings.IndexByte("([{<\"'*_-:", text[start]) >= 0 {
		start++
	}
	if strings.HasPrefix(text[start:end], "«") || strings.HasPrefix(text[start:end], "“") {
		start += len(text[start:end]) - len(strings.TrimLeft(text[start:end], "«“"))
	}
	if i := strings.IndexByte(text[start:end], ':'); i >= 0 && i+1 < end-start && letterASCII(text[start+i+1]) {
		start += i + 1 // "blog:moi.example"
	}
	end = min(urlEnd(text, start), end)
	if start >= end || strings.IndexByte(text[start:end], '@') >= 0 {
		return onlyAddress{}, false
	}
	return onlyAddress{start, end, text[start:end]}, LinkLike(text[start:end])
}

// cited reports whether the sentence before an address speaks of what is not one's
// own: a course, an article, what was read or is recommended.
func (f *urlForms) cited(s *scan, start int) bool {
	before, _ := s.window(start, claimReach, 0)
	if cut := sentenceEnd.FindAllStringIndex(before, -1); cut != nil {
		before = before[cut[len(cut)-1][1]:]
	}
	return citing.MatchString(before)
}

// quoted is cited for an address of which nothing else says whose it is: only what
// stands close before it counts.
func (f *urlForms) quoted(s *scan, start int) bool {
	before, _ := s.window(start, quoteReach, 0)
	if cut := sentenceEnd.FindAllStringIndex(before, -1); cut != nil {
		before = before[cut[len(cut)-1][1]:]
	}
	return citing.MatchString(before) && !f.mine.MatchString(before) || troubled.MatchString(before)
}

// quoteReach is how far before an address, in bytes, something is spoken of that it
// is the address of.
const quoteReach = 48

// stretch is some bytes of the raw text.
type stretch struct{ start, end int }

// maskedAddresses gives where addresses are marked already, in order.
func (s *scan) maskedAddresses() []stretch {
	var all []stretch
	for i := range s.marks[s.first:] {
		if m := &s.marks[s.first+i]; m.Category == URL && m.Proposal == Mask {
			all = append(all, stretch{m.Start, m.End})
		}
	}
	slices.SortFunc(all, func(a, b stretch) int { return a.start - b.start })
	return all
}
