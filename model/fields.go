package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/formgraph/formgraph/model/schema"
)

// Fields finds the names, for people, of the variables that conditions and texts read from the answers of a form, and of their values. It is
// immutable and safe for concurrent use. A nil *Fields has no names. The first lookup takes time linear in the number of components.
type Fields struct {
	nodes []*Node
	once  sync.Once
	index fieldIndex
}

// fieldIndex finds fields.
type fieldIndex struct {
	byID   map[string]*Component // the first component with each id
	labels map[string]int        // how many fields have each label
}

// Fields returns the fields of the form. A form that is derived from another returns the pointer that the other has returned if both have the same
// number of nodes and if each step has the same components by id, category, label and options.
func (f *Form) Fields() *Fields {
	f.named.Do(func() {
		was := f.fields.Load()
		if was == nil || len(was.nodes) != len(f.Nodes) || !slices.EqualFunc(was.nodes, f.Nodes, sameFields) {
			f.fields.Store(&Fields{nodes: f.Nodes})
		}
	})
	return f.fields.Load()
}

// known returns the index. The first call makes it.
func (x *Fields) known() *fieldIndex {
	x.once.Do(func() {
		n := 0
		for _, node := range x.nodes {
			n += node.Parts()
		}
		x.index = fieldIndex{make(map[string]*Component, n), make(map[string]int, n)}
		for _, node := range x.nodes {
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
	if c.Category == Block || c.ID == "" || x.byID[c.ID] != nil {
		return
	}
	x.byID[c.ID] = c
	if label := labelOf(c); label != "" {
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

// field returns the component with an id, nil if no field has it.
func (x *Fields) field(id string) *Component {
	if x == nil {
		return nil
	}
	return x.known().byID[id]
}

// Name returns the name of a variable such as fields.age: the label of the field with that id, followed by the id if several fields have the label.
// The rest of the variable, such as the city of an address, follows as it is. ok is false if the variable is not a field with a label.
func (x *Fields) Name(variable string) (name string, ok bool) {
	id, rest := fieldID(variable)
	c := x.field(id)
	if c == nil {
		return "", false
	}
	if name = labelOf(c); name == "" {
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
	return is == was && ok == had && schema.Equal(x.choices(id), other.choices(id))
}

// ValueName returns the label of the option that has a value, in the field of a variable such as fields.country. ok is false if the field has no such
// option, or if the option has no label.
func (x *Fields) ValueName(variable string, value any) (label string, ok bool) {
	id, rest := fieldID(variable)
	if rest != "" {
		return "", false
	}
	switch options := x.choices(id).(type) {
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

// choices returns the options of a field, nil for none.
func (x *Fields) choices(id string) any {
	c := x.field(id)
	if c == nil {
		return nil
	}
	return optionsOf(c)
}

// optionsOf returns the options of a component, nil for none.
func optionsOf(c *Component) any {
	options, _ := c.Config().Get("options")
	return options
}

// labelOf returns the label of a field on one line.
func labelOf(c *Component) string { return oneLine(c.Label) }

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
