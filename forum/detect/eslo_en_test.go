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

func TestEnglishGrammarFindsPlacesAndInstitutionsOfALife(t *testing.T) {
	checkTold(t, []telling{
		{"en", "I'm forty minutes away in Ludlow!", "place=Ludlow=mask"},
		{"en", "train from Totnes is five hours", "place=Totnes=mask"},
		{"en", "anyone near Oswestry for a coffee?", "place=Oswestry=mask"},
		{"en", "we moved back to Zarbleford last year", "place=Zarbleford=mask"},
		{"en", "My sister lives in Kilkenny with the twins", "place=Kilkenny=mask"},
		{"en", "One clinic in Zarbleford, twelve kilometres from us", "place=Zarbleford=mask"},
		{"en", "i go to the poly in Oswestry", "organisation=poly in Oswestry=mask"},
		{"en", "I studied at St Brannoc's and then at Wexmoor Sixth Form", "organisation=Wexmoor Sixth Form=mask"},
		{"en", "I teach at Zarble Baptist, up here in Kilkenny", "organisation=Zarble Baptist=mask; place=Kilkenny=mask"},
		{"en", "At my place, Scoil Zarbla, we write every week", "organisation=Scoil Zarbla=mask"},
		{"en", "i said this to my boss at zarbleline yesterday", "organisation=zarbleline=mask"},
		{"en", "I was born in December and I work in May", "-"},
		{"en", "Same here. Nice lad. White page, nothing else.", "-"},
		{"en", "The plan is to go back to basics before the exam.", "-"},
	})
}

func TestEnglishGrammarFindsPeopleAroundTheSpeaker(t *testing.T) {
	checkTold(t, []telling{
		{"en", "my own brother Zorgachew knows each stone", "first_name=Zorgachew=mask"},
		{"en", "my cousin zorbeng answers them one by one", "first_name=zorbeng=mask"},
		{"en", "my boss sandra said no", "first_name=sandra=mask"},
		{"en", "Siobhan from payroll told us", "first_name=Siobhan=mask"},
		{"en", "I said out loud to the dog, Biscuit, well there you go", "nickname=Biscuit=mask"},
		{"en", "my friends call me Tater", "nickname=Tater=mask"},
		{"en", "everybody calls him zorbinio", "nickname=zorbinio=mask"},
		{"en", "my maiden name was Zorbatsch", "last_name=Zorbatsch=mask"},
		{"en", "My colleague thinks this is wrong and my boss agreed.", "-"},
		{"en", "they call it a Markov chain", "-"},
	})
}

func TestEnglishGrammarFindsNumbersAndDatesOfBirth(t *testing.T) {
	checkTold(t, []telling{
		{"en", "my student ID is TN-4471-0936.", "id=TN-4471-0936=mask"},
		{"en", "my student number: 20231187", "id=20231187=mask"},
		{"en", "Roll number on the readme is 4AI22ME031, ignore it", "id=4AI22ME031=mask"},
		{"en", "born 3 May 1981", "date=3 May 1981=mask"},
		{"en", "dob 4/9/1998", "date=4/9/1998=mask"},
		{"en", "The order number of the equation is 2, and the number of students is 40.", "-"},
	})
}
