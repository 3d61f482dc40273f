package detect

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"anonymooc/forum/corpus"
)

// expectation is a text in which "⟦" and "⟧" stand around what must be marked.
type expectation struct {
	lang, text string
	category   Category
}

// unmarked gives the text without brackets and the bracketed spans.
func unmarked(text string) (plain string, spans []string) {
	for {
		before, rest, found := strings.Cut(text, "⟦")
		plain += before
		if !found {
			return plain, spans
		}
		inside, after, _ := strings.Cut(rest, "⟧")
		plain += inside
		spans = append(spans, inside)
		text = after
	}
}

func marksOf(detector Detector, lang, text string) []Mark {
	doc := NewDocument(corpus.Post{}, "body", []byte(text))
	doc.Lang = lang
	return detector.Detect(doc, nil)
}

func checkExpectations(t *testing.T, detector Detector, cases []expectation) {
	t.Helper()
	for _, c := range cases {
		plain, want := unmarked(c.text)
		var got []string
		for _, m := range marksOf(detector, c.lang, plain) {
			if m.Category != c.category {
				t.Errorf("%q: %q is marked %s (%s), want %s", plain, plain[m.Start:m.End], m.Category, m.What, c.category)
			}
			got = append(got, plain[m.Start:m.End])
		}
		if strings.Join(got, "¦") != strings.Join(want, "¦") {
			t.Errorf("%q: marked %q, want %q", plain, got, want)
		}
	}
}

func TestPatternsFindEmails(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "écris à ⟦zoe.martin@univ-nantes.example.fr⟧, merci", Email},
		{"fr", "mail:⟦ZOE_M+mooc@Exemple.FR⟧.", Email},
		{"fr", "⟦zoe [at] exemple.fr⟧ ou ⟦zoe(arobase)exemple(point)fr⟧", Email},
		{"fr", "⟦zoe.martin (at) gmail (dot) com⟧", Email},
		{"fr", "⟦zoe arobase exemple point fr⟧ pour les intimes", Email},
		{"fr", "⟦zoe{at}exemple{point}fr⟧", Email},
		{"es", "⟦zoe (arroba) ejemplo (punto) es⟧", Email},
		{"it", "⟦zoe chiocciola esempio punto it⟧", Email},
		{"en", "drop me a line, ⟦john at gmail dot com⟧", Email},
		{"en", "⟦john at gmail.com⟧ works", Email},
		{"fr", "⟦zoe @ exemple.fr⟧ ou ⟦zoe@exemple .fr⟧", Email},
		{"fr", "⟦zoe&#64;exemple&period;fr⟧", Email},
		{"fr", "⟦zo\u200be@exem\u00adple.fr⟧", Email},
		{"fr", "⟦zoe@gmail⟧ suffit", Email},
		{"pt", "⟦zoe(a)exemplo.pt⟧ ou ⟦zoe [@] exemplo.pt⟧ a) b)", Email},
		{"fr", "⟦éloïse@exemple.fr⟧", Email},
		{"es", "⟦reme punto rubio en correo punto example⟧, gracias", Email},
		{"fr", "c'est ⟦sacha point boulanger chez etu-brenne point example⟧", Email},
		{"fr", "⟦ines . marchais @ saumurois . example⟧ (sans les espaces)", Email},
		{"fr", "par mail ⟦fidele.n AT ruzizi.example⟧ le soir", Email},
		{"fr", "ou ⟦ak.waiss(at)djib.example⟧. Je suis là, ⟦lulu point f arobase mel point example⟧. Je lis", Email},
		{"es", "en este punto es importante, en un punto com otro, está en la web punto com", Email},
		{"en", "LOOK AT EXAMPLE.COM or look at example.com/x at dot three", Email},
		{"fr", "il travaille chez wanadoo point fr, en bref point final", Email},
		{"en", "look at example.com", Email},
		{"en", "meet me at noon. com is a word", Email},
		{"fr", "l'arobase est un signe", Email},
		{"en", "we met at school dot dot dot", Email},
	})
}

