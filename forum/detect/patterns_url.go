package detect

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// siteWords are the folded words for a site that somebody keeps.
const siteWords = `site blog bloc website homepage webpage portfolio page chaine channel sito blogue sitio web pagina canal perfil profil profile profilo
	canale seite webseite internetseite kanal pagines lloc repo repository depot repositorio repositori podcast newsletter boutique shop
	sites blogs tienda loja negozio carnet youtube github gitlab`

// urlForms knows where a web address names a person.
type urlForms struct {
	profiles map[string]profileHost
	blogs    map[string]bool // hosts whose subdomains are people's pages
	segments map[string]bool // path segments that are followed by a person
	homes    map[string]bool // first labels of hosts that hold people's pages
	queries  map[string]bool // query keys whose value is a person
	serves   map[string]bool // first labels of hosts that say what is served
	reserved map[string]bool // words that stand where a handle could, and are none
	endings  map[string]bool // endings of hosts read without "http"
	sites    map[string]bool // words for a site of one's own
	owner    *regexp.Regexp  // "my", before such a word
	given    *regexp.Regexp  // the address, after it
	claim    *regexp.Regexp  // "my blog", "I have a channel", in the sentence before an address
	claims   *regexp.Regexp  // "is my blog", behind an address
	liked    *regexp.Regexp  // "my favourite site": somebody else's
	mine     *regexp.Regexp  // "my", anywhere before an address
}

// The words of one who has a site: whose it is, "I have a", and the site. A
// sentence of theirs that ends in an address gives their own.
const (
	ownerWords  = `my|our|mon|ma|mes|notre|nos|mi|mis|nuestro|nuestra|mio|mia|nostro|nostra|meu|minha|nosso|nossa|meva|nostra|nostre|mein|meine|meinem|meinen|meiner|unser|unsere|unserem|unserer`
	keeperWords = `i have|i run|i keep|i made|i built|i write|i['’]ve got|we run|we have|j['’]ai|je tiens|j['’]anime|je gère|j['’]ai créé|j['’]ai ouvert|nous tenons|nous avons|tengo|llevo|mantengo|he creado|he abierto|abrí|` +
		`ho|gestisco|curo|tenho|mantenho|criei|tinc|porto|mantinc|he obert|ich habe|ich betreibe|ich führe|ich schreibe|wir haben|wir betreiben`
	ownSites = `sites?|blogs?|blogue|websites?|web ?sites?|homepage|webpage|web ?page|portfolio|page|chaîne|chaine|channel|sito|sitio|web|p[áa]gina|canal|perfil|profil|profile|profilo|canale|seite|webseite|internetseite|kanal|` +
		`repo|repository|d[ée]p[ôo]t|repositorio|repositori|repositório|podcast|newsletter|boutique|shop|tienda|loja|negozio|youtube|github|gitlab|carnet en ligne`
)

// claimReach is how far before an address the words for it are looked for, in bytes.
const claimReach = 110

// claimWord are the words with which a claim behind an address begins.
var claimWord = wordSet(strings.ReplaceAll(ownerWords, "|", " ") + " that it this is c est es és é è ist das")

// claimed reports whether the words before the address text[start:end], in its
// sentence, or those right behind it say that the site is the author's own.
func (f *urlForms) claimed(s *scan, start, end int) bool {
	return s.siteWord >= 0 && start-s.siteWord < claimReach && f.claimedBefore(s, start) || f.claimedBehind(s, end)
}

func (f *urlForms) claimedBefore(s *scan, start int) bool {
	before, _ := s.window(start, claimReach, 0)
	if cut := sentenceEnd.FindAllStringIndex(before, -1); cut != nil {
		before = before[cut[len(cut)-1][1]:]
	}
	if i := strings.LastIndex(before, "://"); i >= 0 {
		before = before[i+len("://"):] // another address has taken those words
		if space := strings.IndexByte(before, ' '); space >= 0 {
			before = before[space:]
		}
	}
	m := f.claim.FindStringIndex(before)
	return m != nil && !f.liked.MatchString(before[m[0]:])
}

func (f *urlForms) claimedBehind(s *scan, end int) bool {
	behind, _ := s.window(end, 0, 48)
	word := strings.TrimLeft(behind, " ,:(-–>)")
	if i := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		word = word[:i]
	}
	if !claimWord[strings.ToLower(word)] {
		return false
	}
	m := f.claims.FindStringIndex(behind)
	return m != nil && !f.liked.MatchString(behind[:m[1]])
}

