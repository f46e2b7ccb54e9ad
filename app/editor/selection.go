package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
)

// Selection is the target of the next command. It is immutable. At most one of Component, Rule and Parts is set, and then Nodes contains the
// node to which it belongs.
type Selection struct {
	Nodes     []string // keys of model.Form.Keys, model.StartID and model.EndingID, in the order of selecting
	Component string   // id of a component of the only node
	Rule      string   // id of a rule of the only node
	Parts     []string // ids of components of the only node that are selected together, in the order of selecting
	Edge      *EdgeRef // a way between nodes; Nodes is empty then
}

// EdgeRef identifies an edge by its beginning.
type EdgeRef struct {
	From string // a node's key, or model.StartID
	Port model.Port
}

// SelectNodes returns the selection of the nodes with these keys.
func SelectNodes(keys ...string) Selection { return Selection{Nodes: keys} }

// Has reports whether a node is selected.
func (s Selection) Has(id string) bool { return slices.Contains(s.Nodes, id) }

// Only returns the only selected node, or "" if none or several are selected.
func (s Selection) Only() string {
	if len(s.Nodes) != 1 {
		return ""
	}
	return s.Nodes[0]
}

// Within reports whether parts of the only node are selected, rather than the node.
func (s Selection) Within() bool { return s.Component != "" || s.Rule != "" || len(s.Parts) > 0 }

// Empty reports whether nothing is selected. The inspector then shows the form itself.
func (s Selection) Empty() bool { return len(s.Nodes) == 0 && s.Edge == nil }

// Toggle returns the selection with a node added, or removed if it was selected.
func (s Selection) Toggle(id string) Selection {
	if s.Has(id) {
		return Selection{Nodes: slices.DeleteFunc(slices.Clone(s.Nodes), func(n string) bool { return n == id })}
	}
	return Selection{Nodes: append(slices.Clone(s.Nodes), id)}
}

// TogglePart returns the selection of components of the only node with one added, or removed if it was selected.
func (s Selection) TogglePart(id string) Selection {
	parts := slices.Clone(s.Parts)
	if s.Component != "" {
		parts = []string{s.Component}
	}
	if i := slices.Index(parts, id); i >= 0 {
		parts = slices.Delete(parts, i, i+1)
	} else {
		parts = append(parts, id)
	}
	return Selection{Nodes: s.Nodes, Parts: parts}
}

