package canary_test

import (
	"fmt"
	"os"
	"path/filepath"

	"anonymooc/internal/sample/canary"
)

// A release that kept a username inside a URL inside a JSON string.
func ExampleSearch() {
	release, err := os.MkdirTemp("", "release-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(release)
	line := `{"username": "u1834567201", "event": "{\"next\": \"%2Fu%2Fandr%C3%A9.dupr%C3%A9\"}"}` + "\n"
	if err := os.WriteFile(filepath.Join(release, "tracking_log.json"), []byte(line), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	planted := []canary.Canary{{Kind: "username", Value: "andré.dupré", Person: 10}}
	hits, err := canary.Search(release, planted, canary.Options{})
	fmt.Println(hits, err)
	// Output: [tracking_log.json:1: username of person 10 (percent)] <nil>
}
