package main

import (
	"context"

	"anonymooc/config"
	"anonymooc/forum"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/release"
	"anonymooc/tables"
)

// textEngine returns what makes the text engine of a project's policy; nil for
// the drop policy, which needs none.
func textEngine(p *config.Project) func(*idmap.Domain, []release.Source) (release.Text, error) {
	policy := forum.Policy(p.Settings.Text)
	if policy == forum.Drop {
		return nil
	}
	return func(domain *idmap.Domain, sources []release.Source) (release.Text, error) {
		engine, err := openText(p, domain, sources)
		if err != nil {
			return nil, err
		}
		t := decidedText{engine, policy, forumFolder(p)}
		return t, t.decided()
	}
}

// openText builds the engine of a project's policy for an export.
func openText(p *config.Project, domain *idmap.Domain, sources []release.Source) (*forum.Engine, error) {
	options, err := engineOptions(p, forum.Policy(p.Settings.Text))
	if err != nil {
		return nil, err
	}
	options.Texts = textsBeside(domain, sources)
	return forum.Open(domain, forumFiles(sources), forumFolder(p), options)
}

// textsBeside lets mining read the free text of an export outside its forum.
func textsBeside(domain *idmap.Domain, sources []release.Source) func(func([]byte, tables.TextPlace)) error {
	return func(visit func([]byte, tables.TextPlace)) error {
		return release.Texts(context.Background(), sources, domain, visit)
	}
}

// decidedText is the engine of a run: under the reviewed policy it refuses to
// finish while a form waits for a decision.
type decidedText struct {
	*forum.Engine
	policy forum.Policy
	folder forum.Folder
}

// Finish implements release.Text. Texts outside the forum may have brought forms
// that nobody has seen before: they are kept for the queue, which reads the forum
// only.
func (t decidedText) Finish() (any, error) {
	if t.policy != forum.Reviewed {
		return t.Report(), nil
	}
	if err := keepWaiting(t.folder, t.Elsewhere()); err != nil {
		return nil, err
	}
	return t.Report(), t.decided()
}

func (t decidedText) decided() error {
	if waiting := t.Pending(); t.policy == forum.Reviewed && waiting > 0 {
		return fault.New(fault.Undecided, "%d questions wait for a decision", waiting).
			WithHint("\"anonymooc forum queue\" lists them and \"forum decide\" takes the answers; --text strict masks what is undecided")
	}
	return nil
}
