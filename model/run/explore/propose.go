package explore

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/run/template/hash"
	"github.com/formgraph/formgraph/model/schema"
)

// Proposal is a value that a flow may return in a variable, and that makes a difference to the routers behind the flow.
type Proposal struct {
	Variable string // its path within vars, as in user.level
	Value    any    // a tree, which must not be changed; nil if the variable is to stay without a value
	Defined  bool   // whether there is a value
	Named    bool   // whether a condition names the value
	Other    bool   // whether the value stands for all that no condition names
}

// Limits of Propose.
const (
	maxProposedVariables = 3
	maxProposedValues    = 6   // of a variable
	maxBehind            = 500 // nodes that are visited
)

// Propose returns values to try for the flow at a node: for each variable that the routers behind it compare with values, those values, and one
// value for each other outcome of the comparisons. It returns at most three variables, in the order in which a run comes to them, with at most
// six values each. It does not look behind another flow.
func Propose(f *model.Form, node string) (list []Proposal) {
	var asked []*question
	var conditions []flow.Condition
	for _, n := range behind(f, node) {
		for _, rule := range n.Rules {
			if c, ok := flow.ParseCondition(rule.Condition); ok {
				conditions = append(conditions, c)
				asked = questions(c, asked)
			}
		}
	}
	if len(asked) == 0 {
		return nil
	}
	tried := NewTrier(f).Try(conditions)
	for _, q := range asked[:min(len(asked), maxProposedVariables)] {
		list = append(list, q.proposals(tried)...)
	}
	return list
}

// behind returns the routers to which a run can come from a node before it comes to a flow, the nearest first.
func behind(f *model.Form, node string) (routers []*model.Router) {
	_, from := f.Node(node)
	if from < 0 {
		return nil
	}
	seen, queue := map[int]bool{from: true}, []int{from}
	for at := 0; at < len(queue) && at < maxBehind; at++ {
		if r, ok := f.Nodes[queue[at]].Config.(*model.Router); ok {
			routers = append(routers, r)
		}
		for _, o := range f.Outs(queue[at]) {
			n, i := f.Node(string(o.To))
			if n == nil || seen[i] || n.Type == model.FlowNode {
				continue
			}
			seen[i] = true
			queue = append(queue, i)
		}
	}
	return routers
}

// question is a variable that conditions compare with values that are not those of variables.
type question struct {
	path        schema.Path // the first element is the name of the variable
	name        string
	comparisons []*condition.Condition
	named       []any // values that comparisons name, in order
	patterns    []any // of comparisons with patterns
}

// questions adds the variables that a condition compares with values.
func questions(c flow.Condition, list []*question) []*question {
	switch c := c.(type) {
	case *flow.Group:
		for _, of := range c.Of {
			list = questions(of, list)
		}
	case *flow.Comparison:
		var ref template.Variable
		var literals []any
		for _, operand := range c.Operands {
			refs, single, literal := read(operand)
			switch {
			case len(refs) == 0:
				literals = append(literals, literal)
			case !single || ref.Namespace != "":
				return list // it is compared with a variable, or only a part of a text
			default:
				ref = refs[0]
			}
		}
		name, ok := nameOf(ref)
		if !ok {
			return list
		}
		i := slices.IndexFunc(list, func(q *question) bool { return q.name == name })
		if i < 0 {
			i, list = len(list), append(list, &question{path: ref.Path, name: name})
		}
		list[i].note(c, literals)
	}
	return list
}

// nameOf returns the path of a variable within vars as people write it. It returns false for any other variable, and for one that they cannot
// write.
func nameOf(ref template.Variable) (name string, ok bool) {
	var keys []string
	for _, e := range ref.Path {
		if e.Index >= 0 || e.Key == "" || strings.Contains(e.Key, ".") {
			return "", false
		}
		keys = append(keys, e.Key)
	}
	return strings.Join(keys, "."), ref.Namespace == vars && len(keys) > 0
}

// note adds a comparison of the variable with literals.
func (q *question) note(c *flow.Comparison, literals []any) {
	q.comparisons = append(q.comparisons, condition.Compile((&flow.Group{Operator: flow.And, Of: []flow.Condition{c}}).Tree()))
	switch c.Operator {
	case "EQ", "NEQ", "GT", "GTE", "LT", "LTE", "BETWEEN", "NOT_BETWEEN":
		q.named = append(q.named, literals...)
	case "IN", "NOT_IN":
		for _, v := range literals {
			if in, ok := v.([]any); ok {
				q.named = append(q.named, in...)
			}
		}
	case "MATCHES", "NOT_MATCHES":
		q.patterns = append(q.patterns, literals...)
	}
	for _, v := range literals {
		if is, ok := v.(bool); ok {
			q.named = append(q.named, !is)
		}
	}
}

// outcome returns the verdicts of all comparisons about a value, a letter each.
func (q *question) outcome(value any, defined bool) string {
	env := &template.Env{Hash: hash.Hex, Lookup: func(namespace string, path schema.Path) (any, bool) {
		return value, defined && namespace == vars && path.Equal(q.path)
	}}
	verdicts := make([]byte, len(q.comparisons))
	for i, c := range q.comparisons {
		verdicts[i] = c.Judge(env).Verdict.String()[0]
	}
	return string(verdicts)
}

// proposals returns the values that comparisons name, and for each other outcome one of the values that are tried for the variable.
func (q *question) proposals(tried []Tried) (list []Proposal) {
	known := map[string]bool{}
	add := func(p Proposal) {
		p.Variable = q.name
		list = append(list, p)
		known[q.outcome(p.Value, p.Defined)] = true
	}
	is := func(v any) func(any) bool { return func(w any) bool { return schema.Equal(v, w) } }
	for i, v := range q.named {
		if len(list) < maxProposedValues-1 && !slices.ContainsFunc(q.named[:i], is(v)) {
			add(Proposal{Value: v, Defined: true, Named: true})
		}
	}
	for _, v := range q.ordinary(tried) {
		if len(list) < maxProposedValues && !known[q.outcome(v, true)] {
			add(Proposal{Value: v, Defined: true, Other: slices.Contains(others, v)})
		}
	}
	if len(list) < maxProposedValues && !known[q.outcome(nil, false)] {
		add(Proposal{})
	}
	return list
}

// ordinary returns the values that are tried for the variable, with lists and the patterns of comparisons last.
func (q *question) ordinary(tried []Tried) (values []any) {
	var last []any
	for _, t := range tried {
		if t.Namespace != vars || t.Key != q.path[0].Key {
			continue
		}
		for _, of := range t.Values {
			v, ok := template.At(of.Value, q.path[1:])
			_, several := v.([]any)
			switch {
			case !ok || !of.Defined:
			case several || slices.ContainsFunc(q.patterns, func(p any) bool { return schema.Equal(p, v) }):
				last = append(last, v)
			default:
				values = append(values, v)
			}
		}
	}
	return append(values, last...)
}
