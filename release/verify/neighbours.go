package verify

// nameOf is a first or last name of somebody who takes part in a conversation.
type nameOf struct {
	kind   kindNumber
	common bool
}

// neighbours judges the first and last names of those who write in the same
// conversation: "thank you Rosa" below a post of Rosa's names her.
func (c *checker) neighbours(text []byte) {
	for _, span := range c.finder.split.spans {
		name, ok := c.participants[span.hash]
		if !ok {
			continue
		}
		switch {
		case name.common || c.schema.reviewed:
			c.found.unjudged(c, name.kind, "a word, and the name of somebody in the conversation")
		case span.shape&upperWord == 0 && text[span.start] < 0x80:
			c.found.unjudged(c, name.kind, "the name of somebody in the conversation, in small letters")
		default:
			c.found.residual(c, name.kind, "known, of somebody in the conversation")
		}
	}
}
