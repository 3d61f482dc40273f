package forum

import (
	"strings"

	"anonymooc/forum/detect"
)

// wholeInstitution widens a name to the institution it is part of: what says its
// kind stands before it ("centre de santé de …", "résidence du …-le-…") or, in
// English and German, behind it ("… cottage hospital", "… Gymnasium").
func wholeInstitution(doc *detect.Document, from, to int, category detect.Category) (first, last int, ok bool) {
	if last = institutionNumber(doc, to); last > to {
		return institutionFrom(doc, from), last, true
	}
	first = institutionFrom(doc, from)
	if first < from {
		last = nameEnd(doc, to)
		return clubSport(doc, first), foundedIn(doc, first, last), true
	}
	if last = institutionTo(doc, to, category); last > to {
		return nameStart(doc, from), last, true
	}
	if head := &doc.Tokens[from]; to > from && category.Person() && head.Any(detect.Capital) && !head.Any(detect.SentenceStart) && (institutionHead(head, true) || clubs[head.Folded]) {
		if last = nameEnd(doc, to); last > to { // "Centre Excursionista" taken for a name, "de Gironella"
			return clubSport(doc, from), last, true
		}
	}
	if category == detect.Organisation {
		first, last = clubSport(doc, from), foundedIn(doc, from, to)
		return first, last, first < from || last > to
	}
	return from, to, false
}

// clubSport gives the sport with a capital that stands before the club that begins at
// token from: "Football Club de …"; from when there is none.
func clubSport(doc *detect.Document, from int) int {
	if from == 0 || doc.Tokens[from].Any(detect.LineStart) || !clubs[doc.Tokens[from].Folded] {
		return from
	}
	if before := &doc.Tokens[from-1]; before.Has(detect.Word|detect.Capital) && sports[before.Folded] {
		return from - 1
	}
	return from
}

// foundedIn gives the number that is the end of a name of a team or a group whose first
// token is from: "TSV Erlenbach 1908", "gruppo scout Norcia 1"; to when there is none.
func foundedIn(doc *detect.Document, from, to int) int {
	if to+1 >= len(doc.Tokens) || !doc.Tokens[to].Any(detect.Capital) {
		return to
	}
	number := &doc.Tokens[to+1]
	if !number.Any(detect.Number) || len(number.Text) > 4 || number.Any(detect.LineStart|detect.InMarkup|detect.InURL) || counted(doc, to+2) && !together[doc.Tokens[to+2].Folded] {
		return to
	}
	for i := from; i < to; i++ {
		if numbered[doc.Tokens[i].Folded] {
			return to + 1
		}
	}
	return to
}

// institutionNumber gives the number for which the institution is called whose noun,
// perhaps with words of its kind, ends at token to: "lycée n° 117", "Escuela 740";
// to when there is none.
func institutionNumber(doc *detect.Document, to int) int {
	noun := to
	for noun >= 0 && noun > to-3 && kinds[doc.Tokens[noun].Folded] && !institutions[doc.Tokens[noun].Folded] {
		noun--
	}
	if noun < 0 || !institutions[doc.Tokens[noun].Folded] && !institutions[doc.Tokens[to].Folded] {
		return to
	}
	sign := false
	for i := to + 1; i < len(doc.Tokens) && i <= to+4; i++ {
		tok := &doc.Tokens[i]
		switch {
		case tok.Any(detect.LineStart | detect.InMarkup | detect.InURL):
			return to
		case tok.Any(detect.Number):
			digits := len(tok.Text)
			if digits <= 4 && sign || digits == 3 && doc.Tokens[noun].Any(detect.Capital) && !counted(doc, i+1) {
				return i
			}
			return to
		case numberSign[tok.Folded] || numberSign[tok.Text]:
			sign = true
		case sign && (tok.Text == "." || tok.Text == "°" || tok.Text == "º"):
		default:
			return to
		}
	}
	return to
}

// counted reports whether token i may be what a number before it counts: a word in
// small letters, not "of" and its like.
func counted(doc *detect.Document, i int) bool {
	return i < len(doc.Tokens) && doc.Tokens[i].Any(detect.Word) && !doc.Tokens[i].Any(detect.LineStart) && !linking[doc.Tokens[i].Folded]
}

