package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Prover analyses the forms of one editing session. It remembers the last one: after an edit that changed no pointer, id, order or button
// it returns the same findings, and only describes them again if the name of a node changed. Nodes that two forms share cost only a
// comparison of pointers. The zero Prover is ready to use. It is not safe for concurrent use.
type Prover struct {
	Quoted bool // the findings have the names of nodes in quotation marks

	form     *model.Form
	analysis *analysis
	findings []Finding
}

// Prove returns the result of flow.Prove. The caller must not change the slice, and later calls do not change it either. Witnesses may come
// from an earlier form that has the same ones.
func (p *Prover) Prove(f *model.Form) []Finding {
	graph, names := p.compare(f)
	switch {
	case !graph:
		p.analysis = prove(f)
		p.analysis.quoted = p.Quoted
		p.findings = p.analysis.findings()
	case !names && len(p.findings) > 0:
		renamed, reworded := *p.analysis.graph, *p.analysis
		renamed.form, reworded.graph = f, &renamed
		p.analysis = &reworded
		p.findings = reworded.findings()
	}
	p.form = f
	return p.findings
}

// Warnings returns the result of flow.Warnings.
func (p *Prover) Warnings(f *model.Form) schema.Problems {
	ps := model.Warnings(f)
	for _, finding := range p.Prove(f) {
		ps = append(ps, finding.Problem)
	}
	schema.Sort(f.Tree(), ps)
	return ps
}

// compare reports whether f has the graph of the last form at the same places in the document, and whether its nodes have the same names.
func (p *Prover) compare(f *model.Form) (graph, names bool) {
	if p.form == nil || !slices.Equal(topOrder(p.form), topOrder(f)) || !SameWays(p.form, f) {
		return false, false
	}
	return true, slices.EqualFunc(p.form.Nodes, f.Nodes, func(was, is *model.Node) bool { return was == is || was.Alias == is.Alias })
}

// SameWays reports whether two forms have the same nodes by id, in the same order and with the same Ways at the same paths. For nodes that the
// forms share, it compares only pointers.
func SameWays(a, b *model.Form) bool {
	if len(a.Nodes) != len(b.Nodes) || a.Start.Next != b.Start.Next {
		return false
	}
	for i, was := range a.Nodes {
		is := b.Nodes[i]
		if was != is && (was.ID != is.ID || (was.Tree() == nil) != (is.Tree() == nil) || !sameWays(a, b, i)) {
			return false
		}
	}
	return true
}

// sameWays reports whether the i-th node has the same ways out, at the same
// places in the document, and needs the same ones.
func sameWays(a, b *model.Form, i int) bool {
	was, is := a.Nodes[i].Config, b.Nodes[i].Config
	if was == is {
		return true
	}
	switch was := was.(type) {
	case *model.Step:
		is, ok := is.(*model.Step)
		if !ok || exitsOf(was) != exitsOf(is) {
			return false
		}
	case *model.Router:
		// Dead ends are in the order of the router's members.
		if _, ok := is.(*model.Router); !ok || fallbackFirst(a.Nodes[i]) != fallbackFirst(b.Nodes[i]) {
			return false
		}
	case *model.Flow:
		if _, ok := is.(*model.Flow); !ok {
			return false
		}
	case nil:
		return false
	}
	return slices.EqualFunc(a.Outs(i), b.Outs(i), func(x, y model.Out) bool {
		return x.Port == y.Port && x.To == y.To && x.Path.Equal(y.Path)
	})
}

// topOrder lists, in document order, the members of a form that may have findings. A
// finding about an absent member has another place in the document.
func topOrder(f *model.Form) []string {
	var order []string
	for _, m := range f.Tree().Members() {
		switch m.Key {
		case "start", "nodes", "ending":
			order = append(order, m.Key)
		}
	}
	return order
}

// fallbackFirst reports whether a router's fallback comes before its rules. An absent one does.
func fallbackFirst(n *model.Node) bool {
	for _, m := range n.Tree().Object("config").Members() {
		switch m.Key {
		case "fallback":
			return true
		case "rules":
			return !n.Tree().Object("config").Has("fallback")
		}
	}
	return true
}
