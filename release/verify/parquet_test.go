package verify

import (
	"bytes"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type parquetEvent struct {
	Username string  `parquet:"username"`
	UserID   int64   `parquet:"user_id"`
	Page     *string `parquet:"page,optional"`
	Payload  string  `parquet:"payload"`
}

// TestParquetIsJudgedAsTablesAre plants a leak in each column of a Parquet file.
func TestParquetIsJudgedAsTablesAre(t *testing.T) {
	clean := parquetEvent{Username: "u1500000001", UserID: 1500000001, Payload: `{"a": "b"}`}
	page := "https://mooc.example/u/benoit_d"
	tests := map[string]struct {
		event  parquetEvent
		column string
		kind   Kind
	}{
		"clean":    {event: clean},
		"username": {parquetEvent{"benoit_d", 1500000001, nil, ""}, "username", Username},
		"number":   {parquetEvent{"u1500000001", 48213, nil, ""}, "user_id", UserID},
		"page":     {parquetEvent{"u1500000001", 1500000001, &page, ""}, "page", Username},
		"payload":  {parquetEvent{"u1500000001", 1500000001, nil, `{"x": "benoit%2Edelacroix%40courriel.example"}`}, "payload.*", Email},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := parquet.Write(&b, []parquetEvent{clean, test.event}); err != nil {
				t.Fatal(err)
			}
			report := run(t, write(t, map[string]string{"tracking_log.parquet": b.String()}), nil)
			if test.kind == "" {
				if !report.Passed() || report.Files[0].Rows != 2 {
					t.Errorf("%+v", report)
				}
				return
			}
			if !slices.ContainsFunc(report.Residuals, func(f Finding) bool {
				return f.Kind == test.kind && f.Column == test.column && f.Line == 2
			}) {
				t.Errorf("not found: %+v", report.Residuals)
			}
		})
	}
}
