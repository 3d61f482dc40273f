package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

type forumCatalogueFlags struct {
	project projectFlags
	json    bool
	forms   bool
}

func newForumCatalogueCommand() *cobra.Command {
	var f forumCatalogueFlags
	cmd := &cobra.Command{
		Use:   "catalogue",
		Short: "Count or list the forms that are known",
		Long: `catalogue counts the forms the text is searched for, by category: those of the
people in the id map (names, usernames, addresses, towns, institutions) and
those the officer has added with "forum catalogue import".

With --forms it lists them; the list holds people's names: keep it where the
export is kept.

` + exitStatuses,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.project.add(cmd)
	f.project.addKey(cmd)
	addSettings(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	cmd.Flags().BoolVar(&f.forms, "forms", false, "list the forms as CSV")
	cmd.AddCommand(newForumCatalogueImportCommand())
	return cmd
}

func (f *forumCatalogueFlags) run(cmd *cobra.Command) (err error) {
	rows, err := f.rows(cmd)
	if err != nil {
		return err
	}
	if f.forms {
		return forum.WriteCatalogue(cmd.OutOrStdout(), rows)
	}
	counts := make(map[detect.Category]int)
	for _, row := range rows {
		counts[row.Category]++
	}
	for _, category := range slices.Sorted(maps.Keys(counts)) {
		if f.json {
			line := struct {
				Category detect.Category `json:"category"`
				Forms    int             `json:"forms"`
			}{category, counts[category]}
			if err := json.NewEncoder(cmd.OutOrStdout()).Encode(line); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%8d  %s\n", counts[category], category)
	}
	return nil
}

// rows gives the officer's forms and everybody's.
func (f *forumCatalogueFlags) rows(cmd *cobra.Command) (rows []detect.Row, err error) {
	project, err := f.project.open(cmd, false, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	if rows, err = forumFolder(project).Rows(); err != nil {
		return nil, err
	}
	people, err := f.project.openMap(project, false, "forum catalogue", cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, people.Close()) }()
	domain, err := people.Domain(project.Settings.Domain)
	if err != nil {
		return nil, err
	}
	roster, err := forum.Roster(domain)
	if err != nil {
		return nil, err
	}
	for i := range roster {
		rows = append(rows, roster[i].Rows()...)
	}
	return rows, nil
}

func newForumCatalogueImportCommand() *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "import FILE.csv",
		Short: "Add the officer's own forms to the catalogue",
		Long: `import adds forms to the project's catalogue: nicknames, schools, small towns,
public figures, common words. The file is a CSV (comma or semicolon) with these
columns; the first and the third must be there:

  form,shape,category,entity_type,entity_id
  Kelly,normal,first_name,participant,F058
  Canet,normal,place,small town,P007
  Kelly,normal,last_name,public,PP001

The French headings of the method's table (Graphie origine, Forme, Catégorie,
Type Entité, Identifiant Entité) are understood too. A form of the type public
or common is kept where nothing else speaks against it. Forms that are in the
catalogue already are not added twice.

` + exitStatuses,
		Args: arguments(1, 1, "one CSV file"),
		RunE: func(cmd *cobra.Command, args []string) error { return importCatalogue(cmd, &flags, args[0]) },
	}
	flags.add(cmd)
	addSettings(cmd)
	return cmd
}

func importCatalogue(cmd *cobra.Command, flags *projectFlags, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fault.New(fault.Usage, "the file cannot be read").At(filepath.Base(path), 0, "").Because(cause(err))
	}
	defer file.Close()
	added, err := forum.ReadCatalogue(file, filepath.Base(path))
	if err != nil {
		return err
	}
	project, err := flags.open(cmd, true, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	folder := forumFolder(project)
	rows, err := folder.Rows()
	if err != nil {
		return err
	}
	fresh := 0
	for _, row := range added {
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
			fresh++
		}
	}
	var text bytes.Buffer
	if err := forum.WriteCatalogue(&text, rows); err != nil {
		return fault.New(fault.Failure, "the catalogue cannot be written").At(folder.Catalogue(), 0, "")
	}
	if err := os.MkdirAll(string(folder), 0o700); err != nil {
		return fault.New(fault.Failure, "the forum's folder cannot be made").At(string(folder), 0, "").Because(cause(err))
	}
	if err := safefile.Write(folder.Catalogue(), text.Bytes(), 0o600); err != nil {
		return fault.New(fault.Failure, "the catalogue cannot be written").At(folder.Catalogue(), 0, "").Because(cause(err))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d forms added, %d in the officer's catalogue\n", fresh, len(rows))
	return nil
}
