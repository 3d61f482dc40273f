package idmap

import (
	"strings"
	"sync"

	"anonymooc/internal/fault"
)

// link says that two identifiers were claimed to be one person without a
// user id beside them. Such claims are kept, because who they belong to may
// change when a user id turns up.
type link struct {
	a, b         digest
	aKind, bKind Kind
}

// node is one identifier of the claims.
type node struct {
	id     digest
	at     int // where its value starts in claims.values
	length uint16
	kind   Kind
}

// claims collects what the identity tables say until Settle decides.
type claims struct {
	mu      sync.Mutex
	numbers table // identifier → position in nodes, plus 1
	nodes   []node
	values  []byte   // as written, one after another
	members []uint32 // per claim: how many identifiers, then their nodes
}

// Claim says that the identifiers belong to one person; Settle decides whether
// that can be. It may be called from many goroutines, and the order of claims
// does not matter. A claim without a user id is weaker than one with it.
func (d *Domain) Claim(ids ...Identifier) error {
	if len(ids) > maximumClaim {
		return fault.New(fault.Failure, "a claim of more than %d identifiers", maximumClaim)
	}
	var buffer [8]digest
	digests := buffer[:0]
	scratch := make([]byte, 0, 64)
	for _, id := range ids {
		one, err := d.digest(&scratch, id.Kind, []byte(id.Value))
		if err != nil {
			return err
		}
		digests = append(digests, one)
	}
	if d.isSettled(digests) {
		return nil
	}
	c := &d.claims
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.nodes)+len(ids) > maximumNodes {
		return fault.New(fault.Failure, "too many identifiers claimed at once").
			WithHint("settle and commit one export before the next")
	}
	c.members = append(c.members, uint32(len(ids)))
	for i, id := range ids {
		c.members = append(c.members, c.number(digests[i], id.Kind, id.Value))
	}
	return nil
}

const (
	maximumNodes = 1 << 30
	maximumClaim = 64
)

// isSettled says that a claim tells nothing new, as nearly all do when an
// export is read again.
func (d *Domain) isSettled(digests []digest) bool {
	var owner uint32
	for _, id := range digests {
		person, f := d.index.get(id)
		if person < firstPseudonym || f&anchored == 0 || owner != 0 && owner != person {
			return false
		}
		owner = person
	}
	return true
}

// number returns the node of an identifier. Of several spellings the first in
// byte order is kept, whichever came first. The caller holds c.mu.
func (c *claims) number(id digest, kind Kind, value string) uint32 {
	value = strings.TrimSpace(value)
	n := c.numbers.getOrPut(id, uint32(len(c.nodes)+1))
	if n == 0 {
		c.nodes = append(c.nodes, node{id: id, kind: kind})
		n = uint32(len(c.nodes))
	}
	known := &c.nodes[n-1]
	known.kind = min(known.kind, kind)
	if value != "" && (known.length == 0 || value < string(c.value(*known))) {
		known.at, known.length = len(c.values), uint16(len(value))
		c.values = append(c.values, value...)
	}
	return n - 1
}

// find returns the node of an identifier that has one.
func (c *claims) find(id digest) uint32 {
	n, _ := c.numbers.get(id)
	return n - 1
}

func (c *claims) value(n node) []byte { return c.values[n.at : n.at+int(n.length)] }

// each visits the claims by their nodes.
func (c *claims) each(visit func(members []uint32)) {
	for rest := c.members; len(rest) > 0; {
		n := rest[0]
		visit(rest[1 : n+1])
		rest = rest[n+1:]
	}
}

func (c *claims) reset() {
	c.numbers, c.nodes, c.values, c.members = table{}, nil, nil, nil
}
