// Package tables is the rule engine for tables and logs: it reads a file record
// by record, lets the rules decide about each value, and writes what they leave.
//
//	bytes ─ blocks (cut at record ends) ─► Format ─ record ─► bound columns ─► Action ─► bytes
//	          one reader                    all cores                                  in order
//
// A RuleSet says per table and column which Action holds; Bind fits it to the
// header of a real file and stops when a column has no rule. A Format knows how
// records and values are written (CSV, tab-separated text with its two escape
// dialects, one JSON object a line) and copies what is kept byte for byte. An
// Action sees one decoded value and answers with an Effect; it never passes on
// what it cannot read. People and keys of table rows are looked up many rows at a
// time, before the first is treated (see ahead). A Worker carries what the actions need: the id map, the
// country database, the text engine, and the tallies that end in the manifest.
package tables
