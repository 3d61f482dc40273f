package verify

// RawFields splits one record of a table into its fields as they are written.
func RawFields(record []byte) [][]byte {
	var r fieldReader
	r.read(record, formatCSV)
	return r.raw
}

// RecordEnd returns where the record of a CSV file that begins at start ends.
func RecordEnd(data []byte, start int) int {
	end, _ := csvRecord(data, start)
	return end
}
