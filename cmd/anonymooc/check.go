package main

import "github.com/spf13/cobra"

func newCheckCommand() *cobra.Command { return &cobra.Command{Use: "check"} }
