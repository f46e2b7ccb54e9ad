package merge

import (
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// anchor is the place of a component in terms of ids, which stays valid while other components are added and removed.
type anchor struct {
	node   string
	behind []string // the components before it
	ok     bool
}

func (x *index) anchorOf(c string) anchor {
	p, ok := x.components[c]
	if !ok {
		return anchor{}
	}
	return anchor{p.node, x.of[p.node][:p.at], true}
}

// TakeTheirs returns the form with the conflict resolved by theirs. f is the merged form, or that form after further edits: elements are
// found by their ids, so the conflicts of a merge can be resolved in any order. An element that theirs removed is removed, and pointers to
// it are cleared. If the element that contains the conflict no longer exists, the error is schema.ErrNoPlace.
func (c Conflict) TakeTheirs(f *model.Form) (*model.Form, error) {
	f, err := c.take(f)
	if err != nil {
		return nil, fmt.Errorf("take theirs: %w", err)
	}
	return f, nil
}

func (c Conflict) take(f *model.Form) (*model.Form, error) {
	v, to := c.Theirs, c.anchor
	at, found := c.locate(f, listAt(f))
	switch {
	case c.Kind == BothRenamed:
		return f, nil // it is so
	case c.Kind == BothOrdered && found:
		return reorder(f, at.Join(c.rest), v)
	case c.Kind == BothMoved && found:
		tree, _ := schema.Lookup(f.Tree(), at)
		return moveComponent(f, at, tree, to)
	case c.Kind == BothAdded && found:
		return moveComponent(f, at, v.Tree, to)
	case len(c.rest) > 0 && found:
		return takeProperty(f, at, c.rest, v)
	case len(c.rest) > 0 || len(c.subject.at) == 0 || c.Kind == BothOrdered || c.Kind == BothMoved || c.Kind == BothAdded:
		return nil, fmt.Errorf("%s: %w", c.Path, schema.ErrNoPlace)
	case !v.Present && !found:
		return f, nil
	case !v.Present && c.subject.isNode():
		return removeAll(f, []Conflict{c}), nil
	case !v.Present:
		return f.Clear(at)
	case c.Component != "" && !found:
		return insertComponent(f, v.Tree, to)
	case c.subject.isNode():
		return putNode(f, at, found, v.Tree)
	case found:
		return f.Set(at, v.Tree)
	}
	return appendTo(f, at[:len(at)-1], v.Tree)
}

// isNode reports whether the subject is a node and not a part of one.
func (o subject) isNode() bool { return model.PlaceOf(o.at).IsNode() }

// listAt returns the elements of a list of rules or hidden fields of a form.
func listAt(f *model.Form) func(list schema.Path, name string) elements {
	return func(list schema.Path, name string) elements {
		v, _ := schema.Lookup(f.Tree(), list)
		l, _ := v.([]any)
		return newElements(l, name)
	}
}

// locate finds the element that contains the conflict, and with list a rule or a hidden field that has moved. If it no longer exists, at is where
// it was. In a form that lacks what mine has renamed, it finds the element by the id that theirs has.
func (c Conflict) locate(f *model.Form, list func(schema.Path, string) elements) (at schema.Path, found bool) {
	at, found = c.subject.locate(f, list)
	if !found && !c.former.Empty() {
		o := c.subject
		o.rule, o.node, o.component = c.former.Rule(o.node, o.rule), c.former.Node(o.node), c.former.Component(o.component)
		o.hidden = c.former.HiddenField(o.hidden)
		if was, there := o.locate(f, list); there {
			return was, true
		}
	}
	return at, found
}

func (o subject) locate(f *model.Form, list func(schema.Path, string) elements) (at schema.Path, found bool) {
	if len(o.at) == 0 {
		return o.at, true
	}
	name, want := "id", o.node
	switch {
	case model.PlaceOf(o.at).End != "": // start.hidden_fields[i]
		name, want = "key", o.hidden
	case o.component != "" || o.isComponent():
		want = o.component
	case !o.isNode():
		want = o.rule
	}
	if v, ok := schema.Lookup(f.Tree(), o.at); ok && textOf(v, name) == want {
		return o.at, true
	}
	if !model.ValidIdentifier(want) {
		return o.at, false
	}
	if o.isComponent() {
		if _, i, j := f.Component(want); i >= 0 {
			return model.ComponentPath(i, j), true
		}
		return o.at, false
	}
	if o.isNode() {
		if _, i := f.Node(want); i >= 0 {
			return model.NodePath(i), true
		}
		return o.at, false
	}
	in := o.at[:len(o.at)-1]
	if name == "id" {
		_, i := f.Node(o.node)
		if i < 0 {
			return o.at, false
		}
		in = model.NodePath(i).Join(model.PlaceOf(in).Rest)
	}
	elements := list(in, name)
	if i := elements.placeOf(want); i >= 0 {
		return in.Index(i), true
	}
	return in.Index(len(elements.list)), false
}

// isComponent reports whether the subject is a component.
func (o subject) isComponent() bool { return model.PlaceOf(o.at).Component >= 0 }

// takeProperty sets or clears a property. The config of a step keeps its components, which were merged separately, unless it was merged as
// one value because they are not a list on one side. Then components that are in another step are omitted.
func takeProperty(f *model.Form, at, rest schema.Path, v Value) (*model.Form, error) {
	if model.PlaceOf(at).IsNode() && len(rest) == 1 && rest[0].Key == "config" {
		tree, _ := schema.Lookup(f.Tree(), at)
		node, _ := tree.(*schema.Object)
		switch taken, own := takeConfig(node, v); {
		case own:
			return f.Set(at, taken)
		case taken != nil:
			return putNode(f, at, true, taken)
		}
	}
	p := at.Join(rest)
	if v.Present {
		return f.Set(p, v.Tree)
	}
	return f.Clear(p)
}

// takeConfig returns a node with another config, and whether it has its own components. It returns nil if there is no config to take.
func takeConfig(node *schema.Object, v Value) (taken *schema.Object, own bool) {
	components := valueAt(node.Object("config"), "components")
	config, ok := v.object()
	some := v.Present || len(node.Object("config").List("components")) > 0
	switch {
	case node.Text("type") == string(model.StepNode) && components.Present && ok && !config.Has("components") && some:
		return node.With("config", config.With("components", components.Tree)), true
	case v.Present && node != nil:
		return node.With("config", v.Tree), false
	}
	return nil, false
}

// reorder puts the elements of a list into the order of ids, see inOrder.
func reorder(f *model.Form, at schema.Path, ids Value) (*model.Form, error) {
	v, _ := schema.Lookup(f.Tree(), at)
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: %w", at, schema.ErrNoPlace)
	}
	name := "id"
	if at[len(at)-1].Key == "hidden_fields" {
		name = "key"
	}
	return f.Set(at, inOrder(list, name, ids))
}

