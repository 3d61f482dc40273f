package fold

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Key appends to dst the folded key of a decoded word: compatibility
// decomposition, lower case, no marks, no invisible characters, one apostrophe
// and one hyphen for all their variants, and for a word that mixes scripts the
// Latin letters its look-alikes stand for. Two spellings of one name that
// differ in nothing else have the same key. Digits stay.
//
// Key is idempotent: the key of a key is the key.
func Key(dst []byte, word string) []byte {
	start := len(dst)
	foreign := false
	for i := 0; i < len(word); {
		c := word[i]
		if c < utf8.RuneSelf {
			dst = append(dst, asciiLower[c])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(word[i:])
		i += size
		if r < tableEnd {
			dst = append(dst, latinKeys[r]...)
			continue
		}
		foreign = foreign || r < 0x600
		dst = appendKey(dst, r)
	}
	if foreign {
		return untangle(dst, start)
	}
	return dst
}

// KeyString is Key for one word.
func KeyString(word string) string { return string(Key(nil, word)) }

// tableEnd bounds the runes whose keys are looked up in a table.
const tableEnd = 0x250

var (
	asciiLower = lowerTable()
	latinKeys  = keyTable()
)

func lowerTable() (table [utf8.RuneSelf]byte) {
	for c := range table {
		table[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			table[c] = byte(c) + 'a' - 'A'
		}
	}
	table['`'] = '\''
	return table
}

func keyTable() (table [tableEnd]string) {
	for r := range table {
		table[r] = string(appendKey(nil, rune(r)))
	}
	return table
}

// appendKey appends the key of one rune, which may be empty.
func appendKey(dst []byte, r rune) []byte {
	if k, ok := special[r]; ok {
		return append(dst, k...)
	}
	if invisible(r) || accent(r) {
		return dst
	}
	if r < utf8.RuneSelf {
		return append(dst, asciiLower[r])
	}
	var buf [utf8.UTFMax]byte
	whole := buf[:utf8.EncodeRune(buf[:], r)]
	parts := norm.NFKD.Properties(whole).Decomposition()
	if parts == nil {
		return appendLower(dst, r)
	}
	for len(parts) > 0 {
		p, size := utf8.DecodeRune(parts)
		parts = parts[size:]
		if p == r {
			continue
		}
		dst = appendKey(dst, p)
	}
	return dst
}

func appendLower(dst []byte, r rune) []byte {
	// Upper then lower: brings together the letters that share a capital
	// (final and medial sigma, long s, dotless i).
	low := unicode.ToLower(unicode.ToUpper(r))
	if k, ok := special[low]; ok {
		return append(dst, k...)
	}
	if low < utf8.RuneSelf {
		return append(dst, asciiLower[low])
	}
	if low != r {
		return appendKey(dst, low)
	}
	return utf8.AppendRune(dst, low)
}

// special holds what Unicode does not decompose: ligatures, strokes, and the
// many apostrophes and hyphens.
var special = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'œ': "oe", 'Œ': "oe", 'æ': "ae", 'Æ': "ae",
	'ø': "o", 'Ø': "o", 'ł': "l", 'Ł': "l", 'đ': "d", 'Đ': "d", 'ð': "d", 'Ð': "d",
	'þ': "th", 'Þ': "th", 'ħ': "h", 'Ħ': "h", 'ı': "i", 'İ': "i", 'ŀ': "l", 'Ŀ': "l",
	'’': "'", '‘': "'", 'ʼ': "'", 'ʹ': "'", '′': "'", '´': "'", '＇': "'", 'ʻ': "'", 'ˈ': "'", '‛': "'",
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '−': "-", '﹣': "-", '－': "-", '⁃': "-",
	'ё': "е", 'Ё': "е",
}

// invisible reports whether a reader sees nothing of r.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0xFEFF:
		return true
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x2064,
		0x2066 <= r && r <= 0x206F, 0xFE00 <= r && r <= 0xFE0F, 0xE0000 <= r && r <= 0xE007F:
		return true
	}
	return false
}

// accent reports whether r is a mark that people leave out or get wrong: the
// accents of European scripts, Hebrew points, Arabic vowels. The vowel signs of
// Indic and other scripts are letters in all but name, and stay.
func accent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Inherited, unicode.Hebrew, unicode.Arabic)
}

// untangle rewrites look-alikes in dst[start:] when the word mixes Latin with
// Greek or Cyrillic letters: "Zоe" with a Cyrillic о is meant to read "Zoe". A
// word wholly in one script is left as it is.
func untangle(dst []byte, start int) []byte {
	latin, other := false, false
	for _, r := range string(dst[start:]) {
		switch {
		case 'a' <= r && r <= 'z':
			latin = true
		case unicode.Is(unicode.Cyrillic, r) || unicode.Is(unicode.Greek, r):
			other = true
		}
	}
	if !latin || !other {
		return dst
	}
	mixed := string(dst[start:])
	dst = dst[:start]
	for _, r := range mixed {
		if l, ok := confusable[r]; ok {
			dst = append(dst, l)
			continue
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// confusable holds the lower-case letters of Cyrillic and Greek that look like
// Latin ones (after Unicode Technical Standard 39).
var confusable = map[rune]byte{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ј': 'j', 'ѕ': 's',
	'в': 'b', 'н': 'h', 'к': 'k', 'м': 'm', 'т': 't', 'г': 'r', 'п': 'n', 'ԁ': 'd', 'һ': 'h', 'ѡ': 'w', 'ԛ': 'q',
	'α': 'a', 'ο': 'o', 'ρ': 'p', 'ν': 'v', 'ι': 'i', 'κ': 'k', 'τ': 't', 'υ': 'u', 'χ': 'x', 'ε': 'e', 'η': 'n', 'β': 'b', 'ω': 'w', 'γ': 'y',
}

// Squeeze appends key with every run of one letter cut down to one: "nicooolas"
// and "nicolas" squeeze alike, and so do "soleen" and "solen".
func Squeeze(dst []byte, key string) []byte {
	last := rune(-1)
	for _, r := range key {
		if r != last || unicode.IsDigit(r) {
			dst = utf8.AppendRune(dst, r)
		}
		last = r
	}
	return dst
}
