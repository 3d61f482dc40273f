// Package sums writes the hashes of the files of a release, in the form that
// "sha256sum --check SHA256SUMS" reads:
//
//	<64 hexadecimal digits>, two spaces, <path below the release>
//
// The manifest has the hashes of the data. This file has those of everything else
// too: of the manifest, and of the papers, which may be written anew later.
package sums

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/internal/safefile"
)

// Name is the file's name in a release.
const Name = "SHA256SUMS"

// Write hashes every file below a folder; known gives hashes that need not be
// computed again, by path with slashes.
func Write(dir string, known map[string]string) error {
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		below, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(below)
		if name == Name {
			return nil
		}
		list[name] = known[name]
		if list[name] == "" {
			list[name], err = hashOf(path)
		}
		return err
	})
	if err != nil {
		return err
	}
	return write(dir, list)
}

// Refresh hashes some files of a release again, which were written anew. A release
// without the file of hashes gets none: nothing is known of its other files.
func Refresh(dir string, names ...string) error {
	list, err := read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		if list[name], err = hashOf(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return write(dir, list)
}

func write(dir string, list map[string]string) error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&b, "%s  %s\n", list[name], name)
	}
	return safefile.Write(filepath.Join(dir, Name), b.Bytes(), 0o644)
}

func read(dir string) (map[string]string, error) {
	file, err := os.Open(filepath.Join(dir, Name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			return nil, errors.New("a line of " + Name + " is no hash and path")
		}
		list[name] = sum
	}
	return list, lines.Err()
}

func hashOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}
