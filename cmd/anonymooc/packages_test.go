package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"

	"anonymooc/internal/debian"
	"anonymooc/release/intake/packtest"
)

// packExports packs the bundled export for the scripts, and writes the keys that
// open it: secret ones called .key, public ones .pub.
func packExports(t *testing.T, export string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	keys := packtest.NewKeys(t)
	keys.Write(t, dir)
	var public bytes.Buffer
	w, err := armor.Encode(&public, openpgp.PublicKeyType, nil)
	if err == nil {
		err = keys.OpenPGP.Serialize(w)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	members := packtest.Folder(t, export)
	archive := packtest.Gzip(t, packtest.Tar(t, packtest.Backwards(members)))
	packtest.Write(t, dir, []packtest.Member{
		{Name: "openpgp.pub", Data: public.Bytes()},
		{Name: "age.pub", Data: []byte("# who may open it\n" + keys.Age.Recipient().String() + "\n")},
		{Name: "edx.zip", Data: packtest.Zip(t, packtest.Each(t, members, ".gpg", keys.GPG), zip.Store)},
		{Name: "export.tar.gz", Data: archive},
		{Name: "export.tar.gz.gpg", Data: keys.GPG(t, archive)},
		{Name: "passphrase.zip.age", Data: packtest.SymmetricAge("an invented passphrase")(t, packtest.Zip(t, members, zip.Deflate))},
		{Name: "cut.tar.gz", Data: archive[:len(archive)/2]},
		{Name: "outside.zip", Data: packtest.Zip(t, []packtest.Member{{Name: "../auth_user.csv", Data: []byte("id\n")}}, zip.Store)},
		{Name: "forum.json.gpg", Data: keys.GPG(t, forumOf(members))},
	})
	return dir
}

// forumOf is the first forum file of an export.
func forumOf(members []packtest.Member) []byte {
	for _, m := range members {
		if strings.HasSuffix(m.Name, "forum_contents.json") {
			return m.Data
		}
	}
	return nil
}

// TestDebianTools: what Debian's gpg and age encrypt is read, and they open what is
// sealed.
func TestDebianTools(t *testing.T) {
	for _, tool := range []string{"gpg", "age", "tar", "zstd"} {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		err := debian.Install("gnupg", "age", "tar", "zstd")
		if _, missing := exec.LookPath(tool); missing != nil {
			t.Skipf("no %s here, and it cannot be installed: %.200v", tool, err)
		}
	}
	dir := t.TempDir()
	home, err := os.MkdirTemp("", "gnupg-") // its sockets want a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop := exec.Command("gpgconf", "--kill", "all")
		stop.Env = append(os.Environ(), "GNUPGHOME="+home)
		_ = stop.Run() // there may be no agent
		if err := os.RemoveAll(home); err != nil {
			t.Error(err)
		}
	})
	shell := func(script string) {
		t.Helper()
		cmd := exec.Command("sh", "-euc", script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GNUPGHOME="+home, "EXPORT="+bundledExport(t))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	anonymooc := func(args ...string) {
		t.Helper()
		var out bytes.Buffer
		if status := run(append(args, "--project", filepath.Join(dir, "project")), &out, &out); status != 0 {
			t.Fatalf("%v: exit status %d\n%s", args, status, out.String())
		}
	}
	shell(`tar -czf export.tar.gz -C "$EXPORT" .
		umask 077
		gpg -q --batch --pinentry-mode loopback --passphrase hush --quick-gen-key 'Officer <officer@example.org>' future-default default never
		gpg -q --batch --pinentry-mode loopback --passphrase hush --armor --export-secret-keys officer > gpg.key
		gpg -q --batch --export officer > gpg.pub
		gpg -q --batch --trust-model always -r officer -o key.tar.gz.gpg -e export.tar.gz
		gpg -q --batch --trust-model always --hidden-recipient officer --armor -o hidden.tar.gz.asc -e export.tar.gz
		gpg -q --batch --pinentry-mode loopback --passphrase hush -o symmetric.tar.gz.gpg -c export.tar.gz
		age-keygen -o age.key 2>/dev/null
		age-keygen -y age.key > age.pub
		age -R age.pub -o export.tar.gz.age export.tar.gz
		age -a -R age.pub -o armoured.tar.gz.age export.tar.gz
		echo hush > passphrase`)
	anonymooc("run", bundledExport(t), "--out", filepath.Join(dir, "release"))
	for name, key := range map[string]string{
		"key.tar.gz.gpg": "gpg.key", "hidden.tar.gz.asc": "gpg.key", "symmetric.tar.gz.gpg": "", "export.tar.gz.age": "age.key", "armoured.tar.gz.age": "age.key",
	} {
		args := []string{"run", filepath.Join(dir, name), "--out", filepath.Join(dir, "from", "release"), "--decrypt-passphrase-file", filepath.Join(dir, "passphrase")}
		if key != "" {
			args = append(args, "--decrypt-key", filepath.Join(dir, key))
		}
		shell("mkdir from")
		anonymooc(args...)
		shell("cmp release/*BOT101*/tracking_log.json from/release/*BOT101*/tracking_log.json && cmp release/*HIS*/auth_user.csv from/release/*HIS*/auth_user.csv && rm -r from")
	}
	anonymooc("run", bundledExport(t), "--encrypt-to", filepath.Join(dir, "gpg.pub"), "--out", filepath.Join(dir, "sealed.tar.gz.gpg"))
	anonymooc("run", bundledExport(t), "--encrypt-to", filepath.Join(dir, "age.pub"), "--out", filepath.Join(dir, "sealed.tar.zst.age"))
	shell(`gpg -q --batch --pinentry-mode loopback --passphrase hush --decrypt sealed.tar.gz.gpg | tar xz
		diff -r sealed/*BOT101* release/*BOT101* && rm -r sealed
		age --decrypt --identity age.key sealed.tar.zst.age | tar x --zstd
		diff -r sealed/*BOT101* release/*BOT101*`)
}

func bundledExport(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../testdata/export")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
