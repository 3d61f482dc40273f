package verify

import "bytes"

// hit is an identifier found in a text.
type hit struct {
	start, end int32
	kind       kindNumber
	common     bool // an ordinary word too
	wordlike   bool // may be an ordinary word: one word of letters
	shape      bool // found by its shape: nobody may know whose it is
	doubtful   bool // the shape also means something harmless here
}

// finder looks for identifiers in decoded texts. It belongs to one goroutine.
type finder struct {
	index *Index
	split splitter
	hits  []hit
}

// find returns what text holds, valid until the next call.
func (f *finder) find(text []byte) []hit {
	f.hits = f.hits[:0]
	spans := f.split.split(text)
	for i := range spans { // apart from what follows: so the memory's answers overlap
		if s := &spans[i]; !pseudonymWord(text[s.start:s.end]) { // most words of a log are its own pseudonyms
			s.step = uint8(f.index.step(s.hash))
		}
	}
	for i := range spans {
		if spans[i].step != 0 {
			f.follow(text, spans, i)
		}
		if spans[i].shape&digitWord != 0 {
			f.digits(text, spans, i)
		}
	}
	f.shapes(text)
	return f.hits
}

// follow looks up the rows of words that begin with word i.
func (f *finder) follow(text []byte, spans []wordSpan, i int) {
	h := spans[i].hash
	step := spans[i].step
	for j := i; ; {
		if step&endsHere != 0 {
			f.lookUp(text, spans[i:j+1], h)
		}
		if step&goesOn == 0 || j+1 == len(spans) || j+1-i == f.index.longest {
			return
		}
		if j++; spans[j].start-spans[j-1].end > maximumGap {
			return
		}
		h = chain(h, spans[j].hash)
		step = uint8(f.index.step(h))
	}
}

func (f *finder) lookUp(text []byte, row []wordSpan, h uint64) {
	first, last := row[0], row[len(row)-1]
	f.index.find(h, func(packed uint64) {
		if want := packed & (1<<separatorBits - 1); want != 0 {
			before, behind := int(want>>2&3), int(want&3)
			if int(first.start) < before || int(last.end)+behind > len(text) ||
				separatorCheck(text, row, before, behind) != want {
				return
			}
		}
		found := hit{
			start: first.start, end: last.end,
			kind:   kindNumber(packed >> separatorBits & (1<<kindBits - 1)),
			common: packed&commonFlag != 0, wordlike: packed&wordFlag != 0,
		}
		if found.kind == numberOfURL && packed&(1<<separatorBits-1) != 0 {
			handle := last.end + int32(packed&3)
			if found.end = int32(wordEnd(text, int(handle))); found.end-handle < 2 {
				return
			}
			found.shape, found.doubtful = true, true
		}
		f.hits = append(f.hits, found)
	})
}

// digits judges a group of numbers: an IP address, a telephone number.
func (f *finder) digits(text []byte, spans []wordSpan, i int) {
	if i > 0 && spans[i-1].shape&digitWord != 0 && joinsNumbers(text[spans[i-1].end:spans[i].start]) {
		return // inside a group that was judged at its beginning
	}
	last := i
	total := int(spans[i].end - spans[i].start)
	for last+1 < len(spans) && spans[last+1].shape&digitWord != 0 && joinsNumbers(text[spans[last].end:spans[last+1].start]) {
		last++
		total += int(spans[last].end - spans[last].start)
	}
	group := spans[i : last+1]
	if len(group) >= 4 {
		f.addresses4(text, group)
	}
	if total >= 8 && total <= 16 {
		f.telephone(text, group, total)
	}
}

// joinsNumbers reports whether a gap may stand inside a telephone number or
// an address.
func joinsNumbers(gap []byte) bool {
	if len(gap) > 3 {
		return bytes.Equal(gap, []byte("\u00a0")) || bytes.Equal(gap, []byte("\u202f"))
	}
	for _, c := range gap {
		if c != ' ' && c != '.' && c != '-' && c != '(' && c != ')' && c != '/' && c != '+' && c < 0x80 {
			return false
		}
	}
	return true
}

