package release

import (
	"bytes"
	"context"
	"io"

	"anonymooc/release/records"
	"anonymooc/tables"
)

// Preview returns the first records of a source, with its header, as they are
// and as a release would show them.
func (s *Source) Preview(session *tables.Session, records int) (before, after []byte, err error) {
	in, err := s.Read(context.Background())
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	limits := tables.DefaultLimits()
	if before, err = tables.Head(s.Name, s.Plan.Format, in, limits, records); err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	_, err = session.Transform(context.Background(), s.Plan, bytes.NewReader(before), &out, tables.Stream{Jobs: 1, Limits: limits, Aside: io.Discard})
	if err == nil && s.Plan.Format == (tables.BSON{}) { // nobody reads it as it is
		if before, err = readable(before); err == nil {
			after, err = readable(out.Bytes())
			return before, after, err
		}
	}
	return before, out.Bytes(), err
}

// readable gives BSON as JSON lines.
func readable(documents []byte) ([]byte, error) {
	return io.ReadAll(records.AsLines("a.bson", bytes.NewReader(documents)))
}
