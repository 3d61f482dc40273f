package oral

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"anonymooc/internal/fault"
)

const interview = "WEBVTT\n\n00:00.000 --> 00:03.000\n<v Octave Silence>Bonjour Zéphyrine, comment allez-vous aujourd'hui ?\n\n00:03.000 --> 00:05.500\n<v Zéphyrine Brun>Bien, merci, et vous-même ?\n"

// folderOf makes a folder with an interview and its recording, spoken by a machine.
func folderOf(t *testing.T, transcript string) (dir string, wav []byte) {
	t.Helper()
	dir = t.TempDir()
	wav = say(t, "fr", "Bonjour Zéphyrine, comment allez-vous aujourd'hui ? Bien, merci, et vous-même ? Il fait un temps magnifique, vous ne trouvez pas ?")
	for name, data := range map[string][]byte{"talk.vtt": []byte(transcript), "talk.wav": wav} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, wav
}

func TestRelease(t *testing.T) {
	dir, wav := folderOf(t, interview)
	delivery, err := Gather([]string{dir}, "")
	if err != nil {
		t.Fatal(err)
	}
	treater := treaterFor(t, newDomain(t), RandomCodes, nil, delivery.Transcripts...)
	out := filepath.Join(t.TempDir(), "release")
	folder, err := Begin(out, treater)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Add(t.Context(), delivery.Transcripts[0], delivery.Recordings["talk"]); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(out); err == nil {
		t.Error("the release has its name before it is whole")
	}
	if err := folder.Publish(); err != nil {
		t.Fatal(err)
	}
	if err := folder.Abort(); err != nil {
		t.Fatal(err)
	}
	released, err := os.ReadFile(filepath.Join(out, "oral_1.wav"))
	if err != nil || len(released) != len(wav) {
		t.Fatalf("the recording had %d bytes and has %d: %v", len(wav), len(released), err)
	}
	list, err := os.Open(filepath.Join(out, "cuts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	reader := csv.NewReader(list)
	reader.Comma = '\t'
	rows, err := reader.ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	from, _ := strconv.ParseInt(rows[1][1], 10, 64)
	to, _ := strconv.ParseInt(rows[1][2], 10, 64)
	before, after := open(t, wav), open(t, released)
	sameOutside(t, before, after, Range{from, to})
	if a, b := heard(t, before, Range{from, to}), heard(t, after, Range{from, to}); root(b) == 0 || correlation(a, b) > 0.9 {
		t.Error("the cut is silent, or as it was")
	}
	if at := float64(from) / float64(before.Rate); at > 0.6 { // the name is spoken at about 0.6 seconds
		t.Errorf("the cut begins at %.2f s, after the name", at)
	}
}

func TestReleaseIsWholeOrNotAtAll(t *testing.T) {
	dir, _ := folderOf(t, interview)
	late, _ := folderOf(t, interview+"\n01:00.000 --> 01:05.000\nOui.\n")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, test := range map[string]struct {
		dir string
		ctx context.Context
		is  func(error) bool
	}{
		"interrupted":                      {dir, stopped, func(err error) bool { return errors.Is(err, context.Canceled) }},
		"a recording of something shorter": {late, t.Context(), func(err error) bool { return fault.CodeOf(err) == fault.Usage }},
	} {
		delivery, err := Gather([]string{test.dir}, "")
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "release")
		folder, err := Begin(out, treaterFor(t, newDomain(t), RandomCodes, nil, delivery.Transcripts...))
		if err != nil {
			t.Fatal(err)
		}
		if err := folder.Add(test.ctx, delivery.Transcripts[0], delivery.Recordings["talk"]); !test.is(err) {
			t.Errorf("%s: %v", name, err)
		}
		if err := folder.Abort(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Dir(out) + "/*"); len(left) > 0 {
			t.Errorf("%s: something is left", name)
		}
	}
	taken := t.TempDir()
	if _, err := Begin(taken, &Treater{}); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a folder that is there is taken: %v", err)
	}
}

func TestGatherNamesWhatItDoesNotKnow(t *testing.T) {
	dir, wav := folderOf(t, interview)
	for name, data := range map[string][]byte{"lonely.wav": wav, "notes.odt": nil, "talk.srt": []byte("1\n00:00:00,000 --> 00:00:01,000\nx\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Gather([]string{dir}, "")
	var list fault.List
	if !errors.As(err, &list) || len(list) != 4 {
		t.Errorf("%v", err)
	}
	alone, err := Gather([]string{filepath.Join(dir, "talk.vtt")}, "")
	if err != nil || len(alone.Transcripts) != 1 || !bytes.HasSuffix([]byte(alone.Recordings["talk"]), []byte("talk.wav")) {
		t.Errorf("a transcript that is named alone: %+v %v", alone, err)
	}
}
