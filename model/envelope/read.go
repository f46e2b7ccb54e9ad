// Package envelope reads and writes documents of forms: the flat form, the
// API's response, the export envelope and the body of an update.
//
// It does no I/O: bytes in, values out.
package envelope

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Shape is the kind of a document.
type Shape int

// The shapes of a document.
const (
	Flat     Shape = iota // the form itself; name is required
	Response              // has id and created_at
	Export                // has form, version, flows and connections
	Update                // the body of a PATCH: nothing is required, null is allowed
)

// Document is a decoded file with a form.
type Document struct {
	Shape Shape
	Form  *model.Form
	// Outer is the whole export envelope, nil for the other shapes.
	Outer *schema.Object
}

// formPath is the path of the form in an export.
var formPath = schema.Path{schema.Key("form")}

// Read decodes a document, detects its shape and checks it. Problems and warnings
// are in document order and have offsets. Paths begin at the form, even in an
// export. After a problem with code syntax or limit, or if the document is not an
// object, the Document has no form.
func Read(src []byte) (d Document, problems, warnings schema.Problems) {
	return read(src, false, true)
}

// Open is Read without the warnings, which take as long as the rest.
func Open(src []byte) (d Document, problems schema.Problems) {
	d, problems, _ = read(src, false, false)
	return d, problems
}

// ReadUpdate is Read for the body of a PATCH. Pointers are checked only if it has nodes: without nodes their targets are not in
// the document.
func ReadUpdate(src []byte) (d Document, problems, warnings schema.Problems) {
	return read(src, true, true)
}

func read(src []byte, update, warn bool) (d Document, problems, warnings schema.Problems) {
	tree, dups := schema.Decode(src)
	root, ok := tree.(*schema.Object)
	if !ok {
		if len(dups) > 0 && dups[0].Code != schema.CodeDuplicateKey {
			return d, dups, nil
		}
		problems = slices.Concat(dups, schema.Check(schema.Table{}, tree))
		schema.Locate(src, problems)
		return d, problems, nil
	}
	inner, at := any(root), schema.Path{}
	if d.Shape = shapeOf(root, update); d.Shape == Export {
		d.Outer, at = root, formPath
		inner, _ = root.Get("form")
	}
	var found schema.Problems
	switch d.Shape {
	case Update:
		found = model.CheckPatch(inner)
	case Response:
		found = model.CheckResponse(inner)
	case Flat, Export:
		found = model.CheckNew(inner)
	}
	if o, ok := inner.(*schema.Object); ok {
		d.Form = model.FromTree(o)
		if !update || o.Has("nodes") {
			found = append(found, model.CheckGraph(d.Form)...)
		}
		switch {
		case !warn:
		case !update || o.Has("nodes") && o.Has("start"):
			warnings = d.Warnings(new(flow.Prover)).Under(at)
		default: // a part of a graph cannot be checked
			warnings = model.Warnings(d.Form)
		}
	}
	problems = found.Under(at)
	for _, p := range dups {
		// The other members of an envelope are not checked.
		if p.Path.HasPrefix(at) {
			problems = append(problems, p)
		}
	}
	schema.Locate(src, problems)
	schema.Locate(src, warnings)
	schema.Sort(tree, problems)
	for _, ps := range []schema.Problems{problems, warnings} {
		for i := range ps {
			ps[i].Path = ps[i].Path[len(at):]
		}
	}
	return d, problems, warnings
}

// Warnings returns flow.Warnings of the form, in the words of a prover, without those about placeholders for flows of the envelope, since these
// are correct in an export.
func (d Document) Warnings(in *flow.Prover) schema.Problems {
	warnings := in.Warnings(d.Form)
	if d.Shape != Export {
		return warnings
	}
	listed := d.Outer.Object("flows")
	out := warnings[:0]
	for _, w := range warnings {
		id, _ := schema.Lookup(d.Form.Tree(), w.Path)
		if id, _ := id.(string); w.Code == schema.CodeFlowID && model.IsFlowPlaceholder(id) {
			if listed.Has(id) {
				continue
			}
			w.Detail = id + " is not among the export's flows"
		}
		out = append(out, w)
	}
	return out
}

// shapeOf returns the shape of a document.
func shapeOf(root *schema.Object, update bool) Shape {
	switch {
	case update:
		return Update
	case root.Has("form"):
		return Export
	case root.Has("id") && root.Has("created_at"):
		return Response
	}
	return Flat
}
