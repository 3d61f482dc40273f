package forum

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/idmap"
	"anonymooc/internal/fold"
)

// The names of the attributes that the catalogue reads from the id map.
const (
	AttributeFirstName   = "first_name"
	AttributeLastName    = "last_name"
	AttributeName        = "name" // first and last name in one field
	AttributeNickname    = "nickname"
	AttributeCity        = "city"
	AttributeInstitution = "institution"
)

// Person is somebody the export knows: what may stand for them in a text.
type Person struct {
	Pseudonym    idmap.Pseudonym
	UserIDs      []string
	Usernames    []string
	Emails       []string
	FirstNames   []string
	LastNames    []string
	Names        []string
	Nicknames    []string
	Cities       []string
	Institutions []string
}

// Entity is the person's name in marks, questions and releases.
func (p *Person) Entity() detect.EntityID { return detect.EntityID(p.Pseudonym.Username()) }

// Roster reads everybody a domain of the id map knows.
func Roster(domain *idmap.Domain) ([]Person, error) {
	var people []Person
	err := domain.Roster(func(entry idmap.Entry) error {
		people = append(people, personOf(entry))
		return nil
	})
	return people, err
}

func personOf(entry idmap.Entry) Person {
	p := Person{Pseudonym: entry.Pseudonym}
	for _, id := range entry.Identifiers {
		switch id.Kind {
		case idmap.UserID, idmap.ExternalID: // who writes without an account is known by another system's id
			p.UserIDs = append(p.UserIDs, id.Value)
		case idmap.Username:
			p.Usernames = append(p.Usernames, id.Value)
		case idmap.Email:
			p.Emails = append(p.Emails, id.Value)
		}
	}
	for _, a := range entry.Attributes {
		switch a.Name {
		case AttributeFirstName:
			p.FirstNames = append(p.FirstNames, a.Value)
		case AttributeLastName:
			p.LastNames = append(p.LastNames, a.Value)
		case AttributeName:
			p.Names = append(p.Names, a.Value)
		case AttributeNickname:
			p.Nicknames = append(p.Nicknames, a.Value)
		case AttributeCity:
			p.Cities = append(p.Cities, a.Value)
		case AttributeInstitution:
			p.Institutions = append(p.Institutions, a.Value)
		}
	}
	return p
}

// The types of catalogue rows that the engine tells apart.
const (
	TypeParticipant = "participant"
	TypePart        = "part" // a word of a longer name
	TypeTown        = "town"
	TypeInstitution = "institution"
	TypeVariant     = "variant" // a spelling found by mining
	TypeDecided     = "decided" // a form that a reviewer masked
)

// Rows gives the catalogue's rows for a person.
func (p *Person) Rows() []detect.Row {
	b := rowBuilder{entity: p.Entity()}
	first, last := p.FirstNames, p.LastNames
	for _, name := range p.Names {
		b.add(detect.FullName, TypeParticipant, name)
		if words := strings.Fields(name); len(words) > 1 {
			first = append(first[:len(first):len(first)], words[0])
			last = append(last[:len(last):len(last)], strings.Join(words[1:], " "))
		}
	}
	for _, name := range first {
		b.name(detect.FirstName, name, 3)
	}
	for _, name := range last {
		b.name(detect.LastName, name, 4)
	}
	for _, name := range p.Nicknames {
		b.add(detect.Nickname, TypeParticipant, name)
	}
	for _, name := range p.Usernames {
		b.username(name)
	}
	for _, address := range p.Emails {
		b.add(detect.Email, TypeParticipant, address)
		if local, _, ok := strings.Cut(address, "@"); ok && utf8.RuneCountInString(local) >= 5 {
			b.add(detect.Username, TypeParticipant, local)
		}
	}
	for _, city := range p.Cities {
		b.add(detect.Place, TypeTown, city)
	}
	for _, institution := range p.Institutions {
		b.add(detect.Organisation, TypeInstitution, institution)
		b.institution(institution)
	}
	return b.rows
}

type rowBuilder struct {
	entity detect.EntityID
	rows   []detect.Row
}

func (b *rowBuilder) add(category detect.Category, kind, form string) {
	form = strings.TrimSpace(form)
	if utf8.RuneCountInString(form) < 2 {
		return
	}
	b.rows = append(b.rows, detect.Row{Form: form, Category: category, Type: kind, Entity: b.entity})
}

// username adds a username, were it a single letter or digit: "@1" names
// somebody all the same.
func (b *rowBuilder) username(name string) {
	if name = strings.TrimSpace(name); name != "" {
		b.rows = append(b.rows, detect.Row{Form: name, Category: detect.Username, Type: TypeParticipant, Entity: b.entity})
	}
}

// name adds a first or last name, its parts of at least letters letters, and
// its romanised spellings.
func (b *rowBuilder) name(category detect.Category, name string, letters int) {
	b.add(category, TypeParticipant, name)
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' })
	for _, part := range parts {
		if len(parts) > 1 && utf8.RuneCountInString(part) >= letters && !particles[fold.KeyString(part)] {
			b.add(category, TypePart, part)
		}
	}
	for _, spelling := range romanise(name) {
		b.add(category, TypeParticipant, spelling)
	}
}

