package envelope

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Canonical returns the canonical text of a document, so that equal documents are equal files in git. Members are in the order of their
// tables, or for a response in that of server/API.md; members that no table lists follow in their own order. Keys of maps are sorted. A
// whole number that fits an int is written in plain digits. Whatever a table leaves to the author (a condition, a schema, everything below
// a language, and in an export everything but the form) is unchanged.
//
// The text has the same value, and a canonical text is its own canonical text. The document need not be valid. If Decode finds problems,
// there is no text, and the problems are returned with their offsets. A text that would be too long to decode is a problem with the code
// limit.
func Canonical(src []byte) ([]byte, schema.Problems) { return canonical(src, false) }

// CanonicalUpdate is Canonical for the body of a PATCH, which it never treats as
// an export or a response.
func CanonicalUpdate(src []byte) ([]byte, schema.Problems) { return canonical(src, true) }

func canonical(src []byte, update bool) ([]byte, schema.Problems) {
	tree, problems := schema.Decode(src)
	if len(problems) > 0 {
		return nil, problems
	}
	root, ok := tree.(*schema.Object)
	if ok {
		tree = schema.Arrange(tableOf(shapeOf(root, update)), root)
	}
	return schema.Indented(tree)
}

// Text returns the canonical text of the document with its current form, nil
// for a Document without a form. It may be longer than Read accepts.
func (d Document) Text() []byte {
	if d.Form == nil {
		return nil
	}
	tree := d.Form.Tree()
	if d.Shape == Export {
		tree = d.Outer.With("form", tree)
	}
	return schema.EncodeIndent(schema.Arrange(tableOf(d.Shape), tree))
}

// tableOf returns the table that orders a document of a shape.
func tableOf(s Shape) schema.Table {
	asIs := func(names ...string) (t schema.Table) {
		for _, n := range names {
			t = append(t, schema.Row{Name: n, Spec: schema.Any{}})
		}
		return t
	}
	switch s {
	case Response:
		return slices.Concat(asIs("id"), model.ContentTable(), asIs("created_at", "updated_at", "embedded_at", "submitted_at"))
	case Export:
		t := asIs("version", "form", "flows", "connections")
		t[1].Spec = model.ContentTable()
		return t
	case Flat, Update:
	}
	return model.ContentTable()
}
