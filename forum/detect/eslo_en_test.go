package detect

import "testing"

func TestEnglishGrammarFindsPeopleNobodyListed(t *testing.T) {
	checkTold(t, []telling{
		{"en", "Hello everyone, my name is Zorblin and I am new here.", "first_name=Zorblin=mask"},
		{"en", "hey all im new, my name is zorblin", "first_name=zorblin=mask"},
		{"en", "Thanks Siobhan, that helped!", "first_name=Siobhan=mask"},
		{"en", "cheers Priyanka", "first_name=Priyanka=mask"},
		{"en", "I agree with Thaddeus on this", "first_name=Thaddeus=mask"},
		{"en", "As Gwendolyn said, it is hard.", "first_name=Gwendolyn=mask"},
		{"en", "My colleague Bronwyn told me", "first_name=Bronwyn=mask"},
		{"en", "my son Cormac is 8 years old", "first_name=Cormac=mask; age=8 years old=unsure"},
		{"en", "Mrs. Featherstone and Prof. O'Hanlon", "last_name=Featherstone=mask; last_name=O'Hanlon=mask"},
		{"en", "Thank you in advance.\n\nBest regards,\nSaoirse", "first_name=Saoirse=mask"},
		{"en", "Kind regards,\nSaoirse O'Hanlon", "full_name=Saoirse O'Hanlon=mask"},
		{"en", "Hi, I'm Declan from Kilkenny.", "first_name=Declan=mask; place=Kilkenny=mask"},
		{"en", "Thank you so much for this great course. Thanks in advance!", "-"},
		{"en", "Hello everyone, Hi all, Dear professor, Good morning", "-"},
		{"en", "I am sure that this is wrong. I'm not the only one.", "-"},
		{"en", "the answer is in the book, as said before", "-"},
	})
}

func TestEnglishGrammarFindsWhatPeopleTell(t *testing.T) {
	checkTold(t, []telling{
		{"en", "I live in Kilkenny", "place=Kilkenny=mask"},
		{"en", "i live in kilkenny", "place=kilkenny=mask"},
		{"en", "I live in London", "place=London=unsure"},
		{"en", "I live in Germany", "-"},
		{"en", "I am a high school math teacher in a small town called Birdsnest", "job=high school math teacher=unsure; place=Birdsnest=mask"},
		{"en", "I'm 34 years old, married, and I have three kids", "age=34 years old=unsure; family=married=unsure; family=three kids=unsure"},
		{"en", "I work at Mercy Hospital as a registered nurse", "organisation=Mercy Hospital=mask; job=registered nurse=unsure"},
		{"en", "I am the mayor of our village", "job=mayor=mask"},
		{"en", "I'm studying biology", "study=biology=unsure"},
		{"en", "I was diagnosed with multiple sclerosis", "health=multiple sclerosis=unsure"},
		{"en", "my husband is a firefighter", "job=firefighter=unsure"},
		{"en", "I am a catholic and a member of the Lions", "association=catholic=unsure"},
		{"en", "I have 10 years of experience and I live in fear of the exam", "-"},
	})
}
