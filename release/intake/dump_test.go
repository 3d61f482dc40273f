package intake

import (
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"anonymooc/internal/fault"
)

const smallDump = "-- MySQL dump 10.13\n\nCREATE TABLE `auth_user` (`id` int, `email` text);\nINSERT INTO `auth_user` VALUES (1,'a'),(2,NULL);\nCREATE TABLE `auth_group` (`id` int);\n-- Dump completed\n"

func TestDumpsAreExports(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dump := put("alone/edxapp.sql", smallDump)
	put("folder/edxapp.sql", smallDump)
	put("folder/other.sql", "id\temail\n1\ta\n")
	put("folder/org-auth_user-prod-analytics.sql", "-- MySQL dump\tx\n")
	for path, want := range map[string][]string{
		dump:                         {"auth_group.csv", "auth_user.csv"},
		filepath.Join(dir, "folder"): {"edxapp/auth_group.csv", "edxapp/auth_user.csv", "org-auth_user-prod-analytics.sql", "other.sql"},
	} {
		e, err := Open(t.Context(), []string{path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range e.Files {
			names = append(names, f.Name)
			if filepath.Base(f.Name) != "auth_user.csv" {
				continue
			}
			in, err := f.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(in); err != nil || string(text) != "id,email\n1,a\n2,NULL\n" {
				t.Errorf("%q, %v", text, err)
			}
			in.Close()
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("files %v", names)
		}
		if err := e.Whole(t.Context()); err != nil {
			t.Error(err)
		}
		e.Close()
	}
	packed, err := os.Create(filepath.Join(dir, "delivery.zip"))
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(packed)
	member, err := w.Create("edxapp.sql.gz")
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(member)
	z.Write([]byte(smallDump))
	z.Close()
	w.Close()
	packed.Close()
	inside, err := Open(t.Context(), []string{packed.Name()}, Options{})
	if err != nil || len(inside.Files) != 2 || inside.Files[0].Name != "edxapp/auth_user.csv" {
		t.Fatalf("a dump in a package: %v", err)
	}
	in, err := inside.Files[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(in); err != nil || string(text) != "id,email\n1,a\n2,NULL\n" {
		t.Errorf("%q, %v", text, err)
	}
	in.Close()
	inside.Close()
	e, err := Open(t.Context(), []string{dump}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	put("alone/edxapp.sql", smallDump+"\n")
	if err := e.Whole(t.Context()); err == nil {
		t.Error("a dump that changed passes for whole")
	}
	for name, text := range map[string]string{"table.sql": "id\temail\n1\ta\n", "none.sql": "-- MySQL dump\n-- Dump completed\n", "cut.sql": smallDump[:90]} {
		if _, err := Open(t.Context(), []string{put("bad/"+name, text)}, Options{}); fault.CodeOf(err) == fault.OK {
			t.Errorf("%s is taken for an export", name)
		}
	}
}
