package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"anonymooc/release/intake"
	"anonymooc/tables/database"
)

// databaseFlags say where tables are read from a server.
type databaseFlags struct {
	from string
}

func (f *databaseFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "database-from", "", "MySQL, MariaDB or PostgreSQL `database` to read tables from: file:PATH (0600) or env:NAME of its address, - to be asked")
}

// open begins to read the database, if there is one, and adds its tables to the
// export. What it returns is closed when the export was read.
func (f *databaseFlags) open(ctx context.Context, options *intake.Options) (io.Closer, error) {
	if f.from == "" {
		return io.NopCloser(nil), nil
	}
	address, err := database.ReadAddress(f.from)
	if err != nil {
		return nil, err
	}
	d, err := database.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	options.Also = append(options.Also, d.Files...)
	return d, nil
}
