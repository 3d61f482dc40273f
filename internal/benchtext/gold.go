// Package benchtext scores the text engine against a corpus with gold markup.
//
//	posts.txt, roster.csv ─► Gold ─► an export's forum and roster ─► forum.Engine ─► Score
//	                           └───── oracle: answers the queue from the markup ──┘
//
// A gold corpus is a folder with two files. roster.csv has the columns id,
// username, first_name, last_name, email, city, institution. posts.txt has one
// post a line, "id|thread|author_id|lang|text", "#" opening a comment; in the
// text \n is a line end, \\ a backslash, and [[KIND/CATEGORY/ENTITY:surface]]
// a mention.
//
// The gold markup says of a mention that it must be masked (M), must be kept
// (K), or that a person decides (Q). A mention counts as masked when no letter
// and no digit of it is left; a kept one when nothing of it was touched.
//
// A corpus of texts with spans (spans.go) is one file of JSON lines; its roster
// is drawn from the names in it.
//
//	systems.go    what is compared: the roster looked up, each detector alone,
//	              their union, the agreement of the paper, the engine
//	words.go      recall and precision by words, the same for all of them
//	replays.go    the figures that the papers report, counted as they did
//	table.go, svg.go   for people to read
package benchtext

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"anonymooc/forum"
	"anonymooc/idmap"
)

// Mention is one marked span of a gold post.
type Mention struct {
	Start, End int
	Kind       byte // 'M', 'K' or 'Q'; '-' where the corpus marks something else
	Category   string
	Entity     string
}

// Post is a gold post without its markup.
type Post struct {
	ID, Thread, Author, Lang, Text string
	Mentions                       []Mention
}

// Gold is a corpus with its roster.
type Gold struct {
	Name    string
	Posts   []Post
	Roster  []forum.Person
	Authors bool // the people of the roster write the posts
}

var markup = regexp.MustCompile(`\[\[([MKQ])/([A-Z]+)/([^:\]/]+):((?:[^\]]|\][^\]])+)\]\]`)

// firstPseudonym numbers the people of a gold roster.
const firstPseudonym = idmap.Pseudonym(1_500_000_000)

// Read reads the folder of a gold corpus.
func Read(folder string) (*Gold, error) {
	g := &Gold{Name: filepath.Base(folder), Authors: true}
	text, err := os.ReadFile(filepath.Join(folder, "posts.txt"))
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "|", 5)
		if len(fields) != 5 {
			return nil, fmt.Errorf("posts.txt: line %d: not five fields", n+1)
		}
		p := Post{ID: fields[0], Thread: fields[1], Author: fields[2], Lang: fields[3]}
		p.strip(fields[4])
		g.Posts = append(g.Posts, p)
	}
	return g, g.readRoster(filepath.Join(folder, "roster.csv"))
}

// strip takes the markup off a text and notes where it was.
func (p *Post) strip(marked string) {
	var b strings.Builder
	at := 0
	for _, m := range markup.FindAllStringSubmatchIndex(marked, -1) {
		b.WriteString(unescape(marked[at:m[0]]))
		mention := Mention{Start: b.Len(), Kind: marked[m[2]], Category: marked[m[4]:m[5]], Entity: marked[m[6]:m[7]]}
		b.WriteString(unescape(marked[m[8]:m[9]]))
		mention.End = b.Len()
		p.Mentions = append(p.Mentions, mention)
		at = m[1]
	}
	b.WriteString(unescape(marked[at:]))
	p.Text = b.String()
}

func unescape(s string) string { return strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(s) }

func (g *Gold) readRoster(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	for i, row := range rows[1:] {
		if len(row) != 7 {
			return fmt.Errorf("%s: line %d: not seven fields", filepath.Base(path), i+2)
		}
		list := func(s string) []string {
			if s == "" {
				return nil
			}
			return []string{s}
		}
		g.Roster = append(g.Roster, forum.Person{
			Pseudonym: firstPseudonym + idmap.Pseudonym(i), UserIDs: list(row[0]), Usernames: list(row[1]), FirstNames: list(row[2]),
			LastNames: list(row[3]), Emails: list(row[4]), Cities: list(row[5]), Institutions: list(row[6]),
		})
	}
	return nil
}

// WriteForum writes the posts as a forum's export: the first post of a thread
// starts it, the others comment on it.
func (g *Gold) WriteForum(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	starters := make(map[string]string)
	for i := range g.Posts {
		p := &g.Posts[i]
		record := map[string]any{"_id": objectID(p.ID), "author_id": p.Author, "body": p.Text, "course_id": "org/nomad/run"}
		if starter, ok := starters[p.Thread]; ok {
			record["_type"], record["comment_thread_id"] = "Comment", starter
		} else {
			starters[p.Thread] = objectID(p.ID)
			record["_type"] = "CommentThread"
		}
		if err := encoder.Encode(record); err != nil {
			return err
		}
	}
	return file.Close()
}

func objectID(id string) string {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return id
	}
	return fmt.Sprintf("%024x", n)
}