// addresses4 finds IPv4 addresses in a group of numbers.
func (f *finder) addresses4(text []byte, group []wordSpan) {
	for i := 0; i+4 <= len(group); i++ {
		four := group[i : i+4]
		first, ok := octet(text, four[0])
		for j := 1; ok && j < 4; j++ {
			_, ok = octet(text, four[j])
			ok = ok && four[j].start == four[j-1].end+1 && text[four[j-1].end] == '.'
		}
		if !ok {
			continue
		}
		start, end := four[0].start, four[3].end
		longer := i > 0 && group[i-1].end+1 == start && text[group[i-1].end] == '.' ||
			i+4 < len(group) && group[i+4].start == end+1 && text[end] == '.'
		if first >= 240 && !longer {
			continue // reserved: what pseudonymous addresses are drawn from
		}
		f.hits = append(f.hits, hit{start: start, end: end, kind: numberOfIP, shape: true, doubtful: longer || versionBefore(text, start)})
		i += 3
	}
}

func octet(text []byte, span wordSpan) (int, bool) {
	if span.end-span.start > 3 {
		return 0, false
	}
	n := 0
	for _, c := range text[span.start:span.end] {
		n = n*10 + int(c-'0')
	}
	return n, n <= 255 && (span.end-span.start == 1 || text[span.start] != '0')
}

// versionBefore reports whether four numbers look like the version of a
// program: "Chrome/1.2.3.4", "v1.2.3.4".
func versionBefore(text []byte, start int32) bool {
	if start == 0 {
		return false
	}
	c := text[start-1]
	if c == '/' {
		return start > 1 && text[start-2] != '/'
	}
	if c == '_' || c == '-' {
		return true
	}
	before := bytes.ToLower(text[max(0, start-9):start])
	return bytes.HasSuffix(before, []byte("version ")) || bytes.HasSuffix(before, []byte("rv:"))
}

// telephone judges a group of 8 to 16 digits.
func (f *finder) telephone(text []byte, group []wordSpan, total int) {
	start, end := group[0].start, group[len(group)-1].end
	var buffer [16]byte
	digits := buffer[:0]
	for _, span := range group {
		digits = append(digits, text[span.start:span.end]...)
	}
	if len(f.index.phones) > 0 {
		if _, known := f.index.phones[significantDigits(digits)]; known {
			f.hits = append(f.hits, hit{start: start, end: end, kind: numberOfPhone})
			return
		}
	}
	plus := start > 0 && text[start-1] == '+' && (start == 1 || ascii.class[text[start-2]] == classGap)
	uniform := len(group) > 1
	switch {
	case plus && digits[0] != '0' && total <= 15:
	case total == 10 && digits[0] == '0' && digits[1] != '0' && pairs(text, group):
	case total == 10 && digits[0] == '0' && digits[1] != '0' && !uniform:
		f.hits = append(f.hits, hit{start: start, end: end, kind: numberOfPhone, shape: true, doubtful: true})
		return
	case total == 10 && len(group) == 3 && wordLengths(group, 3, 3, 4) && digits[0] > '1':
	default:
		return
	}
	f.hits = append(f.hits, hit{start: start, end: end, kind: numberOfPhone, shape: true})
}

// pairs reports whether ten digits stand two by two: 01 23 45 67 89.
func pairs(text []byte, group []wordSpan) bool {
	return wordLengths(group, 2, 2, 2, 2, 2) || wordLengths(group, 4, 3, 3) && text[group[0].end] != '-'
}

func wordLengths(group []wordSpan, lengths ...int32) bool {
	if len(group) != len(lengths) {
		return false
	}
	for i, span := range group {
		if span.end-span.start != lengths[i] {
			return false
		}
	}
	return true
}

// significantDigits gives the last nine digits of a telephone number, which are
// the same in every way to write it; 0 when there are fewer than eight.
func significantDigits(value []byte) uint64 {
	number, count := uint64(0), 0
	for _, c := range value {
		if c >= '0' && c <= '9' {
			number = (number*10 + uint64(c-'0')) % 1_000_000_000
			count++
		}
	}
	if count < 8 {
		return 0
	}
	return number
}
