package release

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"anonymooc/internal/safefile"
)

// publish gives the release its name, once what was read is known to be what was
// delivered. Until then a run that is killed can be resumed.
func (r *run) publish(state *partialState) error {
	if err := r.context.Err(); err != nil {
		return err
	}
	if err := r.export.Whole(r.context); err != nil {
		return err
	}
	if err := r.rename(); err != nil {
		return err
	}
	return state.remove()
}

// rename puts the finished folder in its place, or an archive made of it.
func (r *run) rename() error {
	if r.Seal != nil {
		r.Progress.Stage("encrypting")
		if err := r.Seal.Seal(r.context, r.partial, r.Out); err != nil {
			return err
		}
		return os.RemoveAll(r.partial)
	}
	if err := syncTree(r.partial); err != nil {
		return r.cannotWrite(err)
	}
	old := ""
	if r.Replace {
		if _, err := os.Lstat(r.Out); err == nil {
			old = filepath.Clean(r.Out) + replacedSuffix
			if err := removeReplaced(old); err != nil {
				return r.cannotWrite(err)
			}
			if err := os.Rename(r.Out, old); err != nil {
				return r.cannotWrite(err)
			}
		}
	}
	if err := os.Rename(r.partial, r.Out); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, r.Out))
		}
		return r.cannotWrite(err)
	}
	if err := safefile.SyncDir(filepath.Dir(filepath.Clean(r.Out))); err != nil {
		return r.cannotWrite(err)
	}
	if old != "" {
		return os.RemoveAll(old)
	}
	return nil
}

// removeReplaced removes the release that an earlier run had replaced when it was
// killed; what has no manifest is not touched.
func removeReplaced(old string) error {
	if _, err := os.Lstat(filepath.Join(old, ManifestFile)); err != nil {
		return nil
	}
	return os.RemoveAll(old)
}

// syncTree flushes the folders of a release, so that the rename that follows
// names something whole.
func syncTree(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return safefile.SyncDir(path)
	})
}
