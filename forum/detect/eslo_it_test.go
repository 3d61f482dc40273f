package detect

import "testing"

// Small towns where people live, come from, go to, meet, and where others are.
func TestItalianGrammarFindsTownsPeopleAreAt(t *testing.T) {
	checkTold(t, []telling{
		{"it", "scendo a Macomer venerdì", "place=Macomer=mask"},
		{"it", "Da Fivizzano è un'ora e un quarto", "place=Fivizzano=mask"},
		{"it", "io da Carloforte devo prendere il traghetto", "place=Carloforte=mask"},
		{"it", "qui a Chioggia piove", "place=Chioggia=mask"},
		{"it", "siamo di soncino, ciao a tutti", "place=soncino=mask"},
		{"it", "mi sono trasferita a Clusone due anni fa", "place=Clusone=mask"},
		{"it", "ci vediamo sabato a Gemona", "place=Gemona=mask"},
		{"it", "vi aspetto alla stazione di Treviglio", "place=Treviglio=mask"},
		{"it", "mia sorella vive a Bosa", "place=Bosa=mask"},
		{"it", "ho un negozio a Sestri Levante", "place=Sestri Levante=mask"},
		{"it", "sono troppo lontano da Tolmezzo", "place=Tolmezzo=mask"},
		{"it", "insegno a Zorbignano da dieci anni", "place=Zorbignano=mask"},
		{"it", "vivo a Milano", "place=Milano=unsure"},
		{"it", "sono a pagina 3, vado a casa, torno a dire che non va", "-"},
		{"it", "i colori di Cremona, una tavola di Ferrara", "-"},
		{"it", "ci vediamo a lezione lunedì, la cena di ieri", "-"},
	})
}

// Schools, firms, hospitals and clubs.
func TestItalianGrammarFindsWherePeopleWorkAndStudy(t *testing.T) {
	checkTold(t, []telling{
		{"it", "io sto al Forno Zorbinari, turno di notte", "organisation=Forno Zorbinari=mask"},
		{"it", "lavoro da dieci anni alla Zorbatex", "organisation=Zorbatex=mask"},
		{"it", "la pescheria Zorbatti è chiusa", "organisation=pescheria Zorbatti=mask"},
		{"it", "sono infermiera all'ospedale di Tolmezzo", "organisation=ospedale di Tolmezzo=mask"},
		{"it", "insegno all'IC Zorbini", "organisation=IC Zorbini=mask"},
		{"it", "la mia ditta, Zorbatex, ha chiuso", "organisation=Zorbatex=mask"},
		{"it", "lavoro da casa, lavoro al bar, lavoro da anni", "-"},
	})
}

// Relatives, colleagues and neighbours by name, nicknames and spelling.
func TestItalianGrammarFindsPeopleSpokenOf(t *testing.T) {
	checkTold(t, []telling{
		{"it", "mia zia loredana lo coltivava", "first_name=loredana=mask"},
		{"it", "Mia madre, la Zorbina, ne aveva uno", "first_name=Zorbina=mask"},
		{"it", "Mio cugino Bacci Zorbetto ne ha ancora", "full_name=Bacci Zorbetto=mask"},
		{"it", "il mio vecchio maestro Primo Zorbeschi diceva", "full_name=Primo Zorbeschi=mask"},
		{"it", "Si chiamava Erminia Zorbico e stirava", "full_name=Erminia Zorbico=mask"},
		{"it", "una vicina di 80 anni, Fernanda, ci aiuta", "first_name=Fernanda=mask"},
		{"it", "un certo Carlo Zorbini ha il mio posto", "full_name=Carlo Zorbini=mask"},
		{"it", "mi conoscono tutti come Zuzù", "nickname=Zuzù=mask"},
		{"it", "gli amici mi chiamano Zizzi", "nickname=Zizzi=mask"},
		{"it", "per gli amici sono Zizzi", "nickname=Zizzi=mask"},
		{"it", "chiedete di Assunta in segreteria", "first_name=Assunta=mask"},
		{"it", "si chiama così, i colleghi mi chiamano spesso", "-"},
	})
}

// Numbers by which an office knows somebody, and birthdays.
func TestItalianGrammarFindsNumbersAndBirthdays(t *testing.T) {
	checkTold(t, []telling{
		{"it", "la mia matricola è 448812", "id=448812=mask"},
		{"it", "numero di matricola: 11907734", "id=11907734=mask"},
		{"it", "sono nata il 2 febbraio 1986", "date=2 febbraio 1986=mask"},
		{"it", "il mio compleanno è il 3 maggio", "date=3 maggio=mask"},
		{"it", "la lezione è il 3 maggio, compito 4, pagina 12", "-"},
	})
}
