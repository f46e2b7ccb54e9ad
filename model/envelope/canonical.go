package envelope

import (
	"slices"
	"strings"

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
		tree = arrange(tableOf(shapeOf(root, update)), root)
	}
	return indented(tree)
}

// CanonicalBy is Canonical for another kind of document, which a table describes.
func CanonicalBy(t schema.Table, src []byte) ([]byte, schema.Problems) {
	tree, problems := schema.Decode(src)
	if len(problems) > 0 {
		return nil, problems
	}
	return indented(arrange(t, tree))
}

func indented(tree any) ([]byte, schema.Problems) {
	text := schema.EncodeIndent(tree)
	if len(text) > schema.MaxBytes {
		return nil, schema.Problems{{Code: schema.CodeLimit, Detail: "must be at most 4 MiB when it is written with indentation"}}
	}
	return text, nil
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
	return schema.EncodeIndent(arrange(tableOf(d.Shape), tree))
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

// arrange returns the value in the order of its rule. It does not change a value of any other type.
func arrange(s schema.Spec, v any) any {
	switch s := s.(type) {
	case schema.Table:
		return rows(s, v)
	case schema.Open:
		return rows(s.Rows, v)
	case schema.Choice:
		return rows(append(schema.Table{{Name: s.Tag, Spec: schema.Any{}}}, s.Rows()...), v)
	case schema.Union:
		o, _ := v.(*schema.Object)
		if a, ok := s.Arm(o.Text(s.Tag)); ok {
			return arrange(a.Spec, v)
		}
		return v
	case schema.Map:
		o, ok := v.(*schema.Object)
		if !ok {
			return v
		}
		members := slices.Clone(o.Members())
		for i := range members {
			members[i].Value = arrange(s.Value, members[i].Value)
		}
		slices.SortFunc(members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
		return schema.NewObject(members...)
	case schema.List:
		l, ok := v.([]any)
		if !ok {
			return v
		}
		out := make([]any, len(l))
		for i := range l {
			out[i] = arrange(s.Item, l[i])
		}
		return out
	case schema.Nullable:
		return arrange(s.Spec, v)
	case schema.Either:
		for _, alt := range s.Of {
			ps := schema.Check(alt, v).At(nil)
			if !slices.ContainsFunc(ps, func(p schema.Problem) bool { return p.Code == schema.CodeType }) {
				return arrange(alt, v)
			}
		}
		return v
	case schema.String, schema.Numeric, schema.Enum, schema.Bool, schema.True:
		if n, ok := v.(schema.Number); ok {
			if i, ok := n.Int(); ok {
				return schema.IntNumber(i)
			}
		}
		return v
	case schema.Any:
		return v
	}
	return v
}

// rows returns the object with its members in the order of a table.
func rows(t schema.Table, v any) any {
	o, ok := v.(*schema.Object)
	if !ok {
		return v
	}
	members := make([]schema.Member, 0, o.Len())
	for _, r := range t {
		if v, ok := o.Get(r.Name); ok {
			members = append(members, schema.Member{Key: r.Name, Value: arrange(r.Spec, v)})
		}
	}
	for _, m := range o.Members() {
		if _, known := t.Row(m.Key); !known {
			members = append(members, m)
		}
	}
	return schema.NewObject(members...)
}
