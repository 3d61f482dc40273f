package verify

import "anonymooc/release/records"

// RawFields splits one record of a table into its fields as they are written.
func RawFields(record []byte) [][]byte {
	var r records.Fields
	r.Read(record, records.CSV)
	return r.Raw
}

// RecordEnd returns where the record of a CSV file that begins at start ends.
func RecordEnd(data []byte, start int) int {
	end, _ := records.RecordEnd(data, start)
	return end
}

// ProcessorTime is what the process has used.
var ProcessorTime = processorTime
