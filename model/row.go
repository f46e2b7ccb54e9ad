package model

import "github.com/formgraph/formgraph/model/schema"

// Row returns the table's row of the last property that a path into the form
// names; see schema.RowAt.
func (f *Form) Row(p schema.Path) schema.Row { return schema.RowAt(contentTable, f.Tree(), p) }

// Row returns the row of the last property that a path in the component names; see schema.RowAt.
func (c *Component) Row(p schema.Path) schema.Row { return schema.RowAt(componentSpec, c.tree, p) }

// defaultValue is the property of configs with the default value.
const defaultValue = "default_value"

// IsAnswer reports whether the texts of a property of a component are values that answers are compared with or become, not texts that people
// read, whatever their rules say.
func IsAnswer(name string) bool { return name == "value" || name == defaultValue }