func TestPatternsFindWebAddressesOfPeople(t *testing.T) {
	p := NewPatterns()
	checkExpectations(t, p, []expectation{
		{"fr", "mon profil : ⟦https://www.linkedin.com/in/zoe-martin-12345/⟧.", URL},
		{"fr", "(⟦http://facebook.com/zoe.martin⟧)", URL},
		{"fr", "⟦facebook.com/zoe.martin⟧ et ⟦www.instagram.com/zoe_m/⟧", URL},
		{"fr", "⟦https://www.facebook.com/profile.php?id=100001234⟧", URL},
		{"fr", "⟦http://zoemartin.wordpress.com/2014/03/⟧", URL},
		{"fr", "⟦http://www.univ.example/~zmartin/cours⟧", URL},
		{"fr", "⟦https://sites.google.com/site/zoemartin⟧", URL},
		{"en", "⟦https://youtube.com/@zoemakes⟧", URL},
		{"en", "⟦t.me/zoe_m⟧", URL},
		{"fr", "<a href=\"⟦https://github.com/zoemartin⟧\">ici</a>", URL},
		{"fr", "⟦http://perso.univ.example/zoe/cv.html⟧", URL},
		{"fr", "mon blog : ⟦cuisine-de-zoe.example⟧, venez", URL},
		{"en", "my website is ⟦https://zoemartin.example/about⟧.", URL},
		{"en", "up at ⟦minawrites.example/notes⟧.", URL},
		{"fr", "c'est là : ⟦http://nadia-roux.example/lettres⟧, et sur ⟦www.nadia-roux.example⟧", URL},
		{"pt", "Instagram é ⟦instagram.com/zuzudoces.example⟧.", URL},
		{"en", "My channel about bees is ⟦https://www.youtube.com/watch?v=abc⟧, enjoy", URL},
		{"en", "I keep a small blog on dry-stone walls: ⟦https://walls.org.uk/notes⟧.", URL},
		{"en", "⟦https://walls.org.uk/notes⟧ is my blog, the code is in my repo at ⟦https://forge.org/walls/x.git⟧", URL},
		{"fr", "j'ai une chaîne de couture du dimanche : ⟦https://video.fr/couture-du-dimanche⟧", URL},
		{"fr", "Mon portfolio en ligne, encore bien maigre, est sur ⟦https://www.zmartin.fr/travaux⟧ !", URL},
		{"es", "tengo un canal de cocina : ⟦https://videos.es/cocina-lenta⟧ y nada más", URL},
		{"fr", "mon site professionnel : ⟦https://www.zmartin.fr/pro⟧", URL},
		{"es", "está en mi página personal, ⟦https://retama.es/yo⟧", URL},
		{"pt", "a análise está no meu blog: ⟦https://notas.pt/analise⟧", URL},
		{"it", "sul mio sito ⟦www.fotolente.it/mostra⟧", URL},
		{"de", "meine Seite mit Übersetzungen: ⟦https://www.uebersetzt.de/lyrik⟧", URL},
		{"ca", "tinc un web de mapes: ⟦https://www.mapes.cat/wms⟧", URL},
		{"en", "my favourite site is https://www.nature.com/x, and the course page is https://www.cours.fr/a", URL},
		{"en", "my profile page won't load, the help says https://support.site.org/x", URL},
		{"fr", "ma page affiche une erreur : https://www.cours.fr/page/3, et mon profil, voir https://www.cours.fr/b", URL},
		{"es", "mi página da error: https://www.curso.es/tema/2", URL},
		{"fr", "J'ai trouvé un site sur les abeilles : https://www.abeilles.fr/page ; j'ai lu la page : https://www.cours.fr/p3", URL},
		{"it", "ho una domanda sulla pagina: https://www.corso.it/p", URL},
		{"es", "tengo una duda con la página https://www.curso.es/p3", URL},
		{"en", "my screenshot is on the page https://www.course.org/p3", URL},
		{"fr", "mon blog n'est pas prêt. Lisez plutôt https://www.lemonde.fr/article/12.html", URL},
		{"fr", "le site du cours : https://www.cours.fr/page, la chaîne de l'école : https://video.fr/ecole", URL},
		{"es", "mi navegador no abre la página https://www.curso.es/tema, un canal bueno: https://videos.es/x", URL},
		{"de", "auf meiner Lieblingsseite https://www.duden.de/suche, die Seite zum Kurs https://kurs.de/a", URL},
		{"en", "docs.example/page, https://forge.example/mooc/exos.git, an example. Test", URL},
		{"en", "for example.test it, e.g.example, a.b@c.d", URL},
		{"fr", "le blog du cours est exemple.fr et le site : exemple.org", URL},
		{"fr", "voir https://www.youtube.com/watch?v=dQw4w9WgXcQ", URL},
		{"fr", "moi.biz n'est pas un lien, facebook.com non plus", URL},
		{"fr", "https://fr.wikipedia.org/wiki/Paris et http://lycee.example.fr/2014/03/12", URL},
		{"fr", "sur www.exemple.fr/page.html", URL},
	})
	checkExpectations(t, p, []expectation{
		{"fr", "https://cours.example/u/⟦zoe_m⟧ et https://cours.example/courses/x/progress/⟦12345⟧", Username},
		{"fr", "http://cours.example/p?page=2&user=⟦zoe⟧&sort=asc", Username},
	})
}

// Codes of people, with a word that announces them and without; and what is
// written like them.
func TestPatternsFindCodesOfPeople(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"it", "il mio è ⟦LE-2209417⟧, grazie", Identifier},
		{"it", "⟦LE 2187730⟧, ⟦le2210058⟧", Identifier},
		{"fr", "⟦GP-2231-0844⟧ c'est moi, ⟦UNB-2019-30417⟧ aussi", Identifier},
		{"fr", "n° ⟦HX22-0977310⟧ ou ⟦HX-2207-41853⟧", Identifier},
		{"en", "the readme is ⟦4AI22ME031⟧", Identifier},
		{"de", "meine Teilnehmernummer ist ⟦TN-4471-0936⟧.", Identifier},
		{"fr", "mon matricule : ⟦21904417⟧, n° étudiant ⟦21904418⟧", Identifier},
		{"fr", "numéro d'adhérent ⟦0012345678⟧", Identifier},
		{"en", "my student id is ⟦20419331⟧", Identifier},
		{"es", "mi cédula es ⟦CC 1.098.555.014⟧", Identifier},
		{"fr", "Dossier : ⟦SUB-C-20417⟧", Identifier},
		{"en", "ISO-27001-2013, CVE-2021-44228, RFC-2616, ISO 9001, COVID-19, SARS-2019-0001", Identifier},
		{"en", "ENG-101, BOT-2014-2015, BOT101-2014, HIS-202-2015", Identifier},
		{"en", "ORA-009421, KB5001330, 0x80070057, ERR-2021-0004, SHA-256, UTF-8, EUR 12000000", Identifier},
		{"en", "version 10.0.19041-1234, deadbeef1234567, ab1234567, ab-1234-5678-90ab", Identifier},
		{"en", "x=AB-123456, https://www.site.fr/AB-123456, GMT-0500, A4-2014", Identifier},
		{"fr", "ma carte est au dossier, la carte 75000 coûte 20000 euros", Identifier},
	})
}

