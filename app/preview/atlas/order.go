package atlas

import (
	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

// found is a step and whether a path from the start leads to it.
type found struct {
	node      *model.Node
	reachable bool
}

// order returns the steps of a form in the order in which people meet them: those with fewer nodes on the way from the start first, and
// those that nobody reaches last, in the order of the form. A pointer leads to the first node with its id, so of several nodes with an id
// only the first is reached.
func order(f *model.Form) []found {
	lost := map[int]bool{}
	for _, x := range flow.Prove(f) {
		if p := x.Problem.Path; x.Problem.Code == schema.CodeUnreachable && len(p) == 2 {
			lost[p[1].Index] = true
		}
	}
	var steps []found
	seen := make([]bool, len(f.Nodes))
	queue := []model.Pointer{f.Start.Next}
	for ; len(queue) > 0; queue = queue[1:] {
		n, i := f.Node(string(queue[0]))
		if i < 0 || seen[i] || lost[i] {
			continue
		}
		seen[i] = true
		if n.Type == model.StepNode {
			steps = append(steps, found{n, true})
		}
		for _, out := range f.Outs(i) {
			queue = append(queue, out.To)
		}
	}
	for i, n := range f.Nodes {
		if !seen[i] && n.Type == model.StepNode {
			steps = append(steps, found{n, false})
		}
	}
	return steps
}

// way is where a button or a rule leads.
type way struct {
	Words string // the button or rule
	To    place
}

// place is where a way leads, directly or in the end.
type place struct {
	Words  string
	Number int    // of a step, 0 for others
	Then   *place // after a flow
	Ways   []way  // of a router
}

// ways returns where the buttons of a step lead, in their order.
func (a *atlas) ways(n *model.Node) []way {
	step, ok := n.Config.(*model.Step)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	var list []way
	for _, c := range step.Components {
		w := way{Words: caption.Component(c)}
		switch run.PressOf(c) {
		case run.NoPress:
			continue
		case run.PressNext:
			w.To = a.place(step.Next, seen)
		case run.PressJump:
			out, _ := a.form.OutOf(n.ID, model.JumpPort(c.ID))
			w.To = a.place(out.To, seen)
		case run.PressPrevious:
			w.To.Words = "the step before"
		case run.PressResend:
			w.To.Words = "this step again, after a flow"
		}
		list = append(list, w)
	}
	return list
}

// place describes a target. It follows flows and routers, each once.
func (a *atlas) place(to model.Pointer, seen map[string]bool) place {
	switch to {
	case "":
		return place{Words: "nowhere yet"}
	case model.EndingID:
		return place{Words: "the ending"}
	}
	n, i := a.form.Node(string(to))
	if i < 0 {
		return place{Words: "a node that does not exist: " + model.IDTitle(string(to))}
	}
	p := place{Words: n.Title()}
	if n.Type == model.StepNode {
		p.Number = a.numbers[n.ID]
		return p
	}
	if seen[n.ID] {
		p.Words += ", as above"
		return p
	}
	seen[n.ID] = true
	switch config := n.Config.(type) {
	case *model.Step: // above
	case *model.Flow:
		then := a.place(config.Next, seen)
		p.Then = &then
	case *model.Router:
		for i, r := range config.Rules {
			p.Ways = append(p.Ways, way{"if " + caption.Rule(a.form.Fields(), r, i), a.place(r.Next, seen)})
		}
		p.Ways = append(p.Ways, way{"otherwise", a.place(config.Fallback, seen)})
	}
	return p
}

// ending says what happens at the end of a form.
func ending(f *model.Form) string {
	words := "The form ends."
	if f.Ending.Target != "" {
		words = "The form ends, and the browser goes to " + f.Ending.Target + "."
	} else if f.Ending.ResumeFlow {
		words = "The form ends, and the journey that opened it continues."
	}
	if f.Ending.FlowID != "" {
		words += " A flow runs after it."
	}
	return words
}
