package sample

// phrases are the sentences of one language. Those of naming call people by
// name, in every way forum users have; those of neutral hold the same words
// without meaning anybody, so that a release can be too greedy as well as too
// careless.
type phrases struct {
	titles, greetings, naming, neutral, closings []string
}

// languages lists the phrases by language code; it is only read.
var languages = map[string]phrases{
	"fr": {
		titles: []string{
			"Question sur le devoir 2", "Merci ${other.first} !", "Présentation : ${first}, ${city}", "Problème d'affichage page 12",
			"Pour ${other.first} ${other.last}", "La rose et l'olivier", "Qui est de ${city} ?", "Vidéo 3 : la pierre de taille",
		},
		greetings: []string{
			"Bonjour ${other.first},", "Bonjour à tous,", "Salut ${other.first!lower} !", "Chère ${other.first}, cher ${third.first},",
			"Coucou @${other.username} !", "Bonsoir Mme ${other.last},", "Bonjour ${other.first!misspelt},", "M. ${other.last!upper},",
		},
		naming: []string{
			"Je m'appelle ${first} ${last} et je vis à ${city}.",
			"Je m'appelle euh ${first}, j'ai repris mes études l'an dernier.",
			"Merci ${other.first} pour ta réponse, je n'avais pas compris la question.",
			"merci ${other.first!lower} et ${third.first!lower} !!",
			"Comme le disait ${third.first} ${third.last!upper}, il faut relire la partie 2.",
			"D'accord avec ${other.first!misspelt} : la consigne n'est pas claire.",
			"${other.first!unaccented} a raison, la vidéo ne se charge pas.",
			"${third.first!elongated} tu as vu le forum ?",
			"Vous pouvez m'écrire à ${email} ou m'appeler au ${phone}.",
			"Le message ${other.de}${other.first} ${other.last} m'a beaucoup aidé.",
			"J'ai travaillé avec ${other.name} sur le projet du groupe.",
			"Quelqu'un connaît-il l'adresse de ${third.first}-${third.last} ? La mienne : ${email!percent}.",
			"> ${other.username} a écrit :\n> je ne trouve pas la page\n\nMoi non plus.",
			"@${other.username} et @${third.username} : rendez-vous samedi.",
			"Sur mon profil https://${host}/u/${username} vous verrez ma photo.",
			"Bravo ${other.first!spaced} !",
			"Merci à ${other.first!initial} ${other.last} (c'est ${other.first!entities} sur le forum).",
			"La fille de ${third.last} a suivi le même cours, m'a dit ${third.first}.",
			"Monsieur ${other.last}, professeur au lycée de ${city}, nous a montré cela.",
		},
		neutral: []string{
			"La rose et l'olive sont au programme de la semaine.",
			"C'est écrit page 12, sous la pierre gravée.",
			"Paris est la capitale de la France, pas de la prudence.",
			"J'ai vu un martin-pêcheur près de la fontaine.",
			"Le mode audit ne donne pas de certificat.",
			"Noël approche et le devoir est à rendre en avril.",
			"Il y a un petit problème avec la vidéo 3.",
			"En toute modeste victoire, j'ai eu 8 sur 10.",
			"L'iris, la marguerite et le lys : quel joli bouquet !",
			"Je n'ai rien compris, mais le silence est d'or.",
			"La formule est \\(x_1 + y^2\\) et le code `page = 1`.",
		},
		closings: []string{
			"Cordialement,\n${first}", "${first} ${last}\n${city}\n${phone}", "-- \n${name} | ${email}", "Bonne journée !", "Amicalement, ${first!initial}${last!initial}", "Bises, ${first!lower}",
		},
	},
	"en": {
		titles: []string{"Question about week 2", "Thanks ${other.first}!", "Hi from ${city}", "Page not found", "A rose is a rose", "@${other.username} where are you?"},
		greetings: []string{
			"Hi ${other.first},", "Hello everyone,", "hey ${other.first!lower}!", "Dear Mr ${other.last},", "Hi ${other.first} and ${third.first},", "HI ${other.first!upper}!!",
		},
		naming: []string{
			"My name is ${first} ${last} and I live in ${city}.",
			"I agree with ${other.first}'s answer.",
			"As ${third.first} ${third.last} said, you should watch the video again.",
			"thx ${other.first!lower}, that was it",
			"Did ${other.first!misspelt} post the link?",
			"You can reach me at ${email} or ${phone}.",
			"i'm ${first!lower}, i work with ${third.first!lower} in ${city!lower}",
			"@${other.username} wrote: \"I cannot find the page\". Same here, @${third.username}.",
			"My mail is ${first!lower} (at) courriel.example, ask for ${last}.",
			"Hi&nbsp;! See ${other.first!entities} ${other.last!entities} in the next thread.",
			"${other.first!elongated}!!! you made it",
			"Prof. ${third.last} explained it to ${other.first} last week.",
		},
		neutral: []string{
			"The sun rose in April and may not set before long.",
			"I will mark this page and read it again, I hope.",
			"A stone wall, an olive tree and a page of notes.",
			"Is it true that the audit mode has no certificate?",
			"With grace and prudence, problem 1 can be solved.",
			"Paris, Texas is a film; Paris, France is a city.",
			"`let page = true;` prints null in my console.",
		},
		closings: []string{"Best,\n${first}", "${first} ${last}", "-- \n${name}\n${email}", "Cheers!", "${first!initial} ${last}"},
	},
	"es": {
		titles:    []string{"Duda sobre la semana 2", "Gracias, ${other.first}", "Presentación de ${first}", "No carga la página"},
		greetings: []string{"Hola ${other.first}:", "Hola a todos:", "Estimada Sra. ${other.last}:", "hola ${other.first!lower}!"},
		naming: []string{
			"Me llamo ${first} ${last} y vivo en ${city}.",
			"Gracias ${other.first}, ahora lo entiendo.",
			"Como dice ${third.first} ${third.last}, hay que ver el vídeo.",
			"¿Alguien sabe si ${other.first!misspelt} ha terminado?",
			"Mi correo es ${email} y mi teléfono ${phone}.",
			"@${other.username}, ¿me ayudas?",
			"${third.first!upper} TIENE RAZÓN.",
		},
		neutral: []string{
			"La rosa y el olivo son de la misma semana.", "El ángel de la pila es bueno.", "Los campos de la página 12 están vacíos.", "El pilar de piedra mide dos metros.",
		},
		closings: []string{"Un saludo,\n${first}", "${first} ${last}", "¡Gracias!"},
	},
	"it": {
		titles:    []string{"Domanda sul compito 2", "Grazie ${other.first}", "Mi presento: ${first}"},
		greetings: []string{"Ciao ${other.first},", "Ciao a tutti,", "Gentile Sig. ${other.last},", "ciao ${other.first!lower}"},
		naming: []string{
			"Mi chiamo ${first} ${last} e vivo a ${city}.",
			"Grazie ${other.first}, adesso ho capito.",
			"Come dice ${third.first} ${third.last}, bisogna rileggere.",
			"La mia mail è ${email}.",
			"@${other.username} hai ragione.",
			"Ho chiesto a ${other.first!misspelt} e a ${third.first}.",
		},
		neutral: []string{
			"Che gioia vedere un fiore romano!", "La rosa e la pietra a pagina 12.", "Vado a Parigi, anzi Parigi viene da me.",
		},
		closings: []string{"Saluti,\n${first}", "${first} ${last}", "A presto!"},
	},
	"ru": {
		titles:    []string{"Вопрос по второй неделе", "Спасибо, ${other.first}!", "Меня зовут ${first}"},
		greetings: []string{"Здравствуйте, ${other.first}!", "Всем привет!", "привет ${other.first!lower}"},
		naming: []string{
			"Меня зовут ${first} ${last}, я живу в городе ${city}.",
			"Спасибо, ${other.first}, теперь понятно.",
			"Как написала ${third.first} ${third.last}, надо смотреть видео.",
			"Моя почта: ${email}, телефон ${phone}.",
			"@${other.username}, помогите!",
			"${other.first!upper} ПРАВ.",
		},
		neutral: []string{
			"Роза и олива — на странице 12.", "Вера и надежда помогают решать задачи.", "Мир, труд, май.",
		},
		closings: []string{"С уважением,\n${first}", "${first} ${last}", "Спасибо!"},
	},
}

