package detect

import "strings"

// A language is identified by a vote of its function words: the short words
// nobody can write without. A word that only one language has counts most, one
// that several share is divided between them; a few letters vote too. That is
// enough for posts of a dozen words, needs no model, and works on the chat
// spelling that trained models misread.

// votePart is what a word of one language alone brings; it can be divided by
// the number of languages that share the word.
const votePart = 60

// ballot is the votes for each language, in the order of Languages.
type ballot [languageCount]int32

const languageCount = 7

// Languages lists the languages that Identify knows, by their ISO 639-1 codes.
func Languages() [languageCount]string {
	return [languageCount]string{"fr", "en", "es", "it", "pt", "ca", "de"}
}

// functionWords are folded: without accents, in lower case. Chat spellings
// stand with the words they stand for.
var functionWords = [languageCount]string{
	`le la les un une des du de et est dans pour pas que qui sur avec plus ce cette ces je j tu il elle on nous vous ils
	elles ne n se s au aux mais ou donc car ni mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs suis es
	sommes etes sont ai as avons avez ont etais etait sera serait fait faire faut tout tous toute toutes tres bien aussi
	comme si meme cela ca c d l m t qu y en moi toi lui eux par sans sous chez entre vers depuis apres avant quand
	comment pourquoi parce alors encore deja toujours jamais rien quelque quelques chaque autre autres peu beaucoup trop
	merci bonjour bonsoir salut oui non voila ici etre avoir peut peux dit suis jai jsuis chui pk pcq tt bcp mdr slt bjr
	cest deux aucun lors puis ainsi surtout`,
	`the a an and of to in is it you that he was for on are as with his they i at be this have from or one had by not but
	what all were we when your can said there use each which she do how their if will up about out many then them these
	so some her would make like him into time has look more go see no way could my than been who its now did get me our
	us am any does don doesn isn aren won didn t s re ve ll im ive dont its because very also just really where why
	hello hi thanks thank please yes u ur pls thx lol think know want need should those here after before too much
	anyone someone something`,
	`el la los las un una unos unas de del y e en que es por con para no se lo le les su sus al como mas pero si yo tu
	ella nosotros ustedes ellos ellas me te nos mi mis ti este esta estos estas ese esa eso esto muy ya tambien soy eres
	somos son estoy estas estamos estan fue era ser estar he ha hemos han hay tengo tiene tienen tenemos hace hacer puede
	puedo cuando donde quien porque sin sobre entre hasta desde todo todos toda todas otro otra otros algo nada nadie
	mucho mucha muchos muchas poco gracias hola saludos buenas dias tardes bueno bien asi aqui ahora entonces cual cuales
	xq pq q tb usted vosotros vuestro nuestro nuestra unos durante segun creo`,
	`il lo la i gli le un uno una di del dello della dei degli delle e ed in nel nella nei nelle che chi per con non si su
	sul sulla al allo alla ai agli alle da dal dalla a o ma come piu anche io tu lui lei noi voi loro mi ti ci vi ne mio
	mia miei mie tuo tua suo sua nostro vostro questo questa questi queste quello quella sono sei e siamo siete era ho
	hai ha abbiamo avete hanno essere avere fare faccio puo posso quando dove perche cosa quale molto molta molti poco
	tutto tutti tutta tutte altro altri niente nulla sempre mai gia ancora poi allora qui qua grazie ciao salve
	buongiorno buonasera bene cosi nn xke cmq anch c l un dell all nell sull dall quell quest credo`,
	`o a os as um uma uns umas de do da dos das e em no na nos nas que por para com nao se ao aos ou mas como mais eu tu
	ele ela nos vos eles elas voce voces me te lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa este
	esta estes estas esse essa isso isto aquele sou es somos sao estou esta estamos estao foi era ser estar tenho tem
	temos ha muito muita muitos muitas pouco tambem ja ainda quando onde quem porque sem sobre entre ate desde pelo pela
	pelos pelas tudo todo todos toda todas outro outra outros algo nada ninguem obrigado obrigada ola oi bom boa dia
	tarde aqui agora entao qual quais fazer posso pode acho assim num numa vc vcs pra pro tb blz abs sim`,
	`el la els les un una uns unes de del dels i en que es per amb no se ho li al als com mes pero si jo tu ella nosaltres
	vosaltres ells elles em et ens us meu meva meus meves teu teva seu seva aquest aquesta aquests aquestes aixo allo
	molt molta molts moltes ja tambe soc ets som sou son estic estas esta estem era ser estar he has ha hem heu han hi
	tinc te tenim tenen fer faig fa puc pot quan on qui perque sense sobre entre fins des tot tots tota totes altre
	altres res ningu gracies hola bon dia bona tarda be aixi aqui ara llavors quin quina vaig va vam van d l m s n t
	doncs pels pel als ens nostre nostra cap`,
	`der die das den dem des ein eine einen einem einer und ist in zu mit auf fur von im nicht ich du er sie es wir ihr
	sich auch an als aus bei nach wie so aber oder wenn dass was wer wo warum weil noch nur schon sehr hier da mein meine
	meinen dein deine sein seine unser unsere bin bist sind seid war waren habe hast hat haben kann kannst konnen muss
	mussen wird werden wurde mehr alle alles man vom zum zur uber durch ohne gegen vor danke hallo bitte ja nein gibt
	keine kein diese dieser dieses jetzt dann mal`,
}

