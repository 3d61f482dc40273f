// Package idmap is what leads from a release back to the people in it: one
// person, one pseudonym, drawn at random, kept for years, erased on request.
//
// # Flow
//
//	identity tables ── Claim ──► claims ── Settle ──► index, people ──┐
//	                   Describe ─────────────────────► notes          │
//	                                                                  ▼
//	rows, lines ────── Resolver: Person, Known, Token, Row, Address ──► release
//	                             │ draws at first sight               ▲
//	                             ▼                                    │
//	                        pending records ── Commit ──► people.N ── head
//
// A first pass over the tables that know people claims which identifiers belong
// together; Settle decides, by a rule that depends on the set of claims and not
// on their order (see settlement), and draws a pseudonym for whoever has none.
// Then any number of goroutines resolve, each with its own Resolver. Someone
// met only in a log is drawn a pseudonym at first sight. Commit makes it all
// last, and comes before anything that shows a pseudonym is finished.
//
// # Pseudonyms
//
// A pseudonym is a random number from 1000000000 to 2147483647: it fits an
// INT(11) column, tells no order, time or bit of the identifier, is never a
// real user id that was claimed, and is never used again, in any domain, not
// even after its person is forgotten. It is drawn and not computed, because a
// keyed hash could not forget one person and a table can.
//
// Surrogates that need no memory are computed instead: the tokens of sessions,
// ObjectIds and certificate keys by HMAC-SHA-256 under a secret of the domain,
// row keys by a keyed permutation (see rowKeys). The tokens of a person's own
// anonymous ids hang on a random seed of that person, which goes when they are
// forgotten. IP addresses are drawn like people, in 240.0.0.0/4.
//
// Known answers from what was settled and does not see whom others meet in the
// meantime, so that the order of lines, files and goroutines never changes
// which words of a log are replaced.
//
// # In memory
//
// During a run the whole map is in memory, in open addressing tables without
// pointers: a slot of 16 bytes an identifier (96 bits of a keyed digest, the
// pseudonym, two flags), 20 bytes a person (pseudonym, seed). Values are not in
// memory but while they are claimed, and user ids that were asked for: these lie
// in an array, see numbers. A database on disk was measured first and
// is slower by one or two orders of magnitude (docs/identity.md), and a log of
// a billion lines asks for every line. Each Resolver keeps the last answers by
// raw value, so that most lines cost one probe of a cache of its own; rows of
// tables repeat nobody, and ask for many people at once, see Batch.
//
// # On disk
//
//	map/                  0700
//	  head                which data file counts and how far: the commit (see head)
//	  people.N            sealed records of generation N (see dataFile, record.go)
//	  audit.jsonl         each use of the key, chained by keyed digests
//	  erasures.jsonl      what was erased when, naming nobody
//	  lock, pid           one process at a time
//
// Everything about people is sealed with AES-256-GCM under a data key that is
// drawn for each generation and wrapped, in the head, by the key file or the
// passphrase. Nothing is looked up on disk, so no digest lies there in the open
// either: whoever has the folder without its key learns its size and dates.
//
// A commit appends frames to the data file, flushes it, and replaces the head
// by a rename. What lies behind the length the head knows was never committed
// and is dropped at the next opening; what is missing before it is damage.
// Forgetting and rekeying write the next generation whole and switch the head to
// it. Tampering, truncation, a wrong key and a newer format are refused with a
// message of their own; putting back an older copy of the whole folder cannot
// be noticed, which is what makes backups work.
//
// # Locks
//
// Map.mu is held by whoever draws, claims into the file or commits. The shards
// of a table and the people have locks of their own for those who write; who reads
// takes none, so that resolving known people never waits (see table). describing is
// taken before mu, claims.mu after it, a shard's or people's lock last.
package idmap
