package main

import "testing"

// TestLastName: a saint's, a king's and a pair's last word is a given name, which many
// bear whom nobody knows.
func TestLastName(t *testing.T) {
	for name, want := range map[string]string{
		"Victor Hugo": "Hugo", "Santiago Ramón y Cajal": "Cajal", "Lord Byron": "Byron", "Inês de Castro": "Castro",
		"Plato": "", "Louis XIV": "", "San Jaime": "", "Reina Camila": "", "Dom Pedro": "", "Ross et Rachel": "", "Alfred the Great": "",
		"Leonardo da vinci": "",
	} {
		if got := lastName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