// numberSign are the signs for "number".
var numberSign = wordSet("n no nr num nro numero number nummer nº n° no. №")

// farthest bounds how many words stand between a name and what it is.
const farthest = 7

// institutionFrom gives the first of the words that say what an institution is,
// when its name at token from follows them: "école secondaire du …"; from when
// none do.
func institutionFrom(doc *detect.Document, from int) int {
	first, kind, of := from, false, false
	for i := from - 1; i >= 0 && i >= from-farthest && !doc.Tokens[i+1].Any(detect.LineStart|detect.InMarkup); i-- {
		tok := &doc.Tokens[i]
		switch {
		case of && !tok.Any(detect.Capital):
			return first // "the school of …"
		case institutionHead(tok, kind || i+1 == from) || vague[tok.Folded] && (kind || i+1 == first && first < from):
			first = i
			if of {
				return groupStart(doc, first)
			}
		case tok.Folded == "of" || tok.Folded == "the" && first == from:
			of = of || tok.Folded == "of"
		case kinds[tok.Folded]:
			kind = true
		case linking[tok.Folded] || tok.Folded == "'" || tok.Folded == "’" || tok.Text == "-":
		case tok.Has(detect.Word|detect.Capital) && !tok.Any(detect.SentenceStart): // another word of the name
		default:
			return first
		}
	}
	return first
}

// groupStart gives the first of the words with capitals that end with token head:
// "Parents' Association of …".
func groupStart(doc *detect.Document, head int) int {
	first := head
	for i := head - 1; i >= 0 && i >= head-farthest && !doc.Tokens[i+1].Any(detect.LineStart|detect.InMarkup); i-- {
		switch tok := &doc.Tokens[i]; {
		case tok.Has(detect.Word|detect.Capital) && !tok.Any(detect.SentenceStart):
			first = i
		case tok.Folded == "'" && glued(doc, i):
		default:
			return first
		}
	}
	return first
}

// institutionHead reports whether a word before a name says what kind of institution
// it names. beside says that nothing stands between them but a word for its kind.
func institutionHead(tok *detect.Token, beside bool) bool {
	if institutions[tok.Folded] || groups[tok.Folded] || beside && besideGroups[tok.Folded] {
		return true
	}
	if !tok.Any(detect.Capital) || tok.Any(detect.SentenceStart) {
		return false
	}
	if members[tok.Folded] {
		return true
	}
	for _, ending := range headEndings {
		if strings.HasSuffix(tok.Folded, ending) && len(tok.Folded) > len(ending)+2 {
			return true // German: "Sekundarschule", "Musikverein"
		}
	}
	return false
}

// institutionTo gives the last of the words behind token to that say what an
// institution of that name is; to when none do. In small letters only a noun that
// names nothing but institutions counts, and only after a town or an institution.
func institutionTo(doc *detect.Document, to int, category detect.Category) int {
	last, kind := to, false
	for i := to + 1; i < len(doc.Tokens) && i <= to+4; i++ {
		tok := &doc.Tokens[i]
		hyphen := tok.Text == "-" && glued(doc, i) && glued(doc, i+1)
		if hyphen {
			continue
		}
		if !tok.Any(detect.Word) || tok.Any(detect.LineStart|detect.SentenceStart|detect.InMarkup|detect.InURL) {
			break
		}
		capital := tok.Any(detect.Capital)
		switch {
		case behind[tok.Folded] && (capital || kind || !category.Person()), capital && behindCapital[tok.Folded]:
			last = i
		case kinds[tok.Folded]:
			kind = true
		case capital:
		default:
			return last
		}
	}
	return last
}

// partners gives the last token of what makes a family's name a firm's: "& Sons",
// "e figli", "et associés"; to when there is nothing like it.
func partners(doc *detect.Document, to int) int {
	if to+2 >= len(doc.Tokens) || doc.Tokens[to+1].Any(detect.LineStart) || doc.Tokens[to+2].Any(detect.LineStart) {
		return to
	}
	switch and, who := &doc.Tokens[to+1], &doc.Tokens[to+2]; {
	case (and.Text == "&" || together[and.Folded] && !who.Any(detect.Capital)) && partner[who.Folded]:
		return to + 2
	}
	return to
}