// functionWordVotes maps a function word to what it brings to each language.
var functionWordVotes = countFunctionWords()

func countFunctionWords() map[string]*ballot {
	votes := map[string]*ballot{}
	for language, words := range functionWords {
		for word := range strings.FieldsSeq(words) {
			if votes[word] == nil {
				votes[word] = new(ballot)
			}
			votes[word][language] = 1
		}
	}
	for _, b := range votes {
		sharing := int32(0)
		for _, has := range b {
			sharing += has
		}
		for language := range b {
			b[language] *= votePart / sharing
		}
	}
	return votes
}

// letterVotes are letters that few of the languages write.
var letterVotes = map[rune]ballot{
	'ñ': {2: votePart}, 'ã': {4: votePart}, 'õ': {4: votePart}, 'ß': {6: votePart},
	'ä': {6: votePart / 2}, 'ö': {6: votePart / 2}, 'ê': {0: votePart / 3, 4: votePart / 3},
	'œ': {0: votePart}, 'ç': {0: votePart / 3, 4: votePart / 3, 5: votePart / 3}, '·': {5: votePart / 2},
	'ò': {3: votePart / 3, 5: votePart / 3}, 'ù': {0: votePart / 2, 3: votePart / 2},
	'¿': {2: votePart}, '¡': {2: votePart},
}

// Identify gives the language that most of the tokens are written in ("fr",
// "en", "es", "it", "pt", "ca", "de"), or "" when too little speaks for any:
// less than one word of its own, or as much for another language.
func Identify(tokens []Token) string {
	var votes ballot
	for i := range tokens {
		votes.token(&tokens[i])
	}
	return votes.winner(votePart)
}

// IsFunctionWord reports whether a folded word is one of the short words that
// the language cannot do without; an empty language means any.
func IsFunctionWord(language, folded string) bool {
	votes, ok := functionWordVotes[folded]
	if !ok || language == "" {
		return ok
	}
	for i, code := range Languages() {
		if code == language {
			return votes[i] > 0
		}
	}
	return false
}

func (b *ballot) token(t *Token) {
	if t.form.votes == nil || t.Flags&(InCode|InURL|InMarkup|InContentID|Mention|Number) != 0 {
		return
	}
	for i, v := range t.form.votes {
		b[i] += v
	}
}

// votesOf adds what a word's letters bring to what the word brings; nil stands for nothing.
func votesOf(text string, word *ballot) *ballot {
	var all ballot
	found := false
	for _, r := range text {
		if votes, ok := letterVotes[r]; ok {
			found = true
			for i, v := range votes {
				all[i] += v
			}
		}
	}
	if !found {
		return word
	}
	if word != nil {
		for i, v := range word {
			all[i] += v
		}
	}
	return &all
}

// winner gives the language with most votes if it has at least least of them
// and a tenth more than the next.
func (b *ballot) winner(least int32) string {
	best, second := 0, -1
	for i := 1; i < languageCount; i++ {
		switch {
		case b[i] > b[best]:
			best, second = i, best
		case second < 0 || b[i] > b[second]:
			second = i
		}
	}
	if b[best] < least || b[best]*10 <= b[second]*11 {
		return ""
	}
	return Languages()[best]
}

// candidates appends the languages that the tokens may be written in, where they
// bring too little to tell: those with at least half of the votes of the first.
// Without a single vote it may be any.
func candidates(tokens []Token, languages []string) []string {
	var votes ballot
	for i := range tokens {
		votes.token(&tokens[i])
	}
	most := int32(0)
	for _, v := range votes {
		most = max(most, v)
	}
	for i, code := range Languages() {
		if 2*votes[i] >= most {
			languages = append(languages, code)
		}
	}
	return languages
}

// Stretch is a run of tokens, First to Last-1, in one language.
type Stretch struct {
	First, Last int
	Lang        string
}

// sentenceLeast is what a sentence must bring to be taken for another language
// than its text: about two words of its own.
const sentenceLeast = 2 * votePart

// Sentences cuts the tokens into stretches of one language each: a sentence
// that clearly speaks another language than the whole is told apart, the others
// have the language of the whole (whole; identified here when empty). Stretches
// follow one another without gaps.
func Sentences(tokens []Token, whole string, stretches []Stretch) []Stretch {
	if whole == "" {
		whole = Identify(tokens)
	}
	start := 0
	for i := 1; i <= len(tokens); i++ {
		if i < len(tokens) && tokens[i].Flags&SentenceStart == 0 {
			continue
		}
		language := whole
		if i-start > 3 {
			var votes ballot
			for j := start; j < i; j++ {
				votes.token(&tokens[j])
			}
			if own := votes.winner(sentenceLeast); own != "" {
				language = own
			}
		}
		if last := len(stretches) - 1; last >= 0 && stretches[last].Last == start && stretches[last].Lang == language && start > 0 {
			stretches[last].Last = i
		} else {
			stretches = append(stretches, Stretch{start, i, language})
		}
		start = i
	}
	return stretches
}