// Codes of people's papers, where a word says whose they are; and codes of laws,
// courses and exercises.
func TestPatternsFindCodesOfPapers(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "ma copie est la n° ⟦ABC-2291-77⟧, merci", Identifier},
		{"es", "mi expediente es el ⟦ABC/1234⟧", Identifier},
		{"en", "student number: ⟦S-20417⟧, candidate no. ⟦C-2291⟧", Identifier},
		{"fr", "mon numéro d'étudiant est ⟦MA-2207-413⟧", Identifier},
		{"de", "Matrikelnummer ⟦M-204417⟧, mein Vertrag mit der Nummer ⟦DE-4471-09⟧", Identifier},
		{"it", "il mio contratto n. ⟦CT-2207/18⟧ è scaduto", Identifier},
		{"pt", "o meu processo n.º ⟦PC-4471/22⟧", Identifier},
		{"ca", "el meu número d'alumne és ⟦AL-54073⟧", Identifier},
		{"es", "Adjunto el justificante n.º ⟦PL2-54012-77⟧.", Identifier},
		{"fr", "le numéro de ma commande est ⟦CMD-48-77120⟧.", Identifier},
		{"fr", "le numéro de mon oncle est ⟦E-34/2207-S⟧, merci", Identifier},
		{"fr", "Mon numéro de dépôt est le ⟦D1-004417⟧.", Identifier},
		{"en", "booking ref ⟦QX7TRB⟧, case no ⟦778-20931⟧", Identifier},
		{"pt", "a matricula de todo mundo, o meu é ⟦2021304417⟧ e o da tai ⟦2021300982⟧", Identifier},
		{"es", "Atentamente, CI ⟦100000417-2⟧.", Identifier},
		{"it", "il mio è ⟦PPSFRN68T11Z129X⟧", Identifier},
		{"fr", "la loi n° 2004-575, le décret n° 83-1020, l'exercice n° 4-12, la copie n° 12, dossier 2014-2015", Identifier},
		{"fr", "la facture n° FA-22-12 de l'exercice, le compte 401-200, ci-dessus n° 3", Identifier},
		{"en", "case ISO-27001, order no. 12, invoice INV-2291-4 in the exercise, contract of 2014, article no. 12-34", Identifier},
		{"fr", "Code de la porte ⟦47A12⟧. Le digicode : ⟦1407B⟧", Identifier},
		{"en", "the door code is ⟦4471⟧, ring twice; the code is 4471, error code 40412, code 2014", Identifier},
		{"es", "el código del portal es ⟦2207⟧; el código postal 28013", Identifier},
		{"fr", "le code civil 1804, le code ASCII 0065, code d'erreur 4041, un code de la route 2014", Identifier},
		{"fr", "mon compte 512-100 est faux, l'affaire C-131/12, le dossier C-131/12, ma police Times-1200", Identifier},
		{"en", "my account has 2000-3000 points, our room number is B-1204, your model number is SM-9000-A", Identifier},
		{"en", "my number one problem is MATH-1012-A, case T-201/04, incident of 1986-04-26", Identifier},
		{"es", "la convocatoria PT-2014-15, el caso 1234-2014", Identifier},
		{"en", "my number is 42, your version number is 2.7.3, my course code is BOT-101", Identifier},
		{"es", "el artículo n.º 1234/2014, expediente del siglo XX, entrega 3-4, número 2-14", Identifier},
		{"de", "Kapitel Nr. 12-34, die Bestellung vom 12.3.2014, Vertrag von Versailles 1919", Identifier},
		{"it", "la legge n. 104/1992, il contratto collettivo n. 3, i codici ATECO", Identifier},
	})
}

