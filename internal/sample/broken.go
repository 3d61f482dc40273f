package sample

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"

	"anonymooc/internal/safefile"
)

// Pieces of the broken exports: a sound table, and log lines around a damage.
const (
	soundUsers = "id,username,first_name,last_name,email,password,is_staff,is_active,is_superuser,last_login,date_joined\n" +
		"6101,c.brume,Capucine,Brume,c.brume@courriel.example,!,0,1,0,2014-10-01 08:00:00,2014-09-01 08:00:00\n" +
		"6102,o.silence,Octave,Silence,o.silence@courriel.example,!,0,1,0,2014-10-02 08:00:00,2014-09-02 08:00:00\n"
	soundEvent = `{"username": "c.brume", "ip": "203.0.113.7", "event_type": "page_close", "event": "{}", "event_source": "browser", "page": "https://cours.imaginaire.example/", "session": "0123456789abcdef0123456789abcdef", "agent": "", "time": "2014-10-01T08:00:00.000000+00:00", "context": {"user_id": 6101, "course_id": "ImaginaireX/BOT101/Automne_2014", "org_id": "ImaginaireX", "path": "/event"}}` + "\n"
)

// damage is one kind of bad input: a file beside a sound auth_user.csv, or in
// its place.
type damage struct {
	name    string // folder
	file    string
	content string
}

// damages lists one export for each kind of bad input a run must refuse or set
// aside, by what is wrong with it.
func damages() []damage {
	enrolment := "id,user_id,course_id,created,is_active,mode\n"
	return []damage{
		{"unknown-file", "parents.csv", "id,user_id,parent_name\n1,6101,Olive Brume\n"},
		{"unknown-column", "auth_user.csv", strings.Replace(strings.ReplaceAll(soundUsers, ",!,", ",!,+33 6 39 98 00 01,"), "password,", "password,second_phone,", 1)},
		{"repeated-header", "auth_user.csv", strings.Replace(soundUsers, "last_name", "first_name", 1)},
		{"missing-header", "auth_user.csv", soundUsers[strings.Index(soundUsers, "\n")+1:]},
		{"ragged-row-short", "student_courseenrollment.csv", enrolment + "1,6101,ImaginaireX/BOT101/Automne_2014,2014-09-01 08:00:00,1,honor\n2,6102,ImaginaireX/BOT101/Automne_2014\n"},
		{"ragged-row-long", "student_courseenrollment.csv", enrolment + "1,6101,ImaginaireX/BOT101/Automne_2014,2014-09-01 08:00:00,1,honor,c.brume@courriel.example\n"},
		{"broken-quotes", "auth_user.csv", strings.Replace(soundUsers, "Capucine,Brume", `"Capucine,Brume`, 1)},
		{"stray-quote", "auth_user.csv", strings.Replace(soundUsers, "Octave,Silence", `Octave,"Silence"x`, 1)},
		{"invalid-utf8", "auth_user.csv", strings.Replace(soundUsers, "Capucine", "\xc9lise", 1)},
		{"nul-byte", "auth_user.csv", strings.Replace(soundUsers, "Octave", "Oct\x00ave", 1)},
		{"empty-file", "auth_userprofile.csv", ""},
		{"truncated-log-line", "tracking_log.json", soundEvent + soundEvent[:300] + "\n" + soundEvent},
		{"truncated-last-line", "tracking_log.json", soundEvent + soundEvent[:120]},
		{"not-json-log-line", "tracking_log.json", soundEvent + "Traceback (most recent call last): user c.brume@courriel.example\n\n[1, 2]\n" + soundEvent},
		{"invalid-utf8-log-line", "tracking_log.json", soundEvent + strings.Replace(soundEvent, "page_close", "page_\xff\xfe", 1)},
		{"broken-forum-line", "forum_contents.json", `{"_id": {"$oid": "542bc0700000000000000001"}, "_type": "CommentThread", "author_id": "6101", "body": "Octave` + "\n"},
		{"truncated-gzip", "tracking_log.json.gz", endsEarly(soundEvent)},
	}
}

// endsEarly packs text as gzip and loses the end of it. The packing is stored,
// not compressed, so that its bytes hang on no compressor's version.
func endsEarly(text string) string {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	if err != nil {
		return "" // unreachable: the level is valid
	}
	z.Write([]byte(text))
	z.Close()
	return packed.String()[:packed.Len()-60]
}

// WriteBroken writes one small broken export per kind of bad input into the
// folder out, which must be empty or not yet exist.
func WriteBroken(out string) error {
	if err := emptyFolder(out); err != nil {
		return err
	}
	for _, d := range damages() {
		folder := filepath.Join(out, d.name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if d.file != "auth_user.csv" {
			if err := safefile.Write(filepath.Join(folder, "auth_user.csv"), []byte(soundUsers), 0o644); err != nil {
				return err
			}
		}
		if err := safefile.Write(filepath.Join(folder, d.file), []byte(d.content), 0o644); err != nil {
			return err
		}
	}
	// A link that leads out of the export.
	folder := filepath.Join(out, "symlink-out")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.Symlink(filepath.Join("..", "unknown-file", "auth_user.csv"), filepath.Join(folder, "auth_user.csv"))
}
