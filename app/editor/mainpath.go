package editor

import (
	"slices"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// mainPath returns the ways of a form's main path, in order: from Start by the next node of each step and flow, and at a router by the first
// rule that has a target, else by its fallback. Where that goes round in a circle it takes the next way that leads to the ending. The last way
// leads to the ending or nowhere, or back if no way does either.
func mainPath(f *model.Form) []EdgeRef {
	places := placesOf(f)
	seen := map[string]bool{model.StartID: true}
	path := []branch{{from: model.StartID, outs: []model.Out{f.StartOut()}}}
	var open, round []EdgeRef // the first path that leads nowhere, and the first that leads back
	for len(path) > 0 {
		top := &path[len(path)-1]
		if top.next == len(top.outs) {
			path = path[:len(path)-1]
			continue
		}
		out := top.outs[top.next]
		top.next++
		to := string(out.To)
		i, known := places[to]
		switch {
		case out.To == model.EndingID:
			return waysOn(path)
		case !known && open == nil:
			open = waysOn(path)
		case !known:
		case seen[to]:
			if round == nil {
				round = waysOn(path)
			}
		default:
			seen[to] = true
			path = append(path, branch{from: to, outs: onwards(f, i)})
		}
	}
	if open != nil {
		return open
	}
	return round
}

// branch is a node of a path, and the ways out of it of which those before next have been taken.
type branch struct {
	from string
	outs []model.Out
	next int
}

// waysOn returns the ways that were taken last on a path.
func waysOn(path []branch) []EdgeRef {
	ways := make([]EdgeRef, len(path))
	for i, b := range path {
		ways[i] = EdgeRef{From: b.from, Port: b.outs[b.next-1].Port}
	}
	return ways
}

// onwards returns the ways out of the i-th node that have a target, in the order in which the main path prefers them: a router's rules before
// its fallback, and the next node before the jump buttons. Without any target it is the next way, or the fallback.
func onwards(f *model.Form, i int) []model.Out {
	outs := f.Outs(i)
	if len(outs) == 0 {
		return nil
	}
	last := outs[len(outs)-1]
	if last.Port == model.NextPort {
		outs = append([]model.Out{last}, outs[:len(outs)-1]...)
	}
	var led []model.Out
	for _, o := range outs {
		if o.To != "" {
			led = append(led, o)
		}
	}
	if led == nil {
		return []model.Out{last}
	}
	return led
}

// wayAtEnd returns the way out at the end of the main path, on which a node is added when nothing says where.
func wayAtEnd(f *model.Form) EdgeRef {
	if path := mainPath(f); len(path) > 0 {
		return path[len(path)-1]
	}
	return EdgeRef{From: model.StartID, Port: model.NextPort}
}

// StepToFill returns the key of the step to which a component is added: the only selected node or, if that is not a step, the step that was
// selected last, else the last one on the main path, else the last of the form. It is "" if the form has no step.
func (m Maker) StepToFill() string {
	f := m.state.Form
	for _, key := range []string{m.state.Selection.Only(), m.touched} {
		if isStep(f, key) {
			return key
		}
	}
	path := mainPath(f)
	for _, way := range slices.Backward(path) {
		if isStep(f, way.From) {
			return way.From
		}
	}
	keys := f.Keys()
	for i, n := range slices.Backward(f.Nodes) {
		if n.Type == model.StepNode {
			return keys[i]
		}
	}
	return ""
}

// Fill returns the command that adds a component of a kind to the step of StepToFill: after the selected component, unless that is one of the
// buttons at the end. Without a step it adds one. scene is the scene of the form.
func (m Maker) Fill(k *model.Kind, scene *graph.Scene) Command {
	step, s, index := m.StepToFill(), m.state, -1
	if step == "" {
		return m.StepWith(k, SpotOn(WayToAdd(s), scene))
	}
	n, _ := s.Form.Node(step)
	if at := componentAt(n, s.Selection.Component); step == s.Selection.Only() && at >= 0 && !n.Component(at).Button() {
		index = at + 1
	}
	return m.Component(k, step, index)
}

// isStep reports whether a key is the key of a step.
func isStep(f *model.Form, key string) bool {
	n, _ := f.Node(key)
	return n != nil && n.Type == model.StepNode
}

// Opening returns the selection with which a form opens. In a new form, whose only step has nothing but buttons, it is that step, so that what
// is added first goes into or after it. In any other form it is empty.
func Opening(f *model.Form) Selection {
	if len(f.Nodes) == 1 && f.Nodes[0].Type == model.StepNode && beforeButtons(f.Nodes[0]) == 0 {
		return SelectNodes(f.Keys()[0])
	}
	return Selection{}
}