// particles are the words of names that name nobody alone.
var particles = wordSet("de du des del della dela der den van von und la le les los las el al ben bin ibn abu dos das do da di d l y e i san santa saint sainte st mac mc")

// institution adds what is left of a school's or firm's name without the words
// that say what it is.
func (b *rowBuilder) institution(name string) {
	words := strings.Fields(name)
	at := 0
	for at < len(words) {
		key := strings.TrimSuffix(fold.KeyString(words[at]), "'")
		if i := strings.IndexByte(key, '\''); i >= 0 {
			break // "l'Erdre": the rest begins here
		}
		if !institutions[key] && !particles[key] {
			break
		}
		at++
	}
	rest := strings.Join(words[at:], " ")
	if at > 0 && at < len(words) && utf8.RuneCountInString(rest) >= 5 {
		b.add(detect.Organisation, TypePart, rest)
	}
}

// institutions are the words that say what kind of institution a name names.
var institutions = wordSet(`lycee college ecole primaire maternelle secondaire universite faculte institut iut iufm inspe cabinet societe entreprise
	liceo istituto scuola universita instituto colegio escuela universidad ies ceip escola secundaria universidade colegi institut
	school high college university institute academy faculty company hospital hopital clinique mairie association club
	ecoles lp lpo ehpad ime ifsi ifas cfa chu chr chs ccas cpas esat sessad ssiad cmp cmpp mjc mecs itep segpa cegep hep gie gaec scop sarl greta afpa
	creche garderie halte foyer residence resid garage gymnase piscine mediatheque bibliotheque ludotheque atelier imprimerie boulangerie
	pharmacie fromagerie laiterie menuiserie scierie usine conserverie tonnellerie fiduciaire librairie auberge fondation cooperative coop
	paroisse conservatoire polyclinique dispensaire maternite sanatorium academie collectif syndicat commissariat gendarmerie caserne prefecture
	prepa internat campus laboratoire
	clinica ospedale biblioteca palestra officina parrocchia asilo comune ditta azienda fondazione cooperativa oratorio
	farmacia panificio frantoio pescheria polisportiva conservatorio convitto ateneo itis itc ipsia cpia rsa coro
	centro ambulatorio consultorio poliambulatorio guarderia residencia gimnasio taller panaderia bodega bodegas fundacion asociacion ayuntamiento
	parroquia empresa inmobiliaria almazara academia facultad cra cepa ceipso cpi instituto secundaria preparatoria ceai
	faculdade creche ginasio oficina lar fundacao associacao camara prefeitura paroquia padaria filarmonica colegio upa ubs
	biblioteca guarderia llar gimnas taller fundacio associacio ajuntament parroquia cooperativa ceip facultat hospital ambulatori
	gymnasium grundschule realschule gesamtschule hauptschule hochschule fachhochschule volkshochschule vhs universitat schule kita kindergarten krippe
	klinik klinikum krankenhaus altenheim pflegeheim seniorenheim bibliothek bucherei werkstatt schreinerei tischlerei backerei metzgerei brauerei
	hofbrau vermessungsamt stadtwerke verein kirchengemeinde pfarrei firma stiftung
	clinic infirmary hospice library gym nursery kindergarten polytechnic bakery brewery`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// romanise gives the usual Latin spellings of a Cyrillic name: the English, the
// French and the scholarly manner; none for a name in another script.
func romanise(name string) []string {
	cyrillic := false
	for _, r := range name {
		cyrillic = cyrillic || unicode.Is(unicode.Cyrillic, r)
	}
	if !cyrillic {
		return nil
	}
	var spellings []string
	for manner := range 3 {
		var b strings.Builder
		for _, r := range name {
			low := unicode.ToLower(r)
			latin, ok := romanisations[low]
			if !ok {
				b.WriteRune(r)
				continue
			}
			b.WriteString(strings.Split(latin, "/")[min(manner, strings.Count(latin, "/"))])
		}
		spelling := b.String()
		known := false
		for _, s := range spellings {
			known = known || s == spelling
		}
		if !known {
			spellings = append(spellings, spelling)
		}
	}
	return spellings
}

// romanisations holds, per letter, the English, French and scholarly spelling
// where they differ.
var romanisations = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ё': "yo/io/e", 'ж': "zh/j/z", 'з': "z", 'и': "i",
	'й': "y/i/j", 'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t",
	'у': "u/ou/u", 'ф': "f", 'х': "kh/kh/h", 'ц': "ts/ts/c", 'ч': "ch/tch/c", 'ш': "sh/ch/s", 'щ': "shch/chtch/sc",
	'ъ': "", 'ы': "y", 'ь': "", 'э': "e", 'ю': "yu/iou/ju", 'я': "ya/ia/ja",
	'є': "ye/ie/je", 'і': "i", 'ї': "yi/i/ji", 'ґ': "g",
}