// nameEnd gives the last token of the institution's name that goes on behind
// token to: "-le-Vieux", "d'Olt", further words with capitals.
func nameEnd(doc *detect.Document, to int) int {
	last := to
	for i := to + 1; i < len(doc.Tokens) && i <= to+2*farthest; i++ {
		tok := &doc.Tokens[i]
		if tok.Any(detect.LineStart | detect.SentenceStart | detect.InMarkup | detect.InURL) {
			break
		}
		switch {
		case tok.Has(detect.Word | detect.Capital):
			last = i
		case tok.Text == "-" && glued(doc, i) && glued(doc, i+1):
		case tok.Any(detect.Word) && glued(doc, i) && doc.Tokens[i-1].Text == "-":
			last = i
		case linking[tok.Folded] && len(tok.Folded) > 1 && tok.Folded != "a":
		case (tok.Folded == "'" || tok.Folded == "’") && glued(doc, i) && linking[doc.Tokens[i-1].Folded]:
		case len(tok.Folded) == 1 && linking[tok.Folded] && glued(doc, i+1): // "d'"
		default:
			return last
		}
	}
	return last
}

// nameStart gives the first token of the name before token from that goes on
// with words with capitals: "Ystrad Fach cottage hospital".
func nameStart(doc *detect.Document, from int) int {
	for least := from - farthest; from > 0 && from > least && !doc.Tokens[from].Any(detect.LineStart); {
		tok := &doc.Tokens[from-1]
		if !tok.Has(detect.Word|detect.Capital) || tok.Any(detect.SentenceStart) {
			break
		}
		from--
	}
	return from
}

// together are the words for "and"; partner those for who shares a firm.
var (
	together = wordSet("and et y e i und")
	partner  = wordSet("sons son daughters brothers bros co partners associates fils filles freres associes cie hijos hermanos asociados figli fratelli soci filhos irmaos fills germans sohne tochter partner")
)

// groups are the nouns for groups of people and for institutions that are small,
// beside those of institutions: they stand before the name, with a word for "of" or
// without.
var groups = wordSet(`chorale choeur fanfare harmonie amicale bagad patronage aumonerie ludotheque recyclerie ressourcerie scieries papeteries serres ape apel amap confrerie
	lycees colleges ecole ecoles chorales
	coral coro orfeon rondalla banda charanga comparsa murga escolania pena cofradia hermandad ampa apa afa amypa insti cole
	orfeao tuna filarmonica filarmonicas fanfarra rancho irmandade confraria externato agrupamento sociedade
	corale filarmonica filodrammatica bocciofila proloco canottieri confraternita patronato circolo sezione
	orfeo cobla xaranga esbart agrupament cau esplai casal ateneu colla penya germandat almassera
	choir chorus guild pta troop sekundarschule collectif pfadi laienbuhne pfarrheim elternverein brownies camping manufacture laverie
	chor kapelle liedertafel posaunenchor freiwillige freiwilligen freiwilliger feuerwehr forderverein elternbeirat pfadfinder solawi tsv sv vfl vfb sc tus djk tsg spvgg`)

// besideGroups are those that are other things too, and count where the name follows
// them: "compañía Telón Corto", and not "la compañía de Nadia".
var besideGroups = wordSet("compagnie compania compagnia companhia companyia troupe ensemble club mutuelle mission theatergruppe gartnerei radio emballages")

// members are the words for the members of a group, which are its name's with a capital
// inside a sentence: "Castellers de …", "les Archers du …".
var members = wordSet(`amis amies archers boulistes voix chanteurs choristes compagnons randonneurs marcheurs petanqueurs scouts eclaireurs jardiniers treteaux baladins
	saltimbanques sonneurs majorettes familles liseuses conteurs tricoteuses
	amigos amigas voces vecinos danzantes dulzaineros gaiteros scouts
	vozes escuteiros escoteiros bombeiros cantadeiras lavadeiras moradores
	amici amiche voci sbandieratori cantori alpini donatori
	xiquets castellers minyons amics amigues veus geganters grallers diables bastoners trabucaires moixiganguers marrecs capgrossos falcons soeurs rameurs schola
	friends sons daughters voices strings guides ramblers freunde`)

