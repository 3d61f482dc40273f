package release_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/release/intake"
	"anonymooc/release/intake/packtest"
)

const passphrase = "an invented passphrase"

// delivery is one way to deliver the same export.
type delivery struct {
	name  string
	files []packtest.Member // one file of this name, or a folder of several
}

// deliveries packs the bundled export in every way that can be read.
func deliveries(t *testing.T, keys *packtest.Keys) []delivery {
	t.Helper()
	export := packtest.Folder(t, bundled)
	turned := packtest.Backwards(export)
	tarred, zipped := packtest.Tar(t, turned), packtest.Zip(t, turned, zip.Deflate)
	sealedInside := func(suffix string, seal func(testing.TB, []byte) []byte) []packtest.Member {
		return packtest.Each(t, export, suffix, seal)
	}
	one := func(name string, data []byte) delivery {
		return delivery{name, []packtest.Member{{Name: name, Data: data}}}
	}
	byCourse := func(pack func([]packtest.Member) packtest.Member) (packed []packtest.Member) {
		for _, course := range []string{"ImaginaireX-BOT101-Automne_2014", "ImaginaireX-HIS202-2015_T2"} {
			var members []packtest.Member
			for _, m := range export {
				if name, ok := strings.CutPrefix(m.Name, course+"/"); ok {
					members = append(members, packtest.Member{Name: name, Data: m.Data})
				}
			}
			p := pack(members)
			p.Name = course + p.Name
			packed = append(packed, p)
		}
		return packed
	}
	return []delivery{
		one("stored.zip", packtest.Zip(t, export, zip.Store)),
		one("deflated.zip", zipped),
		one("zstd.zip", packtest.Zip(t, turned, zstd.ZipMethodWinZip)),
		one("export.tar", tarred),
		one("export.tar.gz", packtest.Gzip(t, tarred)),
		one("EXPORT.TGZ", packtest.Gzip(t, tarred)),
		one("export.tar.zst", packtest.Zstd(t, tarred)),
		one("export.tar.gpg", keys.GPG(t, tarred)),
		one("export.tar.gz.gpg", keys.GPG(t, packtest.Gzip(t, tarred))),
		one("signed.tar.gz.pgp", keys.Signed(t, packtest.Gzip(t, tarred))),
		one("armoured.tar.gz.asc", keys.ASC(t, packtest.Gzip(t, tarred))),
		one("export.zip.gpg", keys.GPG(t, zipped)),
		one("export.zip.age", keys.AgeFile(t, zipped)),
		one("export.tar.age", keys.AgeFile(t, tarred)),
		one("export.tar.zst.age", keys.AgeFile(t, packtest.Zstd(t, tarred))),
		one("armoured.zip.age", keys.ArmoredAge(t, zipped)),
		one("twice.tar.gz.age.gpg", keys.GPG(t, keys.AgeFile(t, packtest.Gzip(t, tarred)))),
		one("passphrase.tar.gz.gpg", packtest.SymmetricGPG(passphrase)(t, packtest.Gzip(t, tarred))),
		one("passphrase.zip.age", packtest.SymmetricAge(passphrase)(t, zipped)),
		one("edx.zip", packtest.Zip(t, sealedInside(".gpg", keys.GPG), zip.Store)),
		one("edx.tar.gz", packtest.Gzip(t, packtest.Tar(t, sealedInside(".gpg", keys.GPG)))),
		one("mixed.zip", packtest.Zip(t, slices.Concat(export[:5], packtest.Each(t, export[5:9], ".gpg", keys.GPG), packtest.Each(t, export[9:], ".age", packtest.SymmetricAge(passphrase))), zip.Deflate)),
		{"folder of gpg", sealedInside(".gpg", keys.GPG)},
		{"folder of asc", sealedInside(".asc", keys.ASC)},
		{"folder of age", sealedInside(".age", keys.AgeFile)},
		{"folder of zips", byCourse(func(m []packtest.Member) packtest.Member {
			return packtest.Member{Name: ".zip", Data: packtest.Zip(t, m, zip.Deflate)}
		})},
		{"folder of encrypted tars", byCourse(func(m []packtest.Member) packtest.Member {
			return packtest.Member{Name: ".tar.gz.gpg", Data: keys.GPG(t, packtest.Gzip(t, packtest.Tar(t, packtest.Backwards(m))))}
		})},
	}
}

