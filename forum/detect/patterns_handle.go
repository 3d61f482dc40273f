package detect

import (
	"regexp"
	"strings"
	"unicode"
)

// handleWords are the services on which people are reached by a handle.
const handleWords = `skype insta instagram discord snap snapchat telegram twitter tiktok whatsapp facebook fb messenger
	signal wechat weixin msn icq viber mastodon github gitlab linkedin psn steam gamertag kik hangouts teams vk reddit
	tumblr youtube twitch duolingo tandem hellotalk line pseudo alias handle userid`

// handleForms are the ways a handle is given.
type handleForms struct {
	given    *regexp.Regexp  // "skype : x", "insta @x", "my discord is x"
	owner    *regexp.Regexp  // "my", "mon", … before the service
	ordered  map[string]bool // words after "@" that name nobody
	common   map[string]bool // words that follow a service and are no handles
	services map[string]bool
}

func newHandleForms() *handleForms {
	const owner = `my|mon|mi|mio|il mio|meu|el meu|mein|ma|me|add me on|ajoutez[- ]moi sur|suivez[- ]moi sur|follow me on|find me on|find me at|retrouvez[- ]moi sur|sígueme en|seguitemi su|segueix-me a`
	return &handleForms{
		given: regexp.MustCompile(`(?i)^(?:\s+(?:id|user|username|name|account|compte|pseudo|nom|nick|usuario|utente|conta|profil|profile|perfil))?` +
			`(\s*[:=→]\s*@?|\s*\(\s*@?|\s+@|\s+(?:is|c'est|c’est|est|es|è|é|ist)\s+@?|\s+)([\pL\pN][\pL\pN._\-]{1,31}(?:#\d{4})?)`),
		owner:    regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + owner + `)\s+$`),
		services: wordSet(handleWords),
		ordered:  wordSet("everyone all here staff tous toutes todos todas tutti tutte everybody channel home param return override media import author deprecated see since version property staticmethod classmethod name font keyframes charset echo off"),
		common: wordSet(`the a an and or is it le la les un une et ou ou pour avec dans sur en y de del con para per in on for with
			at to by from call group groupe grupo gruppo page chat video meeting session stories story live post posts you moi
			toi me te ya est es est-ce pas not no non si oui yes if que qui app web api mobile number numero numéro account
			compte channel chaine chaîne server serveur com fr org net http https www marche works it's please svp merci thanks
			etc non aussi also tambien anche tb too via o e i ho hai je tu il elle on nous vous ils my mon mi`),
	}
}

// find marks the handle given after the name of a service, token i.
func (f *handleForms) find(s *scan, i int) {
	t := &s.doc.Tokens[i]
	after := t.at + len(t.Text)
	rest, _ := s.window(after, 0, 72)
	m := f.given.FindStringSubmatchIndex(rest)
	if m == nil {
		return
	}
	link, handle := strings.TrimSpace(rest[m[2]:m[3]]), strings.TrimRight(rest[m[4]:m[5]], ".-")
	lower := strings.ToLower(handle)
	if len(digitsOf(handle)) == len(handle) && (len(handle) < leastDigits || goesOn(rest[m[5]:])) {
		return // "WhatsApp: 07 00 …": a phone number
	}
	if f.common[lower] || strings.HasPrefix(rest[m[4]+len(handle):], "://") {
		return
	}
	if service, _, dotted := strings.Cut(lower, "."); dotted && f.services[service] {
		return // "Instagram: instagram.com/…": a link
	}
	before, _ := s.window(t.at, 24, 0)
	owned := f.owner.MatchString(before)
	if t.Text == "line" && !owned {
		return // "line = readLines(…)"
	}
	score := 0.0
	switch {
	case strings.Contains(link, "@") || strings.Contains(handle, "#") || strings.ContainsAny(link, ":=→"):
		score = 0.9
	case handleLike(handle):
		score = 0.85
	case owned && link != "" && link != "(":
		score = 0.85
	case owned && f.alias(t.Folded):
		score = 0.6
	default:
		return
	}
	if !handleLike(handle) && strings.ContainsAny(link, ":=→") && !owned && f.sentence(rest[m[4]+len(handle):]) {
		score = 0.5 // "discord: rejoignez le groupe": a sentence, not a handle
	}
	proposal := Mask
	if score < 0.6 {
		proposal = Unsure
	}
	s.add(after+m[4], after+m[4]+len(handle), Username, proposal, score, "handle given after the name of a service")
}

// goesOn reports whether more digits follow behind a space.
func goesOn(rest string) bool {
	return len(rest) > 1 && rest[0] == ' ' && digitASCII(rest[1])
}

func (f *handleForms) alias(word string) bool {
	return word == "pseudo" || word == "alias" || word == "handle" || word == "userid"
}

// sentence reports whether a lower-case word follows: the text goes on.
func (f *handleForms) sentence(rest string) bool {
	rest, spaced := strings.CutPrefix(rest, " ")
	return spaced && rest != "" && unicode.IsLower([]rune(rest[:min(len(rest), 4)])[0])
}

// handleLike reports whether a word looks like no word: a digit, a dot or an
// underscore inside, or a capital after a small letter.
func handleLike(word string) bool {
	if strings.ContainsAny(word, "_#") || strings.Contains(word, ".") && len(word) > 4 {
		return true
	}
	letter, lower := false, false
	for _, r := range word {
		if unicode.IsDigit(r) && letter || unicode.IsUpper(r) && lower {
			return true
		}
		letter = letter || unicode.IsLetter(r)
		lower = lower || unicode.IsLower(r)
	}
	return false
}

// findMention marks "@name", where token i is the "@".
func (f *handleForms) findMention(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if t.Flags&(InCode|InURL|InMarkup) != 0 || wordLike(s.runeBefore(t.at)) || i+1 >= len(s.doc.Tokens) {
		return
	}
	next := &s.doc.Tokens[i+1]
	if next.at != t.at+len(t.Text) || next.at < s.taken || next.Flags&(Word|Number) == 0 || f.ordered[next.Folded] {
		return
	}
	end := next.at
	for j := i + 1; j < len(s.doc.Tokens) && s.doc.Tokens[j].at == end; j++ {
		part := &s.doc.Tokens[j]
		if part.Flags&Punct != 0 && part.Text != "_" && part.Text != "-" && part.Text != "." {
			break
		}
		end = part.at + len(part.Text)
	}
	end = next.at + len(strings.TrimRight(s.text[next.at:end], ".-_"))
	score := 0.8
	if end-next.at < 3 {
		score = 0.5
	}
	s.add(next.at, end, Username, Mask, score, "name or handle after @")
}

// findTag marks "name#1234", where token i is the number.
func (f *handleForms) findTag(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if t.at < 4 || s.text[t.at-1] != '#' || len(t.Text) != 4 || t.Flags&Number == 0 {
		return
	}
	start := t.at - 1
	for start > 0 && t.at-start < 40 && (s.text[start-1] == '.' || s.text[start-1] == '-' || wordLike(s.runeBefore(start))) {
		start -= len(string(s.runeBefore(start)))
	}
	if t.at-1-start < 3 {
		return
	}
	s.add(start, t.at+4, Username, Mask, 0.9, "handle with a number (name#1234)")
}
