// Package verify reads a release back and looks for what should not be in it.
//
// It does not trust the code that made the release: it has its own readers, its
// own decoders and its own idea of where people stand, and shares with the
// engine nothing but the list of people who are to be found nowhere.
//
//	known people ──► patterns: words of every spelling ──► Index (one hash a prefix)
//	                                                          │
//	release/ ─► files ─► blocks ─► records ─► values ─► views ┴► hits ─► judge ─► Report
//	             │        (all cores)  │        │        decoded as often as it takes:
//	             │                     │        │        JSON in JSON, \u, %41, &eacute;,
//	             │                     │        │        tags, query strings, base64 words
//	             │                     │        └ shapes: e-mail, address, telephone, URL
//	             │                     └ place: column or JSON path, and what may stand there
//	             └ manifest: hashes, rows, columns, joins, equality of what was kept
//
// Three questions are asked of every value.
//
//   - Is it, or does it hold, an identifier of somebody known? The words of all
//     identifiers, folded (case, accents, look-alikes), are looked up at once.
//   - Does it have the shape of one? An e-mail address that is not
//     …@example.invalid, an IP address outside 240.0.0.0/4 or a telephone number
//     names somebody, known or not.
//   - If people stand in this place, is it a pseudonym? A number in a user_id
//     column that is no pseudonym is a residual though nobody knows it.
//
// An identifier that is also an ordinary word ("audit", "Rose", "1") is judged
// where it stands: as a whole value in a place for people and behind /u/ or
// user= it is a residual; in running text it may be a flower. Such places are
// counted in Report.Unjudged for a person to look at, never passed over.
//
// With the export beside it, a release is read once more:
//
//	export/ ──► harvest (all cores): identifiers ─► Index, joined values ─► joins
//	export/  ─┐
//	release/ ─┴► pairs of records ─► compare (all cores): kept bytes, types, NULL ─► Problems
//	                                   └ values and surrogates ─► settle, in the order of lines
//
// Values of JSON texts meet in a tree of the paths of their file, which asks for
// the rule of each path once.
//
// A Report holds files, lines, columns and kinds, and never a value.
package verify
