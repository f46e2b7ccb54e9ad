package run

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/condition"
)

// Program is a form that is ready to run. It is immutable and safe for concurrent use.
type Program struct {
	form  *model.Form
	nodes map[string]int                       // the first node with each id, to which pointers lead
	rules map[*model.Rule]*condition.Condition // of all routers
}

// NewProgram prepares a form, in time and memory linear in it. The form may have problems: a run stops where it cannot continue.
func NewProgram(f *model.Form) *Program {
	p := &Program{form: f, nodes: make(map[string]int, len(f.Nodes)), rules: map[*model.Rule]*condition.Condition{}}
	for i, n := range f.Nodes {
		if _, taken := p.nodes[n.ID]; !taken && n.ID != "" {
			p.nodes[n.ID] = i
		}
		if router, ok := n.Config.(*model.Router); ok {
			for _, rule := range router.Rules {
				p.rules[rule] = condition.Compile(rule.Condition)
			}
		}
	}
	return p
}

// Form returns the form.
func (p *Program) Form() *model.Form { return p.form }

// Node returns the node to which a pointer leads, nil if there is none.
func (p *Program) Node(id string) *model.Node {
	if i, ok := p.nodes[id]; ok {
		return p.form.Nodes[i]
	}
	return nil
}

// Index returns the index of the node to which a pointer leads, and false if there is none.
func (p *Program) Index(id string) (int, bool) {
	i, ok := p.nodes[id]
	return i, ok
}

// Condition returns the prepared condition of a rule of the form.
func (p *Program) Condition(r *model.Rule) *condition.Condition { return p.rules[r] }

// step returns the config of a STEP node, nil if the node is missing or of another type.
func (p *Program) step(id string) *model.Step {
	n := p.Node(id)
	if n == nil {
		return nil
	}
	s, _ := n.Config.(*model.Step)
	return s
}

// component returns the first component of a step with an id, nil if there is none.
func component(s *model.Step, id string) *model.Component {
	if s == nil || id == "" {
		return nil
	}
	for _, c := range s.Components {
		if c.ID == id {
			return c
		}
	}
	return nil
}
