package model

import "github.com/formgraph/formgraph/model/schema"

// Row returns the table's row of the last property that a path into the form
// names; see schema.RowAt.
func (f *Form) Row(p schema.Path) schema.Row { return schema.RowAt(contentTable, f.Tree(), p) }

// Row returns the row of the last property that a path in the component names; see schema.RowAt.
func (c *Component) Row(p schema.Path) schema.Row { return schema.RowAt(componentSpec, c.tree, p) }

// DefaultValue is the name of the property of configs with the default value.
const DefaultValue = "default_value"

// IsAnswer reports whether the texts of a property of a component, or of something in it, are values that answers are compared with or become.
// People never read these texts, whatever the rule of the property says.
func IsAnswer(name string) bool { return name == "value" || name == DefaultValue }
