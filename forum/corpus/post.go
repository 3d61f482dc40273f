package corpus

import "time"

// Post is one thread starter or comment, as the export holds it: names and ids
// are real. Empty fields are missing in the export.
type Post struct {
	ID       string // "_id": ObjectId in hexadecimal, or whatever the export uses
	Thread   string // id of the thread's first post; its own id for a thread
	Parent   string // post that is answered; the thread for a first-level comment
	Author   string // author_id: the user id, as text
	Username string // author_username
	Title    string // threads only
	Body     string
	Course   string
	Created  time.Time
	Lang     string // voted from the words; empty when unknown
}
