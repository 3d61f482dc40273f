package sqldump

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"anonymooc/internal/source"
)

// studentModules is a dump of about 64 MB whose rows are those of
// courseware_studentmodule: problems' states, JSON full of escapes.
func studentModules() []byte {
	var b bytes.Buffer
	b.WriteString("-- MySQL dump\nCREATE TABLE `m` (`id` int, `student_id` int, `state` longtext, `grade` double, `created` datetime);\n")
	for id := 0; b.Len() < 64<<20; {
		b.WriteString("INSERT INTO `m` VALUES ")
		for i := range 2000 {
			if i > 0 {
				b.WriteByte(',')
			}
			id++
			fmt.Fprintf(&b, `(%d,%d,'{\"correct_map\": {\"i4x-x-y-problem-%d_2_1\": {\"hint\": \"\", \"correctness\": \"correct\", \"msg\": \"l\'eau\", \"queuestate\": null}}, \"seed\": 1}',%d.5,'2014-10-15 06:45:39')`, id, id*7, id, id%5)
		}
		b.WriteString(";\n")
	}
	b.WriteString("-- Dump completed\n")
	return b.Bytes()
}

// BenchmarkDump lists a dump's tables and reads one: bytes of the dump a second.
func BenchmarkDump(b *testing.B) {
	dump := studentModules()
	file := source.File{Name: "x.sql", Size: int64(len(dump)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(dump)), nil
	}}
	files, err := Tables(b.Context(), file)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("list", func(b *testing.B) {
		b.SetBytes(int64(len(dump)))
		for b.Loop() {
			if _, err := Tables(b.Context(), file); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(dump)))
		for b.Loop() {
			in, err := files[0].Open(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, in); err != nil {
				b.Fatal(err)
			}
			in.Close()
		}
	})
}
