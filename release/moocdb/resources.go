package moocdb

import (
	"slices"
	"strings"
)

// resources is the tree of what can be looked at, and the URLs that lead there.
type resources struct {
	store  *store
	urls   map[string]int64
	byURI  map[string]*resource
	types  names
	linked int64 // rows of resources_urls
	next   int64
	seen   map[visit]visited
}

// visit is what of an event tells where it was; visited what that leads to.
type visit struct{ page, host, path, kind, block string }

type visited struct{ url, target int64 }

// manyVisits is when the visits seen are forgotten: they only save time.
const manyVisits = 1 << 18

type resource struct {
	id       int64
	children int
}

func newResources(s *store) *resources {
	return &resources{store: s, urls: map[string]int64{}, byURI: map[string]*resource{}, types: names{}, seen: map[visit]visited{}}
}

// names numbers the rows of a table of types, from 1.
type names map[string]int64

func (n names) id(name string) int64 {
	id, ok := n[name]
	if !ok {
		id = int64(len(n) + 1)
		n[name] = id
	}
	return id
}

// write writes a table of types in the order of its ids.
func (n names) write(s *store, table string) error {
	list := make([]string, len(n))
	for name, id := range n {
		list[id-1] = name
	}
	for i, name := range list {
		if err := s.add(position(table), int64(i+1), name); err != nil {
			return err
		}
	}
	return nil
}

// of gives the URL of an event, and the resource it leads to; 0 for none.
func (r *resources) of(e *event) (url, target int64, err error) {
	v := visit{page: e.page, block: e.block}
	if !strings.Contains(e.page, "/") {
		v.host, v.path, v.kind = e.host, e.path, e.kind
	}
	if known, ok := r.seen[v]; ok {
		return known.url, known.target, nil
	}
	if url, target, err = r.find(e); err == nil {
		if len(r.seen) == manyVisits {
			clear(r.seen)
		}
		r.seen[v] = visited{url, target}
	}
	return url, target, err
}

// find is of for what was not seen yet.
func (r *resources) find(e *event) (url, target int64, err error) {
	host, path := location(e)
	if path == "" {
		return 0, 0, nil
	}
	address := host + path
	if e.block != "" {
		address += "#" + e.block
	}
	url, known := r.urls[address]
	if known && e.block == "" {
		return url, 0, nil
	}
	page, err := r.page(path)
	if err != nil {
		return 0, 0, err
	}
	if target = page.id; e.block != "" {
		block, err := r.block(e.block, page)
		if err != nil {
			return 0, 0, err
		}
		target = block.id
	}
	if known {
		return url, target, nil
	}
	url = int64(len(r.urls) + 1)
	r.urls[address] = url
	if err := r.store.add(position("urls"), url, address); err != nil {
		return 0, 0, err
	}
	r.linked++
	return url, target, r.store.add(position("resources_urls"), r.linked, target, url)
}

// location gives scheme and host, and the path, of what an event asked for.
func location(e *event) (host, path string) {
	page := e.page
	if page == "" || !strings.Contains(page, "/") {
		switch {
		case strings.HasPrefix(e.kind, "/"):
			page = e.kind
		case strings.HasPrefix(e.path, "/") && e.path != "/event":
			page = e.path
		default:
			return "", ""
		}
		if e.host != "" {
			page = "https://" + e.host + page
		}
	}
	page, _, _ = strings.Cut(page, "#")
	page, _, _ = strings.Cut(page, "?")
	if i := strings.Index(page, "://"); i >= 0 {
		rest := page[i+3:]
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return page, "/"
		}
		host, page = page[:i+3+slash], rest[slash:]
	}
	return host, settle(page)
}

// settle writes a path so that one page has one path: people without case, and
// the wiki's pages of people, which are called after them, as one.
func settle(path string) string {
	if !strings.Contains(path, "-homepage") && !strings.Contains(path, "/u") && !strings.Contains(path, "/profile/") {
		return path
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		switch {
		case strings.HasSuffix(part, "-homepage"):
			parts[i] = "someone-homepage"
		case i > 0 && (parts[i-1] == "u" || parts[i-1] == "users" || parts[i-1] == "profile"):
			parts[i] = strings.ToLower(part)
		}
	}
	return strings.Join(parts, "/")
}