func TestPatternsFindPhones(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "appelle-moi au ⟦06 39 98 12 34⟧ ce soir", Phone},
		{"fr", "tél:⟦06.39.98.12.34⟧", Phone},
		{"fr", "⟦+33 6 39 98 12 34⟧, ⟦+33 (0)1 99 00 12 34⟧", Phone},
		{"fr", "⟦0639981234⟧", Phone},
		{"fr", "⟦06-39-98-12-34⟧ ou ⟦06\u00a039\u00a098\u00a012\u00a034⟧", Phone},
		{"en", "call ⟦(202) 555-0143⟧ or ⟦202-555-0143⟧", Phone},
		{"en", "⟦+44 20 7946 0018⟧", Phone},
		{"es", "mi móvil es ⟦612 345 678⟧", Phone},
		{"es", "⟦+34 612 34 56 78⟧", Phone},
		{"it", "⟦+39 345 123 4567⟧", Phone},
		{"pt", "⟦+351 912 345 678⟧, ou ⟦(11) 91234-5678⟧", Phone},
		{"fr", "Rose Page (⟦06 39 98 37 79⟧), elle (⟦+44 7700 900141⟧)", Phone},
		{"fr", "=1+1 Rose (⟦(613) 555-0182⟧)", Phone},
		{"en", "or ⟦07700 900208⟧.", Phone},
		{"pt", "zap ⟦(80) 95555-0132⟧ ou ⟦(75) 5555-0148⟧, errei o numero, é ⟦5555-0139⟧", Phone},
		{"fr", "Mon WhatsApp : ⟦07 00 00 41 18⟧", Phone},
		{"es", "mi whatsapp es ⟦600 000 317⟧. El móvil del grupo: ⟦600 000 184⟧", Phone},
		{"en", "My line: ⟦0700 555 0138⟧. Call after 6, call ⟦555-0142⟧", Phone},
		{"it", "ti aspetto al ponte, ⟦347 0001926⟧", Phone},
		{"ca", "truca'm a la biblioteca, ⟦555 01 42⟧. El meu mòbil és el ⟦6 0 0 5 5 5 1 8 8⟧, envia", Phone},
		{"pt", "Não tem que enganar. ⟦268 000 114⟧. É o ⟦231 000 155⟧", Phone},
		{"pt", "o meu telefone está errado, falta o último algarismo do fim: ⟦231 000 155⟧", Phone},
		{"de", "oder nach Frau Dr. Henrike Boysen, ⟦04522 / 555 017⟧.", Phone},
		{"fr", "tel ⟦zero six trente neuf quatre vingt dix huit onze zero deux⟧ 😂", Phone},
		{"ca", "El meu número: ⟦sis-zero-zero, zero zero zero, cinc-nou-zero⟧.", Phone},
		{"en", "call me on ⟦oh seven seven double oh nine oh oh one four one⟧", Phone},
		{"pt", "são 268 000 114 habitantes, o total de 231 000 155 euros, (10) 2014-2015", Phone},
		{"en", "call 2014-2015 a success, number 12 34, the numbers one two three four, text 100-2000", Phone},
		{"fr", "le numéro un, deux, trois et quatre. Les pages 555 01 42, population : 268 000 114", Phone},
		{"en", "scored (10 of 20), rooms 100-200-3000, part 03 of 0500", Phone},
		{"fr", "version 10.0.19041.1234, le 12/03/2014 à 10:30, 15,5/20", Phone},
		{"fr", "1 000 000 000 d'euros en 2013-2014", Phone},
		{"fr", "ISBN 978-2-07-036822-8, numéro ISBN 978-2-07-036822-8", Phone},
		{"fr", "i4x://fun/001/problem/0612345678aa 3.14159265358979", Phone},
		{"fr", "de 2010 à 2014, pages 12-34, 20 000 000 habitants", Phone},
	})
}

func TestPatternsFindPostalAddresses(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "j'habite ⟦12 bis, rue des Lilas, 75011 Paris⟧.", Address},
		{"fr", "au ⟦12 rue des lilas 75011 paris⟧ depuis", Address},
		{"fr", "au ⟦12 rue des lilas⟧ je suis arrivée", Address},
		{"fr", "⟦3 place de la République, 44000 Nantes⟧", Address},
		{"fr", "⟦8, avenue du 8 mai 1945⟧", Address},
		{"fr", "⟦Rue de la Loi 16, 1000 Bruxelles⟧", Address},
		{"fr", "⟦Rue du Rhône 12, 1204 Genève⟧", Address},
		{"fr", "⟦1234 rue Sherbrooke, Montréal (Québec) H2X 1Y4⟧", Address},
		{"es", "vivo en ⟦calle Mayor 12, 3º B, 28013 Madrid⟧", Address},
		{"es", "⟦C/ Alcalá, 45, 28014 Madrid⟧", Address},
		{"it", "⟦via Garibaldi 12, 20121 Milano⟧", Address},
		{"pt", "⟦Rua das Flores, 12, 4000-123 Porto⟧", Address},
		{"en", "⟦123 Main St, Springfield, IL 62701⟧", Address},
		{"en", "I live at ⟦12 High Street, Leeds LS1 4AB⟧.", Address},
		{"en", "⟦221B Baker Street⟧", Address},
		{"fr", "⟦12 rue des Lilas, 3e étage, 75011 Paris⟧. Merci", Address},
		{"fr", "⟦12, rue de l'Église, bâtiment B, appt 12, 44000 Nantes⟧", Address},
		{"fr", "⟦Rue de la Loi 16, bte 3, 1000 Bruxelles⟧", Address},
		{"fr", "⟦17 bd Saint-Michel, Paris 5e⟧, Merci d'avance", Address},
		{"fr", "au ⟦7 de la rue Pasteur⟧. Je viens", Address},
		{"es", "⟦c/ Mayor 12, 2.º izq., 08001 Barcelona⟧", Address},
		{"ca", "⟦carrer Major, 12, 2n 1a, 17001 Girona⟧", Address},
		{"it", "⟦via Roma 3/B, Voghera⟧ oppure ⟦Via Giuseppe Garibaldi, 12, 20121 Milano (MI)⟧", Address},
		{"pt", "⟦Rua das Flores, n.º 12, 3.º Esq., 4000-123 Porto⟧", Address},
		{"pt", "⟦Av. Paulista, 1578, apto 12, São Paulo - SP, 01310-200⟧", Address},
		{"en", "⟦flat 3, 12 Acacia Road, London N1 9GU⟧", Address},
		{"en", "⟦1600 Pennsylvania Avenue NW, Washington, DC 20500⟧", Address},
		{"en", "my postcode is ⟦SW1A 1AA⟧", Address},
		{"pt", "Endereço: ⟦Rua dos Ipês-Roxos 250, casa 3, Londrina⟧.", Address},
		{"pt", "na ⟦rua do Poço Novo, 18-B, Amadora⟧, e ⟦rua Uruguai 77, sala 4⟧", Address},
		{"fr", "⟦4, cité des Électriciens, porte B, Bruay⟧", Address},
		{"fr", "⟦12 bis sente des Carriers, 27700 Les Andelys⟧", Address},
		{"fr", "au ⟦27 sente aux boeufs⟧, ⟦12 bis Grande-Rue, 23200 Aubusson⟧.", Address},
		{"fr", "⟦88, rang Saint-Placide Sud, Baie-Saint-Paul⟧", Address},
		{"fr", "⟦3 rue Neuve, bât. C, 2e étage⟧", Address},
		{"en", "the garage at ⟦14 Shielfield Row⟧, or ⟦8 Stansfield Rise⟧", Address},
		{"en", "kettle at ⟦Unit 6, Weir Lane⟧. We ate, ⟦12 Mill Lane, flat 2⟧", Address},
		{"it", "in ⟦salita San Brigida 9, Genova⟧, ⟦via Roma 12, interno 4⟧", Address},
		{"es", "⟦Cuesta del Horno Viejo, 9⟧. ⟦pasaje Los Arrayanes 318⟧", Address},
		{"es", "en ⟦calle Mayor 14, piso 3º B⟧ y ⟦plaza de Armas s/n⟧", Address},
		{"ca", "al ⟦carrer dels Bous Vells, 23, segon⟧.", Address},
		{"de", "⟦Lindenstraße 12a, 01234 Musterstadt⟧ oder ⟦Hauptstr. 7⟧", Address},
		{"de", "Meine Anschrift: ⟦Moselweißer Weg 214, 56000 Koblenz⟧", Address},
		{"de", "zu Händen Ulrike Ohm, ⟦Am Helmholtzring 94, 98000 Ilmenau⟧.", Address},
		{"es", "envíenlo a ⟦Av. Daniel León Borja 00-41⟧ y Duchicela", Address},
		{"es", "vivo en la ⟦carrera 12 # 34-56⟧, y ella en la ⟦Calle 72 No. 10-34⟧", Address},
		{"fr", "On cite encore Lord Kelvin, 1883, et le cours vidéo 2, Espérance", Address},
		{"fr", "le chapitre 9 du cours. Vous l'avez lu en 139 av. J.-C., à place Clichy, 5,1 km", Address},
		{"fr", "un particulier, rue Gambetta, 1 200 euros", Address},
		{"it", "i morti di piazza San Carlo, 21 e 22 settembre 1864", Address},
		{"en", "Park entrance, 9 to 11, I counted", Address},
		{"de", "über den Staufer. 20.15 Uhr, im Frühling 12 Grad, der schöne Weg 3", Address},
		{"de", "auf dem Weg 3 Leute, Umweg 12 km", Address},
		{"de", "Heimweg 3 Stunden, Nachtweg 12 km", Address},
		{"es", "el Camino Francés 800 km", Address},
		{"fr", "rang 3 du classement, 12 passages difficiles, la cité 2 fois", Address},
		{"es", "la partida 3 y cuesta 20 euros, barrio por barrio", Address},
		{"fr", "il y a 3 cours de langue et 2 places à prendre dans la rue", Address},
		{"en", "the way to go, 2 drive tests", Address},
		{"it", "via mail si può", Address},
	})
}

