package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

func callTrain(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := newForumTrainCommand()
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&bytes.Buffer{})
	command.SilenceErrors, command.SilenceUsage = true, true
	command.SetArgs(args)
	err := command.Execute()
	return out.String(), err
}

func TestForumTrainWritesForests(t *testing.T) {
	dir := t.TempDir()
	labelled, models := filepath.Join(dir, "labelled.jsonl"), filepath.Join(dir, "models")
	var lines strings.Builder
	for _, name := range []string{"Wobeku", "Namrata", "Qizoba", "Tepuko", "Zelundi", "Bakoro", "Runizo", "Fabeka", "Lobizu", "Gadoke"} {
		line, err := json.Marshal(map[string]any{"lang": "fr", "text": "merci " + name + " pour Vorotrix",
			"spans": []map[string]any{{"start": 6, "end": 6 + len(name), "type": "PER"}}})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	if err := os.WriteFile(labelled, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := callTrain(t, "--labelled", labelled, "--synthetic", "0", "--out", models, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var report trainReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Mention.Examples != 20 || report.Mention.Positive != 10 {
		t.Errorf("%v: %s", err, out)
	}
	own, err := detect.OpenModels(models)
	if err != nil || own.Mention.Len() == 0 {
		t.Errorf("what was written cannot be used: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(models, "mention.jsonl"))
	if err != nil || strings.Contains(strings.ToLower(string(raw)), "namrata") {
		t.Errorf("a forest holds a word of the texts: %v", err)
	}
	for _, args := range [][]string{{}, {"--labelled", filepath.Join(dir, "none")}, {"--labelled", labelled, "--repeat", "0"}} {
		if _, err := callTrain(t, args...); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// TestForumTrainLearnsFromTheLedger: decisions of a reviewed forum are examples,
// what nobody decided is none.
func TestForumTrainLearnsFromTheLedger(t *testing.T) {
	p := newForumProject(t)
	if _, err := callTrain(t, p.export, "--project", p.project, "--synthetic", "0"); fault.CodeOf(err) != fault.Usage {
		t.Fatalf("trained on a ledger without decisions: %v", err)
	}
	var answers []map[string]any
	for _, q := range p.questions() {
		answers = append(answers, map[string]any{"id": q.ID, "verdict": "mask", "reviewer": "officer"})
	}
	p.must("decide", "--from", p.answer(answers...))
	if _, err := callTrain(t, p.export, "--project", p.project, "--synthetic", "0"); err != nil {
		t.Fatalf("after %d decisions: %v", len(answers), err)
	}
	if _, err := os.Stat(filepath.Join(p.project, "forum", "models", "mention.jsonl")); err != nil {
		t.Error(err)
	}
}
