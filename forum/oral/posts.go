package oral

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"anonymooc/internal/source"
)

// Posts gives a transcript as a forum's file: one thread, each turn a post by its
// speaker that answers the one before.
func (t *Transcript) Posts() source.File {
	return source.File{Name: t.Name, Size: source.Unknown, Open: func(context.Context) (io.ReadCloser, error) {
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		stem, last := Stem(t.Name), ""
		for i, turn := range t.Turns {
			post := map[string]string{"_id": t.postID(i), "comment_thread_id": t.Name, "body": string(turn.Text.Bytes)}
			if turn.Speaker != "" {
				post["author_id"] = authorID(stem, turn.Speaker)
			}
			if !turn.Note {
				if last != "" {
					post["parent_id"] = last
				}
				last = post["_id"]
			}
			if err := encoder.Encode(post); err != nil {
				return nil, err
			}
		}
		return io.NopCloser(&lines), nil
	}}
}

// postID names a turn in questions and decisions.
func (t *Transcript) postID(turn int) string { return t.Name + "#" + strconv.Itoa(turn+1) }
