package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
)

func newIDsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ids",
		Short: "Look after the id map: who is behind which pseudonym",
		Long: `ids works on the id map of a project, which is all that leads from a release back
to the people in it. Whatever opens the map is written to its audit file first,
and identifiers are read from a prompt or a file, never from the command line,
where the shell would remember them.

` + exitStatuses,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newIDsStatCommand(), newIDsDomainsCommand(), newIDsAuditCommand(),
		newIDsLookupCommand(), newIDsExportCommand(), newIDsCrosswalkCommand(),
		newIDsForgetCommand(), newIDsRekeyCommand(),
	)
	return cmd
}

// idsFlags are the flags that the sub-commands of ids share; each adds the
// ones it needs.
type idsFlags struct {
	project projectFlags
	domain  string
	from    string
	kind    string
	reason  string
	json    bool
	ask     func(question string) ([]byte, error) // on the terminal; tests answer themselves
}

func (f *idsFlags) add(cmd *cobra.Command) {
	f.project.add(cmd)
	f.project.addKey(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	f.ask = secret.AskShown
}

func (f *idsFlags) addDomain(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.domain, "domain", "", "the research project (default: the project's setting)")
}

func (f *idsFlags) addReason(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.reason, "reason", "", "why, for the audit file; name nobody")
}

func (f *idsFlags) addIdentifiers(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "`file` with one identifier a line, as \"email: who@example.org\" (- for standard input; default: ask)")
	cmd.Flags().StringVar(&f.kind, "kind", "", "kind of the identifiers whose line does not name it: user_id, username, email, anonymous_id, hash_id, course_scoped_id, external_id")
}

// open opens the project and its map; a passphrase that no flag tells is asked for.
func (f *idsFlags) open(cmd *cobra.Command) (*config.Project, *idmap.Map, error) {
	project, err := f.project.open(cmd, false, cmd.ErrOrStderr())
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(project.Dir, "map")
	needsPassphrase, err := idmap.NeedsPassphrase(dir)
	if err != nil {
		return nil, nil, err
	}
	isTold := f.project.passphraseFile != "" || f.project.passphraseFD >= 0
	var key secret.Key
	if needsPassphrase && !isTold {
		key, err = secret.Prompt("passphrase of the id map", false)
	} else {
		key, err = f.project.key(project, false, cmd.ErrOrStderr())
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := idmap.Open(dir, idmap.Options{Key: key, Purpose: cmd.CommandPath()})
	return project, m, err
}

// openDomain opens the map and the domain that the flags or the project name.
func (f *idsFlags) openDomain(cmd *cobra.Command) (*idmap.Map, *idmap.Domain, error) {
	project, m, err := f.open(cmd)
	if err != nil {
		return nil, nil, err
	}
	name := f.domain
	if name == "" {
		name = project.Settings.Domain
	}
	d, err := existingDomain(m, name)
	if err != nil {
		m.Close()
		return nil, nil, err
	}
	return m, d, nil
}

func existingDomain(m *idmap.Map, name string) (*idmap.Domain, error) {
	for _, d := range m.Domains() {
		if d.Name() == name {
			return d, nil
		}
	}
	return nil, fault.New(fault.Usage, "the id map has no domain %q", name).WithHint("anonymooc ids domains lists them")
}

// identifiers reads the identifiers that the user gives.
func (f *idsFlags) identifiers(cmd *cobra.Command) ([]idmap.Identifier, error) {
	lines, err := f.lines(cmd, "identifier (as \"email: who@example.org\")")
	if err != nil {
		return nil, err
	}
	var ids []idmap.Identifier
	for i, line := range lines {
		id, err := f.parseIdentifier(line)
		if err != nil {
			return nil, fault.New(fault.Usage, "an identifier's kind is missing or unknown").At(f.from, int64(i)+1, "").
				WithHint("write it as \"email: who@example.org\", or say --kind")
		}
		if id.Value != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, fault.New(fault.Usage, "no identifier was given").At(f.from, 0, "")
	}
	return ids, nil
}

// parseIdentifier reads "kind: value", or a bare value of the kind --kind names.
// A line that is empty or begins with # has no value.
func (f *idsFlags) parseIdentifier(line string) (idmap.Identifier, error) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return idmap.Identifier{}, nil
	}
	if name, value, ok := strings.Cut(line, ":"); ok {
		if kind, err := idmap.ParseKind(strings.TrimSpace(name)); err == nil {
			return idmap.Identifier{Kind: kind, Value: strings.TrimSpace(value)}, nil
		}
	}
	kind, err := idmap.ParseKind(f.kind)
	return idmap.Identifier{Kind: kind, Value: line}, err
}

// lines reads the file --from names, or asks for one line.
func (f *idsFlags) lines(cmd *cobra.Command, question string) ([]string, error) {
	if f.from == "" {
		line, err := f.ask(question)
		return []string{string(line)}, err
	}
	source := cmd.InOrStdin()
	if f.from != "-" {
		file, err := os.Open(f.from)
		if err != nil {
			return nil, fault.New(fault.Usage, "the file of identifiers cannot be read").At(f.from, 0, "")
		}
		defer file.Close()
		source = file
	}
	var lines []string
	scanner := bufio.NewScanner(source)
	for scanner.Scan() {
		lines = append(lines, strings.TrimPrefix(scanner.Text(), "\ufeff"))
	}
	if scanner.Err() != nil {
		return nil, fault.New(fault.Usage, "the file of identifiers cannot be read").At(f.from, 0, "")
	}
	return lines, nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
