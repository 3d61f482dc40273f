// Package review is the page on which people answer the questions that the
// engine cannot: the part of the method that stays a person's.
//
//	                ┌───────────────── Desk ─────────────────┐
//	engine.Each ───►│ round: shelf (posts), index (mentions) │──► handlers ──► html/template ──► browser
//	ledger       ◄──│ queue, journal (who said what, undo)   │◄── forms (POST)      ▲
//	                └────────────────────────────────────────┘                      │
//	             guard: loopback, Host, Origin, one-time link → cookie, idle lock ──┘
//
// A verdict is one entry of the ledger and one look at the questions that it
// touches: the engine follows the open ledger, so nothing is built anew until
// somebody asks for new candidates. Then another engine is built beside the old
// one, which goes on serving, and takes its place.
//
// The server listens before there is a desk (reading.go). What reads all posts is
// made beside the pages (prepared.go, find.go), and texts are read outside the
// desk's lock, because a round does not change: a verdict waits for the disk and
// for nothing else. Every sum follows the entries one by one (journal.go).
//
// # Why plain pages
//
// Every action is a form or a link of a page that the server renders, and each
// shows its key. The one script presses what is on the page; nothing happens in
// it that cannot be done without it. So there is no state in the browser to lose,
// a screen reader meets ordinary buttons, the list of questions never leaves the
// server, two windows cannot disagree, and a data officer's security team can
// read all that the browser runs in a minute. There is no build step because
// there is nothing to build. On loopback a page takes less time than an
// animation would.
//
// # Whom it trusts
//
// Posts are hostile text. html/template writes them as text nodes, the policy
// forbids every script but ours and any sink that makes markup of strings, and
// nothing is loaded from elsewhere. Addresses hold numbers that mean nothing
// outside this process: no form, no identifier, no id of a post. Nothing that
// was read is logged. Web pages that are open in the same browser reach nothing:
// see guard.go.
//
// # Memory
//
// Posts are kept compressed, 64 together, because a page needs any of them at
// once, an export may lie in a package that can only be read from front to back,
// and a file of them on the disk would be one more place to guard: some 200 bytes
// a post. A mention takes 24 bytes, an open one 100 more, a form some 200.
package review

import (
	"io"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/person"
)

// Options are what a review works on. Engine and Ledger must be set.
type Options struct {
	// Engine builds the engine as the ledger is now. It is called at the start and
	// whenever somebody asks for new candidates.
	Engine func() (*forum.Engine, error)
	Ledger *ledger.Ledger

	// Identify tells the language of a text, as the engine's own does; may be nil.
	Identify func([]detect.Token) string
	// Elsewhere adds the questions of texts outside the forum; may be nil.
	Elsewhere func(asked []forum.Question) ([]forum.Question, error)
	// Check makes the table of replacements and looks for trouble in it (step 6);
	// may be nil.
	Check func(*forum.Engine) ([]check.Row, []check.Alert, error)
	// ChooseStyle changes what stands for the forms of a category in the engines to
	// come; nil when it cannot be changed here.
	ChooseStyle func(detect.Category, forum.Style) error
	// KeepContexts keeps the trigger contexts that a forum taught for the next ones;
	// may be nil.
	KeepContexts func(*forum.Engine) (int, error)
	// People reads the person files; may be nil.
	People func() ([]person.Person, error)
	// Reading tells how far the forum is read; may be nil.
	Reading *Reading
	// Recheck is the file in which the counts of blind re-checks are kept; empty:
	// they are kept until the server ends.
	Recheck string

	Idle time.Duration    // without a request for so long, a reviewer is locked out; 0 means DefaultIdle
	Now  func() time.Time // the clock; time.Now when nil
	Rand io.Reader        // of links and cookies; crypto/rand when nil
	// Tell is called with every link that lets somebody in. It may be nil.
	Tell func(reviewer, link string)
}

// complete fills in what was left out.
func (o Options) complete() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if o.Reading == nil {
		o.Reading = new(Reading)
	}
	return o
}

// DefaultIdle is how long a page stays open that nobody uses.
const DefaultIdle = 15 * time.Minute