// headEndings are the endings of German nouns for institutions.
var headEndings = []string{"verein", "schule", "chor", "kapelle", "orchester", "krankenhaus", "klinik", "gymnasium", "werkstatt", "stiftung", "gruppe"}

// clubs are the words for a club behind its sport; sports the sports that stand there.
var (
	clubs  = wordSet("club clube")
	sports = wordSet("football futbol futebol rugby judo tennis tenis basket handball volley hockey cricket rowing sporting racing athletic atletic athletico karate boxing sailing running cycling judo moto cyclo photo ski")
)

// numbered are the groups and teams whose names end with a number.
var numbered = wordSet("tsv sv fc vfl vfb sc tus tv fv sg djk tsg spvgg scout scouts agesci reparto asd gruppo troop agrupamento escuteiros eb")

// linking are the small words between what an institution is and its name. Words
// for "and" and "at" are none: "l'école et Kelly", "l'hôpital à Nantes".
var linking = wordSet("de du des del della dello dell delle degli dei dels d l di da do dos das der dem von la le les los las el els lo il san santa saint sainte st ste sant santo sao")

// kinds are the words that go with the noun for an institution: "de santé",
// "secondaire", "cottage".
var kinds = wordSet(`secondaire primaire maternelle elementaire superieure superieur privee prive publique public regional regionale departemental
	departementale municipal municipale communal communale intercommunal universitaire hospitalier hospitaliere general generale technique professionnel
	professionnelle agricole medical medicale medico social sociale socio culturel culturelle dentaire infirmier infirmiere veterinaire sante soins
	loisirs communes agglomeration quartier droit formation recherche secours musique danse naval nationale national libre catholique
	primaria secundaria superior privada privado publica publico rural salud mayores dia civico deportivo cultural nacional media elementare superiore
	statale comunale salute medico sanitario civica primario publica saude estadual municipal basica profissional tecnica formacio salut esportiu
	secondaria secondario parrocchiale polifonica musicale teatrale folcloristico folkloristico sportiva dilettantistica paroissial paroissiale sportif sportive
	folklorique laique anciens oleicole viticole pastoral parroquial folclorico folclorica etnografico teatral vecinal juvenil vecinos deportiva social academica
	paroquial desportivo desportiva recreativo recreativa moradores dansaire escolta excursionista castellera gegantera esportiva veins scout
	evangelischer evangelischen katholischer katholischen
	alpin alpina alpino bilingue solidaire populaire publica concertada infantil echasses forgerons
	amateur gemischter gemischten parents eleves padres madres alumnos pais genitori pares familles residents
	community cottage general grammar memorial district county junior senior primary secondary infant comprehensive independent local public state
	technical teachers catholic royal national day medical health high sixth form elementary middle
	stadtische stadtisches evangelische katholische staatliche freie`)

// vague are nouns that say what an institution is together with one of kinds
// only: "centre de santé", and not "le centre de …".
var vague = wordSet("centre centro center maison casa service servicio servizio servico unite unidad unita unidade pole polo espace espacio pavillon unitat communaute haute gruppo grupo groupe grup associazione group junta union unio unione comitato comite comissao theatre teatro consejo conseil commission verband")

// behind are the nouns that stand behind an institution's name and name nothing
// but institutions; behindCapital those that are other words too.
var (
	behind = wordSet(`grammar hospital infirmary clinic surgery hospice polytechnic university college academy school institute library museum
		kindergarten nursery creche seminary conservatory gym gymnasium grundschule realschule gesamtschule hauptschule hochschule schule
		klinik klinikum krankenhaus altenheim pflegeheim kita universitat akademie bibliothek stadtwerke`)
	behindCapital = wordSet(`choir band orchestra singers players guild group troop harriers gaels quins colts warriors celtic athletic choral high primary juniors infants comprehensive collegiate garage works club centre center society trust
		foundation council ltd limited inc llc plc gmbh ag kg bakery brewery pharmacy dairy farm foundry workshop depot mill mills
		vets gimnazium uni hs fc afc rfc united rovers rangers wanderers church parish theatre lodge hotel inn house
		werk werke verein schreinerei backerei hof verlag`)
)