// deepest is how many parts of a path below its course are resources.
const deepest = 8

// page gives the resource of a path, with all that lies above it.
func (r *resources) page(path string) (*resource, error) {
	parts := slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" })
	top := 1
	course := len(parts) > 1 && parts[0] == "courses"
	if course {
		top = 2
		if !strings.HasPrefix(parts[1], "course-v1:") {
			top = 4 // courses/Organisation/Number/Run
		}
	}
	top = min(top, len(parts))
	uri := "/" + strings.Join(parts[:top], "/")
	kind := "course"
	if !course {
		kind = pageType(parts[:top], 0)
	}
	at, err := r.get(uri, last(parts[:top], "/"), kind, nil)
	for i := top; err == nil && i < min(len(parts), top+deepest); i++ {
		uri += "/" + parts[i]
		at, err = r.get(uri, parts[i], pageType(parts, i-top), at)
	}
	return at, err
}

func last(parts []string, none string) string {
	if len(parts) == 0 {
		return none
	}
	return parts[len(parts)-1]
}

// pageType names the type of the part of a path that lies depth parts below its course.
func pageType(parts []string, depth int) string {
	i := slices.Index(parts, "courseware")
	top := len(parts) - 1
	switch {
	case i >= 0 && i < len(parts)-1 && depth > 0:
		switch depth {
		case 1:
			return "chapter"
		case 2:
			return "sequential"
		case 3:
			return "vertical"
		}
		return "page"
	case i >= 0:
		return "courseware"
	case slices.Contains(parts[:top+1], "discussion"):
		return "forum"
	case slices.Contains(parts, "wiki"):
		return "wiki"
	case slices.Contains(parts, "progress"):
		return "progress"
	case slices.ContainsFunc(parts, func(s string) bool { return s == "pdfbook" || s == "book" || s == "htmlbook" }):
		return "book"
	case slices.Contains(parts, "info"):
		return "info"
	case slices.Contains(parts, "instructor"):
		return "instructor"
	case len(parts) > 0 && (parts[0] == "u" || parts[0] == "profile" || parts[0] == "account"):
		return "profile"
	}
	return "page"
}

// block gives the resource of a block of a course, below the page it was first
// met on.
func (r *resources) block(id string, page *resource) (*resource, error) {
	kind, name := blockType(id)
	return r.get(id, name, kind, page)
}

// get gives a resource, made at first sight as the next child of its parent.
func (r *resources) get(uri, name, kind string, parent *resource) (*resource, error) {
	if have := r.byURI[uri]; have != nil {
		return have, nil
	}
	r.next++
	made := &resource{id: r.next}
	r.byURI[uri] = made
	var above, child any
	if parent != nil {
		parent.children++
		above, child = parent.id, parent.children
	}
	return made, r.store.add(position("resources"), made.id, name, uri, r.types.id(kind), above, child, nil, nil)
}

// isBlock reports whether a text is the id of a block of a course.
func isBlock(id string) bool {
	return strings.HasPrefix(id, "i4x:") || strings.HasPrefix(id, "i4x-") || strings.HasPrefix(id, "block-v1:") || len(id) == 32 && allHex(id)
}

func allHex(s string) bool {
	for _, c := range []byte(s) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}

// blockType gives the type and the name of a block from its id.
func blockType(id string) (kind, name string) {
	switch {
	case strings.HasPrefix(id, "block-v1:"):
		_, rest, _ := strings.Cut(id, "+type@")
		kind, name, _ = strings.Cut(rest, "+block@")
	case strings.HasPrefix(id, "i4x:"): // i4x://Organisation/Course/type/name
		parts := strings.Split(strings.TrimLeft(strings.TrimPrefix(id, "i4x:"), "/"), "/")
		if len(parts) >= 4 {
			kind, name = parts[2], strings.Join(parts[3:], "/")
		}
	case strings.HasPrefix(id, "i4x-"): // i4x-Organisation-Course-type-name
		parts := strings.SplitN(id, "-", 5)
		if len(parts) == 5 {
			kind, name = parts[3], parts[4]
		}
	}
	if kind == "" {
		return "block", id
	}
	return kind, name
}
