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
