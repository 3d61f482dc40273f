package detect

import "testing"

// Small towns where people live, come from, go to, meet, and where others are.
func TestPortugueseGrammarFindsTownsPeopleAreAt(t *testing.T) {
	checkTold(t, []telling{
		{"pt", "boa noite de Serpa", "place=Serpa=mask"},
		{"pt", "cá em Pomerode faz frio", "place=Pomerode=mask"},
		{"pt", "a gente mora perto de Jaguarão", "place=Jaguarão=mask"},
		{"pt", "tô em tavira desde ontem", "place=tavira=mask"},
		{"pt", "nascida em Congonhas e criada no mato", "place=Congonhas=mask"},
		{"pt", "dou aulas em Zorbela há dez anos", "place=Zorbela=mask"},
		{"pt", "podíamos nos ver no sábado em Tavira", "place=Tavira=mask"},
		{"pt", "na estação de Tavira, às 10", "place=Tavira=mask"},
		{"pt", "a minha irmã vive em Tavira", "place=Tavira=mask"},
		{"pt", "Meu irmão tem uma molduraria em Assaí", "place=Assaí=mask"},
		{"pt", "é muito longe de Serpa", "place=Serpa=mask"},
		{"pt", "sou enfermeira em Serpa", "place=Serpa=mask"},
		{"pt", "vivo em São Paulo", "place=São Paulo=unsure"},
		{"pt", "estou em casa, vou para o trabalho, fico no fim da fila", "-"},
		{"pt", "a reunião é na segunda, moro longe de tudo", "-"},
	})
}

// Schools, firms, hospitals and clubs.
func TestPortugueseGrammarFindsWherePeopleWorkAndStudy(t *testing.T) {
	checkTold(t, []telling{
		{"pt", "trabalho na UBS Jardim Zorbal", "organisation=UBS Jardim Zorbal=mask"},
		{"pt", "trabalhei seis anos na Zorbatex", "organisation=Zorbatex=mask"},
		{"pt", "sou fisioterapeuta no Santa Zorbina", "organisation=Santa Zorbina=mask"},
		{"pt", "ando na EB 2/3 de Tavira", "organisation=EB 2/3 de Tavira=mask"},
		{"pt", "canto no Coral da Ribeira Zorba", "organisation=Coral da Ribeira Zorba=unsure"},
		{"pt", "a cervejaria Vale do Zorbo é nossa", "organisation=cervejaria Vale do Zorbo=mask"},
		{"pt", "a nossa empresa, Zorbatex, fechou", "organisation=Zorbatex=mask"},
		{"pt", "trabalho no campo, trabalho na loja", "-"},
	})
}

// Relatives, colleagues and neighbours by name, nicknames and spelling.
func TestPortugueseGrammarFindsPeopleSpokenOf(t *testing.T) {
	checkTold(t, []telling{
		{"pt", "o meu primo joaquim vem comigo", "first_name=joaquim=mask"},
		{"pt", "Meu pai, Egon Zorbemann, morreu cedo", "full_name=Egon Zorbemann=mask"},
		{"pt", "O dono da balsa se chama seu Zedé", "nickname=Zedé=mask"},
		{"pt", "a dona Zuza falou isso", "nickname=Zuza=mask"},
		{"pt", "chamava-se Dalva Zorbêncio e andava a pé", "full_name=Dalva Zorbêncio=mask"},
		{"pt", "uma vizinha de 80 anos, Fernanda, ajuda-nos", "first_name=Fernanda=mask"},
		{"pt", "um tal de Carlos Zorbim tem o meu nome", "full_name=Carlos Zorbim=mask"},
		{"pt", "todo mundo me chama de Zizi", "nickname=Zizi=mask"},
		{"pt", "os meus amigos tratam-me por Zuzu", "nickname=Zuzu=mask"},
		{"pt", "perguntem pela Assunta na portaria", "first_name=Assunta=mask"},
		{"pt", "os colegas me chamam sempre, chama-se assim", "-"},
	})
}

// Numbers by which an office knows somebody, and birthdays.
func TestPortugueseGrammarFindsNumbersAndBirthdays(t *testing.T) {
	checkTold(t, []telling{
		{"pt", "a minha matrícula é 448812", "id=448812=mask"},
		{"pt", "nº mecanográfico: 11907734", "id=11907734=mask"},
		{"pt", "faço anos a 3 de maio", "date=3 de maio=mask"},
		{"pt", "a aula é a 3 de maio, trabalho 4, página 12", "-"},
	})
}
