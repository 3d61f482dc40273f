package main

import "github.com/spf13/cobra"

func newScanCommand() *cobra.Command { return &cobra.Command{Use: "scan"} }
