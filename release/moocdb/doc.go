// Package moocdb builds the tables of MOOCdb (Veeramachaneni et al., "MOOCdb:
// Developing data standards for MOOC data science", 2013) from an edX export or
// from a release.
//
//	auth_user, profiles, certificates ─► people ──────────────► users
//	forum ─► posts, parents ──────────────────────────────────► collaborations
//	tracking log ─ blocks ─ decode (all cores) ─ in order ─┬──► observed_events, urls
//	                                                       ├──► resources (paths, blocks)
//	                                                       └──► problems, submissions, assessments
//	                     everything ─► SQLite, foreign keys checked ─► CSV, MySQL, PostgreSQL
//
// The same code reads both: a pseudonym is a number where a user id was one, a
// username is "u" and that number, an address is an IPv4 address. So the tables
// of a release and those of its export have the same rows and the same joins; a
// test compares them.
//
// # Rules
//
// A person is a number: context.user_id of an event, else the number that the
// identity tables give the username, else the one that the username came with
// before, else the number in a pseudonymous username; a username that leads to
// none gets a number of its own, from 2147483647 down. (Of an export, somebody
// who is in no table and is met by name before they are met by number is two.)
//
// The URL of an event is its page, or for a request the path asked for; without
// query and fragment, which say how a page was asked for. A block's events (a
// video's, a problem's) have the URL of their page with the block's id as
// fragment, so that event → URL → resource leads to the block.
//
// Resources are a tree: courses, and below them the parts of the paths; a block
// hangs below the page it was first met on. Children are numbered in the order
// of first sight.
//
// The duration of an event is the number of seconds to the same person's next
// one, if that comes within an hour; else NULL: nobody knows when a reader left.
//
// A submission is one answer to one input of a problem in a problem_check or a
// save that the server logged, or one open response; its attempt is the
// server's count. Assessments are the server's verdicts, and those of peers,
// staff and oneself for open responses.
package moocdb
