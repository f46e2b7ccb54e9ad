package model

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/formgraph/formgraph/model/schema"
)

// Fields finds the names, for people, of the variables that conditions and texts read from the answers of a form, and of their values. It is
// immutable and safe for concurrent use. A nil *Fields has no names. The first lookup takes time linear in the number of components.
type Fields struct {
	nodes atomic.Pointer[[]*Node] // of the last form that was found to have these fields: older nodes are not kept
	once  sync.Once
	index fieldIndex
}

// fieldIndex finds fields.
type fieldIndex struct {
	byID   map[string]field // the first one with each id
	labels map[string]int   // how many fields have each label
}

// field is what is known about a field by its id.
type field struct {
	label   string // on one line
	options any    // nil for none
}

// Fields returns the fields of the form. A form that is derived from another returns the pointer that the other has returned if both have the same
// number of nodes and if each step has the same components by id, category, label and options.
func (f *Form) Fields() *Fields {
	f.named.Do(func() {
		x := f.fields.Load()
		if x == nil || !slices.EqualFunc(*x.nodes.Load(), f.Nodes, sameFields) {
			x = &Fields{}
			f.fields.Store(x)
		}
		nodes := f.Nodes // not &f.Nodes, which would keep the form
		x.nodes.Store(&nodes)
	})
	return f.fields.Load()
}

// known returns the index. The first call makes it.
func (x *Fields) known() *fieldIndex {
	x.once.Do(func() {
		nodes, n := *x.nodes.Load(), 0
		for _, node := range nodes {
			n += node.Parts()
		}
		x.index = fieldIndex{make(map[string]field, n), make(map[string]int, n)}
		for _, node := range nodes {
			s, ok := node.Config.(*Step)
			if !ok {
				continue
			}
			for _, c := range s.Components {
				x.index.add(c)
			}
		}
	})
	return &x.index
}

func (x *fieldIndex) add(c *Component) {
	if c.Category == Block || c.ID == "" {
		return
	}
	if _, ok := x.byID[c.ID]; ok {
		return
	}
	label := oneLine(c.Label)
	x.byID[c.ID] = field{label, optionsOf(c)}
	if label != "" {
		x.labels[label]++
	}
}

// sameFields reports whether two nodes have the same components by id, category, label and options.
func sameFields(a, b *Node) bool {
	if a == b || a.Config == b.Config {
		return true
	}
	was, wasStep := a.Config.(*Step)
	is, isStep := b.Config.(*Step)
	if !wasStep || !isStep {
		return wasStep == isStep
	}
	return slices.EqualFunc(was.Components, is.Components, func(x, y *Component) bool {
		return x.tree == y.tree || x.ID == y.ID && x.Label == y.Label && x.Category == y.Category && schema.Equal(optionsOf(x), optionsOf(y))
	})
}

// field returns what is known about the field with an id, which may be nothing.
func (x *Fields) field(id string) field {
	if x == nil {
		return field{}
	}
	return x.known().byID[id]
}

// Name returns the name of a variable such as fields.age: the label of the field with that id, followed by the id if several fields have the label.
// The rest of the variable, such as the city of an address, follows as it is. ok is false if the variable is not a field with a label.
func (x *Fields) Name(variable string) (name string, ok bool) {
	id, rest := fieldID(variable)
	if name = x.field(id).label; name == "" {
		return "", false
	}
	if x.known().labels[name] > 1 {
		name += " (" + id + ")"
	}
	return name + rest, true
}

// Same reports whether a variable has the same name in both fields, and the same options.
func (x *Fields) Same(other *Fields, variable string) bool {
	id, _ := fieldID(variable)
	if x == other || id == "" {
		return true
	}
	is, ok := x.Name(variable)
	was, had := other.Name(variable)
	return is == was && ok == had && schema.Equal(x.field(id).options, other.field(id).options)
}

// ValueName returns the label of the option that has a value, in the field of a variable such as fields.country. ok is false if the field has no such
// option, or if the option has no label.
func (x *Fields) ValueName(variable string, value any) (label string, ok bool) {
	id, rest := fieldID(variable)
	if rest != "" {
		return "", false
	}
	switch options := x.field(id).options.(type) {
	case *schema.Object: // of a boolean, by its values
		key, ok := value.(string)
		if b, is := value.(bool); is {
			key, ok = map[bool]string{true: "true", false: "false"}[b], true
		}
		if label = oneLine(options.Text(key)); ok && label != "" {
			return label, true
		}
	case []any:
		for _, o := range options {
			o, _ := o.(*schema.Object)
			if v, ok := o.Get("value"); ok && schema.Equal(v, value) {
				label = oneLine(o.Text("label"))
				return label, label != ""
			}
		}
	}
	return "", false
}

// optionsOf returns the options of a component, nil for none.
func optionsOf(c *Component) any {
	options, _ := c.Config().Get("options")
	return options
}

// oneLine returns a text on one line, without white space around it.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") && strings.TrimSpace(s) == s {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// fieldID returns the id in a variable such as fields.age, and what follows the id. Both are "" if the variable does not belong to a field.
func fieldID(variable string) (id, rest string) {
	id, ok := strings.CutPrefix(variable, "fields.")
	if !ok {
		return "", ""
	}
	if i := strings.IndexAny(id, ".[ |"); i >= 0 {
		id, rest = id[:i], id[i:]
	}
	return id, rest
}
