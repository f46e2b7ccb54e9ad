package merge

import (
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Value is the value at a path of a form. A null is Present, an absent value is not.
type Value struct {
	Tree    any // a JSON value as in package schema
	Present bool
}

func valueAt(o *schema.Object, key string) Value {
	v, ok := o.Get(key)
	return Value{v, ok}
}

func present(v any) Value { return Value{v, true} }

// object returns v as an object. An absent value counts as an object without
// members, so that adding or removing the object is reported at its members.
func (v Value) object() (*schema.Object, bool) {
	if !v.Present {
		return nil, true
	}
	o, ok := v.Tree.(*schema.Object)
	return o, ok
}

func (v Value) list() ([]any, bool) {
	if !v.Present {
		return nil, true
	}
	l, ok := v.Tree.([]any)
	return l, ok
}

func same(a, b Value) bool {
	return a.Present == b.Present && (!a.Present || schema.Equal(a.Tree, b.Tree))
}

// anyMap is the rule for everything below a language. No table describes it; real forms have nested objects (components, their ids, label).
var anyMap = schema.Map{Value: schema.Any{}}

// memberSpec returns the rule for one member of an object, and whether such an object is compared member by member. Every other value is
// compared as a whole, and so is an open object without rows (schema, customer, a subscription), except below a language of the
// translations.
func memberSpec(s schema.Spec, o *schema.Object, key string) (schema.Spec, bool) {
	var rows schema.Table
	switch s := s.(type) {
	case schema.Table:
		rows = s
	case schema.Open:
		if rows = s.Rows; len(rows) == 0 {
			return nil, false
		}
	case schema.Map:
		if _, ok := s.Value.(schema.Any); ok {
			return anyMap, true
		}
		if v, ok := s.Value.(schema.Open); ok && len(v.Rows) == 0 {
			return anyMap, true
		}
		return s.Value, true
	case schema.Nullable:
		return memberSpec(s.Spec, o, key)
	case schema.Choice:
		rows = s.Rows()
	case schema.Union:
		a, ok := s.Arm(o.Text(s.Tag))
		if !ok {
			return nil, false
		}
		return memberSpec(a.Spec, o, key)
	default:
		return nil, false
	}
	if r, ok := rows.Row(key); ok {
		// Coordinates are one value: x of one side with y of the other would be a place that neither author chose.
		if r.Name == "coordinates" {
			return schema.Any{}, true
		}
		return r.Spec, true
	}
	return schema.Any{}, true
}

// byMember reports whether two objects with one rule are compared member by member. They are not if they are of different kinds.
func byMember(s schema.Spec, a, b *schema.Object) bool {
	if _, ok := memberSpec(s, a, ""); !ok {
		return false
	}
	if c, ok := s.(schema.Choice); ok && a != nil && b != nil {
		return same(valueAt(a, c.Tag), valueAt(b, c.Tag))
	}
	return true
}

// listKeys returns a key for each element: its id or, if that is malformed or taken, its number among such elements of the list, with scope
// to distinguish it from those of other lists. These keys begin with a zero byte, unlike any valid id.
func listKeys(list []any, name, scope string, taken map[string]bool) []string {
	keys := make([]string, len(list))
	odd := 0
	for i, v := range list {
		o, _ := v.(*schema.Object)
		id := o.Text(name)
		if !model.ValidIdentifier(id) || taken[id] {
			id = "\x00" + scope + "\x00" + strconv.Itoa(odd)
			odd++
		}
		taken[id] = true
		keys[i] = id
	}
	return keys
}

// elements are the elements of a list by their keys.
type elements struct {
	list  []any
	keys  []string
	place map[string]int
}

func newElements(list []any, name string) elements {
	keys := listKeys(list, name, "", make(map[string]bool, len(list)))
	return elements{list, keys, places(keys)}
}

// at returns the element with a key.
func (e elements) at(key string) Value {
	if i, ok := e.place[key]; ok {
		return present(e.list[i])
	}
	return Value{}
}

func places(keys []string) map[string]int {
	m := make(map[string]int, len(keys))
	for i, k := range keys {
		m[k] = i
	}
	return m
}

// componentsPath is the path of the components in a step.
var componentsPath = schema.Path{schema.Key("config"), schema.Key("components")}

// location is a component in its form.
type location struct {
	tree any
	node string // the key of its step
	at   int
}

// index finds the nodes and components of a form by their keys.
type index struct {
	form *model.Form
	elements
	components map[string]location
	of         map[string][]string // the components of a step, in order
}

// indexAll indexes forms. A step whose components are not a list in one of them is
// opaque: its config is compared as a whole in all of them.
func indexAll(forms ...*model.Form) (xs []*index, opaque map[string]bool, ok bool) {
	ok, opaque = true, map[string]bool{}
	for _, f := range forms {
		list, isList := valueAt(f.Tree(), "nodes").list()
		ok = ok && isList
		x := &index{form: f, elements: newElements(list, "id"), of: make(map[string][]string, len(list))}
		xs = append(xs, x)
		count := 0
		for i, k := range x.keys {
			pause.Now()
			list, step, sound := stepComponents(x.list[i])
			if step && !sound {
				opaque[k] = true
			}
			count += len(list)
		}
		x.components = make(map[string]location, count)
	}
	for _, x := range xs {
		taken := map[string]bool{}
		for i, k := range x.keys {
			pause.Now()
			list, step, _ := stepComponents(x.list[i])
			if !step || opaque[k] {
				continue
			}
			keys := listKeys(list, "id", k, taken)
			for j, c := range keys {
				x.components[c] = location{list[j], k, j}
			}
			x.of[k] = keys
		}
	}
	return xs, opaque, ok
}

// stepComponents returns the components of a node, whether it is a step, and whether
// they are a list where the table expects it.
func stepComponents(v any) (list []any, step, sound bool) {
	o, _ := v.(*schema.Object)
	if o.Text("type") != string(model.StepNode) {
		return nil, false, true
	}
	config, ok := valueAt(o, "config").object()
	if !ok {
		return nil, true, false
	}
	list, ok = valueAt(config, "components").list()
	return list, true, ok
}

// component returns the component with a key.
func (x *index) component(key string) Value {
	if p, ok := x.components[key]; ok {
		return present(p.tree)
	}
	return Value{}
}

// isStep reports whether the index has components of the node.
func (x *index) isStep(key string) bool {
	_, ok := x.of[key]
	return ok
}

// componentSpecOf returns the table for comparing a component with another of the same kind. It is empty for an unknown kind.
func componentSpecOf(o *schema.Object) schema.Table {
	if k := model.KindOf(o.Text("type")); k != nil {
		return k.Table()
	}
	return nil
}

// sameKind reports whether two elements have the same table.
func sameKind(a, b *schema.Object) bool {
	return same(valueAt(a, "type"), valueAt(b, "type")) && same(valueAt(a, "category"), valueAt(b, "category"))
}

func memberKeys(o *schema.Object) []string {
	keys := make([]string, o.Len())
	for i, m := range o.Members() {
		keys[i] = m.Key
	}
	return keys
}