func TestPatternsFindDatesOfBirth(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "je suis née le ⟦12 mars 1985⟧ à la montagne", Date},
		{"fr", "né le ⟦12/03/1985⟧", Date},
		{"fr", "date de naissance : ⟦1985-03-12⟧", Date},
		{"fr", "Je suis né en ⟦1985⟧", Date},
		{"fr", "mon anniversaire c'est le ⟦12 mars⟧", Date},
		{"en", "I was born on ⟦March 12, 1985⟧", Date},
		{"en", "DOB: ⟦12.03.1985⟧", Date},
		{"es", "nací el ⟦12 de marzo de 1985⟧", Date},
		{"it", "sono nata il ⟦12 marzo 1985⟧", Date},
		{"pt", "nascida em ⟦12 de março de 1985⟧", Date},
		{"ca", "vaig ser nascuda el ⟦12 de març de 1985⟧", Date},
		{"fr", "née à Sablé-sur-Sarthe, dans la Sarthe, le ⟦1er mars 1985⟧", Date},
		{"fr", "né le ⟦17/04/99⟧, ⟦2 mai 1980⟧ date de naissance", Date},
		{"en", "my grandmother, b. ⟦11 March 1899⟧, and ⟦4/9/1998⟧ is my birthday", Date},
		{"de", "geb. ⟦12.3.1980⟧; geboren am ⟦3. März 1985⟧", Date},
		{"it", "nata il ⟦primo marzo 1951⟧", Date},
		{"ca", "nascut el ⟦7 de setembre de 1951⟧", Date},
		{"es", "mi fecha de nacimiento está mal: dice ⟦03/11/1956⟧ y es ⟦11/03/1956⟧.", Date},
		{"fr", "ma date de naissance, vous avez mis le ⟦12/04/2001⟧ et c'est le ⟦04/12/2001⟧, merci", Date},
		{"de", "Geburtsdatum: steht ⟦4.11.1989⟧, richtig ist ⟦11.4.1998⟧. Am ⟦12.08.1951⟧ bin ich geboren", Date},
		{"it", "la data di nascita sbagliata: ⟦12/06/1970⟧ invece di ⟦21/06/1970⟧.", Date},
		{"it", "la data di nascita e non accetta ⟦3/2/'51⟧. Nemmeno ⟦3 febbraio 1951⟧.", Date},
		{"en", "they ask for date of birth. I entered ⟦14.03.1961⟧ and it says error", Date},
		{"fr", "ma date et mon lieu de naissance. C'est normal ? J'ai mis ⟦17 mars 1992⟧, ici", Date},
		{"fr", "Qui est né le même jour que moi, le ⟦9 juin⟧ ?", Date},
		{"it", "Nato il 26 dicembre 1194, morto il 13 dicembre 1250", Date},
		{"fr", "elle ignorait sa date de naissance, mais le 6 décembre elle recevait une poire", Date},
		{"en", "date of birth is asked. The exam is on 14.03.2014 and the next is 15.03.2014", Date},
		{"fr", "Exercice 12 b. Le 11 mars 2014 on commence", Date},
		{"en", "option b) is on 11 March 2014, part b 12.3.2014", Date},
		{"fr", "je ne le rends pas avant le 12 mars 2014", Date},
		{"fr", "le cours commence le 12 mars 2014", Date},
	})
}

