package calix

import (
	"bytes"
	"encoding/hex"
	"encoding/xml"
	"io"
	"slices"

	"anonymooc/internal/fault"
)

// maxText bounds the bytes of one text.
const maxText = 16 << 20

// Reader reads a forum post by post.
type Reader struct {
	name    string
	decoder *xml.Decoder
	inside  bool // within <forum>
	done    bool
	limit   int // bytes of a text
}

// NewReader reads the forum from r; name is what errors call it.
func NewReader(r io.Reader, name string) *Reader {
	decoder := xml.NewDecoder(r)
	decoder.Strict = true
	return &Reader{name: name, decoder: decoder, limit: maxText}
}

// Next gives the next post, or io.EOF after the last one.
func (r *Reader) Next() (Post, error) {
	for !r.done {
		token, err := r.token()
		if err != nil {
			return Post{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if r.inside && t.Name.Local == "post" {
				return r.post(t)
			}
			if r.inside || t.Name.Local != "forum" {
				return Post{}, r.fault("an element that a forum does not have")
			}
			r.inside = true
		case xml.EndElement:
			r.inside, r.done = false, true
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return Post{}, r.fault("text outside a post")
			}
		}
	}
	return Post{}, r.end()
}

// end makes sure that nothing follows the forum.
func (r *Reader) end() error {
	for {
		token, err := r.decoder.Token()
		if err == io.EOF {
			return io.EOF
		}
		text, blank := token.(xml.CharData)
		if err != nil || !blank || len(bytes.TrimSpace(text)) > 0 {
			return r.fault("something follows the forum")
		}
	}
}

// token gives the next token that counts, and refuses what may not be there.
func (r *Reader) token() (xml.Token, error) {
	for {
		token, err := r.decoder.Token()
		if err != nil {
			return nil, r.fault("not well-formed XML, or cut short")
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, r.fault("a document type, which is not read")
		case xml.ProcInst:
			if t.Target != "xml" {
				return nil, r.fault("a processing instruction, which is not read")
			}
		case xml.Comment:
		case xml.StartElement:
			if t.Name.Space != "" {
				return nil, r.fault("an element of another name space")
			}
			return t, nil
		default:
			return token, nil
		}
	}
}

func (r *Reader) fault(what string) error {
	line, _ := r.decoder.InputPos()
	return fault.New(fault.Failure, "%s", what).At(r.name, int64(line), "").
		WithHint("the file must be one that forum export wrote, with marks changed or added")
}

// attributesOf gives an element's attributes, which must be among names.
func (r *Reader) attributesOf(element xml.StartElement, names ...string) (map[string]string, error) {
	values := make(map[string]string, len(element.Attr))
	for _, a := range element.Attr {
		if _, twice := values[a.Name.Local]; twice || a.Name.Space != "" || !slices.Contains(names, a.Name.Local) {
			return nil, r.fault("an attribute that the element does not have")
		}
		values[a.Name.Local] = a.Value
	}
	return values, nil
}

func (r *Reader) post(element xml.StartElement) (Post, error) {
	values, err := r.attributesOf(element, "id", "thread", "parent", "author", "date")
	if err != nil {
		return Post{}, err
	}
	p := Post{ID: values["id"], Thread: values["thread"], Parent: values["parent"], Author: values["author"], Date: values["date"]}
	seen := make(map[string]bool)
	for {
		token, err := r.token()
		if err != nil {
			return Post{}, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return p, nil
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return Post{}, r.fault("text outside a post's subject and text")
			}
		case xml.StartElement:
			if seen[t.Name.Local] {
				return Post{}, r.fault("a second subject or text in one post")
			}
			seen[t.Name.Local] = true
			switch t.Name.Local {
			case "subject":
				p.Subject, err = r.text(t)
			case "text":
				p.Body, err = r.text(t)
			default:
				err = r.fault("an element that a post does not have")
			}
			if err != nil {
				return Post{}, err
			}
		}
	}
}

// text reads a field up to its end.
func (r *Reader) text(element xml.StartElement) (Text, error) {
	if _, err := r.attributesOf(element); err != nil {
		return Text{}, err
	}
	var raw []byte
	var marks []Mark
	open := false
	for {
		token, err := r.token()
		if err != nil {
			return Text{}, err
		}
		switch t := token.(type) {
		case xml.CharData:
			raw = append(raw, t...)
		case xml.EndElement:
			if !open {
				return Text{Raw: string(raw), Marks: marks}, nil
			}
			open = false
			if marks[len(marks)-1].End = len(raw); marks[len(marks)-1].Start == len(raw) {
				return Text{}, r.fault("a mark on nothing")
			}
		case xml.StartElement:
			switch {
			case t.Name.Local == "byte":
				raw, err = r.byte(raw, t)
			case t.Name.Local == "calix" && !open:
				var mark Mark
				mark, err = r.mark(t)
				mark.Start = len(raw)
				marks = append(marks, mark)
				open = true
			default:
				err = r.fault("an element that a text does not have, or a mark within a mark")
			}
		}
		if err == nil && len(raw) > r.limit {
			err = r.fault("a text above the size limit")
		}
		if err != nil {
			return Text{}, err
		}
	}
}

func (r *Reader) mark(element xml.StartElement) (Mark, error) {
	values, err := r.attributesOf(element, "entity_id", "type", "category", "case", "form", "modified")
	if err != nil {
		return Mark{}, err
	}
	mark := Mark{Entity: values["entity_id"], Type: values["type"], Category: values["category"], Case: values["case"],
		Form: values["form"], Modified: Modified(values["modified"])}
	switch mark.Modified {
	case Wait, Yes, No:
		return mark, nil
	}
	return Mark{}, r.fault("a mark's modified is not wait, yes or no")
}

// byte reads <byte value="1b"/>.
func (r *Reader) byte(raw []byte, element xml.StartElement) ([]byte, error) {
	values, err := r.attributesOf(element, "value")
	if err != nil {
		return raw, err
	}
	value, err := hex.DecodeString(values["value"])
	if err != nil || len(value) != 1 {
		return raw, r.fault("a byte's value is not two hexadecimal digits")
	}
	token, err := r.token()
	if _, ends := token.(xml.EndElement); err == nil && !ends {
		err = r.fault("a byte element with a content")
	}
	return append(raw, value[0]), err
}
