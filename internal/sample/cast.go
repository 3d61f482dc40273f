package sample

// castRow is one person of the cast. An empty e-mail or full name follows from
// the names.
type castRow struct {
	id          int64
	username    string
	first, last string
	full, email string
	gender      string
	born        int
	education   string
	country     string
	language    string
	logOnly     bool
}

// castRows are the people every export begins with. All are invented. Each is
// here because something about them is easy to miss or easy to over-mask:
// names that are words and places, accents and other scripts, particles and
// apostrophes, usernames that are words of the log's own vocabulary, that look
// like an e-mail, a number, a pseudonym or somebody else's user id.
var castRows = []castRow{
	{id: 1, username: "admin.imaginaire", first: "Prudence", last: "Martin", gender: "f", born: 1971, education: "p", country: "FR", language: "fr"},
	{id: 48, username: "audit", first: "Olive", last: "Page", gender: "f", born: 1984, education: "m", country: "GB", language: "en"},
	{id: 7, username: "1", first: "Pierre", last: "Rose", gender: "m", born: 1990, education: "b", country: "FR", language: "fr"},
	{id: 12, username: "page", first: "Sylvie", last: "Paris", gender: "f", born: 1962, education: "m", country: "FR", language: "fr"},
	{id: 23, username: "true", first: "Will", last: "Deed", gender: "m", born: 1995, education: "hs", country: "US", language: "en"},
	{id: 102, username: "rose", first: "Rose", last: "Olive", gender: "f", born: 1988, education: "b", country: "FR", language: "fr"},
	{id: 2045, username: "null", first: "Émile", last: "Null", gender: "m", born: 1979, education: "m", country: "BE", language: "fr"},
	{id: 6060, username: "problem", first: "Grace", last: "Stone", gender: "f", born: 1999, education: "hs", country: "US", language: "en"},
	{id: 61007, username: "jean.petit@mail.example", first: "Jean", last: "Petit", email: "jean.petit@mail.example", gender: "m", born: 1955, education: "p", country: "FR", language: "fr"},
	{id: 61019, username: "contact@atelier.example", first: "Léa", last: "Fontaine", gender: "f", born: 1993, education: "m", country: "FR", language: "fr"},
	{id: 104729, username: "andré.dupré", first: "André", last: "Dupré", gender: "m", born: 1948, education: "none", country: "FR", language: "fr"},
	{id: 224737, username: "мария_к", first: "Мария", last: "Кузнецова", gender: "f", born: 1986, education: "m", country: "RU", language: "ru"},
	{id: 224743, username: "s.volkov", first: "Сергей", last: "Волков", gender: "m", born: 1974, education: "p", country: "RU", language: "ru"},
	{id: 350377, username: "roza-z", first: "Роза", last: "Зимина", gender: "f", born: 1991, education: "b", country: "RU", language: "ru"},
	{id: 479909, username: "hdelatour", first: "Hélène", last: "de La Tour", gender: "f", born: 1967, education: "m", country: "FR", language: "fr"},
	{id: 479951, username: "vandermeer_j", first: "Joost", last: "van der Meer", gender: "m", born: 1982, education: "m", country: "NL", language: "en"},
	{id: 611953, username: "_siobhan_", first: "Siobhán", last: "O'Neil", gender: "f", born: 1977, education: "b", country: "GB", language: "en"},
	{id: 611957, username: "eloise-darvor", first: "Éloïse", last: "d'Arvor", gender: "f", born: 2001, education: "hs", country: "FR", language: "fr"},
	{id: 746773, username: "jmlefevre", first: "Jean-Marie", last: "Lefèvre-Dubois", gender: "m", born: 1959, education: "m", country: "FR", language: "fr"},
	{id: 746777, username: "hoa.ng", first: "Thị Hoa", last: "Nguyễn", full: "Nguyễn Thị Hoa", gender: "f", born: 1998, education: "b", country: "FR", language: "fr"},
	{id: 882377, username: "bo", first: "Bo", last: "Ng", gender: "o", born: 2000, education: "jhs", country: "CA", language: "fr"},
	{id: 882389, username: "bobby", first: "Robert", last: "Tables", full: `Robert "Bobby" Tables`, gender: "m", born: 1985, education: "b", country: "US", language: "en"},
	{id: 1020379, username: "lecomte-hugues", first: "Hugues", last: "Lecomte", full: "Lecomte, Hugues (Dr)", gender: "m", born: 1951, education: "p", country: "FR", language: "fr"},
	{id: 1020389, username: "u1999999999", first: "Ulysse", last: "Marin", gender: "m", born: 1994, education: "b", country: "FR", language: "fr"},
	{id: 1159523, username: "48", first: "Quentin", last: "Huit", gender: "m", born: 1997, education: "b", country: "FR", language: "fr"},
	{id: 1159531, username: "retired__user_3f5c1f6e0d9b2a7788c4d1e2f3a4b5c6d7e8f901", email: "retired__user_3f5c1f6e0d9b2a7788c4d1e2f3a4b5c6d7e8f901@retired.invalid", gender: "NULL", education: "NULL", country: "FR", language: "fr"},
	{id: 1159549, username: "retired__user_00112233445566778899aabbccddeeff01234567", email: "retired__user_00112233445566778899aabbccddeeff01234567@retired.invalid", gender: "NULL", education: "NULL", country: "ES", language: "es"},
	{id: 1299709, username: "angel", first: "Ángel", last: "Peña Santos", gender: "m", born: 1983, education: "m", country: "ES", language: "es"},
	{id: 1299721, username: "dolores.bueno", first: "Dolores", last: "Bueno", gender: "f", born: 1966, education: "b", country: "ES", language: "es"},
	{id: 1299743, username: "pilar_campos", first: "Pilar", last: "Campos", gender: "f", born: 1989, education: "m", country: "MX", language: "es"},
	{id: 1441049, username: "gioia", first: "Gioia", last: "Bianchi", gender: "f", born: 1992, education: "m", country: "IT", language: "it"},
	{id: 1441051, username: "fiore.romano", first: "Fiore", last: "Romano", gender: "m", born: 1969, education: "hs", country: "IT", language: "it"},
	{id: 1441063, username: "niccolò_d", first: "Niccolò", last: "D'Angelo", gender: "m", born: 1996, education: "b", country: "IT", language: "it"},
	{id: 1583539, username: "soren+mooc", first: "Søren", last: "Ågård", gender: "m", born: 1975, education: "m", country: "DE", language: "en"},
	{id: 1583549, username: "Łukasz.Ż", first: "Łukasz", last: "Żółć", gender: "m", born: 1987, education: "b", country: "DE", language: "en"},
	{id: 1583557, username: "ibrahim", first: "İbrahim", last: "Çelik", gender: "m", born: 1980, education: "b", country: "DE", language: "en"},
	{id: 1726943, username: "straße7", first: "Jürgen", last: "Weiß", gender: "m", born: 1957, education: "p", country: "DE", language: "en"},
	{id: 1726951, username: "花子", first: "Hanako", last: "Mori", full: "森 花子", gender: "f", born: 1990, education: "m", country: "JP", language: "en"},
	{id: 1870667, username: "zoe", first: "Zoé", last: "Blanc", gender: "f", born: 1999, education: "b", country: "FR", language: "fr"},
	{id: 1870679, username: "zoe2", first: "Zoé", last: "Leblanc", gender: "f", born: 1973, education: "m", country: "FR", language: "fr"},
	{id: 1870693, username: "zoeb", first: "Zoë", last: "Blanche", gender: "f", born: 1968, education: "b", country: "BE", language: "fr"},
	{id: 2014763, username: "noel", first: "Noël", last: "Juste", gender: "m", born: 1960, education: "hs", country: "FR", language: "fr"},
	{id: 2014771, username: "marguerite.fleury", first: "Marguerite", last: "Fleury", gender: "f", born: 1944, education: "p", country: "FR", language: "fr"},
	{id: 2014783, username: "iris-m", first: "Iris", last: "Moreau", gender: "f", born: 2002, education: "hs", country: "CA", language: "fr"},
	{id: 2159489, username: "florence", first: "Florence", last: "Lyon", gender: "f", born: 1985, education: "m", country: "FR", language: "fr"},
	{id: 2159503, username: "april.may", first: "April", last: "May", gender: "f", born: 1991, education: "b", country: "US", language: "en"},
	{id: 2159509, username: "mark", first: "Mark", last: "Hope", gender: "m", born: 1963, education: "m", country: "GB", language: "en"},
	{id: 2304551, username: "constant_b", first: "Constant", last: "Bonheur", gender: "m", born: 1976, education: "b", country: "SN", language: "fr"},
	{id: 2304559, username: "aminata.d", first: "Aminata", last: "Diallobe", gender: "f", born: 1997, education: "m", country: "SN", language: "fr"},
	{id: 2304563, username: "youssef-el-m", first: "Youssef", last: "El Mansouri Alaoui", gender: "m", born: 1988, education: "m", country: "MA", language: "fr"},
	{id: 2450131, username: "victoire", first: "Victoire", last: "Legrand", gender: "f", born: 1994, education: "b", country: "FR", language: "fr"},
	{id: 2450141, username: "modeste.petit", first: "Modeste", last: "Petit", gender: "m", born: 1958, education: "a", country: "FR", language: "fr"},
	{id: 2596151, username: "suharti", first: "Suharti", last: "Suharti", full: "Suharti", gender: "f", born: 1993, education: "b", country: "NL", language: "en"},
	{id: 2596157, username: "ana", first: "Ana", last: "Costa", gender: "f", born: 1986, education: "m", country: "BR", language: "es"},
	{id: 2596159, username: "anabel", first: "Anabel", last: "Costales", gender: "f", born: 1981, education: "b", country: "ES", language: "es"},
	{id: 2742671, username: "MARTIN-P", first: "Martin", last: "Pierre", gender: "m", born: 1972, education: "m", country: "BE", language: "fr"},
	{id: 2742683, username: "charlotte-amelie-bernadette-montgolfiere_des_essarts.2014", first: "Charlotte-Amélie", last: "Montgolfière des Essarts", gender: "f", born: 1949, education: "p", country: "FR", language: "fr"},
	{id: 2742689, username: "ada", first: "Ada", last: "Bolt", full: "<b>Ada</b> Bolt & fils", gender: "f", born: 1990, education: "m", country: "GB", language: "en"},
	{id: 2889629, username: "visiteuse", first: "Capucine", last: "Brume", gender: "f", born: 1995, education: "b", country: "FR", language: "fr", logOnly: true},
	{id: 2889643, username: "auditeur.libre", first: "Octave", last: "Silence", gender: "m", born: 1950, education: "p", country: "BE", language: "fr", logOnly: true},
}

