package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/template/scan"
	"github.com/formgraph/formgraph/model/schema"
)

// Reference is a place where a template reads a field: the value of a component
// or of a hidden field.
type Reference struct {
	Path   schema.Path // of the string value
	ID     string
	Offset int // of the id in the string value, in bytes; it is len(ID) long
}

// References returns every reference to a field, in document order: {{fields.x}},
// possibly with more in the template, in any string value of the form's tree,
// including conditions, hidden fields and translations. Keys of objects are not
// values. References in one string share a path, which the caller must not change.
func References(f *model.Form) []Reference {
	var refs []Reference
	EachString(f.Tree(), nil, func(s string, p schema.Path) {
		spans := scan.Fields(s)
		if len(spans) == 0 {
			return
		}
		p = slices.Clone(p)
		for _, id := range spans {
			refs = append(refs, Reference{p, s[id.From:id.To], id.From})
		}
	})
	return refs
}

// EachString calls do with every string value below v, in document order. The
// next call overwrites the path.
func EachString(v any, p schema.Path, do func(s string, p schema.Path)) {
	switch v := v.(type) {
	case string:
		do(v, p)
	case []any:
		for i, item := range v {
			EachString(item, append(p, schema.Index(i)), do)
		}
	case *schema.Object:
		for _, m := range v.Members() {
			EachString(m.Value, append(p, schema.Key(m.Key)), do)
		}
	}
}

// owners counts the components and hidden fields that {{fields.id}} may refer to.
type owners struct{ components, hidden int }

func (o owners) any() bool { return o.components+o.hidden > 0 }

func fieldOwners(f *model.Form) map[string]owners {
	m := make(map[string]owners)
	for _, n := range f.Nodes {
		s, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		for _, c := range s.Components {
			o := m[c.ID]
			o.components++
			m[c.ID] = o
		}
	}
	for _, h := range f.Start.Hidden {
		o := m[h.Key]
		o.hidden++
		m[h.Key] = o
	}
	return m
}
