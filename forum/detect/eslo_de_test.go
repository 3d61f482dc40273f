package detect

import "testing"

// TestGermanGrammar: who speaks and what is told, where every noun has a capital.
func TestGermanGrammar(t *testing.T) {
	eslo, err := NewShippedESLO(openLists(t))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"Hallo zusammen, ich heiße Wqarbi und wohne in Kleinmachnow.":        {"Wqarbi", "Kleinmachnow"},
		"Mein Name ist Hannelore Vlemkova, ich komme aus Graz.":              {"Hannelore Vlemkova", "Graz"},
		"Ich bin 34 Jahre alt und arbeite als Krankenpfleger bei Siemens.":   {"34 Jahre alt", "Krankenpfleger", "Siemens"},
		"Meine Tochter Liesel ist 7 Jahre alt.":                              {"Liesel", "7 Jahre alt"},
		"Danke, Frau Vlemkova, das hilft sehr!":                              {"Vlemkova"},
		"Wie Günther schon geschrieben hat, fehlt hier ein Vorzeichen.":      {"Günther"},
		"Die Lösung ist richtig.\n\nViele Grüße\nWaltraud":                   {"Waltraud"},
		"Ich studiere Physik und habe zwei Kinder.":                          {"Physik", "zwei Kinder"},
		"Mein Mann Detlef und ich sind seit Jahren verheiratet.":             {"Detlef"},
		"Ich leide an Epilepsie und bin Mitglied im Schützenverein Rodewald": {"Epilepsie"},
	} {
		doc := written("de", text)
		found := map[string]bool{}
		for _, m := range eslo.Detect(doc, nil) {
			if m.Proposal != Keep {
				found[string(doc.Raw[m.Start:m.End])] = true
			}
		}
		for _, w := range want {
			if !found[w] {
				t.Errorf("%q: %q is not found, but %v", text, w, found)
			}
		}
	}
	for _, text := range []string{
		"Die Aufgabe der Woche ist die Berechnung der Ableitung.",
		"Danke für die schnelle Antwort, das Video läuft jetzt.",
		"Wie kann man die Gleichung nach der Zeit auflösen?",
		"Ich bin mit der Note nicht zufrieden und habe Fragen.",
		"Hallo zusammen, wann beginnt das nächste Modul?",
		"Das Buch von Goethe lese ich gerade.",
	} {
		doc := written("de", text)
		for _, m := range eslo.Detect(doc, nil) {
			if m.Proposal == Mask && m.Category.Person() {
				t.Errorf("%q: %q is taken for a name (%s)", text, doc.Raw[m.Start:m.End], m.What)
			}
		}
	}
}

func TestGermanGrammarFindsTownsInstitutionsAndRelatives(t *testing.T) {
	checkTold(t, []telling{
		{"de", "weil ich aus Freising bin und das Bier bei uns älter ist", "place=Freising=mask"},
		{"de", "Wer im Sommer nach Freising kommt, soll sich melden", "place=Freising=mask"},
		{"de", "meine Schwester wohnt noch in Kleinmachnow", "place=Kleinmachnow=mask"},
		{"de", "In meiner Dienstzeit beim Vermessungsamt Weilheim fand ich Grenzsteine", "organisation=Vermessungsamt Weilheim=mask"},
		{"de", "ich studiere an der Uni Passau und war am Gymnasium Zarbach", "organisation=Uni Passau=mask; organisation=Gymnasium Zarbach=mask"},
		{"de", "Mein Urgroßvater Kilian rechnete bis zu seinem Tod", "first_name=Kilian=mask"},
		{"de", "mit einem Magaziner, der hieß Friedhelm und war nett", "first_name=Friedhelm=mask"},
		{"de", "Kann ein Moderator den Thorben bitte löschen?", "first_name=Thorben=mask"},
		{"de", "alle nennen mich Zorbi", "nickname=Zorbi=mask"},
		{"de", "die Teilnehmernummer ist TN-4471-0936.", "id=TN-4471-0936=mask"},
		{"de", "Matrikelnummer 1234567", "id=1234567=mask"},
		{"de", "Ich bin am 3. Mai 1981 geboren", "date=3. Mai 1981=mask"},
		{"de", "Die Lösung ist bei der Aufgabe in der Mitte, und am Montag habe ich frei", "-"},
		{"de", "Die Firma hat die Schule gebaut, die Ellen in der Klasse sind lang", "-"},
	})
}
