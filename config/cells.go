package config

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// cellsHeader is the first line of a file of cells, as "anonymooc risk
// --cells-out" writes it.
func cellsHeader() []string { return []string{"person", "table", "column", "value"} }

// CellsFile is the path of the project's file of cells; empty for none.
func (p *Project) CellsFile() string {
	if p.Settings.Cells == "" || filepath.IsAbs(p.Settings.Cells) {
		return p.Settings.Cells
	}
	return filepath.Join(p.Dir, p.Settings.Cells)
}

// Cells reads the cells of single people that the project's file of cells lists:
// what a release shows there instead of what the rules make. The file says who
// stands out, so it lies in the project, and nobody else may read it.
func (p *Project) Cells() ([]tables.SingleCell, error) {
	data, err := p.readCells()
	if err != nil || data == nil {
		return nil, err
	}
	path := p.CellsFile()
	rows := csv.NewReader(bytes.NewReader(data))
	rows.FieldsPerRecord = len(cellsHeader())
	header, err := rows.Read()
	if err != nil || !slices.Equal(header, cellsHeader()) {
		return nil, fault.New(fault.Usage, "the header is not that of a file of cells").At(path, 1, "").
			WithHint("the first line is person,table,column,value, as \"anonymooc risk --cells-out\" writes it")
	}
	var cells []tables.SingleCell
	seen := map[tables.SingleCell]bool{}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return cells, nil
		}
		if err != nil {
			return nil, unreadableCell(path, err)
		}
		line, _ := rows.FieldPos(0)
		person, err := strconv.ParseUint(row[0], 10, 31)
		if err != nil || person < leastPseudonym {
			return nil, fault.New(fault.Usage, "the person is no pseudonym").At(path, int64(line), "person").
				WithHint("people are named by the number that a release shows for them")
		}
		cell := tables.SingleCell{Person: idmap.Pseudonym(person), Table: row[1], Column: row[2]}
		if seen[cell] {
			return nil, fault.New(fault.Usage, "the cell is listed twice").At(path, int64(line), "")
		}
		seen[cell] = true
		cell.Value = row[3]
		cells = append(cells, cell)
	}
}

// leastPseudonym is the smallest number that a release shows for a person.
const leastPseudonym = 1_000_000_000

func unreadableCell(path string, err error) error {
	line := 0
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		line = syntax.Line
	}
	return fault.New(fault.Usage, "the cell cannot be read").At(path, int64(line), "").
		WithHint("a line has four fields: person, table, column, value")
}

// readCells reads the file and makes sure that it is nobody else's to read.
func (p *Project) readCells() ([]byte, error) {
	path := p.CellsFile()
	if path == "" {
		return nil, nil
	}
	relative, err := filepath.Rel(p.Dir, path)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, fault.New(fault.Usage, "the cells lie outside of the project, and say who stands out").At(path, 0, "cells").
			WithHint("move the file into the project folder")
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fault.New(fault.Usage, "the cells cannot be read").At(path, 0, "cells").
			WithHint("the setting names a file in the project folder")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fault.New(fault.Failure, "others may read the cells, which say who stands out").At(path, 0, "").WithHint("chmod 0600 %s", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "the cells cannot be read").At(path, 0, "cells")
	}
	return data, nil
}
