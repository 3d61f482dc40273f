// Command build trains the forests that the program ships, on messages that
// package synthetic writes, and prints what docs/model.md says of them.
//
//	go run ./forum/trees/build -out forum/detect
//
// The same lists and seed give the same files.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees"
	"anonymooc/forum/trees/synthetic"
	"anonymooc/forum/trees/training"
	"anonymooc/internal/safefile"
)

func main() {
	out := flag.String("out", "forum/detect", "folder of trees_message.jsonl and trees_mention.jsonl")
	messages := flag.Int("messages", 24000, "messages to train on")
	seed := flag.Uint64("seed", 2013, "seed of the messages and of the forests")
	flag.Parse()
	if err := run(*out, *messages, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(out string, messages int, seed uint64) error {
	known, err := lists.Open()
	if err != nil {
		return err
	}
	var learn, test training.Set
	for _, part := range []struct {
		set  *training.Set
		n    int
		seed uint64
	}{{&learn, messages, seed}, {&test, messages / 4, seed + 1}} {
		texts, err := synthetic.Generate(known, part.n, part.seed)
		if err != nil {
			return err
		}
		part.set.Add(texts, known)
	}
	models, err := training.Train(&learn, seed)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		file   string
		forest *trees.Forest
		test   []trees.Example
	}{
		{"trees_message.jsonl", models.Message, test.Messages},
		{"trees_mention.jsonl", models.Mention, test.Mentions},
	} {
		var data bytes.Buffer
		if err := part.forest.Write(&data); err != nil {
			return err
		}
		if err := safefile.Write(filepath.Join(out, part.file), data.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d trees, %d bytes, on new messages %+v\n", part.file, part.forest.Len(), data.Len(), training.Measure(part.forest, part.test))
		for i, share := range part.forest.Importance() {
			fmt.Printf("  %-20s %.3f\n", part.forest.Features()[i], share)
		}
	}
	_, err = detect.ShippedModels()
	if err != nil {
		fmt.Println("the program must be built anew to carry these forests")
	}
	return nil
}
