package review

import (
	"strconv"
	"strings"

	"anonymooc/forum/corpus"
	"anonymooc/forum/ledger"
)

// value names a mention in a form of the page: numbers of this process, nothing
// of the export.
func (m *mention) value() string { return placeValue(m.post, int(m.field), int(m.start), int(m.end)) }

func placeValue(post uint32, field, start, end int) string {
	return strconv.Itoa(int(post)) + "." + strconv.Itoa(field) + "." + strconv.Itoa(start) + "." + strconv.Itoa(end)
}

// place reads what value wrote: a mention of the forum, or "q." and the number of
// a line that came with the question.
func (d *Desk) place(q *question, value string) (ledger.Mention, bool) {
	parts := strings.Split(value, ".")
	var n [4]int
	for i, part := range parts {
		if i == 0 && part == "q" {
			continue
		}
		number, err := strconv.Atoi(part)
		if err != nil || number < 0 || i >= len(n) {
			return ledger.Mention{}, false
		}
		n[i] = number
	}
	if parts[0] == "q" {
		if len(parts) != 2 || n[1] >= len(q.Lines) {
			return ledger.Mention{}, false
		}
		l := q.Lines[n[1]]
		return ledger.Mention{Post: l.Post, Field: l.Field, Start: l.Start, End: l.End}, true
	}
	if len(parts) != len(n) || n[1] >= len(fields) {
		return ledger.Mention{}, false
	}
	post, ok := d.round.posts.post(uint32(min(n[0], 1<<31)))
	if !ok || n[3] <= n[2] || n[3] > len(fieldOf(&post, n[1])) {
		return ledger.Mention{}, false
	}
	return ledger.Mention{Post: post.ID, Field: fields[n[1]], Start: n[2], End: n[3]}, true
}

// fieldOf gives one of a post's texts.
func fieldOf(p *corpus.Post, field int) string {
	if field == 0 {
		return p.Title
	}
	return p.Body
}
