package forum

import (
	"strings"
	"testing"
)

// ordinaryRoster is made of people whose names and usernames are words.
var ordinaryRoster = []Person{
	{Pseudonym: 1600000001, UserIDs: []string{"1"}, Usernames: []string{"mark", "Céleste-54"}, FirstNames: []string{"Mark"}, LastNames: []string{"Olive", "d'Arvor"}},
	{Pseudonym: 1600000002, UserIDs: []string{"2"}, Usernames: []string{"1"}, FirstNames: []string{"Octave"}, LastNames: []string{"Silence"}, Emails: []string{"octave.silence@post.univ.example"}},
	{Pseudonym: 1600000003, UserIDs: []string{"3"}, Usernames: []string{"48"}, FirstNames: []string{"Capucine"}, LastNames: []string{"Brume"}},
	{Pseudonym: 1600000004, UserIDs: []string{"4"}, Usernames: []string{"florence"}, FirstNames: []string{"Florence"}, LastNames: []string{"Lyon", "van der Meer"}},
	{Pseudonym: 1600000005, UserIDs: []string{"5"}, Usernames: []string{"visiteuse", "b", "u1999999999"}, FirstNames: []string{"Rose"}, LastNames: []string{"Page"}},
}

// strictEngine knows the roster of ordinary words and all that is shipped.
func strictEngine(t *testing.T) *Engine {
	t.Helper()
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	forum := forumOf(t, testPost{"a", "a", "4", "Une question."}, testPost{"b", "a", "1", "Une réponse."}, testPost{"c", "c", "4", "Autre chose."},
		testPost{"d", "d", "4", "It works. Octaveeee!!! you made it"})
	e, err := New(ordinaryRoster, forum, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestOrdinaryWordsThatArePeople: names that are words are masked where only a
// person can stand, and left alone where the word is meant.
func TestOrdinaryWordsThatArePeople(t *testing.T) {
	e := strictEngine(t)
	tests := []struct{ name, text, want string }{
		{"quoted in French", "> mark a écrit :\n> je ne trouve pas la page", "> u1600000001 a écrit :\n> je ne trouve pas la page"},
		{"quoted with the mark escaped", "&gt; visiteuse a écrit&nbsp;:\n&gt; je ne trouve pas", "&gt; u1600000005 a écrit&nbsp;:\n&gt; je ne trouve pas"},
		{"quoted in English", "visiteuse wrote: \"I cannot find the page\"", "u1600000005 wrote: \"I cannot find the page\""},
		{"quoted with a date", "On Monday, mark wrote:\nI cannot find the page.", "On Monday, u1600000001 wrote:\nI cannot find the page."},
		{"who wrote nothing", "Un visiteur a écrit : la page est vide. Une visiteuse écrit.", "Un visiteur a écrit : la page est vide. Une visiteuse écrit."},
		{"a number after the at-sign", "Same here, @1. Look at page 1 and part 48.", "Same here, @u1600000002. Look at page 1 and part 48."},
		{"a single letter", "Answer B, not A. Thanks @b!", "Answer B, not A. Thanks @u1600000005!"},
		{"a link to a profile", "<a href='/u/florence'>elle</a>", "<a href='/u/u1600000004'>elle</a>"},
		{"a link to a page", "<a href='/wiki/florence'>la ville</a>", "<a href='/wiki/florence'>la ville</a>"},
		{"somebody who is only cited", "Comme disait Penélope Cruz, le cinéma est un rêve.", "Comme disait Penélope Cruz, le cinéma est un rêve."},
		{"a last name with a particle", "La fille de d'Arvor a suivi le même cours, et le groupe de van der Meer aussi.", "La fille de u1600000001 a suivi le même cours, et le groupe de u1600000004 aussi."},
		{"a whole name of two words", "La remarque de Octave Silence et de Capucine Brume est juste.", "La remarque de u1600000002 et de u1600000003 est juste."},
		{"a whole name, the other way round", "Nom : SILENCE Octave", "Nom : u1600000002"},
		{"the same words", "Dans le silence, une octave plus bas, la brume et la capucine.", "Dans le silence, une octave plus bas, la brume et la capucine."},
		{"possessive", "I agree with Octave's answer and Capucine’s remark.", "I agree with u1600000002's answer and u1600000003’s remark."},
		{"percent-encoded address", "La mienne : octave.silence%40post.univ.example.", "La mienne : [MEL]."},
		{"escapes of a program", `{u'user': u'C\u00e9leste-54', u'n': 1}`, `{u'user': u'u1600000001', u'n': 1}`},
		{"bytes of a program", `by C\xe9leste-54 \xzz \u12`, `by u1600000001 \xzz \u12`},
		{"percentages", "J'ai eu 40%40 fois, 20% de plus, 100%.", "J'ai eu 40%40 fois, 20% de plus, 100%."},
		{"phone in brackets", "Rose Page (06 39 98 37 79)", "u1600000005 ([TEL])"},
		{"phones of no plan", "Rose Page ((613) 555-0182) or 07700 900208.", "u1600000005 ([TEL]) or [TEL]."},
		{"greeted in small letters", "Salut octave !\nUne octave.\n\nBises, capucine", "Salut u1600000002 !\nUne octave.\n\nBises, u1600000003"},
		{"elongated, and mined as such", "It works. Octaveeee!!! you made it", "It works. u1600000002!!! you made it"},
		{"greeted together", "Merci capucine et Rose !!", "Merci u1600000003 et u1600000005 !!"},
		{"thanked for a thing", "Merci pour la capucine et la rose !", "Merci pour la capucine et la rose !"},
		{"somebody's child", "La fille de Brume a suivi le même cours. Le fils d'Olive aussi.", "La fille de u1600000003 a suivi le même cours. Le fils d'u1600000001 aussi."},
		{"a quoted name", "Same problem as \"Capucine\" here.", "Same problem as \"u1600000003\" here."},
		{"a quoted nickname", "Capucine \"Mark\" Brume", "u1600000003 \"u1600000001\" u1600000003"},
		{"who chose a pseudonym", "Merci u1999999999, et u1888888888 aussi", "Merci u1600000005, et u1888888888 aussi"},
		{"international phone in brackets", "=1+1 Rose Page (+44 7700 900141), merci", "=1+1 u1600000005 ([TEL]), merci"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := maskNumbers(treat(t, e, "c", tt.text)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// maskNumbers leaves the numbers of codes out.
func maskNumbers(s string) string {
	for _, tag := range [...]string{"MEL", "TEL", "URL", "PERS", "PRE"} {
		for at := strings.Index(s, "["+tag+"_"); at >= 0; at = strings.Index(s, "["+tag+"_") {
			end := at + strings.IndexByte(s[at:], ']')
			s = s[:at] + "[" + tag + s[end:]
		}
	}
	return s
}
