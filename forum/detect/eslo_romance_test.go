package detect

import "testing"

func TestSpanishGrammar(t *testing.T) {
	checkTold(t, []telling{
		{"es", "Hola, me llamo Zorbina y soy nueva", "first_name=Zorbina=mask"},
		{"es", "hola a todos, soy Yolanda, de Calatayud", "first_name=Yolanda=mask; place=Calatayud=mask"},
		{"es", "Gracias Leticia por tu respuesta", "first_name=Leticia=mask"},
		{"es", "Estoy de acuerdo con Jacinta en esto", "first_name=Jacinta=mask"},
		{"es", "Un saludo,\nMarisol", "first_name=Marisol=mask"},
		{"es", "vivo en Calatayud y tengo 34 años", "place=Calatayud=mask; age=34 años=unsure"},
		{"es", "Soy profesora de instituto en Madrid", "job=profesora de instituto=unsure; place=Madrid=unsure"},
		{"es", "mi hija Leonor tiene 8 años", "first_name=Leonor=mask; age=8 años=unsure"},
		{"es", "trabajo en el Colegio Santa Teresa", "organisation=Colegio Santa Teresa=mask"},
		{"es", "tengo tres hijos y soy celíaca", "family=tres hijos=unsure; health=celíaca=unsure"},
		{"es", "muchas gracias por todo, hola a todos, buenos días", "-"},
		{"es", "soy nuevo en el curso, estoy de acuerdo con esto", "-"},
	})
}

func TestSpanishGrammarFindsTownsInstitutionsAndRelatives(t *testing.T) {
	checkTold(t, []telling{
		{"es", "a media hora de la represa, en Guatapé", "place=Guatapé=mask"},
		{"es", "En Oñati hemos ido trayendo sillas", "place=Oñati=mask"},
		{"es", "SI VIENES POR CALATAYUD TE INVITO", "place=CALATAYUD=mask"},
		{"es", "me mudé a Zarbolinda el año pasado", "place=Zarbolinda=mask"},
		{"es", "nuestro club de lectura de Calatayud", "place=Calatayud=mask"},
		{"es", "trabajo en Inmobiliaria Zarbascat hasta las 19", "organisation=Inmobiliaria Zarbascat=mask"},
		{"es", "estudio en la uni de Calatayud", "organisation=uni de Calatayud=mask"},
		{"es", "en el Hospital El Zarbumo no se mueve nada", "organisation=Hospital El Zarbumo=mask"},
		{"es", "Secundaria Zarbelotl, Tepoztlán", "organisation=Secundaria Zarbelotl=mask; place=Tepoztlán=mask"},
		{"es", "mi ermano zorbilmer no sabe cambiarlo", "first_name=zorbilmer=mask"},
		{"es", "Mi padre, don Refugio, lo decía siempre", "first_name=Refugio=mask"},
		{"es", "Se llama Rosalba y es mi yerna", "first_name=Rosalba=mask"},
		{"es", "En el colegio me decían el Curita.", "nickname=el Curita=mask"},
		{"es", "Mi matrícula es LE-2207-0733", "id=LE-2207-0733=mask"},
		{"es", "con CURP terminada en ZRBZ09", "id=ZRBZ09=mask"},
		{"es", "nacida el 14-02-1968", "date=14-02-1968=mask"},
		{"es", "el número de alumnos es 40 y trabajo en casa de lunes a viernes", "-"},
		{"es", "la clase de hoy se llama Introducción y está muy bien", "-"},
		{"es", "eso me llama la atención, en enero hablamos", "-"},
	})
}

func TestItalianGrammar(t *testing.T) {
	checkTold(t, []telling{
		{"it", "Ciao a tutti, mi chiamo Zorbina", "first_name=Zorbina=mask"},
		{"it", "Grazie Loredana per la risposta", "first_name=Loredana=mask"},
		{"it", "Sono d'accordo con Ludovica", "first_name=Ludovica=mask"},
		{"it", "Cordiali saluti,\nGraziella", "first_name=Graziella=mask"},
		{"it", "abito a Voghera e ho 34 anni", "place=Voghera=mask; age=34 anni=unsure"},
		{"it", "sono un'infermiera, insegno matematica al liceo Galilei", "job=infermiera=unsure; organisation=liceo Galilei=mask"},
		{"it", "mio figlio Leonardo ha 8 anni", "first_name=Leonardo=mask; age=8 anni=unsure"},
		{"it", "ho due figli, sono celiaca", "family=due figli=unsure; health=celiaca=unsure"},
		{"it", "la prof.ssa Bergamaschi", "last_name=Bergamaschi=mask"},
		{"it", "grazie mille a tutti, buongiorno a tutti, sono nuovo qui", "-"},
	})
}

