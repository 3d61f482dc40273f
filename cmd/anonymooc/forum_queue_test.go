package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

// forumProject is an export with a small forum, and a place for its project.
type forumProject struct {
	t               *testing.T
	export, project string
}

const forumUsers = `id,username,first_name,last_name,email,password,is_staff,is_active,is_superuser,last_login,date_joined
17,zbrun,Zéphyrine,Brun,z.brun@example.org,x,0,1,0,2014-01-02 10:00:00,2014-01-01 10:00:00
18,rpage,Rosa,Page,r.page@example.org,x,0,1,0,2014-01-02 10:00:00,2014-01-01 10:00:00
19,opuig,Oleguer,Puig,o.puig@example.org,x,0,1,0,2014-01-02 10:00:00,2014-01-01 10:00:00
`

var forumPosts = []struct{ id, author, body string }{
	{"52ee00000000000000000001", "17", "Bonjour, je m'appelle Zéphyrine. Une rosa pour toi"},
	{"52ee00000000000000000002", "18", "Merci Zephirine et merci Reginaldo, la page est belle"},
	{"52ee00000000000000000003", "19", "Comme dit Rosa, la rosa sent bon. Je reviens, OleguerLI"},
	{"52ee00000000000000000004", "17", "D'accord avec Rosa (comme la fleur) et avec Oleguer"},
	// Nothing here is clear without the context that is not there.
	{"52ee00000000000000000005", "19", "La Page, un puig, Page. Avec Mireille, chez Octave, voir Capucien, Kemper et Mentone"},
}

func newForumProject(t *testing.T) *forumProject {
	t.Helper()
	dir := t.TempDir()
	p := &forumProject{t, filepath.Join(dir, "export"), filepath.Join(dir, "project")}
	if err := os.MkdirAll(p.export, 0o700); err != nil {
		t.Fatal(err)
	}
	var posts strings.Builder
	for _, post := range forumPosts {
		body, err := json.Marshal(post.body)
		if err != nil {
			t.Fatal(err)
		}
		posts.WriteString(`{"_id":{"$oid":"` + post.id + `"},"_type":"CommentThread","author_id":"` + post.author +
			`","course_id":"C/1/A","created_at":{"$date":1391421072000},"body":` + string(body) + "}\n")
	}
	p.file("auth_user.csv", forumUsers)
	p.file("forum.json", posts.String())
	return p
}

