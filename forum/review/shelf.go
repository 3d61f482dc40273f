package review

import (
	"cmp"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"anonymooc/forum/corpus"
)

// blockPosts is how many posts are compressed together: enough to compress well,
// few enough to be unpacked while a page is made.
const blockPosts = 64

// shelf keeps every post of the forum in memory, compressed, by number. It is
// filled by one goroutine; afterwards it is safe for concurrent use.
type shelf struct {
	blocks  [][]byte
	filling []corpus.Post
	count   int

	threads map[string]int // thread id → its place in members
	members [][]uint32     // posts of each thread, in the order of the files
	thread  []uint32       // by post: its thread
	ids     []string
	authors table // by post, who wrote it
	courses table // by post, in which course
	numbers map[string]uint32

	packer   *zstd.Encoder
	unpacker *zstd.Decoder

	mu     sync.Mutex // guards what was unpacked last
	opened map[int][]corpus.Post
	order  []int // blocks that are open, the oldest first
}

// mostOpened bounds the blocks that stay unpacked, because the lines of a page
// are spread over many.
const mostOpened = 64

func newShelf() (*shelf, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	if err != nil {
		return nil, err
	}
	return &shelf{
		authors: newTable(), courses: newTable(), threads: make(map[string]int), numbers: make(map[string]uint32),
		packer: packer, unpacker: unpacker, opened: make(map[int][]corpus.Post),
	}, nil
}

// put keeps a post, unless it is there, and gives its number.
func (s *shelf) put(p *corpus.Post) uint32 {
	if number, known := s.numbers[p.ID]; known {
		return number
	}
	number := uint32(s.count)
	thread, ok := s.threads[p.Thread]
	if !ok {
		thread = len(s.members)
		s.threads[p.Thread] = thread
		s.members = append(s.members, nil)
	}
	s.members[thread] = append(s.members[thread], number)
	s.thread = append(s.thread, uint32(thread))
	s.ids = append(s.ids, p.ID)
	s.authors.put(cmp.Or(p.Username, p.Author))
	s.courses.put(p.Course)
	s.numbers[p.ID] = number
	s.filling = append(s.filling, *p)
	s.count++
	if len(s.filling) == blockPosts {
		s.pack()
	}
	return number
}

// pack compresses the posts that were put since the last time.
func (s *shelf) pack() {
	if len(s.filling) == 0 {
		return
	}
	var plain []byte
	for i := range s.filling {
		plain = appendPost(plain, &s.filling[i])
	}
	s.blocks = append(s.blocks, s.packer.EncodeAll(plain, nil))
	s.filling = s.filling[:0]
}

// post gives a post by its number.
func (s *shelf) post(number uint32) (corpus.Post, bool) {
	if int(number) >= s.count {
		return corpus.Post{}, false
	}
	block := int(number) / blockPosts
	s.mu.Lock()
	posts, ok := s.opened[block]
	s.mu.Unlock()
	if !ok {
		posts = s.unpack(block)
		s.keep(block, posts)
	}
	if at := int(number) % blockPosts; at < len(posts) {
		return posts[at], true
	}
	return corpus.Post{}, false
}

// mostKept is the size above which a block is unpacked again each time: a post
// may have ten million bytes.
const mostKept = 1 << 20

func (s *shelf) keep(block int, posts []corpus.Post) {
	size := 0
	for i := range posts {
		size += len(posts[i].Title) + len(posts[i].Body)
	}
	if size > mostKept {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.opened[block]; known {
		return
	}
	if len(s.order) == mostOpened {
		delete(s.opened, s.order[0])
		s.order = append(s.order[:0], s.order[1:]...)
	}
	s.opened[block], s.order = posts, append(s.order, block)
}

func (s *shelf) unpack(block int) []corpus.Post {
	plain, err := s.unpacker.DecodeAll(s.blocks[block], nil)
	if err != nil {
		return nil
	}
	rest := string(plain) // one copy, of which all texts are parts
	var posts []corpus.Post
	for rest != "" {
		var p corpus.Post
		if rest, err = cutPost(rest, &p); err != nil {
			return nil
		}
		posts = append(posts, p)
	}
	return posts
}

// appendPost writes a post: each text after its length, then the time.
func appendPost(dst []byte, p *corpus.Post) []byte {
	for _, text := range postTexts(p) {
		dst = binary.AppendUvarint(dst, uint64(len(*text)))
		dst = append(dst, *text...)
	}
	at := int64(0)
	if !p.Created.IsZero() {
		at = p.Created.UnixMilli()
	}
	return binary.AppendVarint(dst, at)
}

var errCutShort = errors.New("a post is cut short")

// cutPost reads what appendPost wrote and gives what follows it.
func cutPost(from string, p *corpus.Post) (rest string, err error) {
	for _, text := range postTexts(p) {
		length, n := binary.Uvarint([]byte(from[:min(len(from), binary.MaxVarintLen64)]))
		if n <= 0 || uint64(len(from)-n) < length {
			return "", errCutShort
		}
		*text, from = from[n:n+int(length)], from[n+int(length):]
	}
	at, n := binary.Varint([]byte(from[:min(len(from), binary.MaxVarintLen64)]))
	if n <= 0 {
		return "", errCutShort
	}
	if at != 0 {
		p.Created = time.UnixMilli(at).UTC()
	}
	return from[n:], nil
}

func postTexts(p *corpus.Post) [9]*string {
	return [...]*string{&p.ID, &p.Thread, &p.Parent, &p.Author, &p.Username, &p.Title, &p.Body, &p.Course, &p.Lang}
}

// conversation gives the posts of the thread that a post belongs to.
func (s *shelf) conversation(number uint32) []uint32 {
	if int(number) >= s.count {
		return nil
	}
	return s.members[s.thread[number]]
}

// table keeps one of few values for every post.
type table struct {
	values []string
	number map[string]uint32
	of     []uint32 // by post
}

func newTable() table { return table{number: make(map[string]uint32)} }

func (t *table) put(value string) {
	n, ok := t.number[value]
	if !ok {
		n = uint32(len(t.values))
		t.number[value] = n
		t.values = append(t.values, value)
	}
	t.of = append(t.of, n)
}

// at gives the value of a post.
func (t *table) at(post uint32) string { return t.values[t.of[post]] }
