package main

import "github.com/spf13/cobra"

func newPreviewCommand() *cobra.Command { return &cobra.Command{Use: "preview"} }
