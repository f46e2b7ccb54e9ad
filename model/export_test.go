package model

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// AddKind adds a row to the tables of component kinds until restore is called. Existing kinds keep their
// rows.
func AddKind(k Kind) (restore func()) {
	kinds := Kinds
	arm := &componentSpec.Arms[slices.IndexFunc(componentSpec.Arms, func(a schema.Arm) bool { return a.Tag == string(k.Category) })]
	spec := arm.Spec
	row := kindRows([]Kind{k})
	Kinds = append(slices.Clone(kinds), row...)
	union, _ := spec.(schema.Union)
	union.Arms = append(slices.Clip(union.Arms), typeUnion(row).Arms...)
	arm.Spec = union
	return func() { Kinds, arm.Spec = kinds, spec }
}

// Choices are tables of our choices for the reference page. They are in packages that import this one.
var Choices []ChoiceTable

// ChoiceTable is a table of choices with its heading.
type ChoiceTable struct {
	Title, Text string
	Rows        [][2]string // the subject and the choice
}
