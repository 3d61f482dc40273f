package bsonedit_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/tables/bsonedit"
	"anonymooc/tables/jsonedit"
)

// handler does with a value what its rule says, by the value alone.
type handler struct{}

// The rules of the tests.
const (
	keep jsonedit.Rule = iota
	change
	empty
	raw
	beside
	dropped
)

func (handler) Value(dst []byte, rule jsonedit.Rule, s jsonedit.Scalar) ([]byte, []byte, jsonedit.Outcome, error) {
	switch rule {
	case change:
		switch {
		case s.Type == jsonedit.Bool:
			return append(dst, "false"...), nil, jsonedit.Replace, nil
		case s.Type == jsonedit.Null:
			return append(dst, "something"...), nil, jsonedit.Replace, nil
		case s.Type == jsonedit.Number:
			return append(dst, "2147483648"...), nil, jsonedit.Replace, nil
		case strings.HasSuffix(s.Path.String(), "$oid"):
			return append(dst, "00112233445566778899aabb"...), nil, jsonedit.Replace, nil
		}
		return append(append(dst, "longer than "...), s.Text...), nil, jsonedit.Replace, nil
	case empty:
		return dst, nil, jsonedit.Empty, nil
	case raw:
		return append(dst, `{"in": [1, "x"]}`...), nil, jsonedit.Raw, nil
	case beside:
		return dst, []byte(`"geo": {"country": "FR"}`), jsonedit.Keep, nil
	}
	return dst, nil, jsonedit.Keep, nil
}

func (handler) Key(dst []byte, key string, _ bool) ([]byte, bool) {
	if strings.HasPrefix(key, "person") {
		return append(dst, "u"+key[len("person"):]+"x"...), true
	}
	return dst, false
}

func (handler) KeyedByPeople(*jsonedit.Path) bool { return false }

// editor binds paths to rules; what no path names gets the rule otherwise.
func editor(t testing.TB, rules map[string]jsonedit.Rule, otherwise jsonedit.Rule) *jsonedit.Editor {
	t.Helper()
	var bindings []jsonedit.Binding
	for path, rule := range rules {
		bindings = append(bindings, jsonedit.Binding{Path: path, Rule: rule, Drop: rule == dropped, Flat: rule == change})
	}
	paths, err := jsonedit.Compile(bindings, otherwise)
	if err != nil {
		t.Fatal(err)
	}
	paths.EmbeddedEverywhere = true
	return jsonedit.NewEditor(paths, handler{})
}

