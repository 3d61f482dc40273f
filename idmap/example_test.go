package idmap_test

import (
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"anonymooc/idmap"
	"anonymooc/internal/secret"
)

// A run claims what the identity tables say, settles, resolves, and commits
// before it finishes its release.
func Example() {
	project, err := os.MkdirTemp("", "project")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(project)
	key, err := secret.CreateKeyFile(filepath.Join(project, "key"), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	ids, err := idmap.Create(filepath.Join(project, "map"), idmap.Options{Key: key, Purpose: "run"})
	if err != nil {
		log.Fatal(err)
	}
	defer ids.Close()
	domain, err := ids.Domain("dropout study")
	if err != nil {
		log.Fatal(err)
	}

	// First pass: auth_user says that these belong together.
	err = domain.Claim(
		idmap.Identifier{Kind: idmap.UserID, Value: "17"},
		idmap.Identifier{Kind: idmap.Username, Value: "mdurand"})
	if err != nil {
		log.Fatal(err)
	}
	conflicts, err := domain.Settle()
	if err != nil {
		log.Fatal(err)
	}

	// Second pass: one resolver a goroutine.
	resolver := domain.Resolver()
	byNumber, err := resolver.Person(idmap.UserID, []byte("17"))
	if err != nil {
		log.Fatal(err)
	}
	byName, err := resolver.Person(idmap.Username, []byte("MDurand"))
	if err != nil {
		log.Fatal(err)
	}
	if err := ids.Commit(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("conflicts:", len(conflicts))
	fmt.Println("one person:", byNumber == byName)
	fmt.Println("username follows:", byName.Username() == fmt.Sprintf("u%d", byNumber))
	// Output:
	// conflicts: 0
	// one person: true
	// username follows: true
}

// A map that exists is opened with its key; without it, nothing.
func ExampleOpen() {
	project, err := os.MkdirTemp("", "project")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(project)
	dir := filepath.Join(project, "map")
	key := secret.Key{Secret: secret.New([]byte("the bytes of the right key file.")), IsPassphrase: false}
	ids, err := idmap.Create(dir, idmap.Options{Key: key})
	if err != nil {
		log.Fatal(err)
	}
	if err := ids.Close(); err != nil {
		log.Fatal(err)
	}
	wrong := secret.Key{Secret: secret.New([]byte("the bytes of some other key file"))}
	_, err = idmap.Open(dir, idmap.Options{Key: wrong})
	fmt.Println("opened with the wrong key:", err == nil)
	ids, err = idmap.Open(dir, idmap.Options{Key: key, Purpose: "ids stat"})
	if err != nil {
		log.Fatal(err)
	}
	defer ids.Close()
	fmt.Println("domains:", len(ids.Stat().Domains))
	// Output:
	// opened with the wrong key: false
	// domains: 0
}