// profileHost is a site where people have pages.
type profileHost struct {
	after    []string // the handle follows one of these segments
	bare     bool     // the handle is the first segment
	homePage bool     // whole host holds home pages: any path is somebody's
}

func newURLForms() *urlForms {
	f := &urlForms{
		profiles: map[string]profileHost{},
		blogs: wordSet(`wordpress.com blogspot.com blogspot.fr blogspot.ca blogspot.be blogspot.ch tumblr.com github.io
			gitlab.io over-blog.com wixsite.com weebly.com jimdo.com jimdofree.com canalblog.com livejournal.com substack.com
			medium.com carrd.co free.fr bandcamp.com deviantart.com hautetfort.com eklablog.com altervista.org webnode.fr
			blog.lemonde.fr typepad.com neocities.org netlify.app vercel.app itch.io skyrock.com centerblog.net unblog.fr
			viabloga.com e-monsite.com webs.com yolasite.com wikidot.com cargo.site myportfolio.com format.com`),
		segments: wordSet(`u user users profile profiles profil perfil perfiles profilo people person personne persona
			membre membres member members author authors auteur auteurs usuario usuarios utilisateur utilisateurs
			utilizador benutzer staff annuaire progress perso pagesperso pages-perso homepages homepage blogs fiche
			doctorants etudiants enseignants students faculty`),
		homes: wordSet("perso pagesperso pages-perso perso-www homepages homepage people users membres members"),
		serves: wordSet(`cours course courses corso curso mooc moocs lms edx moodle learn docs doc wiki forum forums forge git repo pad
			drive cloud mail webmail api cdn static download dl data search video videos images img maps news site exemple
			example ejemplo esempio exemplo exempel host server localhost test`),
		queries: wordSet(`user username user_name userid user_id uid email mail e-mail author author_id login name prenom
			nom firstname lastname first_name last_name student student_id member profile_id`),
		reserved: wordSet(`www about help login signin signup register home search explore settings privacy terms legal
			contact watch playlist channel hashtag groups group events event pages page share sharer intent company school
			topics topic features pricing marketplace trending sponsors collections orgs apps login.php watch.php
			profile.php index.php index.html results feed shorts embed tv reel reels p tag tags jobs learning pulse
			showcase post posts questions tagged courses course wiki docs blog assets static images img api dev m fr en
			stories i me my new support download downloads policies business ads i18n`),
		sites: wordSet(siteWords),
		owner: regexp.MustCompile(`(?i)(?:^|[^\pL])(?:my|our|mon|ma|notre|nos|mes|mi|mis|il mio|la mia|mio|mia|o meu|a minha|meu|minha|el meu|la meva|mein|meine)\s+(?:[\pL]+\s+)?$`),
		given: regexp.MustCompile(`(?i)^(?:\s+[\pL]+){0,2}?(?:\s[\pL'’\s,]{1,48}:)?\s*(?:[:=→(\-–,]|c['’]est|est|is|es|è|é|ist|at|on|sur|su|en)?\s*((?:https?://)?(?:[\pL\pN][\pL\pN\-]*\.)+\pL{2,12}(?:/[^\s<>"]*)?)`),
		claim: regexp.MustCompile(`(?i)(?:^|[^\pL])(?:(?:` + ownerWords + `)\s(?:(?:\pL[\pL'’\-]*\s){0,2})|(?:` + keeperWords + `)\s(?:a|an|un|une|una|um|uma|ein|eine|einen|the|le|la|el|il|o)\s(?:\pL[\pL'’\-]*\s)?)` +
			`(?:` + ownSites + `)(?:[^\pL\pN]\s?|[^\pL\pN][^\n!?;]{0,64}?(?:[:=→(–,\-]|(?:^|[^\pL])(?:is|est|es|és|é|è|ist|at|on|here|ici|aquí|aqui|qui|hier|sur|auf|unter|em|en|su|a|à|lautet))[\s:]{0,3})$`),
		claims: regexp.MustCompile(`(?i)^[\s,:(\-–>)]{1,4}(?:(?:that is|that['’]s|it['’]s|this is|is|c['’]est|est|es|és|é|è|ist|das ist)\s)?(?:` + ownerWords + `)\s(?:\pL[\pL'’\-]*\s)?(?:` + ownSites + `)(?:[^\pL\pN]|$)`),
		liked: regexp.MustCompile(`(?i)favou?rite|to recommend|[àa] recommander|para recomendar|da consigliare|per recomanar|zu empfehlen|pr[ée]f[ée]r|preferi|predilet|favorit|lieblings|go-to|browser|navigat|de r[ée]f[ée]rence|du cours|del curso|del corso|do curso|of the course|course (?:page|site|web)|de chevet|voisin|` +
			`(?:^|[^\pL])(?:not|no|non|pas|nicht|kein\pL*|não|cannot|see|voir|voyez|lisez|ver|vean|vedi|siehe|says?|dit|dice|diz|sagt|faq|support|selon|seg[úu]n|secondo|segundo|laut|according|err\pL*|fehler\pL*|problem\pL*|problèm\pL*|blank|blanche?|vide|broken|shows?|affiche|load\pL*|opens)(?:[^\pL]|$)|n['’]t |` +
			`\bprofe?s?\b|\bprof\.|profess?or|teacher|enseignant`),
		mine:    regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + ownerWords + `|mine|le mien|la mienne|i['’]ve|i have|j['’]ai (?:mis|fait|déposé|ouvert|créé))(?:[^\pL]|$)`),
		endings: wordSet(`com net org me tv gg be fr us io ee de co ru app at social`),
	}
	for _, host := range strings.Fields(`facebook.com fb.com twitter.com x.com instagram.com tiktok.com github.com
		gitlab.com bitbucket.org pinterest.com pinterest.fr soundcloud.com twitch.tv t.me telegram.me vk.com
		about.me linktr.ee flickr.com vimeo.com dailymotion.com myspace.com medium.com patreon.com ko-fi.com
		paypal.me ask.fm last.fm behance.net dribbble.com goodreads.com threads.net mixcloud.com wattpad.com
		snapchat.com ok.ru slideshare.net kaggle.com codepen.io gravatar.com strava.com mastodon.social wa.me
		m.me cash.app`) {
		f.profiles[host] = profileHost{bare: true}
	}
	for host, after := range map[string]string{
		"linkedin.com": "in pub profile", "youtube.com": "user c channel", "reddit.com": "u user",
		"snapchat.com": "add", "researchgate.net": "profile", "viadeo.com": "profile p", "xing.com": "profile",
		"orcid.org": "", "scholar.google.com": "", "academia.edu": "", "flickr.com": "people photos",
		"discord.com": "users", "spotify.com": "user", "duolingo.com": "profile", "strava.com": "athletes",
		"stackoverflow.com": "users", "facebook.com": "people", "copainsdavant.linternaute.com": "p",
		"deezer.com": "profile", "babelio.com": "monprofil.php", "goodreads.com": "user author",
		"join.skype.com": "invite", "wechat.com": "", "discord.gg": "", "chat.whatsapp.com": "", "wa.me": "",
	} {
		known := f.profiles[host]
		known.after = strings.Fields(after)
		known.homePage = after == ""
		f.profiles[host] = known
	}
	for _, host := range []string{"pagesperso-orange.fr", "perso.orange.fr", "sites.google.com", "perso.wanadoo.fr", "pagesperso.free.fr", "perso.free.fr", "homepages.laas.fr"} {
		f.profiles[host] = profileHost{homePage: true}
	}
	return f
}