func marshal(t testing.TB, d any) []byte {
	t.Helper()
	b, err := bson.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var somewhen = time.Date(2014, 2, 3, 9, 51, 12, 345e6, time.UTC)

// post is a document as the forum has them, with a value of every type.
func post() bson.D {
	id, _ := bson.ObjectIDFromHex("52ee7a0000000000000000a1")
	return bson.D{
		{Key: "_id", Value: id}, {Key: "_type", Value: "Comment"}, {Key: "body", Value: "Merci Zoé, voilà ✓"},
		{Key: "created_at", Value: bson.NewDateTimeFromTime(somewhen)}, {Key: "author_id", Value: "4711"},
		{Key: "votes", Value: bson.D{{Key: "up", Value: bson.A{"1", int32(2), int64(3), 4.0}}, {Key: "count", Value: int32(4)}, {Key: "none", Value: bson.A{}}}},
		{Key: "edit_history", Value: bson.A{bson.D{{Key: "author_id", Value: "7"}, {Key: "original_body", Value: "x"}}, bson.D{}}},
		{Key: "state", Value: `{"user": "amy", "n": [1, 2]}`}, {Key: "endorsed", Value: true}, {Key: "nothing", Value: nil},
		{Key: "personZoe", Value: "hers"}, {Key: "double", Value: 1.5}, {Key: "long", Value: int64(1) << 40},
		{Key: "uuid", Value: bson.Binary{Subtype: 4, Data: bytes.Repeat([]byte{7}, 16)}}, {Key: "blob", Value: bson.Binary{Data: []byte("abc")}},
		{Key: "stamp", Value: bson.Timestamp{T: 12, I: 3}}, {Key: "decimal", Value: bson.NewDecimal128(0x3040000000000000, 42)},
		{Key: "regex", Value: bson.Regex{Pattern: "a.b", Options: "i"}}, {Key: "symbol", Value: bson.Symbol("s")}, {Key: "code", Value: bson.JavaScript("f()")},
		{Key: "least", Value: bson.MinKey{}}, {Key: "most", Value: bson.MaxKey{}}, {Key: "", Value: ""},
	}
}

func TestKeepGivesTheDocumentBack(t *testing.T) {
	d := post()
	d[10].Key = "name"
	document := marshal(t, d)
	out, err := bsonedit.Edit(editor(t, nil, keep), []byte("before"), document)
	if err != nil || !bytes.Equal(out, append([]byte("before"), document...)) {
		t.Fatalf("%x became %x, %v", document, out, err)
	}
}

// TestEveryTypeIsChangedInItsType: what an action writes takes the type that was
// there, and the lengths around it are right.
func TestEveryTypeIsChangedInItsType(t *testing.T) {
	out, err := bsonedit.Edit(editor(t, map[string]jsonedit.Rule{
		"_id": change, "body": change, "created_at": change, "votes.up": change, "votes.count": change, "edit_history.original_body": change,
		"state.user": change, "endorsed": change, "nothing": change, "double": change, "long": change, "uuid": change, "blob": change, "stamp": empty,
		"author_id": dropped, "symbol": empty, "code": raw, "_type": beside, "edit_history.author_id": raw,
	}, keep), nil, marshal(t, post()))
	if err != nil {
		t.Fatal(err)
	}
	var got bson.D
	if err := bson.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	id, _ := bson.ObjectIDFromHex("00112233445566778899aabb")
	values := map[string]any{}
	for _, e := range got {
		values[e.Key] = e.Value
	}
	for key, want := range map[string]any{
		"_id": id, "body": "longer than Merci Zoé, voilà ✓", "created_at": bson.DateTime(2147483648), "endorsed": false, "nothing": "something",
		"double": 2147483648.0, "long": int64(2147483648), "uuid": nil, "blob": nil, "stamp": nil, "state": `{"user": "longer than amy", "n": [1, 2]}`,
		"uZoex": "hers", "symbol": bson.Symbol(""),
	} {
		if values[key] != want {
			t.Errorf("%s is %#v, want %#v", key, values[key], want)
		}
	}
	if _, there := values["author_id"]; there {
		t.Error("what is dropped is there")
	}
	text, err := bson.MarshalExtJSON(got, false, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"votes":{"up":["longer than 1",2147483648,2147483648,2.147483648E+09],"count":2147483648,"none":[]}`,
		`"code":{"in":[1,"x"]}`, `"_type":"Comment","geo":{"country":"FR"},"body"`, `"edit_history":[{"author_id":{"in":[1,"x"]},"original_body":"longer than x"},{}]`,
	} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

// shown writes a document as extended JSON, in the dialect that the rules see.
func shown(t testing.TB, dst []byte, v bson.RawValue) []byte {
	t.Helper()
	members := func(open, end byte, raw bson.Raw, keys bool) {
		elements, err := raw.Elements()
		if err != nil {
			t.Fatal(err)
		}
		dst = append(dst, open)
		for i, e := range elements {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if keys {
				dst = append(jsonedit.AppendQuoted(dst, e.Key()), ": "...)
			}
			dst = shown(t, dst, e.Value())
		}
		dst = append(dst, end)
	}
	switch v.Type {
	case bson.TypeEmbeddedDocument:
		members('{', '}', v.Document(), true)
	case bson.TypeArray:
		members('[', ']', bson.Raw(v.Value), false)
	case bson.TypeString:
		dst = jsonedit.AppendQuoted(dst, v.StringValue())
	case bson.TypeInt32:
		dst = strconv.AppendInt(dst, int64(v.Int32()), 10)
	case bson.TypeInt64:
		dst = strconv.AppendInt(dst, v.Int64(), 10)
	case bson.TypeBoolean:
		dst = strconv.AppendBool(dst, v.Boolean())
	case bson.TypeNull:
		dst = append(dst, "null"...)
	case bson.TypeObjectID:
		dst = append(dst, `{"$oid": "`+v.ObjectID().Hex()+`"}`...)
	case bson.TypeDateTime:
		dst = append(strconv.AppendInt(append(dst, `{"$date": `...), v.DateTime(), 10), '}')
	default:
		t.Fatalf("type %s", v.Type)
	}
	return dst
}

// random makes a value of the types that posts have.
func random(r *rand.Rand, deep int) any {
	n := 9
	if deep <= 0 {
		n = 7
	}
	switch r.IntN(n) {
	case 0:
		return r.Int32()
	case 1:
		return r.Int64()
	case 2:
		return r.IntN(2) == 0
	case 3:
		return nil
	case 4:
		return bson.ObjectID(marshalID(r))
	case 5:
		return bson.DateTime(r.Int64N(1 << 41))
	case 6:
		return []string{"", "zoe", "a \"quoted\" text\n", `{"a": {"b": "c"}, "d": [null]}`, `{"a": "cut`, "[2] see", "é\x00è"}[r.IntN(7)]
	case 7:
		list := bson.A{}
		for range r.IntN(4) {
			list = append(list, random(r, deep-1))
		}
		return list
	}
	return randomDocument(r, deep-1)
}

func marshalID(r *rand.Rand) (id [12]byte) {
	binary.LittleEndian.PutUint64(id[:], r.Uint64())
	return id
}

var names = []string{"a", "b", "c", "d", "user_id", "personAmy", "$oid", "key.with.dots"}

func randomDocument(r *rand.Rand, deep int) bson.D {
	d := bson.D{}
	for range r.IntN(7) {
		d = append(d, bson.E{Key: names[r.IntN(len(names))], Value: random(r, deep)})
	}
	return d
}

// TestSameAsJSON: whatever the rules, a document edited as BSON says what it says
// edited as JSON.
func TestSameAsJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	patterns := []string{"a", "b", "a.b", "a.*.c", "**.user_id", "**.d", "c.$oid", "a.b.$date", "b.*", "**.per*"}
	for round := range 4000 {
		rules := map[string]jsonedit.Rule{}
		for range r.IntN(6) {
			rules[patterns[r.IntN(len(patterns))]] = []jsonedit.Rule{keep, change, empty, dropped}[r.IntN(4)]
		}
		otherwise := []jsonedit.Rule{keep, change, empty}[r.IntN(3)]
		document := marshal(t, randomDocument(r, 4))
		whole := bson.RawValue{Type: bson.TypeEmbeddedDocument, Value: document}
		want, err := editor(t, rules, otherwise).Edit(nil, shown(t, nil, whole))
		if err != nil {
			t.Fatal(err)
		}
		out, err := bsonedit.Edit(editor(t, rules, otherwise), nil, document)
		if err != nil {
			t.Fatal(err)
		}
		if err := bson.Raw(out).Validate(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		got := shown(t, nil, bson.RawValue{Type: bson.TypeEmbeddedDocument, Value: out})
		if plain(got) != plain(want) {
			t.Fatalf("round %d, rules %v, otherwise %d:\n%s\nas BSON %s\nas JSON %s", round, rules, otherwise, shown(t, nil, whole), got, want)
		}
	}
}

// plain takes the white space and what the two notations write differently: an
// emptied date is null in BSON, {"$date": null} in JSON, and {} when it is dropped.
func plain(text []byte) string {
	s := strings.ReplaceAll(string(text), " ", "")
	s = strings.ReplaceAll(s, `{"$date":null}`, "null")
	s = strings.ReplaceAll(s, "{}", "null")
	return strings.ReplaceAll(s, `{"$oid":""}`, "null")
}

func TestDamagedDocumentsAreRefused(t *testing.T) {
	whole := marshal(t, post())
	e := editor(t, nil, change)
	for n := range whole {
		if _, err := bsonedit.Edit(e, nil, whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a document", n, len(whole))
		}
	}
	nested := []byte{5, 0, 0, 0, 0}
	for range 3000 {
		nested = append(append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(nested)+8)), 3, 'a', 0), nested...), 0)
	}
	for name, document := range map[string][]byte{
		"depth":       nested,
		"two":         append(bytes.Clone(whole), 5, 0, 0, 0, 0),
		"utf-8":       marshal(t, bson.D{{Key: "body", Value: "\xff\xfe"}}),
		"utf-8 key":   marshal(t, bson.D{{Key: "bo\xffdy", Value: "x"}}),
		"type":        {8, 0, 0, 0, 0x55, 'a', 0, 0},
		"boolean":     {9, 0, 0, 0, 8, 'a', 0, 2, 0},
		"pointer":     marshal(t, bson.D{{Key: "a", Value: bson.DBPointer{DB: "x"}}}),
		"string":      {15, 0, 0, 0, 2, 'a', 0, 0xff, 0xff, 0xff, 0x7f, 'x', 0, 0, 0},
		"empty":       {15, 0, 0, 0, 2, 'a', 0, 0, 0, 0, 0, 'x', 0, 0, 0},
		"list's keys": listed(t),
	} {
		for _, rule := range []jsonedit.Rule{keep, change, dropped} {
			rules := map[string]jsonedit.Rule{"a": rule}
			_, err := bsonedit.Edit(editor(t, rules, keep), nil, document)
			var syntax *bsonedit.SyntaxError
			if rule == dropped && name == "list's keys" {
				continue // what nobody sees
			}
			if !errors.As(err, &syntax) {
				t.Errorf("%s, rule %d: %v", name, rule, err)
			}
		}
	}
}

