package main

import "github.com/spf13/cobra"

func newActionsCommand() *cobra.Command { return &cobra.Command{Use: "actions"} }