// reservedEndings are the endings of hosts that are set aside (RFC 2606, RFC
// 6761, RFC 6762). No list of public hosts knows what lies below them.
const reservedEndings = "example test invalid localhost local"

// commonEndings are the endings of hosts that are no words of a language.
const commonEndings = "com net org fr eu ch ca uk info edu"

var (
	reservedEnding = wordSet(reservedEndings)
	linkEnding     = wordSet(reservedEndings + " " + commonEndings)
	hostForm       = regexp.MustCompile(`^(?:[\pL\pN][\pL\pN_\-]*\.)+\pL[\pL\pN\-]{1,23}$`)
)

// LinkLike reports whether a text without white space is a link that was written
// without "http": a host that begins with "www" or whose ending is no word, or any
// host with a path. "Kelly.Bonne" and "et/ou" are none.
func LinkLike(text string) bool {
	host, path, hasPath := strings.Cut(text, "/")
	host, _, _ = strings.Cut(host, ":")
	if !hostForm.MatchString(host) {
		return false
	}
	host = strings.ToLower(host)
	ending := host[strings.LastIndexByte(host, '.')+1:]
	return strings.HasPrefix(host, "www.") || linkEnding[ending] || hasPath && path != ""
}

// anchorWords are the first words of the hosts that are recognised without
// "http" before them, "www", and the endings that are set aside.
func (f *urlForms) anchorWords() string {
	words := append([]string{"www", "mailto"}, strings.Fields(reservedEndings)...)
	for host := range f.profiles {
		first, _, _ := strings.Cut(host, ".")
		words = append(words, first)
	}
	return strings.Join(words, " ")
}