func (p *forumProject) file(name, content string) string {
	p.t.Helper()
	path := filepath.Join(p.export, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// run runs a forum command and returns what it printed.
func (p *forumProject) run(args ...string) (string, error) {
	var out, told bytes.Buffer
	parent := &cobra.Command{Use: "forum", SilenceErrors: true, SilenceUsage: true}
	parent.AddCommand(newForumQueueCommand(), newForumDecideCommand(), newForumMineCommand(), newForumConcordanceCommand(),
		newForumCheckCommand(), newForumExportCommand(), newForumImportCommand())
	if args[0] != "concordance" {
		args = append(args, "--project", p.project)
	}
	parent.SetArgs(args)
	parent.SetOut(&out)
	parent.SetErr(&told)
	err := parent.Execute()
	return out.String(), err
}

func (p *forumProject) must(args ...string) string {
	p.t.Helper()
	out, err := p.run(args...)
	if err != nil {
		p.t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return out
}

// lines decodes JSON lines.
func lines[T any](t *testing.T, text string) []T {
	t.Helper()
	var all []T
	for decoder := json.NewDecoder(strings.NewReader(text)); decoder.More(); {
		var item T
		if err := decoder.Decode(&item); err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

func (p *forumProject) questions() []forum.Question {
	p.t.Helper()
	return lines[forum.Question](p.t, p.must("queue", p.export, "--json"))
}

// answer writes answers to a file and gives its path.
func (p *forumProject) answer(answers ...map[string]any) string {
	p.t.Helper()
	var text bytes.Buffer
	for _, a := range answers {
		if err := json.NewEncoder(&text).Encode(a); err != nil {
			p.t.Fatal(err)
		}
	}
	path := filepath.Join(filepath.Dir(p.export), "answers.jsonl")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func TestQueueLinesAreWhatTheDesignSays(t *testing.T) {
	p := newForumProject(t)
	out := p.must("queue", p.export, "--json")
	questions := lines[map[string]any](t, out)
	if len(questions) == 0 {
		t.Fatal("nothing is asked: the test proves nothing")
	}
	bodies := make(map[string]string)
	for _, post := range forumPosts {
		bodies[post.id] = post.body
	}
	for _, q := range questions {
		for _, name := range []string{"id", "kind", "surface", "category", "proposal", "score", "count", "evidence", "lines"} {
			if _, ok := q[name]; !ok {
				t.Errorf("a question lacks %q", name)
			}
		}
	}
	for _, q := range lines[forum.Question](t, out) {
		for _, line := range q.Lines {
			body := bodies[line.Post]
			if line.Field != "body" || line.End > len(body) || body[line.Start:line.End] != line.Match {
				t.Errorf("%+v is not where it says", line)
			}
		}
	}
}

func TestAnswersEndTheQuestions(t *testing.T) {
	p := newForumProject(t)
	for round := range 6 {
		questions := p.questions()
		if len(questions) == 0 {
			if round == 0 {
				t.Fatal("nothing was asked: the test proves nothing")
			}
			return
		}
		var answers []map[string]any
		for _, q := range questions {
			answers = append(answers, map[string]any{"id": q.ID, "verdict": "mask", "reviewer": "ada"})
		}
		p.must("decide", "--from", p.answer(answers...))
	}
	t.Errorf("still asked after six rounds: %d", len(p.questions()))
}

func TestQuestionIDsDoNotChangeBetweenRuns(t *testing.T) {
	p := newForumProject(t)
	if first, second := p.must("queue", p.export, "--json"), p.must("queue", p.export, "--json", "--known"); first != second {
		t.Errorf("asked twice, two answers:\n%s\n%s", first, second)
	}
}

func TestDecideWritesAllAnswersOrNone(t *testing.T) {
	p := newForumProject(t)
	questions := p.questions()
	if len(questions) == 0 {
		t.Fatal("nothing is asked: the test proves nothing")
	}
	id := questions[0].ID
	state := func() *ledger.State {
		s, err := ledger.Load(filepath.Join(p.project, "forum", "ledger.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	good := map[string]any{"id": id, "verdict": "mask"}
	for name, bad := range map[string]map[string]any{
		"unknown id":       {"id": "Zephyrine", "verdict": "mask"},
		"no verdict":       {"id": id},
		"unknown verdict":  {"id": id, "verdict": "Zephyrine"},
		"unknown field":    {"id": id, "verdict": "mask", "Zephyrine": 1},
		"unknown category": {"id": id, "verdict": "mask", "category": "Zephyrine"},
		"empty mention":    {"id": id, "verdict": "mask", "mentions": []any{map[string]any{"post": "p", "field": "body", "start": 3, "end": 3, "verdict": "keep"}}},
	} {
		_, err := p.run("decide", "--from", p.answer(good, bad))
		if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "answers.jsonl: line 2: ") || strings.Contains(err.Error(), "Zephyrine") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := state().Len(); n != 0 {
		t.Errorf("%d entries were written with the refused ones", n)
	}
	p.must("decide", "--from", p.answer(good), "--reviewer", "ada")
	if d, ok := state().Decision(id); !ok || d.Verdict != ledger.Mask || d.Surface == "" {
		t.Errorf("got %+v, want a decision with its form", d)
	}
	p.must("decide", "--undo", "last")
	if d, ok := state().Decision(id); ok {
		t.Errorf("%+v outlived its undoing", d)
	}
	for _, args := range [][]string{{"decide"}, {"decide", "--undo", "last"}, {"decide", "--undo", "x"}, {"decide", "--from", "nowhere.jsonl"},
		{"decide", "--undo", "1", "--from", "-"}} {
		if _, err := p.run(args...); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%v: got %v, want a usage fault", args, err)
		}
	}
}

func TestQueueLinesWithAVerdictAreAnswers(t *testing.T) {
	p := newForumProject(t)
	questions := lines[map[string]any](t, p.must("queue", p.export, "--json"))
	if len(questions) == 0 {
		t.Fatal("nothing is asked: the test proves nothing")
	}
	question := questions[0]
	question["verdict"] = "common"
	if out := p.must("decide", "--from", p.answer(question)); out != "1 decisions written\n" {
		t.Errorf("got %q", out)
	}
}

func TestConcordanceNeedsNoProject(t *testing.T) {
	p := newForumProject(t)
	got := lines[forum.Line](t, p.must("concordance", "ZEPHYRINE", p.export, "--json"))
	if len(got) != 1 || got[0].Match != "Zéphyrine" || got[0].Post != forumPosts[0].id {
		t.Errorf("got %+v", got)
	}
	if got := lines[forum.Line](t, p.must("concordance", "rosa", p.export, "--json", "--exact")); len(got) != 2 {
		t.Errorf("exactly rosa: %d lines, want 2", len(got))
	}
	if got := lines[forum.Line](t, p.must("concordance", "rosa", p.export, "--json", "--limit", "3")); len(got) != 3 {
		t.Errorf("at most three: %d lines", len(got))
	}
	if _, err := os.Stat(p.project); err == nil {
		t.Error("a project was made")
	}
	if _, err := p.run("concordance", "...", p.export); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a form without a word: %v", err)
	}
}

func TestMineProposesWhatNobodyListed(t *testing.T) {
	p := newForumProject(t)
	found := make(map[string]candidateLine)
	for _, c := range lines[candidateLine](t, p.must("mine", p.export, "--json")) {
		found[c.Surface] = c
	}
	for _, form := range []string{"Zephirine", "Reginaldo", "OleguerLI"} {
		if len(found[form].Evidence) == 0 {
			t.Errorf("%s was not proposed; found %v", form, found)
		}
	}
	if len(found["Zephirine"].Entities) != 1 || !strings.HasPrefix(string(found["Zephirine"].Entities[0]), "u") {
		t.Errorf("Zephirine is tied to %v, want Zéphyrine's pseudonym", found["Zephirine"].Entities)
	}
}

func TestContextsAreListedJudgedAndKept(t *testing.T) {
	p := newForumProject(t)
	all := lines[contextLine](t, p.must("mine", p.export, "--json", "--contexts", "--keep-contexts"))
	at := slices.IndexFunc(all, func(c contextLine) bool { return strings.HasSuffix(c.Surface, "dit …") })
	if at < 0 {
		t.Fatalf("got %+v, want \"dit …\"", all)
	}
	p.must("decide", "--from", p.answer(map[string]any{"id": all[at].ID, "verdict": "keep"}))
	listed := func() bool {
		return slices.ContainsFunc(lines[contextLine](t, p.must("mine", p.export, "--json", "--contexts")), func(c contextLine) bool { return c.Surface == all[at].Surface })
	}
	if listed() {
		t.Error("a rejected context is listed again")
	}
	p.must("decide", "--undo", "last")
	if !listed() {
		t.Error("a context is out of use though the verdict was taken back")
	}
	p.must("decide", "--from", p.answer(map[string]any{"id": all[at].ID, "verdict": "keep"}))
	p.must("mine", p.export, "--keep-contexts")
	kept, err := os.ReadFile(filepath.Join(p.project, "forum", "contexts", "und.txt"))
	if err != nil || !strings.Contains(string(kept), all[at].Surface+"\trejected\n") {
		t.Errorf("the rejection was not kept: %q (%v)", kept, err)
	}
}

func TestContextsAreAskedAboutBesideTheQueue(t *testing.T) {
	p := newForumProject(t)
	for _, q := range lines[forum.Question](t, p.must("queue", p.export, "--json")) {
		if q.Kind == ledger.KindContext {
			t.Errorf("%q is in the queue", q.Surface)
		}
	}
	asked := lines[forum.Question](t, p.must("queue", p.export, "--json", "--kind", "context"))
	if len(asked) == 0 || asked[0].Kind != ledger.KindContext || !strings.Contains(asked[0].Surface, "…") {
		t.Fatalf("got %+v, want contexts", asked)
	}
	p.must("decide", "--from", p.answer(map[string]any{"id": asked[0].ID, "verdict": "mask"}))
	for _, q := range lines[forum.Question](t, p.must("queue", p.export, "--json", "--kind", "context")) {
		if q.ID == asked[0].ID {
			t.Error("a context is asked about again")
		}
	}
}

func TestCheckAlertsToExplainedNames(t *testing.T) {
	p := newForumProject(t)
	var kinds []string
	for _, alert := range lines[map[string]any](t, p.must("check", p.export, "--json")) {
		kinds = append(kinds, alert["kind"].(string))
		if alert["kind"] == "explained" && alert["post"] != forumPosts[3].id {
			t.Errorf("got %v, want the post that explains Rosa", alert)
		}
	}
	if !slices.Contains(kinds, "explained") {
		t.Errorf("got %q, want \"Rosa (comme la fleur)\" among them", kinds)
	}
}

func TestDecisionsMadeInCalixComeBack(t *testing.T) {
	p := newForumProject(t)
	path := filepath.Join(filepath.Dir(p.export), "forum.xml")
	p.must("export", p.export, "--format", "calix", "--out", path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v (%v), want 0600", info.Mode(), err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), `author="17"`) || !strings.Contains(string(data), `author="u`) {
		t.Error("authors are not written as pseudonyms")
	}
	if out := p.must("import", p.export, "--from", path); out != "0 decisions written\n" {
		t.Errorf("an unchanged file: %q", out)
	}
	// Somebody marks "toi", which no detector did, and lets Zéphyrine stay.
	edited := strings.Replace(string(data), "pour toi", `pour <calix type="Participant" category="nickname" modified="yes">toi</calix>`, 1)
	before, after, found := strings.Cut(edited, ">Zéphyrine</calix>")
	if !found || edited == string(data) {
		t.Fatalf("no such marks in %s", data)
	}
	edited = before[:strings.LastIndex(before, `modified="`)] + `modified="no">Zéphyrine</calix>` + after
	if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := p.must("import", p.export, "--from", path, "--reviewer", "ada"); out != "2 decisions written\n" {
		t.Errorf("a changed file: %q", out)
	}
	verdicts := make(map[string]string)
	for _, m := range lines[markLine](t, p.exported("json")) {
		verdicts[m.Surface] = string(m.Verdict)
	}
	if verdicts["Zéphyrine"] != "keep" || verdicts["toi"] != "mask" {
		t.Errorf("got %v, want Zéphyrine kept and toi masked", verdicts)
	}
}

// exported gives what export writes.
func (p *forumProject) exported(format string) string {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), "exported")
	p.must("export", p.export, "--format", format, "--out", path)
	data, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func TestImportRefusesAnotherExportsForum(t *testing.T) {
	p := newForumProject(t)
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "forum.xml")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, content := range map[string]string{
		"changed text": `<forum><post id="` + forumPosts[0].id + `"><text>Bonjour Zephyrine</text></post></forum>`,
		"unknown post": `<forum><post id="x"><text>Bonjour</text></post></forum>`,
		"post twice":   `<forum><post id="x"/><post id="x"/></forum>`,
	} {
		if _, err := p.run("import", p.export, "--from", write(content)); fault.CodeOf(err) != fault.Usage || strings.Contains(err.Error(), "Zephyrine") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := p.run("import", p.export, "--from", write(`<!DOCTYPE x><forum/>`)); fault.CodeOf(err) != fault.Failure {
		t.Errorf("a document type: got %v", err)
	}
}

func TestExportedTableHasThePapersColumns(t *testing.T) {
	p := newForumProject(t)
	table := p.exported("csv")
	if !strings.HasPrefix(table, "form,shape,category,entity_type,entity_id,verdict,count\n") || !strings.Contains(table, "\nOleguer,normal,first_name,Participant,u") {
		t.Errorf("got %s", table)
	}
	for _, args := range [][]string{{"export", p.export, "--format", "xls", "--out", "x"}, {"export", p.export}, {"export", p.export, "--out", p.export}} {
		if _, err := p.run(args...); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%v: got %v, want a usage fault", args, err)
		}
	}
}

func TestExpressionsOfTheOfficerAreAsked(t *testing.T) {
	p := newForumProject(t)
	p.must("queue", p.export)
	path := filepath.Join(p.project, "forum", "expressions.txt")
	if err := os.WriteFile(path, []byte("id\tbelle\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.exported("json"), `"surface":"belle"`) {
		t.Error("the officer's expression was not used")
	}
	if err := os.WriteFile(path, []byte("id\t(\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.run("queue", p.export); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a broken expression: got %v, want a usage fault", err)
	}
}

func TestWhatARunMeetsOutsideTheForumIsAsked(t *testing.T) {
	p := newForumProject(t)
	p.file("auth_userprofile.csv", "id,user_id,name,language,location,meta,courseware,gender,mailing_address,year_of_birth,level_of_education,goals,allow_certificate,country,city\n"+
		"1,17,Zéphyrine Brun,,,{},course.xml,f,,1980,m,\"Apprendre avec Oleguer, Puig ou Brun, et avec Octave\",1,FR,\n"+
		"2,18,Rosa Page,,,{},course.xml,f,,1981,m,\"Comme Oleguer, dit rosa\",1,FR,\n")
	release := filepath.Join(filepath.Dir(p.export), "release")
	elsewhere := 0
	for range 8 {
		var out, told bytes.Buffer
		status := run([]string{"run", p.export, "--out", release, "--project", p.project, "--text", "reviewed", "--verify=false"}, &out, &told)
		if status == int(fault.OK) {
			break
		}
		if status != int(fault.Undecided) {
			t.Fatalf("exit status %d: %s", status, told.String())
		}
		var answers []map[string]any
		for _, q := range p.questions() {
			for _, line := range q.Lines {
				if strings.HasPrefix(line.Post, "auth_userprofile:") && line.Field == "goals" {
					elsewhere++
				}
			}
			answers = append(answers, map[string]any{"id": q.ID, "verdict": "mask"})
		}
		if len(answers) == 0 {
			t.Fatalf("a run waits for decisions that nobody is asked for: %s", told.String())
		}
		p.must("decide", "--from", p.answer(answers...))
	}
	data, err := os.ReadFile(filepath.Join(release, "auth_userprofile.csv"))
	if err != nil || strings.Contains(string(data), "Oleguer") {
		t.Errorf("the release is not there, or names Oleguer: %v", err)
	}
	if _, err := os.Stat(filepath.Join(p.project, "forum", "waiting.jsonl")); err == nil {
		t.Error("questions still wait although the release is made")
	}
	if elsewhere == 0 {
		t.Error("nothing outside the forum was asked: the test proves nothing")
	}
}
