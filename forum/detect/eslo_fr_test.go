package detect

import "testing"

// Small towns where people live, come from, go to, meet, and where others are.
func TestFrenchGrammarFindsTownsPeopleAreAt(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "je suis à Commercy depuis lundi", "place=Commercy=mask"},
		{"fr", "jsuis a commercy si ya des gens", "place=commercy=mask"},
		{"fr", "moi je suis à Zorbigny pour l'été", "place=Zorbigny=mask"},
		{"fr", "on descend à Laguiole demain matin", "place=Laguiole=mask"},
		{"fr", "je prends le car à Ploërmel", "place=Ploërmel=mask"},
		{"fr", "Chez nous à Aubusson, on tisse", "place=Aubusson=mask"},
		{"fr", "je viens aussi de Lognes", "place=Lognes=mask"},
		{"fr", "Je fais un stage à Figeac, en pharmacie", "place=Figeac=mask"},
		{"fr", "installée près de Vouziers, je cherche un binôme", "place=Vouziers=mask"},
		{"fr", "on pourrait se voir samedi à Massiac ?", "place=Massiac=mask"},
		{"fr", "Rendez-vous à 14 h devant la gare de Treignac", "place=Treignac=mask"},
		{"fr", "si tu passes à Mauriac, viens boire un café", "place=Mauriac=mask"},
		{"fr", "mes parents vivent à Rethel", "place=Rethel=mask"},
		{"fr", "J'ai une cousine à Barraute", "place=Barraute=mask"},
		{"fr", "mon frère, qui travaille à Montargis, dit la même chose", "place=Montargis=mask"},
		{"fr", "Mes élèves de Mantes-la-Ville adorent", "place=Mantes-la-Ville=mask"},
		{"fr", "C'est bien trop loin de Nyons pour moi", "place=Nyons=mask"},
		{"fr", "c'est zorbine de péronne, je cherche un groupe", "place=péronne=mask"},
		{"fr", "je suis infirmière à Poperinge", "place=Poperinge=mask"},
		{"fr", "il y a quelqu'un à vouziers ?", "place=vouziers=mask"},
		{"fr", "j'habite sur Rethel", "place=Rethel=mask"},
		{"fr", "Je suis à Marseille", "place=Marseille=unsure"},
		{"fr", "je suis en retard, on est à la page 3", "-"},
		{"fr", "on se voit à la séance de lundi, je passe à autre chose", "-"},
		{"fr", "c'est loin de la vérité, je viens de finir", "-"},
	})
}

// Schools, firms, hospitals and clubs.
func TestFrenchGrammarFindsWherePeopleWorkAndStudy(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "j'ai travaillé trois ans chez Zorbatex", "organisation=Zorbatex=mask"},
		{"fr", "je bosse de nuit chez Moulins Trégarvan", "organisation=Moulins Trégarvan=mask"},
		{"fr", "mon mari est cariste chez Zorbatex", "organisation=Zorbatex=mask"},
		{"fr", "mon prof de stats à Zorbinel nous l'a dit", "organisation=Zorbinel=mask"},
		{"fr", "je suis suivie au CMP de Torcy", "organisation=CMP de Torcy=mask"},
		{"fr", "mon fils est à l'IME Les Glycines", "organisation=IME Les Glycines=mask"},
		{"fr", "je travaille à l'EHPAD Les Tilleuls", "organisation=EHPAD Les Tilleuls=mask"},
		{"fr", "je travaille au CH de Vouziers", "organisation=CH de Vouziers=mask"},
		{"fr", "trésorier du judo club de Treignac", "organisation=judo club de Treignac=mask"},
		{"fr", "mon entreprise, Zorbatex, a fermé", "organisation=Zorbatex=mask"},
		{"fr", "je travaille chez moi, chez eux, chez un client", "-"},
		{"fr", "un club de lecture, une école de danse, une chorale", "-"},
	})
}

// Relatives, colleagues and neighbours by name, nicknames and spelling.
func TestFrenchGrammarFindsPeopleSpokenOf(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "mon petit frère Lubin viendra", "first_name=Lubin=mask"},
		{"fr", "ma femme sandra dit merci", "first_name=sandra=mask"},
		{"fr", "son mari (Dylan) est parti", "first_name=Dylan=unsure"},
		{"fr", "mon beau-frère, Zorbin Santucci, arrive", "full_name=Zorbin Santucci=mask"},
		{"fr", "une voisine de 80 ans, Fernande, nous aide", "first_name=Fernande=mask"},
		{"fr", "le directeur adjoint, Fabrice Zorbillet, ne lit pas", "full_name=Fabrice Zorbillet=mask"},
		{"fr", "un certain Karim Zorbadah a mon compte", "full_name=Karim Zorbadah=mask"},
		{"fr", "la chatte s'appelle Mirabelle", "first_name=Mirabelle=mask"},
		{"fr", "mes amis m'appellent Zaza", "nickname=Zaza=mask"},
		{"fr", "tout le monde l'appelle Titou", "nickname=Titou=mask"},
		{"fr", "ma famille me surnomme Zouzou", "nickname=Zouzou=mask"},
		{"fr", "Zouzou pour les intimes", "nickname=Zouzou=mask"},
		{"fr", "Oui, c'est Zorba-Vidal avec un trait d'union", "last_name=Zorba-Vidal=mask"},
		{"fr", "C'est Zorbinet avec deux t", "last_name=Zorbinet=mask"},
		{"fr", "mon nom s'écrit Zorbanet", "last_name=Zorbanet=mask"},
		{"fr", "demandez Clémence à l'accueil", "first_name=Clémence=mask"},
		{"fr", "on m'appelle souvent, mes amis m'appellent le soir", "-"},
		{"fr", "c'est la même chose, il s'appelle comment ?", "-"},
	})
}

// Numbers by which an office knows somebody, and birthdays.
func TestFrenchGrammarFindsNumbersAndBirthdays(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "mon numéro étudiant est 20231877", "id=20231877=mask"},
		{"fr", "n° étudiant : 11907734", "id=11907734=mask"},
		{"fr", "Matricule 448812", "id=448812=mask"},
		{"fr", "moi le 9 juin 1958 !!", "date=9 juin 1958=mask"},
		{"fr", "je suis du 9 juin", "date=9 juin=mask"},
		{"fr", "mon anniversaire est le 3 mai", "date=3 mai=mask"},
		{"fr", "rendez-vous le 9 juin, devoir 4, page 12", "-"},
	})
}