// findScheme reads the address whose "://" starts at token i.
func (f *urlForms) findScheme(s *scan, i int) {
	at := s.doc.Tokens[i].at
	start := at
	for start > 0 && isSchemeByte(s.text[start-1]) {
		start--
	}
	if start == at || at+3 >= len(s.text) || start < s.taken {
		return
	}
	f.address(s, start, at+3)
}

func isSchemeByte(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// findHost reads an address without scheme: "www." or a site where people have
// pages, followed by a path. Other dotted words ("moi.biz") are no addresses.
func (f *urlForms) findHost(s *scan, i int) {
	t := &s.doc.Tokens[i]
	before := s.runeBefore(t.at)
	if before == '.' && reservedEnding[t.Folded] {
		f.reservedHost(s, t)
		return
	}
	if before == '/' || before == '.' || before == '@' || before == '-' || wordLike(before) || t.at < s.taken {
		return
	}
	end := urlEnd(s.text, t.at)
	host, path, _ := strings.Cut(strings.ToLower(s.text[t.at:end]), "/")
	if t.Folded != "www" {
		if _, known := f.profiles[host]; !known || path == "" || !f.endings[host[strings.LastIndexByte(host, '.')+1:]] {
			return
		}
	} else if !strings.HasPrefix(host, "www.") || strings.Count(host, ".") < 2 {
		return
	}
	f.address(s, t.at, t.at)
}

// longestHost bounds what is read of a host, in bytes.
const longestHost = 128

// reservedHost reads an address without scheme back from its host's ending, the
// token t: "gwen.example/photos".
func (f *urlForms) reservedHost(s *scan, t *Token) {
	if after := s.runeAfter(t.at + len(t.Text)); after == '.' && wordLike(s.runeAfter(t.at+len(t.Text)+1)) || after == '-' || after == '@' {
		return
	}
	start := t.at
	for start > 0 && t.at-start < longestHost {
		r := s.runeBefore(start)
		if r != '.' && r != '-' && !wordLike(r) {
			break
		}
		start -= utf8.RuneLen(r)
	}
	if before := s.runeBefore(start); start < s.taken || before == '@' || before == '/' || before == ':' || !hostForm.MatchString(s.text[start:t.at+len(t.Text)]) {
		return
	}
	f.address(s, start, start)
}

// urlEnd finds where the address that goes over start ends: at white space, a
// quote or an angle bracket, without the punctuation of the sentence.
func urlEnd(text string, start int) int {
	end := start
	for end < len(text) && text[end] > ' ' && !strings.ContainsRune("<>\"`|\\^{}", rune(text[end])) {
		if strings.HasPrefix(text[end:], "\u00a0") || strings.HasPrefix(text[end:], "»") || strings.HasPrefix(text[end:], "”") {
			break
		}
		end++
	}
	for end > start && strings.IndexByte(".,;:!?)]'*_", text[end-1]) >= 0 {
		if text[end-1] == ')' && strings.IndexByte(text[start:end], '(') >= 0 {
			break
		}
		end--
	}
	return end
}

// address marks the people in the address text[start:], whose host begins at
// hostAt: the whole address when it is somebody's page, else only the parts
// that name somebody.
func (f *urlForms) address(s *scan, start, hostAt int) {
	end := urlEnd(s.text, start)
	if hostAt >= end {
		return
	}
	body := s.text[hostAt:end]
	hostLen := strings.IndexAny(body, "/?#")
	if hostLen < 0 {
		hostLen = len(body)
	}
	host := strings.ToLower(body[:hostLen])
	if strings.IndexByte(host, '@') > 0 {
		s.add(start, end, URL, Mask, 0.95, "web address with a login")
		return
	}
	host, _, _ = strings.Cut(host, ":")
	path, query := body[hostLen:], ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path, query = path[:i], path[i:]
	}
	if what := f.page(host, strings.Split(strings.TrimPrefix(path, "/"), "/"), query); what != "" {
		s.add(start, end, URL, Mask, 0.95, what)
		return
	}
	if f.claimed(s, start, end) {
		s.add(start, end, URL, Mask, 0.9, "site that the author calls their own")
		return
	}
	found := len(s.marks)
	f.parts(s, hostAt+hostLen, path, query)
	if len(s.marks) == found && f.own(host, path) && !f.quoted(s, start) {
		s.add(start, end, URL, Unsure, 0.55, "link to a host that no list of public ones can know")
	}
	s.taken = max(s.taken, end)
}