func TestPatternsFindPersonalNumbersByTheirCheckDigits(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "sécu ⟦2 69 05 49 588 157 80⟧", Identifier},
		{"fr", "⟦FR76 3000 6000 0112 3456 7890 189⟧ merci", Identifier},
		{"en", "⟦GB82WEST12345698765432⟧", Identifier},
		{"es", "DNI ⟦12.345.678-Z⟧, mi DNI es ⟦12345677B⟧", Identifier},
		{"es", "DNI ⟦12345678Z⟧ y NIE ⟦X1234567L⟧", Identifier},
		{"it", "⟦RSSMRA85T10A562S⟧", Identifier},
		{"fr", "⟦85.07.30-033.28⟧", Identifier},
		{"fr", "⟦756.9217.0769.85⟧", Identifier},
		{"pt", "⟦529.982.247-25⟧", Identifier},
		{"en", "⟦4111 1111 1111 1111⟧", Identifier},
		{"en", "my SSN is ⟦123-45-6789⟧", Identifier},
		{"en", "⟦AB 12 34 56 C⟧", Identifier},
		{"fr", "mon numéro étudiant : ⟦21304567⟧", Identifier},
		{"fr", "numéro de sécu : ⟦2 85 05 75 123 456⟧, dossier n° ⟦2014-123456⟧ ok", Identifier},
		{"fr", "le dossier 3 contient 12345 fichiers", Identifier},
		{"en", "student id ⟦s1234567⟧", Identifier},
		{"fr", "FR76 3000 6000 0112 3456 7890 188", Identifier},
		{"es", "12345678A", Identifier},
		{"fr", "étudiant en 2013 et 2014", Identifier},
	})
}

func TestPatternsFindNetworkAddresses(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "mon ip ⟦81.56.12.34⟧.", Identifier},
		{"fr", "⟦2001:db8:85a3::8a2e:370:7334⟧", Identifier},
		{"fr", "version 4.12.3.1 et v 1.2.3.4, 127.0.0.1, 192.168.1.1", Identifier},
		{"fr", "à 12:34:56 std::vector a::b 1.2.3.4.5", Identifier},
	})
}

func TestPatternsFindHandles(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "skype : ⟦zoe.martin⟧", Username},
		{"fr", "insta @⟦zoe_m⟧ et discord ⟦zoem#1234⟧", Username},
		{"fr", "mon insta c'est ⟦zozo44⟧", Username},
		{"en", "my skype is ⟦johnny⟧ ok", Username},
		{"fr", "merci @⟦zoe-martin⟧ !", Username},
	})
	for _, text := range []string{"on peut faire un skype ensemble, insta pas trop", "bonjour @tous et @everyone", "`@param x` à 5 € @ 3 h", "facebook est nul", "le groupe whatsapp pour tous"} {
		if marks := marksOf(NewPatterns(), "fr", text); len(marks) > 0 {
			t.Errorf("%q: marked %v", text, marks)
		}
	}
}

func TestPatternsFindInstitutionsByTheirNumber(t *testing.T) {
	checkExpectations(t, NewPatterns(), []expectation{
		{"fr", "j'enseigne au ⟦lycée n° 117⟧ et ma sœur à l'⟦école nº 5⟧.", Organisation},
		{"fr", "à l'⟦école primaire publique n° 12⟧ de Mvam", Organisation},
		{"es", "estudié en la ⟦Escuela 740⟧, directora del ⟦liceo 6⟧ de Santiago", Organisation},
		{"es", `la ⟦escuela n.º 4 "La Retama"⟧ y el ⟦jardín de infantes 908⟧.`, Organisation},
		{"es", "en la ⟦secundaria técnica núm. 33⟧ nadie", Organisation},
		{"it", "al ⟦liceo n. 3⟧ di Prato, ⟦scuola elementare n. 12⟧", Organisation},
		{"pt", "na ⟦escola nº 2⟧ e na ⟦Escola Básica n.º 14⟧", Organisation},
		{"ca", "a l'⟦escola núm. 7⟧, al ⟦Institut núm. 2⟧", Organisation},
		{"en", "I taught at ⟦School No. 4⟧ and at ⟦Secondary School No 12⟧ there", Organisation},
		{"de", "an der ⟦Schule Nr. 12⟧, früher ⟦Oberschule Nr. 3⟧", Organisation},
		{"en", "born in ⟦Hospital No. 6⟧", Organisation},
		{"fr", "un lycée de 1200 élèves, l'école 42, école n°1 en France, l'école n° 2 et 3, au collège en 2014", Organisation},
		{"en", "School 1 has 200 pupils and school 2 has 300; hospital no. 3 of the sample; the school number 4 of the table", Organisation},
		{"de", "In Schule 1 und Schule 2, die Schule mit 12 Klassen, Schule 2014", Organisation},
		{"es", "un colegio 30 años, el instituto 2 veces, la escuela número 1 del mundo, jardín n.º 3", Organisation},
		{"it", "la scuola 100 anni fa, il liceo 2 volte, scuola 2014", Organisation},
		{"pt", "a escola 3 vezes, o colégio 20 anos", Organisation},
	})
}

