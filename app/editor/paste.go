package editor

import (
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// besideBy is the offset from its original of a copy that is pasted without a place: near enough to be visible, far enough not to hide it.
var besideBy = model.Point{X: 40, Y: 40}

// Paste inserts the elements of a text from the clipboard into the form and selects them. Maker.Paste makes it, so that its ids are unused.
//
//   - Nodes go after the last one of the form and keep their relative places.
//   - Components go into the selected step: after the selected component, else
//     before the buttons at the end of the step; buttons alone go to the end. The next
//     paste goes after them, since they are then selected.
//   - Rules go into the selected router: after the selected rule, else at the end.
//     The last one is then selected.
//   - Pointers among the pasted elements stay. A pointer to another node stays if
//     the form has that node and is dropped if not, see Dropped. A pointer of a part to
//     the node that it is pasted into is dropped too.
//
// The error says that an id is taken, that no step or router is selected, or that the form would exceed the limits of a document.
type Paste struct {
	Pasted Pasted
	// At is the top left corner of the group of nodes, rounded to the grid. nil means beside the places in the text. Nodes without
	// coordinates are placed in rows to the right of the others. If no node has coordinates and At is nil, they get none, and the canvas
	// places them.
	At *model.Point
}

// Paste returns the command that pastes the result of ParsePaste. Ids that the form already has, that are malformed, or that the text has
// twice are replaced by fresh ones; the others are kept. The ids of nodes, of components, and of the rules of a router are separate
// namespaces; a component does not take the key of a hidden field. Pointers and templates among the pasted elements follow. Component types
// get the names of the editor's dialect.
func (m Maker) Paste(p Pasted, at *model.Point) Paste {
	r := newRenumbering(m)
	r.dialect = func(k *model.Kind, _ string) string { return k.Name(m.config.Dialect) }
	if len(p.Rules) > 0 {
		n, _ := m.state.Form.Node(m.state.Selection.Only())
		r.rules = func() namespace { return rulesOf(n) }
	}
	return Paste{r.all(p), at}
}

// rulesOf returns the ids of a router's rules, none for any other node.
func rulesOf(n *model.Node) namespace {
	ids := newNamespace()
	if router, ok := configOf[*model.Router](n); ok {
		for _, r := range router.Rules {
			ids.taken[r.ID] = true
		}
	}
	return ids
}

// Label names the pasted elements.
func (c Paste) Label() verb.Phrase { return c.Pasted.Phrase(verb.Paste) }

// Do inserts the elements.
func (c Paste) Do(s State) (State, error) {
	tree, sel, _, err := c.insertion().into(s)
	return finished(s, tree, sel, err)
}

// Dropped returns how many pointers Do omits because they lead to no node, for a notice to the user. It is 0 if the command does not apply.
func (c Paste) Dropped(s State) int {
	_, _, dropped, _ := c.insertion().into(s)
	return dropped
}

func (c Paste) insertion() insertion {
	return insertion{pasted: c.Pasted, place: func(f *model.Form, nodes []*model.Node) []model.Point {
		return placeGroup(f, nodes, c.At, besideBy)
	}}
}

// insertion is the common part of Paste and Duplicate.
type insertion struct {
	pasted Pasted
	// place returns the places of the nodes, nil to leave them unchanged.
	place func(*model.Form, []*model.Node) []model.Point
	// loops keeps pointers of parts to the node that contains them.
	loops bool
}

// into returns the tree of the form after the insertion, the new selection,
// and how many pointers were dropped.
func (c insertion) into(s State) (tree *schema.Object, sel Selection, dropped int, err error) {
	switch p := c.pasted; {
	case len(p.Nodes) > 0:
		return c.nodes(s)
	case len(p.Components) > 0:
		return c.parts(s, model.StepNode, p.Components)
	case len(p.Rules) > 0:
		return c.parts(s, model.RouterNode, p.Rules)
	}
	return nil, sel, 0, errNothing
}

func (c insertion) nodes(s State) (tree *schema.Object, sel Selection, dropped int, err error) {
	list, err := listAt(s.Form.Tree(), nodesPath)
	if err != nil {
		return nil, sel, 0, err
	}
	known := placesOf(s.Form)
	nodes := readNodes(c.pasted.Nodes)
	for i, n := range nodes {
		if _, taken := known[n.ID]; taken {
			return nil, sel, 0, errTaken("node", n.ID)
		}
		known[n.ID] = len(list) + i
		sel.Nodes = append(sel.Nodes, n.ID)
	}
	to := leadsTo(known, "", &dropped)
	places := c.place(s.Form, nodes)
	for i, n := range nodes {
		o := n.MapPointers(to)
		if places != nil {
			o = placedAt(o, places[i])
		}
		list = append(list, o)
	}
	return s.Form.Tree().With("nodes", list), sel, dropped, nil
}

// parts inserts components into the selected step, or rules into the selected router.
func (c insertion) parts(s State, t model.NodeType, list []*schema.Object) (tree *schema.Object, sel Selection, dropped int, err error) {
	kind, host := model.NodeKindOf(t), s.Selection.Only()
	n, i := s.Form.Node(host)
	if n == nil || n.Type != t {
		return nil, sel, 0, fmt.Errorf("%ss go into a %s: select one first", kind.Part, kindWord(t))
	}
	taken := rulesOf(n).taken
	if t == model.StepNode {
		taken = componentIDs(s.Form)
	}
	if c.loops {
		host = ""
	}
	wrapping := readNodes([]*schema.Object{wrapped(t, list)})[0]
	parts := wrapping.MapPointers(leadsTo(placesOf(s.Form), host, &dropped)).Object("config").List(kind.Parts)
	ids := make([]string, len(parts))
	for i, v := range parts {
		o, _ := v.(*schema.Object)
		if ids[i] = o.Text("id"); taken[ids[i]] {
			return nil, sel, 0, errTaken(kind.Part, ids[i])
		}
		taken[ids[i]] = true
	}
	at := ruleAt(n, s.Selection.Rule) + 1
	if chosen := s.Selection.Components(n); len(chosen) > 0 {
		at = chosen[len(chosen)-1] + 1
	}
	if at == 0 {
		at = n.Parts()
		if slices.ContainsFunc(list, func(o *schema.Object) bool { return !isButton(o.Text("type")) }) {
			at = beforeButtons(n)
		}
	}
	sel = Selection{Nodes: s.Selection.Nodes}
	switch last := ids[len(ids)-1]; {
	case t != model.StepNode:
		sel.Rule = last
	case len(ids) > 1:
		sel.Parts = ids
	default:
		sel.Component = last
	}
	tree, err = inserted(s.Form, model.NodePath(i).Key("config").Key(kind.Parts), at, parts)
	return tree, sel, dropped, err
}

// leadsTo returns a function that keeps pointers to the ending and to known nodes except one, and drops and counts the others.
func leadsTo(known map[string]int, but string, dropped *int) func(model.Pointer) model.Pointer {
	return func(p model.Pointer) model.Pointer {
		_, ok := known[string(p)]
		if p == model.EndingID || ok && string(p) != but {
			return p
		}
		*dropped++
		return ""
	}
}

func errTaken(what, id string) error {
	return fmt.Errorf("paste %s: the id %q is taken", what, id)
}

// inserted returns the tree of a form with elements inserted into a list.
func inserted(f *model.Form, path schema.Path, at int, parts []any) (*schema.Object, error) {
	list, err := listAt(f.Tree(), path)
	if err != nil {
		return nil, err
	}
	tree, err := schema.Set(f.Tree(), path, slices.Insert(list, at, parts...))
	root, _ := tree.(*schema.Object)
	return root, err
}

// listAt returns a copy of the array at a path; an absent one is empty. If the path has any other value, the error is schema.ErrNoPlace.
func listAt(tree *schema.Object, path schema.Path) ([]any, error) {
	v, _ := schema.Lookup(tree, path)
	list, ok := v.([]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("paste into %s: %w", path, schema.ErrNoPlace)
	}
	return slices.Clone(list), nil
}

// finished returns the state after an insertion, unless the form would exceed the
// limits of a document.
func finished(s State, tree *schema.Object, sel Selection, err error) (State, error) {
	if err == nil {
		err = WithinLimits(tree)
	}
	if err != nil {
		return s, err
	}
	s.Form, s.Selection = s.Form.Derive(tree), sel
	return s, nil
}