// commonValues are identifiers of the cast, folded, that are also words,
// places or numbers of everyday text and logs. A release may rightly hold them
// where no person stands.
var commonValues = map[string]bool{
	"1": true, "7": true, "12": true, "23": true, "48": true, "102": true, "2045": true, "6060": true,
	"audit": true, "page": true, "true": true, "rose": true, "null": true, "problem": true, "bo": true,
	"ng": true, "angel": true, "noel": true, "mark": true, "ana": true, "ada": true, "zoe": true, "florence": true,
	"prudence": true, "martin": true, "olive": true, "pierre": true, "sylvie": true, "paris": true, "will": true, "deed": true,
	"grace": true, "stone": true, "jean": true, "petit": true, "fontaine": true, "marin": true, "huit": true,
	"bueno": true, "dolores": true, "pilar": true, "campos": true, "fiore": true, "romano": true, "gioia": true,
	"blanc": true, "blanche": true, "juste": true, "marguerite": true, "iris": true, "lyon": true, "april": true, "may": true,
	"hope": true, "constant": true, "bonheur": true, "victoire": true, "legrand": true, "modeste": true, "bolt": true,
	"brume": true, "silence": true, "octave": true, "capucine": true, "robert": true, "tables": true, "mori": true,
	"роза": true, "costa": true, "victoria": true, "visiteuse": true, "emile": true, "leblanc": true, "bianchi": true,
}