// Ordinary text of a course: nothing of it has a personal form.
func TestPatternsLeaveCourseTextAlone(t *testing.T) {
	for lang, texts := range map[string][]string{
		"fr": {"J'ai eu 15/20 au quiz 3 (2 essais), merci !", "Rendez-vous le 12/03/2014 à 18h30, salle B204.", "La version 2.7.3 de Python, cf. RFC 2616.",
			"module i4x://Ecole/001/problem/123456789012345", "f(x) = 3,14 × 10^12 et $x_{12345678}$", "1 234 567,89 € pour 12 345 678 habitants", "né de parents inconnus, il ne le sait pas"},
		"en": {"I got 12 out of 20 on problem 3-4.", "see chapter 10.2.3.4 of the book", "Call of Duty 4 is from 2007", "the 1st street fair drew 20000 people", "my way or the highway"},
		"es": {"Tengo 3 preguntas sobre la calle", "El 50% de 1.000.000 de personas"},
		"pt": {"A rua tem 3 casas"},
		"it": {"per via del covid 2020 abbiamo"},
	} {
		for _, text := range texts {
			for _, m := range marksOf(NewPatterns(), lang, text) {
				t.Errorf("%q: %q marked as %s (%s)", text, text[m.Start:m.End], m.Category, m.What)
			}
		}
	}
}

// FuzzPatternsMarkWholeSpansOfTheText: marks lie in the text, are not empty,
// name their evidence, and a text is marked alike each time.
func FuzzPatternsMarkWholeSpansOfTheText(f *testing.F) {
	for _, seed := range []string{"zoe@exemple.fr 06 39 98 12 34 +", "http://a/~b?user=c&", "12 rue", "née le 12/03/1985 @x", "::1:2:3 1.2.3.4", "skype:x#1234", "FR76 30", "&#64;@@", "(at) arobase", "www.a.b/@c/u/d"} {
		f.Add(seed)
	}
	p := NewPatterns()
	f.Fuzz(func(t *testing.T, text string) {
		marks := marksOf(p, "fr", text)
		again := marksOf(p, "fr", text)
		for i, m := range marks {
			if m.Start < 0 || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("mark %d:%d of %d bytes", m.Start, m.End, len(text))
			}
			if !m.Category.Valid() || !m.Proposal.Valid() || m.What == "" || m.Score <= 0 || m.Score > 1 {
				t.Fatalf("mark without sense: %+v", m)
			}
			if again[i].Start != m.Start || again[i].End != m.End {
				t.Fatal("marked otherwise the second time")
			}
		}
	})
}

// An e-mail address is found wherever it stands in a text, in any spelling we
// promise.
func TestEmailIsFoundInAnySpellingAndAnyPlace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	at := []string{"@", "&#64;", "&#x40;", " @ ", "(at)", " [at] ", " (arobase) ", "@\u200b", "＠"}
	dot := []string{".", "&#46;", ".\u200b"}
	around := [][2]string{{"", ""}, {"(", ")"}, {"mail : ", "."}, {"<b>", "</b>"}, {"Écris-moi, ", " merci"}, {"\n", "\n"}, {"« ", " »"}}
	p := NewPatterns()
	for range 500 {
		a := around[random.IntN(len(around))]
		mail := "zoe.martin" + at[random.IntN(len(at))] + "exemple" + dot[random.IntN(len(dot))] + "fr"
		text := a[0] + mail + a[1]
		covered := false
		for _, m := range marksOf(p, "fr", text) {
			if strings.Contains(text[m.Start:m.End], "martin") && strings.Contains(text[m.Start:m.End], "exemple") && m.Category == Email {
				covered = true
			}
		}
		if !covered {
			t.Fatalf("not found in %q", text)
		}
	}
}

