package verify

import (
	"unicode"
	"unicode/utf8"

	"anonymooc/internal/fold"
)

// wordSpan is one word of a text: letters, digits and what is written on them.
type wordSpan struct {
	hash       uint64 // of the folded word
	start, end int32
	shape      wordShape
	step       uint8 // what the index says of the word: see finder.find
}

type wordShape uint8

const (
	digitWord wordShape = 1 << iota // nothing but ASCII digits
	upperWord                       // begins with a capital
	mixedWord                       // ASCII capitals and small letters or digits: may be base64
)

// What a byte is to the splitter.
const (
	classGap = iota
	classLower
	classUpper
	classDigit
	classBeyond // part of a rune beyond ASCII
)

type byteTable struct {
	class [256]uint8
	lower [256]uint8
}

var ascii = func() (t byteTable) {
	for c := 0; c < 256; c++ {
		t.lower[c] = byte(c)
		switch {
		case 'a' <= c && c <= 'z':
			t.class[c] = classLower
		case 'A' <= c && c <= 'Z':
			t.class[c] = classUpper
			t.lower[c] = byte(c) + 'a' - 'A'
		case '0' <= c && c <= '9':
			t.class[c] = classDigit
		case c >= utf8.RuneSelf:
			t.class[c] = classBeyond
		}
	}
	return t
}()

// The hash of a word is a polynomial over its folded bytes, the hash of a row of
// words a polynomial over theirs; finish spreads either over all 64 bits.
const (
	hashSeed  = 0x9ae16a3b2f90404f
	byteStep  = 0x9e3779b97f4a7c15
	wordStep  = 0xd6e8feb86659fd93
	mixFactor = 0xff51afd7ed558ccd
)

func finish(h uint64) uint64 {
	h ^= h >> 32
	h *= mixFactor
	return h ^ h>>29
}

func chain(h, next uint64) uint64 { return finish(h*wordStep + next) }

// hashKey hashes a word that is folded already.
func hashKey(key []byte) uint64 {
	h := uint64(hashSeed)
	for _, c := range key {
		h = (h + uint64(c)) * byteStep
	}
	return finish(h)
}

// splitter cuts texts into words; its buffers are used again.
type splitter struct {
	key   []byte
	spans []wordSpan
}

// split returns the words of text, valid until the next call.
func (s *splitter) split(text []byte) []wordSpan {
	spans := s.spans[:0]
	for i := 0; i < len(text); {
		class := ascii.class[text[i]]
		if class == classGap {
			i++
			continue
		}
		start := i
		h := uint64(hashSeed)
		seen := uint(0)
		for i < len(text) {
			c := text[i]
			class = ascii.class[c]
			if class == classGap || class == classBeyond {
				break
			}
			seen |= 1 << class
			h = (h + uint64(ascii.lower[c])) * byteStep
			i++
		}
		span := wordSpan{start: int32(start)} // step 0: turned away
		if class == classBeyond && i < len(text) {
			i = wordEnd(text, i)
			if i == start { // a mark of punctuation beyond ASCII
				_, size := utf8.DecodeRune(text[i:])
				i += size
				continue
			}
			s.key = fold.Key(s.key[:0], string(text[start:i]))
			if len(s.key) == 0 {
				continue
			}
			span.hash, seen = hashKey(s.key), 0
			if r, _ := utf8.DecodeRune(text[start:]); unicode.IsUpper(r) {
				span.shape = upperWord
			}
		} else {
			span.hash = finish(h)
			switch {
			case seen == 1<<classDigit:
				span.shape = digitWord
			case ascii.class[text[start]] == classUpper:
				span.shape = upperWord
			}
			if seen&(1<<classUpper) != 0 && seen != 1<<classUpper {
				span.shape |= mixedWord
			}
		}
		span.end = int32(i)
		spans = append(spans, span)
	}
	s.spans = spans
	return spans
}

// wordEnd returns where the word that reaches to i ends: the first rune at or
// behind i that is neither letter, digit, mark nor invisible.
func wordEnd(text []byte, i int) int {
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if ascii.class[c] == classGap {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Cf) {
			return i
		}
		i += size
	}
	return i
}
