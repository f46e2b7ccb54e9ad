package merge

import (
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Value is what a place of a form holds. A place that holds null is Present, an
// absent one is not.
type Value struct {
	Tree    any // a JSON value as package schema has it
	Present bool
}

func valueAt(o *schema.Object, key string) Value {
	v, ok := o.Get(key)
	return Value{v, ok}
}

func present(v any) Value { return Value{v, true} }

// object returns the object that v is. An absent value is an object without
// members, so that what comes or goes with its members is told by them.
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

// anyMap is the rule for what lies below a language. No table describes it; real
// forms have objects in objects (components, their ids, label).
var anyMap = schema.Map{Value: schema.Any{}}

// memberSpec returns the rule for one member of an object that is compared member
// by member, and whether it is: every other value is one value. An open object
// without rows (schema, customer, a subscription) belongs to its author and is
// one value too, but not below a language of the translations.
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
		for _, op := range s.Options {
			rows = append(rows, op.Row)
		}
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
		// A place is one value: x of one side and y of the other is a place
		// that nobody chose.
		if r.Name == "coordinates" {
			return schema.Any{}, true
		}
		return r.Spec, true
	}
	return schema.Any{}, true
}

// byMember reports whether two objects under one rule are compared member by
// member: not when they are of different kinds.
func byMember(s schema.Spec, a, b *schema.Object) bool {
	if _, ok := memberSpec(s, a, ""); !ok {
		return false
	}
	if c, ok := s.(schema.Choice); ok && a != nil && b != nil {
		return same(valueAt(a, c.Tag), valueAt(b, c.Tag))
	}
	return true
}

// listKeys returns a key for each element: its id, or, where that is malformed or
// taken, its place among those of the list. The scope keeps the latter apart from
// those of other lists. No id begins as these do.
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

// placed is a component in its form.
type placed struct {
	tree any
	node string // the key of its step
	at   int
}

// index finds the nodes and components of a form by their keys.
type index struct {
	form  *model.Form
	list  []any
	nodes []string
	node  map[string]int
	parts map[string]placed
	of    map[string][]string // the components of a step, in order
}

// indexNodes indexes the nodes of a form. ok is false when its nodes are not a list.
func indexNodes(f *model.Form) (x *index, ok bool) {
	list, ok := valueAt(f.Tree(), "nodes").list()
	x = &index{form: f, list: list, node: make(map[string]int, len(list)), of: make(map[string][]string, len(list))}
	x.nodes = listKeys(x.list, "id", "", make(map[string]bool, len(list)))
	for i, k := range x.nodes {
		x.node[k] = i
	}
	return x, ok
}

// indexAll indexes forms. A step whose components are not a list in one of them is
// opaque: its config is one value in all of them.
func indexAll(forms ...*model.Form) (xs []*index, opaque map[string]bool, ok bool) {
	ok, opaque = true, map[string]bool{}
	for _, f := range forms {
		x, isList := indexNodes(f)
		ok = ok && isList
		xs = append(xs, x)
		count := 0
		for i, k := range x.nodes {
			list, step, sound := stepParts(x.list[i])
			if step && !sound {
				opaque[k] = true
			}
			count += len(list)
		}
		x.parts = make(map[string]placed, count)
	}
	for _, x := range xs {
		taken := map[string]bool{}
		for i, k := range x.nodes {
			list, step, _ := stepParts(x.list[i])
			if !step || opaque[k] {
				continue
			}
			keys := listKeys(list, "id", k, taken)
			for j, c := range keys {
				x.parts[c] = placed{list[j], k, j}
			}
			x.of[k] = keys
		}
	}
	return xs, opaque, ok
}

// stepParts returns the components of a node, whether it is a step, and whether
// they are where its table has them.
func stepParts(v any) (list []any, step, sound bool) {
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

// at returns the node of a key.
func (x *index) at(key string) Value {
	if i, ok := x.node[key]; ok {
		return present(x.list[i])
	}
	return Value{}
}

// part returns the component of a key.
func (x *index) part(key string) Value {
	if p, ok := x.parts[key]; ok {
		return present(p.tree)
	}
	return Value{}
}

// isStep reports whether the node has components of its own in the index.
func (x *index) isStep(key string) bool {
	_, ok := x.of[key]
	return ok
}

// componentSpecOf returns the table by which a component is compared with
// another of the same kind, one without rows for a kind that we do not know.
func componentSpecOf(o *schema.Object) schema.Table {
	if k := model.KindOf(o.Text("type")); k != nil {
		return k.Table()
	}
	return nil
}

// sameKind reports whether two elements are read by one table.
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
