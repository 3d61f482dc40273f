package tables

import (
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// UnmarshalYAML reads a table strictly and notes its line, for messages.
func (t *Table) UnmarshalYAML(node ast.Node) error {
	type plain Table
	t.Line = lineOf(node)
	return yaml.NodeToValue(node, (*plain)(t), yaml.Strict())
}

// UnmarshalYAML reads a rule strictly and notes its line, for messages.
func (c *Column) UnmarshalYAML(node ast.Node) error {
	type plain Column
	c.Line = lineOf(node)
	return yaml.NodeToValue(node, (*plain)(c), yaml.Strict())
}

// lineOf returns the line of a node's first key.
func lineOf(node ast.Node) int {
	switch n := node.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 {
			node = n.Values[0].Key
		}
	case *ast.MappingValueNode:
		node = n.Key
	}
	if token := node.GetToken(); token != nil {
		return token.Position.Line
	}
	return 0
}