// Who says anywhere that they have a site, and gives one address, gives their own.
func TestOnlyAddressOfWhoeverHasASite(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"J'ai une chaîne où je parle de jardinage depuis trois ans. Les vidéos sont courtes. C'est par là : www.videos.example/c/potagerduvent", "www.videos.example/c/potagerduvent"},
		{"Tengo un canal de cocina. No es gran cosa, lo sé. Si alguien se anima: https://cocinalenta.zz/recetas", "https://cocinalenta.zz/recetas"},
		{"Meu blog fala de educação. Escrevo pouco, mas gosto. O endereço fica aqui: cadernodegiz.com", "cadernodegiz.com"},
		{"I finally put my website online. It took me ages! (teawithorla.net/home)", "teawithorla.net/home"},
		{"Ich habe einen Blog über alte Karten. Manche finden das komisch. Hier: altekarten.ch/start", "altekarten.ch/start"},
		{"Ho un canale dove suono la fisarmonica. Ogni tanto pubblico qualcosa. Ecco: www.suonalo.zz/mantice", "www.suonalo.zz/mantice"},
		{"Tinc un blog de cuina. Hi escric quan puc. Si el voleu llegir: https://fumdepi.cat/receptes", "https://fumdepi.cat/receptes"},
		{"My brother has a blog about trains. He writes every week. https://slowsidings.zz/about", "https://slowsidings.zz/about"},

		{"No tengo un canal. Mirad esto: https://cocinalenta.zz/recetas", ""},
		{"My favourite channel explains it better. Watch: https://scienceclips.zz/watch/44", ""},
		{"I have a website to recommend. Good for grammar. https://grammarbank.zz/tenses", ""},
		{"J'ai un blog. Hier j'ai lu cet article : https://revue.zz/2021/03", ""},
		{"J'ai un blog. Voir https://fr.wikipedia.org/wiki/Potager", ""},
		{"I have a blog. Two links: https://a-b.zz/1 and https://c-d.zz/2", ""},
		{"Ma page est blanche. https://outils.zz/exercice/12", ""},
		{"J'ai une page blanche. Là : https://outils.zz/ex/12", ""},
		{"Mon site de travail est loin. Plan : https://plan-metro.zz/ligne4", ""},
		{"I have a blog. Write to me: orla@teawith.example", ""},
		{"Le prof a une chaîne. Tout y est : https://lecons-du-soir.zz/a", ""},
	} {
		doc := NewDocument(corpus.Post{}, "body", []byte(tt.text))
		doc.Lang = Identify(doc.Tokens)
		got := ""
		for _, m := range NewPatterns().Detect(doc, nil) {
			if m.Category == URL {
				got = tt.text[m.Start:m.End]
			}
		}
		if got != tt.want {
			t.Errorf("%q gives %q, want %q", tt.text, got, tt.want)
		}
	}
}

// A page of a course, of an article or of a tool is nobody's, though no list knows its host.
func TestCitedPagesAreNobodys(t *testing.T) {
	for _, text := range []string{
		"Leed este artículo: https://revista-norte.example/articulos/2021",
		"He llegit l'article https://diari-nou.example/ciencia/clima i m'ha agradat.",
		"Recomendo este site para treinar: https://exercicios-bons.example/verbos",
		"J'ai trouvé une chaîne géniale : https://maths-en-bref.example/algebre",
		"En mi página del curso aparece el aviso: https://aula-nueve.example/avisos/7",
		"I read this on the course page: https://unit-four.example/unit/4",
	} {
		doc := NewDocument(corpus.Post{}, "body", []byte(text))
		doc.Lang = Identify(doc.Tokens)
		for _, m := range NewPatterns().Detect(doc, nil) {
			t.Errorf("%q gives %q", text, text[m.Start:m.End])
		}
	}
	text := "J'ai écrit un article sur mon blog, ici : https://dune-a-dune.example/notes"
	if doc := NewDocument(corpus.Post{}, "body", []byte(text)); len(NewPatterns().Detect(doc, nil)) == 0 {
		t.Errorf("%q gives nothing", text)
	}
}

// BenchmarkHostileText reads texts made to be slow, and says how many times
// slower a byte of them is than a byte of course talk.
func BenchmarkHostileText(b *testing.B) {
	detectors := []Detector{NewPatterns(), shippedESLO(b)}
	spent := func(text []byte) float64 {
		doc := NewDocument(corpus.Post{Lang: "fr"}, "body", text)
		start := time.Now()
		for _, d := range detectors {
			d.Detect(doc, nil)
		}
		return float64(time.Since(start).Nanoseconds()) / float64(len(text))
	}
	for _, piece := range []string{"@", "1 ", "1.1.", "a-", "je euh ", "!", "http://", "je je ", "(at) ", "::1", "12 rue ", "Zoé, ", "+", "née "} {
		b.Run(strings.TrimSpace(piece), func(b *testing.B) {
			text := []byte(strings.Repeat(piece, 100_000/len(piece)))
			var hostile, ordinary float64
			for b.Loop() {
				hostile += spent(text)
				ordinary += spent(benchText)
			}
			b.ReportMetric(hostile/ordinary, "×course-talk")
		})
	}
}

// benchText is course talk with a few personal things in it, about one in
// thirty words.
var benchText = []byte(strings.Repeat(`Bonjour à tous, je n'ai pas compris la question 3 de l'exercice 2 : faut-il diviser par n ou par n-1 ? J'ai trouvé 12,5 mais le corrigé dit 15. Merci d'avance !
Merci Camille pour ta réponse, d'accord avec toi sur la vidéo de la semaine 4. Je travaille à Nantes comme infirmière, mon fils de 8 ans m'a aidée. Écrivez-moi : camille@exemple.fr ou 06 39 98 12 34.
I think that the second part of the course is much harder than the first one, thanks John for the link http://www.example.org/page.html?id=12 that you have posted here. My name is Mary and I live in Leeds.
`, 40))

// BenchmarkPatterns reads a document of mixed talk. The ratio is the time to
// cut the same text into tokens, the work no detector can do without.
func BenchmarkPatterns(b *testing.B) {
	benchmarkDetector(b, NewPatterns())
}

func benchmarkDetector(b *testing.B, detector Detector) {
	doc := NewDocument(corpus.Post{}, "body", benchText)
	start := time.Now()
	for range 20 {
		doc.Reset(corpus.Post{}, "body", benchText)
	}
	cut := time.Since(start) / 20
	doc.Lang = "fr"
	b.SetBytes(int64(len(benchText)))
	b.ReportAllocs()
	var marks []Mark
	for b.Loop() {
		marks = detector.Detect(doc, marks[:0])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cut.Nanoseconds()), "×tokenising")
	if len(marks) == 0 {
		b.Fatal("nothing found")
	}
}
