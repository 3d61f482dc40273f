package sample

import (
	"fmt"
	"math/rand/v2"
)

// Course is one course run: its names and the content ids its tables, log and
// forum share. Even courses use the ids of before October 2014 (i4x), odd ones
// those of after (block-v1).
type Course struct {
	Index  int
	ID     string // "ImaginaireX/BOT101/Automne_2014" or "course-v1:ImaginaireX+HIS202+2016_T1"
	Folder string // "ImaginaireX-BOT101-Automne_2014"
	Org    string
	Number string
	Run    string
	start  moment
	opaque bool // block-v1 ids

	usageStart string // what the course's block ids begin with

	chapters, sequentials, verticals, problems, videos, essays []string // block names, 32 hexadecimal digits
	commentables, topics                                       []string

	roster *roster
	people int // of the export
	count  int // courses of the export
}

// courseSubjects name the first courses; a botany and a history course talk
// about roses, olives, stones and Paris without meaning anybody.
var courseSubjects = []string{"BOT101", "HIS202", "ECO303", "MAT404"}

func newCourse(index, count, people int, seed uint64, r *roster) *Course {
	rng := rand.New(rand.NewPCG(seed, mix(0xC0025E+uint64(index))))
	c := &Course{Index: index, Org: "ImaginaireX", roster: r, people: people, count: count, opaque: index%2 == 1}
	c.Number = courseSubjects[index%len(courseSubjects)]
	if index >= len(courseSubjects) {
		c.Number += fmt.Sprintf("x%d", index)
	}
	c.start = moment(16344+200*index) * day // 2014-10-01, then later runs
	if c.opaque {
		year, _, _, _, _ := c.start.civil()
		c.Run = fmt.Sprintf("%d_T%d", year, 1+index%3)
		c.ID = "course-v1:" + c.Org + "+" + c.Number + "+" + c.Run
	} else {
		c.Run = "Automne_2014"
		c.ID = c.Org + "/" + c.Number + "/" + c.Run
	}
	c.usageStart = "i4x://" + c.Org + "/" + c.Number + "/"
	if c.opaque {
		c.usageStart = "block-v1:" + c.Org + "+" + c.Number + "+" + c.Run
	}
	c.Folder = c.Org + "-" + c.Number + "-" + c.Run
	blocks := func(n int) []string {
		names := make([]string, n)
		for i := range names {
			names[i] = string(appendHex(appendHex(nil, rng.Uint64(), 16), rng.Uint64(), 16))
		}
		return names
	}
	c.chapters, c.sequentials, c.verticals = blocks(4), blocks(8), blocks(16)
	c.problems, c.videos, c.essays = blocks(12), blocks(8), blocks(2)
	c.commentables, c.topics = blocks(5), blocks(3)
	return c
}

// usage gives the full id of a block.
func (c *Course) usage(blockType, name string) string {
	return string(c.appendUsage(nil, blockType, name))
}

func (c *Course) appendUsage(dst []byte, blockType, name string) []byte {
	dst = append(dst, c.usageStart...)
	if c.opaque {
		dst = append(append(dst, "+type@"...), blockType...)
		return append(append(dst, "+block@"...), name...)
	}
	return append(append(append(dst, blockType...), '/'), name...)
}

// input gives the prefix of a problem's input fields.
func (c *Course) input(name string) string {
	if c.opaque {
		return name
	}
	return "i4x-" + c.Org + "-" + c.Number + "-problem-" + name
}

// host is where the course is read.
func (c *Course) host() string { return "cours.imaginaire.example" }

// enrolled reports whether person i takes the course: everybody takes one, and
// about a third a second one.
func (c *Course) enrolled(i int) bool {
	return c.takes(i) && !(i < len(c.roster.cast) && c.roster.cast[i].LogOnly)
}

func (c *Course) takes(i int) bool {
	home := i % c.count
	if home == c.Index {
		return true
	}
	draw := mix(c.roster.seed ^ mix(uint64(i)+77))
	return c.count > 1 && draw%3 == 0 && (home+1+int(draw>>8%uint64(c.count-1)))%c.count == c.Index
}

// member draws somebody of the course.
func (c *Course) member(rng *rand.Rand) *Person {
	for range 32 {
		if i := rng.IntN(c.people); c.takes(i) {
			return c.roster.person(i)
		}
	}
	// With many courses a blind draw seldom hits: take somebody at home here.
	homes := (c.people - c.Index + c.count - 1) / c.count
	if homes <= 0 {
		return c.roster.person(rng.IntN(c.people))
	}
	return c.roster.person(c.Index + c.count*rng.IntN(homes))
}

// namedMember draws somebody of the course who has a name to be called by.
func (c *Course) namedMember(rng *rand.Rand) *Person {
	for {
		if p := c.member(rng); p.Named() {
			return p
		}
	}
}
