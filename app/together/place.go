package together

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// place is a property by the ids of what it belongs to, so that it stays the same when others add, move or rename something.
type place struct {
	node, component, rule, hidden string
	rest                          schema.Path // all of the path if it is not in a node and not in a hidden field
}

var hiddenFields = schema.Path{schema.Key("start"), schema.Key("hidden_fields")}

// placeOf returns the place of a path in a form.
func placeOf(f *model.Form, p schema.Path) place {
	at, _ := f.At(p)
	if at.Node < 0 {
		if len(p) > 2 && p.HasPrefix(hiddenFields) && p[2].Index >= 0 && p[2].Index < len(f.Start.Hidden) {
			return place{hidden: f.Start.Hidden[p[2].Index].Key, rest: p[3:]}
		}
		return place{rest: p}
	}
	n := f.Nodes[at.Node]
	of := place{node: n.ID, rest: at.Rest}
	if c := n.Component(at.Component); c != nil {
		of.component = c.ID
	} else if r := n.Rule(at.Rule); r != nil {
		of.rule = r.ID
	}
	return of
}

// key names the place. A component has the same name in every step.
func (of place) key() string {
	switch {
	case of.hidden != "":
		return strings.Join([]string{hiddenFields.String(), of.hidden, of.rest.String()}, " ")
	case of.component != "":
		of.node = ""
	case of.node == "":
		return of.rest.String()
	}
	return strings.Join([]string{of.node, of.component + of.rule, of.rest.String()}, " ")
}

// element is the place of what the property belongs to.
func (of place) element() place {
	of.rest = nil
	return of
}

// path returns the path of the place in a form, nil if the form does not have what the property belongs to.
func (of place) path(f *model.Form) schema.Path { return newFinder(f).path(of) }

// finder finds many places in a form. It indexes each list once.
type finder struct {
	form   *model.Form
	nodes  map[string]int
	hidden map[string]int
	rules  map[int]map[string]int // of a node
}

func newFinder(f *model.Form) *finder { return &finder{form: f, rules: map[int]map[string]int{}} }

// indexes returns the first index of each id of a list.
func indexes(n int, id func(i int) string) map[string]int {
	m := make(map[string]int, n)
	for i := range n {
		if _, ok := m[id(i)]; !ok {
			m[id(i)] = i
		}
	}
	return m
}

// path is place.path.
func (fd *finder) path(of place) schema.Path {
	f := fd.form
	switch {
	case of.hidden != "":
		if fd.hidden == nil {
			fd.hidden = indexes(len(f.Start.Hidden), func(i int) string { return f.Start.Hidden[i].Key })
		}
		if i, ok := fd.hidden[of.hidden]; ok {
			return hiddenFields.Index(i).Join(of.rest)
		}
		return nil
	case of.component != "":
		if _, i, j := f.Component(of.component); i >= 0 {
			return model.ComponentPath(i, j).Join(of.rest)
		}
		return nil
	case of.node == "":
		return of.rest
	}
	if fd.nodes == nil {
		fd.nodes = indexes(len(f.Nodes), func(i int) string { return f.Nodes[i].ID })
	}
	i, ok := fd.nodes[of.node]
	switch {
	case !ok:
		return nil
	case of.rule == "":
		return model.NodePath(i).Join(of.rest)
	}
	if fd.rules[i] == nil {
		n := 0
		for f.Nodes[i].Rule(n) != nil {
			n++
		}
		fd.rules[i] = indexes(n, func(j int) string { return f.Nodes[i].Rule(j).ID })
	}
	if j, ok := fd.rules[i][of.rule]; ok {
		return model.RulePath(i, j).Join(of.rest)
	}
	return nil
}

// renamed returns the place after elements were renamed.
func (of place) renamed(r flow.Renames) place {
	of.node, of.component, of.rule, of.hidden = r.Node(of.node), r.Component(of.component), r.Rule(of.node, of.rule), r.HiddenField(of.hidden)
	return of
}