// listed is a list whose place is a name.
func listed(t *testing.T) []byte {
	document := marshal(t, bson.D{{Key: "a", Value: bson.A{"x"}}})
	return bytes.Replace(document, []byte("0\x00"), []byte("Z\x00"), 1)
}

// FuzzEdit: whatever the bytes, there is a document or an error; what is kept is
// kept, and what is changed is a document.
func FuzzEdit(f *testing.F) {
	f.Add(marshal(f, post()))
	f.Add([]byte{5, 0, 0, 0, 0})
	f.Add(marshal(f, bson.D{{Key: "a", Value: `{"cut": "`}, {Key: "b", Value: math.Inf(1)}}))
	f.Fuzz(func(t *testing.T, document []byte) {
		kept, err := bsonedit.Edit(editor(t, nil, keep), nil, document)
		if err != nil {
			if kept != nil {
				t.Fatal("an error and a document")
			}
			return
		}
		// A text that looks like cut JSON is changed even where all is kept.
		if !bytes.ContainsAny(document, "{\"[") && !bytes.Equal(kept, document) {
			t.Fatalf("%x became %x", document, kept)
		}
		for _, rule := range []jsonedit.Rule{change, empty, raw} {
			out, err := bsonedit.Edit(editor(t, map[string]jsonedit.Rule{"**.body": dropped}, rule), nil, document)
			if err == nil && bson.Raw(out).Validate() != nil {
				t.Fatalf("%s became %s", base64.StdEncoding.EncodeToString(document), base64.StdEncoding.EncodeToString(out))
			}
		}
	})
}

// BenchmarkOneField compares changing one field of a post in its bytes with
// decoding the post and encoding it again, in the same run.
func BenchmarkOneField(b *testing.B) {
	d := post()[:9]
	d[2].Value = strings.Repeat("Un message comme les autres, avec des mots et des mots. ", 12)
	document := marshal(b, d)
	b.Run("raw", func(b *testing.B) {
		e := editor(b, map[string]jsonedit.Rule{"author_id": change}, keep)
		b.SetBytes(int64(len(document)))
		b.ReportAllocs()
		var out []byte
		for b.Loop() {
			var err error
			if out, err = bsonedit.Edit(e, out[:0], document); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("documents", func(b *testing.B) {
		b.SetBytes(int64(len(document)))
		b.ReportAllocs()
		for b.Loop() {
			var d bson.D
			if err := bson.Unmarshal(document, &d); err != nil {
				b.Fatal(err)
			}
			d[4].Value = "longer than " + d[4].Value.(string)
			if _, err := bson.Marshal(d); err != nil {
				b.Fatal(err)
			}
		}
	})
}
