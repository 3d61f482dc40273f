// Package columnar writes the tables, events and posts of a release once more, as
// Parquet.
//
//	table ─ first reading: what all values of a column are ─► types ─┐
//	event, post ─ JSON paths of a schema that never changes ─────────┤
//	file ─ records, a batch at a time ─ rows (all cores) ─ columns ──┴─► row groups, in order ─► *.parquet
//
// A Parquet file lies beside the file it was made of and holds a row for each of
// its records. It shows nothing else: what is not in the file is not in its
// Parquet, and the file stays what counts, byte for byte as the platform wrote
// it. A value that is not of its column's type makes the column of a table text;
// the types of a table hold for all its files in a release, so that courses can be
// read together. Events and posts have the same columns in every release: what is
// not of the type there is NULL, and the column line leads to the record.
//
// Memory is a batch for each core, however long the file. The same files give the
// same bytes, whatever the number of cores.
package columnar