// Components returns the indexes of the components of a step that are selected, in the order of the step. There are none if n is nil.
func (s Selection) Components(n *model.Node) (at []int) {
	if n == nil {
		return nil
	}
	selected := setOf(s.Parts)
	selected[s.Component], selected[""] = true, false
	for i := range n.Parts() {
		if c := n.Component(i); c != nil && selected[c.ID] {
			at = append(at, i)
		}
	}
	return at
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// Equal reports whether s and t select the same, in the same order.
func (s Selection) Equal(t Selection) bool {
	if (s.Edge == nil) != (t.Edge == nil) || s.Edge != nil && *s.Edge != *t.Edge {
		return false
	}
	return slices.Equal(s.Nodes, t.Nodes) && s.Component == t.Component && s.Rule == t.Rule && slices.Equal(s.Parts, t.Parts)
}

// fewNodes is the number of keys up to which each is looked up separately.
const fewNodes = 8

// within returns the part of s that the form still has.
func (s Selection) within(f *model.Form) Selection {
	keep := func(id string) bool {
		if id == model.StartID || id == model.EndingID {
			return true // a node with that id would have another key
		}
		_, i := f.Node(id)
		return i >= 0
	}
	if len(s.Nodes) > fewNodes {
		all := map[string]bool{model.StartID: true, model.EndingID: true}
		for _, k := range f.Keys() {
			all[k] = true
		}
		keep = func(id string) bool { return all[id] }
	}
	if slices.ContainsFunc(s.Nodes, func(id string) bool { return !keep(id) }) {
		s.Nodes = slices.DeleteFunc(slices.Clone(s.Nodes), func(id string) bool { return !keep(id) })
	}
	if s.Component != "" || s.Rule != "" {
		n, _ := f.Node(s.Only())
		if componentAt(n, s.Component) < 0 {
			s.Component = ""
		}
		if ruleAt(n, s.Rule) < 0 {
			s.Rule = ""
		}
	}
	if len(s.Parts) > 0 {
		n, _ := f.Node(s.Only())
		has := map[string]bool{}
		for _, i := range s.Components(n) {
			has[n.Component(i).ID] = true
		}
		s.Parts = slices.DeleteFunc(slices.Clone(s.Parts), func(id string) bool { return !has[id] })
	}
	if s.Edge != nil {
		if o, ok := f.OutOf(s.Edge.From, s.Edge.Port); !ok || o.To == "" {
			s.Edge = nil
		}
	}
	return s
}

// follow returns the selection after a command that may have changed ids of nodes: if the number of nodes is unchanged, the same nodes stay
// selected.
func (s Selection) follow(was, now *model.Form) Selection {
	sameID := func(a, b *model.Node) bool { return a.ID == b.ID }
	if len(was.Nodes) != len(now.Nodes) || slices.EqualFunc(was.Nodes, now.Nodes, sameID) {
		return s
	}
	to := make(map[string]string, len(was.Nodes))
	keys := now.Keys()
	for i, k := range was.Keys() {
		to[k] = keys[i]
	}
	key := func(k string) string {
		if k, ok := to[k]; ok {
			return k
		}
		return k
	}
	s.Nodes = mapped(s.Nodes, key)
	if s.Edge != nil {
		s.Edge = &EdgeRef{From: key(s.Edge.From), Port: s.Edge.Port}
	}
	return s
}

// renamed returns the selection of the same elements after others have renamed some.
func (s Selection) renamed(r flow.Renames) Selection {
	s.Rule, s.Component = r.Rule(s.Only(), s.Rule), r.Component(s.Component)
	s.Nodes, s.Parts = mapped(s.Nodes, r.Node), mapped(s.Parts, r.Component)
	if s.Edge != nil {
		port := s.Edge.Port
		if id := port.Rule(); id != "" {
			port = model.RulePort(r.Rule(s.Edge.From, id))
		} else if id := port.Jump(); id != "" {
			port = model.JumpPort(r.Component(id))
		}
		s.Edge = &EdgeRef{r.Node(s.Edge.From), port}
	}
	return s
}

func mapped(ids []string, to func(string) string) []string {
	ids = slices.Clone(ids)
	for i, id := range ids {
		ids[i] = to(id)
	}
	return ids
}

// SelectPlace returns the selection of the element that contains a place of the form: a component or rule with its node, a node, or one of
// the two ends. For any other place it is empty.
func SelectPlace(f *model.Form, at model.Place) Selection {
	switch {
	case at.End != "":
		return SelectNodes(at.End)
	case at.Node < 0:
		return Selection{}
	}
	n := f.Nodes[at.Node]
	sel := SelectNodes(f.Keys()[at.Node])
	if c := n.Component(at.Component); c != nil {
		sel.Component = c.ID
	}
	if r := n.Rule(at.Rule); r != nil {
		sel.Rule = r.ID
	}
	return sel
}

// Place returns the place of the only selected element, and false if nothing, several elements or an edge are selected. If several parts
// share the id, it is the place of the first.
func (s Selection) Place(f *model.Form) (model.Place, bool) {
	at := model.Place{Node: -1, Component: -1, Rule: -1}
	switch id := s.Only(); id {
	case "":
	case model.StartID, model.EndingID:
		at.End = id
	default:
		var n *model.Node
		if n, at.Node = f.Node(id); n != nil {
			at.Component, at.Rule = componentAt(n, s.Component), ruleAt(n, s.Rule)
		}
	}
	return at, at.End != "" || at.Node >= 0
}

// componentAt returns the index of a step's first component with an id, -1 for none. It finds nothing for "".
func componentAt(n *model.Node, id string) int {
	step, ok := configOf[*model.Step](n)
	if !ok || id == "" {
		return -1
	}
	return slices.IndexFunc(step.Components, func(c *model.Component) bool { return c.ID == id })
}

// ruleAt is componentAt for the rules of a router.
func ruleAt(n *model.Node, id string) int {
	router, ok := configOf[*model.Router](n)
	if !ok || id == "" {
		return -1
	}
	return slices.IndexFunc(router.Rules, func(r *model.Rule) bool { return r.ID == id })
}

// configOf returns the config of a node, which may be nil, if it is of a type.
func configOf[T model.Config](n *model.Node) (config T, ok bool) {
	if n != nil {
		config, ok = n.Config.(T)
	}
	return config, ok
}
