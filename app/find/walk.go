package find

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// class is the role of a text. In an entry its value begins the text; all other bytes there are at least a space.
type class byte

const (
	idClass   class = 1 + iota // an id or a key
	nameClass                  // an alias, a label, the form's name
	typeClass                  // a type, as written and as in the palette
	textClass                  // everything else
)

// walker reads the texts of an item in document order.
type walker struct {
	flows map[string]string
	path  schema.Path // of the current text, from the entry's root; emit must not keep it
	emit  func(c class, text string)
}

// secretNames are the properties that hold a secret in any table. Where no table applies, as below a language, among the parameters of code
// or in an unknown property, properties with these names are omitted.
var secretNames = func() map[string]bool {
	names := map[string]bool{}
	schema.EachRow(model.ContentTable(), func(r schema.Row) {
		if s, ok := r.Spec.(schema.String); ok && s.Secret {
			names[r.Name] = true
		}
	})
	return names
}()

// in calls f with e appended to the path.
func (w *walker) in(e schema.Elem, f func()) {
	w.path = append(w.path, e)
	f()
	w.path = w.path[:len(w.path)-1]
}

// member reads a property by its rule, or without a rule if s is nil.
func (w *walker) member(key string, s schema.Spec, v any) {
	if s == nil && secretNames[key] {
		return
	}
	w.path = append(w.path, schema.Key(key))
	if s == nil {
		w.loose(v)
	} else {
		w.value(s, v)
	}
	w.path = w.path[:len(w.path)-1]
}

func (w *walker) text(c class, text string) {
	if text != "" {
		w.emit(c, text)
	}
}

// named emits a property with a class, if it is a text.
func (w *walker) named(c class, key string, v any) {
	if s, ok := v.(string); ok {
		w.path = append(w.path, schema.Key(key))
		w.text(c, s)
		w.path = w.path[:len(w.path)-1]
	}
}

// value reads a value by its rule. It also reads a value that does not have the shape of its rule, unless the rule has a secret, which
// could then be anywhere in the value.
func (w *walker) value(s schema.Spec, v any) {
	switch s := s.(type) {
	case schema.String:
		if t, ok := v.(string); ok && !s.Secret {
			w.text(textClass, t)
			if s.Role == schema.FlowID {
				w.text(textClass, w.flows[t])
			}
			return
		}
	case schema.Table:
		if o, ok := v.(*schema.Object); ok {
			w.rows(s, o)
			return
		}
	case schema.Open:
		if o, ok := v.(*schema.Object); ok {
			w.rows(s.Rows, o)
			return
		}
	case schema.Map:
		if o, ok := v.(*schema.Object); ok {
			for _, m := range o.Members() {
				if !secretNames[m.Key] {
					w.member(m.Key, s.Value, m.Value)
				}
			}
			return
		}
	case schema.List:
		if l, ok := v.([]any); ok {
			for i, v := range l {
				w.in(schema.Index(i), func() { w.value(s.Item, v) })
			}
			return
		}
	case schema.Nullable:
		w.value(s.Spec, v)
		return
	case schema.Union:
		if o, ok := v.(*schema.Object); ok {
			if arm, ok := s.Arm(o.Text(s.Tag)); ok {
				w.value(arm.Spec, o)
				return
			}
		}
	case schema.Choice:
		if o, ok := v.(*schema.Object); ok {
			w.rows(s.Rows(), o)
			return
		}
	default:
	}
	if !schema.HoldsSecret(s) {
		w.loose(v)
	}
}

// rows reads the members of an object by their rows.
func (w *walker) rows(t schema.Table, o *schema.Object) {
	for _, m := range o.Members() {
		r, _ := t.Row(m.Key)
		w.member(m.Key, r.Spec, m.Value)
	}
}

// loose reads a value that no table describes.
func (w *walker) loose(v any) {
	switch v := v.(type) {
	case string:
		w.text(textClass, v)
	case []any:
		for i, v := range v {
			w.path = append(w.path, schema.Index(i))
			w.loose(v)
			w.path = w.path[:len(w.path)-1]
		}
	case *schema.Object:
		for _, m := range v.Members() {
			w.member(m.Key, nil, m.Value)
		}
	}
}

// The properties that have a class: of nodes and rules, and of components
// of every type.
var (
	nodeClasses      = map[string]class{"id": idClass, "alias": nameClass, "type": typeClass}
	componentClasses = map[string]class{"id": idClass, "label": nameClass, "type": typeClass, "hint": textClass}
)

// members reads the members of an object that have a class, and calls rest for the others.
func (w *walker) members(o *schema.Object, classes map[string]class, rest func(m schema.Member)) {
	for _, m := range o.Members() {
		if c := classes[m.Key]; c != 0 {
			w.named(c, m.Key, m.Value)
		} else {
			rest(m)
		}
	}
}

// node reads a node without its components and rules, which are separate items. It skips the config of an unknown type, which may contain
// secrets.
func (w *walker) node(n *model.Node) {
	w.members(n.Tree(), nodeClasses, func(m schema.Member) {
		if m.Key != "config" {
			w.member(m.Key, nil, m.Value)
			return
		}
		o, ok := m.Value.(*schema.Object)
		if !ok || n.Config == nil {
			return
		}
		k := model.NodeKindOf(n.Type)
		w.in(schema.Key("config"), func() { w.rows(k.Config, o.Without("components").Without("rules")) })
	})
}

// component reads a component. If its type is unknown, it reads only what all components have, since the rest may contain secrets. It skips
// the category, since one word would find a third of all components; the filter kind: serves that purpose.
func (w *walker) component(c *model.Component) {
	w.members(c.Tree(), componentClasses, func(m schema.Member) {
		switch {
		case c.Kind == nil || m.Key == "category":
		case m.Key == "config":
			w.member(m.Key, c.Kind.Config, m.Value)
		default:
			w.member(m.Key, nil, m.Value)
		}
	})
	if c.Kind != nil && c.Tree().Has("type") {
		w.in(schema.Key("type"), func() {
			for _, name := range []string{c.Kind.Type, c.Kind.Alias, c.Kind.Label} {
				if name != "" && !strings.EqualFold(name, c.Type) {
					w.emit(typeClass, name)
				}
			}
		})
	}
}

// rule reads a rule of a router. Its condition is read in words if it has the known shape, else text by text.
func (w *walker) rule(r *model.Rule) {
	w.members(r.Tree(), nodeClasses, func(m schema.Member) {
		if c, ok := flow.ParseCondition(m.Value); ok && m.Key == "condition" {
			w.in(schema.Key(m.Key), func() { w.emit(textClass, c.String()) })
			return
		}
		w.member(m.Key, nil, m.Value)
	})
}