// write puts a delivery below a folder and returns its path.
func (d *delivery) write(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, d.name)
	if len(d.files) == 1 {
		packtest.Write(t, dir, d.files)
		return path
	}
	packtest.Write(t, path, d.files)
	return path
}

// keyring opens what packtest encrypts.
func keyring(t *testing.T, keys *packtest.Keys) *intake.Keyring {
	t.Helper()
	openPGP, identity := keys.Write(t, t.TempDir())
	ring, err := intake.NewKeyring([]string{openPGP, identity}, func(string) (secret.Secret, error) {
		return secret.New([]byte(passphrase)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

// TestEveryDelivery: the same export gives the same release, byte for byte, however
// it was packed; nothing of it is written anywhere else.
func TestEveryDelivery(t *testing.T) {
	keys := packtest.NewKeys(t)
	ring := keyring(t, keys)
	packed := deliveries(t, keys)
	m := newMaker(t)
	with := func(r *release.Request) { r.Intake.Keys = ring }
	m.mustRun(filepath.Join(t.TempDir(), "release"), with, bundled) // everybody is known afterwards
	out := filepath.Join(t.TempDir(), "release")
	m.mustRun(out, with, bundled)
	want := readTree(t, out)
	for _, d := range packed {
		t.Run(d.name, func(t *testing.T) {
			dir, scratch := t.TempDir(), t.TempDir()
			path := d.write(t, dir)
			project := fileNames(t, m.project)
			t.Setenv("TMPDIR", scratch)
			out := filepath.Join(t.TempDir(), "release")
			m.mustRun(out, with, path)
			got := readTree(t, out)
			for name, text := range want {
				if got[name] != text {
					t.Errorf("%s differs", name)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d files instead of %d", len(got), len(want))
			}
			if left := fileNames(t, scratch); len(left) > 0 {
				t.Errorf("written beside the release: %v", left)
			}
			if now := fileNames(t, m.project); !slices.Equal(now, project) {
				t.Errorf("written into the project: %v, before %v", now, project)
			}
			if there := fileNames(t, dir); len(there) != len(d.files) {
				t.Errorf("written beside the export: %v", there)
			}
		})
	}
}

// TestFirstRunOfAPackage: a package makes the same people of an export that nobody
// has seen as a folder does.
func TestFirstRunOfAPackage(t *testing.T) {
	keys := packtest.NewKeys(t)
	ring := keyring(t, keys)
	export := packtest.Folder(t, bundled)
	d := delivery{"export.tar.gz.gpg", []packtest.Member{{Name: "export.tar.gz.gpg", Data: keys.GPG(t, packtest.Gzip(t, packtest.Tar(t, packtest.Backwards(export))))}}}
	var people [2]int
	var rows [2]int64
	for i, path := range []string{bundled, d.write(t, t.TempDir())} {
		m := newMaker(t)
		result := m.mustRun(filepath.Join(t.TempDir(), "release"), func(r *release.Request) { r.Intake.Keys = ring }, path)
		people[i] = result.People
		for _, o := range result.Manifest.Outputs {
			rows[i] += o.RowsOut
		}
	}
	if people[0] != people[1] || rows[0] != rows[1] || people[0] < 50 {
		t.Errorf("people %v, rows %v", people, rows)
	}
}

// TestSeveralPackages: each stands under its name, without its suffixes.
func TestSeveralPackages(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, course := range []string{"BOT101-Automne_2014", "HIS202-2015_T2"} {
		members := packtest.Folder(t, bundled+"/ImaginaireX-"+course)
		packtest.Write(t, dir, []packtest.Member{{Name: course + ".tar.gz", Data: packtest.Gzip(t, packtest.Tar(t, members))}})
		paths = append(paths, filepath.Join(dir, course+".tar.gz"))
	}
	out := filepath.Join(t.TempDir(), "release")
	newMaker(t).mustRun(out, nil, paths...)
	if _, ok := readTree(t, out)["HIS202-2015_T2/auth_user.csv"]; !ok {
		t.Error("the files do not stand under the package's name")
	}
}

// TestChangedAtItsEnd: OpenPGP tells only at the end whether a message was changed,
// when all of it has been read and written. Nothing of it may appear.
func TestChangedAtItsEnd(t *testing.T) {
	keys := packtest.NewKeys(t)
	ring := keyring(t, keys)
	export := packtest.Folder(t, bundled)
	last := len(export) - 1
	spoil := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[len(data)-at] ^= 1
		return data
	}
	plain := func(t testing.TB, data []byte) []byte { return data }
	// Uncompressed and unsigned, so that only the message's own proof can tell.
	gpg := func(t testing.TB, data []byte) []byte { return keys.Plain(t, data) }
	inFolder := slices.Concat(packtest.Each(t, export[:last], "", plain), []packtest.Member{{Name: export[last].Name + ".gpg", Data: spoil(gpg(t, export[last].Data), 1)}})
	for _, d := range []delivery{
		{"last member", inFolder},
		{"cut.tar.gpg", []packtest.Member{{Name: "cut.tar.gpg", Data: gpg(t, packtest.Tar(t, export))[:900_000]}}},
		{"proof.tar.gpg", []packtest.Member{{Name: "proof.tar.gpg", Data: spoil(gpg(t, packtest.Tar(t, export)), 1)}}},
		{"text.tar.gpg", []packtest.Member{{Name: "text.tar.gpg", Data: spoil(gpg(t, packtest.Tar(t, export)), 5000)}}},
		{"in.zip", []packtest.Member{{Name: "in.zip", Data: packtest.Zip(t, inFolder, zip.Store)}}},
		{"age.tar.age", []packtest.Member{{Name: "age.tar.age", Data: spoil(keys.AgeFile(t, packtest.Tar(t, export)), 5000)}}},
		{"end.tar.zst.age", []packtest.Member{{Name: "end.tar.zst.age", Data: spoil(keys.AgeFile(t, packtest.Zstd(t, packtest.Tar(t, export))), 1)}}},
	} {
		t.Run(d.name, func(t *testing.T) {
			dir := t.TempDir()
			path := d.write(t, t.TempDir())
			_, err := newMaker(t).run(filepath.Join(dir, "release"), func(r *release.Request) { r.Intake.Keys = ring }, path)
			var f *fault.Fault
			if !errors.As(err, &f) || !strings.Contains(f.What, "damaged, cut short or was changed") || f.Hint == "" {
				t.Fatalf("error %v", err)
			}
			if left := fileNames(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestChangedWhileRead: a package that changes after it was listed gives no
// release, though every byte that was read was right.
func TestChangedWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "export.tar.gz")
	data := packtest.Gzip(t, packtest.Tar(t, packtest.Folder(t, bundled)))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m := newMaker(t)
	request := m.request(filepath.Join(dir, "release"), nil, path)
	request.Progress = &cancelling{after: 14, cancel: func() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.Write([]byte("more"))
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}}
	if _, err := release.Run(t.Context(), request); err == nil || !strings.Contains(err.Error(), "was changed while it was read") {
		t.Errorf("error %v", err)
	}
	if left := fileNames(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestInterruptedInAPackage: a run that is cancelled while it decodes leaves
// nothing behind.
func TestInterruptedInAPackage(t *testing.T) {
	keys := packtest.NewKeys(t)
	ring := keyring(t, keys)
	d := delivery{"export.tar.gz.gpg", []packtest.Member{{Name: "export.tar.gz.gpg", Data: keys.GPG(t, packtest.Gzip(t, packtest.Tar(t, packtest.Folder(t, bundled))))}}}
	path := d.write(t, t.TempDir())
	for after := 1; after < 14; after += 4 {
		m := newMaker(t)
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		request := m.request(filepath.Join(dir, "release"), func(r *release.Request) { r.Intake.Keys = ring }, path)
		request.Progress = &cancelling{cancel: cancel, after: after}
		if _, err := release.Run(ctx, request); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		cancel()
		if left := fileNames(t, dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// fileNames lists the files below a folder.
func fileNames(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