// inOrder returns the elements of a list in the order of ids. Other elements stay after their neighbours.
func inOrder(list []any, name string, ids Value) []any {
	elements := newElements(list, name)
	wanted, _ := ids.list()
	var order []string
	for _, id := range wanted {
		if id, ok := id.(string); ok {
			if elements.at(id).Present {
				order = append(order, id)
			}
		}
	}
	out := make([]any, 0, len(list))
	for _, k := range weave(order, elements.keys) {
		out = append(out, elements.at(k).Tree)
	}
	return out
}

// moveComponent removes the component at a path and inserts tree at an anchor.
func moveComponent(f *model.Form, from schema.Path, tree any, to anchor) (*model.Form, error) {
	if !to.ok {
		return nil, fmt.Errorf("%s: %w", from, schema.ErrNoPlace)
	}
	without, err := f.Clear(from)
	if err != nil {
		return nil, err
	}
	return insertComponent(without, tree, to)
}

// insertComponent inserts a component after the nearest of the components that it followed.
func insertComponent(f *model.Form, tree any, to anchor) (*model.Form, error) {
	node, i := f.Node(to.node)
	if !to.ok || node == nil || node.Type != model.StepNode {
		return nil, fmt.Errorf("step %s: %w", cut(to.node), schema.ErrNoPlace)
	}
	step := node.Config.(*model.Step)
	after := make(map[string]int, len(step.Components)) // a component: where the next one begins
	for j, c := range slices.Backward(step.Components) {
		after[c.ID] = j + 1
	}
	at := 0
	for n := len(to.behind) - 1; n >= 0 && at == 0; n-- {
		at = after[to.behind[n]]
	}
	return f.Insert(model.ComponentPath(i, at), tree)
}

// putNode puts a node in its place, or after the others. It omits components that are now in another step, so that ids stay unique.
func putNode(f *model.Form, at schema.Path, found bool, tree any) (*model.Form, error) {
	here := len(f.Nodes)
	if found {
		here = model.PlaceOf(at).Node
	}
	elsewhere := map[string]bool{}
	for i, n := range f.Nodes {
		if s, ok := n.Config.(*model.Step); ok && i != here {
			for _, c := range s.Components {
				elsewhere[c.ID] = true
			}
		}
	}
	tree = withoutUsed(tree, func(id string) bool { return elsewhere[id] })
	if found {
		return f.Set(at, tree)
	}
	return appendTo(f, schema.Path{schema.Key("nodes")}, tree)
}

// withoutUsed returns a node without the components whose ids are used elsewhere.
func withoutUsed(tree any, used func(id string) bool) any {
	list, step, sound := stepComponents(tree)
	if !step || !sound {
		return tree
	}
	left := slices.DeleteFunc(slices.Clone(list), func(v any) bool {
		id := textOf(v, "id")
		return model.ValidIdentifier(id) && used(id)
	})
	if len(left) == len(list) {
		return tree
	}
	return withComponents(tree.(*schema.Object), left)
}

func appendTo(f *model.Form, list schema.Path, v any) (*model.Form, error) {
	l, _ := schema.Lookup(f.Tree(), list)
	elems, _ := l.([]any)
	return f.Insert(list.Index(len(elems)), v)
}

// String describes the conflict for people. It does not show possible secrets, objects or lists, and shortens long texts.
func (c Conflict) String() string {
	what := c.subject.title
	if len(c.rest) > 0 {
		what += ": " + propertyTitle(c.rest)
	}
	shown := func(v Value) string { return Change{Path: c.Path, secret: c.secret}.shown(v) }
	switch c.Kind {
	case RemovedAndChanged:
		if c.Mine.Present {
			return what + ": mine changed it, theirs removed it"
		}
		return what + ": mine removed it, theirs changed it"
	case RemovedAndUsed:
		if c.Mine.Present {
			return what + ": mine points to it, theirs removed it"
		}
		return what + ": mine removed it, theirs points to it"
	case TypeChanged:
		return what + ": one side changed its type and the other what depends on it"
	case BothMoved:
		return what + ": mine moved it to " + shown(c.Mine) + ", theirs to " + shown(c.Theirs)
	case BothAdded:
		return what + ": both added it, in different steps"
	case BothOrdered:
		return what + ": both changed the order"
	case BothRenamed:
		return c.subject.title + ": mine renamed it to " + shown(c.Mine) + ", theirs to " + shown(c.Theirs)
	case BothChanged:
	}
	if m, t := shown(c.Mine), shown(c.Theirs); m != "" && t != "" {
		return what + ": mine is " + m + ", theirs " + t
	}
	return what + ": both changed it"
}