func TestPortugueseGrammar(t *testing.T) {
	checkTold(t, []telling{
		{"pt", "Olá, chamo-me Zorbina", "first_name=Zorbina=mask"},
		{"pt", "oi gente, meu nome é zorbina", "first_name=zorbina=mask"},
		{"pt", "Obrigada Leocádia pela resposta", "first_name=Leocádia=mask"},
		{"pt", "Concordo com a Filipa", "first_name=Filipa=mask"},
		{"pt", "Abraços,\nGuilhermina", "first_name=Guilhermina=mask"},
		{"pt", "moro em Chaves e tenho 34 anos", "place=Chaves=mask; age=34 anos=unsure"},
		{"pt", "sou enfermeira no Hospital São João", "job=enfermeira=unsure; organisation=Hospital São João=mask"},
		{"pt", "o meu filho Afonso tem 8 anos", "first_name=Afonso=mask; age=8 anos=unsure"},
		{"pt", "tenho dois filhos e sou diabética", "family=dois filhos=unsure; health=diabética=unsure"},
		{"pt", "muito obrigado a todos, bom dia a todos, sou novo aqui", "-"},
	})
}

func TestCatalanGrammar(t *testing.T) {
	checkTold(t, []telling{
		{"ca", "Hola, em dic Zorbina", "first_name=Zorbina=mask"},
		{"ca", "Gràcies Montserrat per la resposta", "first_name=Montserrat=mask"},
		{"ca", "Estic d'acord amb la Mireia", "first_name=Mireia=mask"},
		{"ca", "Salutacions,\nMeritxell", "first_name=Meritxell=mask"},
		{"ca", "visc a Olot i tinc 34 anys", "place=Olot=mask; age=34 anys=unsure"},
		{"ca", "soc mestra de primària a l'escola Pompeu Fabra", "job=mestra de primària=unsure; organisation=escola Pompeu Fabra=mask"},
		{"ca", "el meu fill Arnau té 8 anys", "first_name=Arnau=mask; age=8 anys=unsure"},
		{"ca", "tinc dos fills i soc celíaca", "family=dos fills=unsure; health=celíaca=unsure"},
		{"ca", "moltes gràcies a tothom, bon dia a tots, soc nou aquí", "-"},
	})
}

func TestCatalanGrammarFindsTownsInstitutionsAndRelatives(t *testing.T) {
	checkTold(t, []telling{
		{"ca", "Quan jo era petita a Palafrugell jugàvem a la vorera", "place=Palafrugell=mask"},
		{"ca", "A Sineu el dimecres tenim mercat", "place=Sineu=mask"},
		{"ca", "Surto de Puigcerdà divendres, però puc ser a Ripoll", "place=Puigcerdà=mask; place=Ripoll=mask"},
		{"ca", "m'he mudat a Zarbolella amb els gats", "place=Zarbolella=mask"},
		{"ca", "Faig tecnologia a l'Institut Zarba de l'Estany", "organisation=Institut Zarba de l'Estany=mask"},
		{"ca", "Done classe a l'Institut Cap del Zarb i cada curs els alumnes dibuixen", "organisation=Institut Cap del Zarb=mask"},
		{"ca", "estudio a la uni de Girona", "organisation=uni de Girona=mask"},
		{"ca", "tinc guàrdia a s'Hospital Nou de Zarbent", "organisation=Hospital Nou de Zarbent=mask"},
		{"ca", "la meva cunyada queralt hi porta una merceria", "first_name=queralt=mask"},
		{"ca", "el meu cosí zorbic viu lluny", "first_name=zorbic=mask"},
		{"ca", "vam quedar al bar i la quimeta ja hi era", "first_name=quimeta=mask"},
		{"ca", "La senyora es deia Bonifàcia", "first_name=Bonifàcia=mask"},
		{"ca", "al gos li hem posat Zarbot", "nickname=Zarbot=mask"},
		{"ca", "la meva matrícula és TR-3345-12", "id=TR-3345-12=mask"},
		{"ca", "vaig néixer el 7 de setembre de 1951", "date=7 de setembre de 1951=mask"},
		{"ca", "Et deu venir en ED50 i el projecte està en ETRS89", "-"},
		{"ca", "el llibre es diu Història i és molt bo", "-"},
		{"ca", "soc a casa i la classe de dimarts és a la tarda", "-"},
	})
}
