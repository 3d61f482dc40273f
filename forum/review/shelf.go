package review

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"sync"

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
	opened int
	posts  []corpus.Post
}

func newShelf() (*shelf, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &shelf{authors: newTable(), courses: newTable(), threads: make(map[string]int), numbers: make(map[string]uint32), packer: packer, unpacker: unpacker, opened: -1}, nil
}

// put keeps a post, unless it is there, and gives its number.
func (s *shelf) put(p *corpus.Post) (uint32, error) {
	if number, known := s.numbers[p.ID]; known {
		return number, nil
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
		return number, s.pack()
	}
	return number, nil
}

// pack compresses the posts that were put since the last time.
func (s *shelf) pack() error {
	if len(s.filling) == 0 {
		return nil
	}
	var plain bytes.Buffer
	if err := gob.NewEncoder(&plain).Encode(s.filling); err != nil {
		return err
	}
	s.blocks = append(s.blocks, s.packer.EncodeAll(plain.Bytes(), nil))
	s.filling = s.filling[:0]
	return nil
}

// post gives a post by its number.
func (s *shelf) post(number uint32) (corpus.Post, bool) {
	if int(number) >= s.count {
		return corpus.Post{}, false
	}
	block := int(number) / blockPosts
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened != block {
		plain, err := s.unpacker.DecodeAll(s.blocks[block], nil)
		if err != nil {
			return corpus.Post{}, false
		}
		var posts []corpus.Post
		if err := gob.NewDecoder(bytes.NewReader(plain)).Decode(&posts); err != nil {
			return corpus.Post{}, false
		}
		s.opened, s.posts = block, posts
	}
	return s.posts[int(number)%blockPosts], true
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
