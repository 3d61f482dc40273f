package tables

import (
	"errors"

	"anonymooc/internal/fault"
	"anonymooc/tables/bsonedit"
	"anonymooc/tables/jsonedit"
)

// BSON is documents one behind the other, as mongodump writes them. What is kept
// keeps its bytes, and every value its type: see bsonedit.
type BSON struct{}

// Name implements Format.
func (BSON) Name() string { return "bson" }

// Cut ends a block behind its last whole document. What can be no document is
// left to Transform, which says so.
func (BSON) Cut(block []byte) int {
	end, _ := wholeDocuments(block)
	return end
}

// wholeDocuments returns where the whole documents of a text end, and how many
// there are. A length that cannot be makes the rest of the text one of them.
func wholeDocuments(text []byte) (end int, count int64) {
	for end < len(text) {
		n, ok := bsonedit.Length(text[end:])
		if !ok {
			return len(text), count + 1
		}
		if n == 0 || n > len(text)-end {
			break
		}
		end += n
		count++
	}
	return end, count
}

// count implements numbered.
func (BSON) count(block []byte) int64 {
	_, n := wholeDocuments(block)
	return n
}

// Transform implements Format.
func (f BSON) Transform(w *Worker, p *Plan, b *Block) error {
	editor := w.editor(p.json)
	number := b.line
	for pos := 0; pos < len(b.src); number++ {
		n, ok := bsonedit.Length(b.src[pos:])
		if !ok || n == 0 || n > len(b.src)-pos {
			return bsonFault(p, number, "it ends early, or its length is wrong").WithHint("the dump is damaged or was cut off: make it again, and copy it as binary")
		}
		b.rowsIn++
		record := b.src[pos : pos+n]
		wrong, gone, err := f.document(w, p, b, editor, record, number)
		switch {
		case err != nil:
			return err
		case wrong != "" && !p.quarantine:
			return bsonFault(p, number, wrong).WithHint("the dump is damaged, or the program that wrote the document was: repair or delete it where it came from")
		case wrong != "":
			b.set = append(b.set, record...)
			b.setLines = append(b.setLines, number)
		case gone:
			b.forgotten++
		default:
			b.rowsOut++
		}
		pos += n
	}
	return nil
}

// document appends one document. wrong says why it cannot be read, without its
// content.
func (f BSON) document(w *Worker, p *Plan, b *Block, editor *jsonedit.Editor, record []byte, number int64) (wrong string, gone bool, err error) {
	place := func(err error) error {
		var known *fault.Fault
		if errors.As(err, &known) {
			return known.At(p.File, number, "")
		}
		return fault.New(fault.Failure, "document %d cannot be treated", number).At(p.File, 0, "").Because(err)
	}
	if p.asksPerson(w) {
		gone, err := w.placeRecord(p.lookup, f, record)
		if err != nil {
			return "", false, place(err)
		}
		if gone {
			return "", true, nil
		}
	}
	w.rowGone = false
	out, err := f.edit(editor, b.out, record)
	w.tallies[len(w.tallies)-1].Cut += int64(editor.Cuts())
	if w.rowGone {
		w.rowGone = false
		return "", true, nil
	}
	var syntax *bsonedit.SyntaxError
	if errors.As(err, &syntax) {
		return "it is " + syntax.Error(), false, nil
	}
	if err != nil {
		return "", false, place(err)
	}
	b.out = out
	return "", false, nil
}

func bsonFault(p *Plan, number int64, wrong string) *fault.Fault {
	return fault.New(fault.Failure, "document %d: %s", number, wrong).At(p.File, 0, "")
}

// each implements Documents.
func (BSON) each(block []byte, visit func([]byte, int) error) error {
	for pos := 0; pos < len(block); {
		n, ok := bsonedit.Length(block[pos:])
		if !ok || n == 0 || n > len(block)-pos {
			return nil // the run that follows says what is wrong
		}
		if err := visit(block[pos:pos+n], pos+n); err != nil {
			return err
		}
		pos += n
	}
	return nil
}

func (BSON) edit(e *jsonedit.Editor, dst, record []byte) ([]byte, error) {
	return bsonedit.Edit(e, dst, record)
}
