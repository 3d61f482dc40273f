package release

import (
	"context"
	"io"

	"anonymooc/idmap"
	"anonymooc/tables"
	"anonymooc/tables/geo"
)

// textsOfLogs bounds how much of each log is read for its texts, in bytes: most
// of a log's texts are copies of the forum's, and logs are larger than all else.
const textsOfLogs = 64 << 20

// Texts calls visit with every free text of the sources, in their order, as a
// run would hand it to the text engine: goals, answers, wiki pages, searches.
// The forum's are left out, and logs are read up to a bound. Records that cannot
// be read are passed over; the run tells of them. A text is valid during the
// call only.
func Texts(ctx context.Context, sources []Source, domain *idmap.Domain, visit func(text []byte, place tables.TextPlace)) error {
	places, err := geo.Open("") // rules that locate want one, whatever it says
	if err != nil {
		return err
	}
	defer places.Close()
	session := &tables.Session{IDs: domain, Geo: places, Text: listener{visit}}
	for i := range sources {
		if s := &sources[i]; s.Plan != nil && s.Table.Name != "forum" {
			if err := s.texts(ctx, session); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Source) texts(ctx context.Context, session *tables.Session) error {
	in, err := s.Read(ctx)
	if err != nil {
		return err
	}
	defer in.Close() // only ever read from
	var records io.Reader = in
	if s.Table.Name == "tracking_log" {
		records = io.LimitReader(in, textsOfLogs)
	}
	_, err = session.Transform(ctx, s.Plan, records, io.Discard, tables.Stream{Jobs: 1, Limits: tables.DefaultLimits(), Aside: io.Discard})
	return err
}

// listener hears every text and releases none. One goroutine transforms.
type listener struct {
	visit func(text []byte, place tables.TextPlace)
}

// Treat implements tables.TextEngine.
func (l listener) Treat(dst, text []byte, place tables.TextPlace) ([]byte, tables.TextTally, error) {
	if len(text) > 0 {
		l.visit(text, place)
	}
	return dst, tables.TextTally{}, nil
}