// findOwn marks the address that follows "my blog", "mon site": token i is the
// word for the site. The host need not be one that is known.
func (f *urlForms) findOwn(s *scan, i int) {
	t := &s.doc.Tokens[i]
	before, _ := s.window(t.at, 24, 0)
	if !f.owner.MatchString(before) {
		return
	}
	after := t.at + len(t.Text)
	rest, _ := s.window(after, 0, 160)
	if m := f.given.FindStringSubmatchIndex(rest); m != nil && !f.liked.MatchString(before+rest[:m[2]]) && after+m[2] >= s.taken {
		s.add(after+m[2], after+len(strings.TrimRight(rest[:m[3]], ".,;:!?)")), URL, Mask, 0.9, "site that the author calls their own")
	}
}

// page says, in words, why an address is somebody's page; "" when it is not.
func (f *urlForms) page(host string, segments []string, query string) string {
	site := strings.TrimPrefix(strings.TrimPrefix(host, "www."), "m.")
	profile, known := f.profiles[site]
	if !known { // country and mobile variants: fr.linkedin.com
		if _, parent, found := strings.Cut(site, "."); found {
			profile, known = f.profiles[parent]
		}
	}
	first := ""
	if len(segments) > 0 {
		first = strings.ToLower(segments[0])
	}
	switch {
	case !known:
	case profile.homePage && first != "":
		return "page of a person on a site for pages of people"
	case len(segments) > 1 && slices.Contains(profile.after, first) && segments[1] != "":
		return "profile on a social site"
	case profile.bare && f.handle(first):
		return "profile on a social site"
	case strings.HasPrefix(first, "@") && len(first) > 1:
		return "profile on a social site"
	case strings.HasPrefix(first, "profile.php") && query != "":
		return "profile on a social site"
	}
	if label, parent, found := strings.Cut(site, "."); found && f.blogs[parent] && !f.reserved[label] {
		return "personal site on a blog host"
	}
	if label, _, _ := strings.Cut(site, "."); f.homes[label] && first != "" {
		return "page on a host for people's pages"
	}
	if strings.HasPrefix(first, "~") && len(first) > 1 {
		return "personal page (~name)"
	}
	return ""
}

// own reports whether a host is on no public list and may be somebody's own: its
// ending is set aside, and its first label says nothing of what it serves.
func (f *urlForms) own(host, path string) bool {
	site := strings.TrimPrefix(host, "www.")
	name, ending, found := strings.Cut(site, ".")
	if !found || !reservedEnding[ending[strings.LastIndexByte(ending, '.')+1:]] {
		return false
	}
	return !f.serves[name] && (path != "" || strings.ContainsAny(name, "-") || utf8.RuneCountInString(name) >= leastOwnLabel)
}

// leastOwnLabel is the length of the shortest host name that is somebody's own
// when no path follows: short ones are examples in a lesson.
const leastOwnLabel = 9

// handle reports whether a path segment may be somebody's handle.
func (f *urlForms) handle(segment string) bool {
	return len(segment) > 1 && !f.reserved[segment] && !strings.ContainsAny(segment, "=&;")
}

// parts marks the path segments and query values that name somebody.
func (f *urlForms) parts(s *scan, at int, path, query string) {
	person := false
	for segment := range strings.SplitSeq(path, "/") {
		lower := strings.ToLower(segment)
		switch {
		case person && f.handle(lower), strings.HasPrefix(lower, "@") && len(lower) > 1, strings.HasPrefix(lower, "~") && len(lower) > 1:
			s.add(at, at+len(segment), Username, Mask, 0.85, "account in a web address")
		}
		person = f.segments[lower]
		at += len(segment) + 1
	}
	at-- // the last segment has no slash after it
	for query != "" {
		end := strings.IndexAny(query[1:], "&;#") + 1
		if end == 0 {
			end = len(query)
		}
		if key, value, found := strings.Cut(query[1:end], "="); found && value != "" && f.queries[strings.ToLower(key)] {
			s.add(at+1+len(key)+1, at+end, Username, Mask, 0.85, "account in the query of a web address")
		}
		at += end
		query = query[end:]
	}
}