var firstNames = []string{
	"Alix", "Basile", "Céleste", "Doriane", "Edgar", "Faustine", "Gaspard", "Honorine", "Isaure", "Jules",
	"Katell", "Léonie", "Maël", "Ninon", "Ombeline", "Pénélope", "Romane", "Sixtine", "Tanguy", "Urbain",
	"Valère", "Wilhelmine", "Xavière", "Yann", "Zélie", "Amber", "Bertram", "Cordelia", "Duncan", "Esther",
	"Felicity", "Gwen", "Hector", "Ingrid", "Jasper", "Leonora", "Milo", "Nadia", "Oscar", "Petra",
}

var (
	surnameStarts  = []string{"Bar", "Bel", "Cas", "Chan", "Cor", "Dal", "Dor", "Fal", "Fer", "Gal", "Gor", "Har", "Jol", "Lam", "Lor", "Mal", "Mor", "Nar", "Pel", "Por", "Quer", "Ral", "Sar", "Tal", "Tor", "Val", "Ver", "Vil"}
	surnameMiddles = []string{"a", "be", "ci", "dé", "e", "fi", "go", "i", "la", "ma", "ne", "o", "pi", "ra", "se", "ti", "u", "vo"}
	surnameEnds    = []string{"bois", "card", "dieu", "fond", "gnac", "lier", "mont", "nac", "quin", "ret", "sac", "tel", "vaux", "vers", "zan", "court", "dour", "fay"}
)