// compiledPhrases are the phrases of one language, ready.
type compiledPhrases struct {
	titles, greetings, naming, neutral, closings []*template
}

func compilePhrases(p phrases) (c compiledPhrases, err error) {
	for _, group := range []struct {
		to   *[]*template
		from []string
	}{
		{&c.titles, p.titles}, {&c.greetings, p.greetings}, {&c.naming, p.naming},
		{&c.neutral, p.neutral}, {&c.closings, p.closings},
	} {
		if *group.to, err = compileAll(group.from); err != nil {
			return c, err
		}
	}
	return c, nil
}

func compileAll(sources []string) ([]*template, error) {
	all := make([]*template, len(sources))
	for i, source := range sources {
		t, err := compile(source)
		if err != nil {
			return nil, err
		}
		all[i] = t
	}
	return all, nil
}

// spoken gives the phrases of the actor's language.
func (s *scene) spoken() *compiledPhrases {
	return s.gen.phrases[s.actor.Language]
}

// say appends one of the phrases as free text.
func (s *scene) say(dst []byte, from []*template) []byte {
	before := s.inText
	s.inText = true
	dst = s.render(dst, from[s.rng.IntN(len(from))], plain)
	s.inText = before
	return dst
}

// appendText writes n sentences, two in three of which name somebody. Retired
// people, who have no name, are spoken for by the neutral ones.
func (s *scene) appendText(dst []byte, n int) []byte {
	p := s.spoken()
	for i := range n {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if s.rng.IntN(3) == 0 || !s.actor.Named() {
			dst = s.say(dst, p.neutral)
		} else {
			dst = s.say(dst, p.naming)
		}
	}
	return dst
}

// appendPost writes a post: a greeting, some sentences, perhaps a signature.
func (s *scene) appendPost(dst []byte) []byte {
	p := s.spoken()
	if s.rng.IntN(2) == 0 {
		dst = append(s.say(dst, p.greetings), '\n', '\n')
	}
	dst = s.appendText(dst, 1+s.rng.IntN(4))
	if s.rng.IntN(2) == 0 && s.actor.Named() {
		dst = s.say(append(dst, '\n', '\n'), p.closings)
	}
	return dst
}

// appendTitle writes a thread's title.
func (s *scene) appendTitle(dst []byte) []byte {
	return s.say(dst, s.spoken().titles)
}
