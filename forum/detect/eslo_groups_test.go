package detect

import "testing"

// Groups of people have names of several words: the whole is found, small words and all.
func TestGrammarsFindGroupsOfPeople(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "je chante dans la chorale Les Voix du Thouet", "organisation=chorale Les Voix du Thouet=unsure"},
		{"fr", "je suis trésorière de l'amicale des anciens de Kerbastiou", "organisation=amicale des anciens de Kerbastiou=mask"},
		{"fr", "mon mari joue au judo club de Saint-Porchaire", "organisation=judo club de Saint-Porchaire=mask"},
		{"fr", "la troupe de théâtre Les Tréteaux du Bocage cherche du monde", "organisation=troupe de théâtre Les Tréteaux du Bocage=mask"},
		{"fr", "nous étions avec les Archers du Bocage hier", "organisation=Archers du Bocage=mask"},
		{"fr", "l'APE de l'école des Tilleuls a voté", "organisation=APE de l'école des Tilleuls=mask"},
		{"es", "toco en la banda municipal de música de Almagro", "organisation=banda municipal de música de Almagro=mask"},
		{"es", "ensayo con la rondalla Aires de la Mancha", "organisation=rondalla Aires de la Mancha=mask"},
		{"es", "colaboro con la asociación de vecinos Cerro del Moro", "organisation=asociación de vecinos Cerro del Moro=mask"},
		{"pt", "danço no Rancho Folclórico As Lavadeiras do Vouga", "organisation=Rancho Folclórico As Lavadeiras do Vouga=mask"},
		{"pt", "o meu filho é dos Escuteiros de Vila Chã", "organisation=Escuteiros de Vila Chã=mask"},
		{"it", "sono volontaria alla Pro Loco di Castelvento", "organisation=Pro Loco di Castelvento=mask"},
		{"it", "canto nel coro parrocchiale di San Biagio", "organisation=coro parrocchiale di San Biagio=mask"},
		{"ca", "vaig començar amb els Xiquets de Rocallaura", "organisation=Xiquets de Rocallaura=mask"},
		{"ca", "i després amb els Castellers de la Serra Blanca", "organisation=Castellers de la Serra Blanca=mask"},
		{"ca", "soc del Centre Excursionista de Gironella", "organisation=Centre Excursionista de Gironella=mask"},
		{"ca", "la colla castellera Minyons de la Vall", "organisation=colla castellera Minyons de la Vall=mask"},
		{"en", "I sing with the Kells Harbour Community Choir", "organisation=Kells Harbour Community Choir=unsure"},
		{"en", "my kids are in the 3rd Kells Scout Group", "organisation=Kells Scout Group=mask"},
		{"de", "ich singe im Kirchenchor Sankt Gangolf", "organisation=Kirchenchor Sankt Gangolf=mask"},
		{"de", "der Förderverein der Grundschule am Erlenbach hilft", "organisation=Förderverein der Grundschule am Erlenbach=mask"},
		{"fr", "on dîne avec l'Amicale des vendangeurs demain", "organisation=Amicale des vendangeurs=mask"},
		{"ca", "els Moixiganguers i les Veus del Camp", "organisation=Veus del Camp=mask"},
	})
}

// Firms are found by the word for their trade.
func TestGrammarsFindLocalFirms(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "il a repris la tonnellerie Rullier", "organisation=tonnellerie Rullier=mask"},
		{"es", "compré en la panadería Mugrón de Arriba", "organisation=panadería Mugrón de Arriba=mask"},
		{"pt", "trabalho na olaria Patalim", "organisation=olaria Patalim=mask"},
		{"it", "lavoro alla tintoria Bisenzio Due", "organisation=tintoria Bisenzio Due=mask"},
		{"ca", "la meva tia porta la terrissa Llach", "organisation=terrissa Llach=mask"},
		{"de", "ich lerne bei der Gärtnerei Moshammer", "organisation=Gärtnerei Moshammer=mask"},
		{"fr", "la tonnellerie est un métier, l'imprimerie aussi", "-"},
		{"es", "la panadería y la imprenta cambiaron todo", "-"},
	})
}

// The same words in small letters, and in a general sense, name nobody.
func TestGrammarsLeaveGroupsInGeneral(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "les voix du peuple et les amis de la poésie", "-"},
		{"fr", "la fanfare passe, l'harmonie des couleurs aussi", "-"},
		{"es", "la banda sonora y los amigos de lo ajeno", "-"},
		{"pt", "as vozes da rua e os amigos do alheio", "-"},
		{"it", "il coro della tragedia e gli amici di tutti", "-"},
		{"ca", "els nois de la classe i les veus de la tardor", "-"},
		{"en", "the friends of the court and a chorus of voices", "-"},
	})
}
