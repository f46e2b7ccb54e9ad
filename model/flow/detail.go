package flow

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// findings returns the findings with their descriptions, in document order.
func (p *analysis) findings() []Finding {
	if len(p.found) == 0 {
		return nil
	}
	g := p.graph
	problems := make(schema.Problems, len(p.found))
	for i, at := range p.found {
		// The offset carries the index through the sort, which moves only problems.
		problems[i] = schema.Problem{Path: p.path(at), Code: at.code, Offset: i}
	}
	schema.Sort(g.form.Tree(), problems)
	out := make([]Finding, len(problems))
	for i, problem := range problems {
		at := p.found[problem.Offset]
		problem.Offset, problem.Detail = -1, p.detail(at)
		out[i] = Finding{Problem: problem, analysis: p, site: at}
	}
	return out
}

func (p *analysis) path(at site) schema.Path {
	switch at.code {
	case schema.CodeDeadEnd:
		return at.dead.Path
	case schema.CodeNoEnding:
		return schema.Path{schema.Key("ending")}
	default:
		return model.NodePath(at.at)
	}
}

func (p *analysis) detail(at site) string {
	switch at.code {
	case schema.CodeUnreachable:
		if before := p.journeys.nodes[at.at] - 1; before > 0 {
			return "cannot be reached from the start, only by " + p.named(at.at, before)
		}
		return "cannot be reached from the start"
	case schema.CodeDeadEnd:
		if at.at == p.graph.start() {
			return "leads nowhere: a journey ends before it begins"
		}
		return "leads nowhere: a journey through " + p.by(at.at) + " ends here"
	case schema.CodeNoButton:
		return "has no button that leads on: a journey through " + p.by(at.at) + " stays here"
	case schema.CodeTrap:
		return "cannot be left: a journey loops through " + p.roundNames(at.at)
	case schema.CodeLoop:
		if len(p.rounds[at.at]) == 1 {
			return "can loop forever: a way leads from it back to itself"
		}
		return "can loop forever: nothing changes on the way through " + p.roundNames(at.at)
	default: // no_ending
		if at.at == p.graph.start() {
			return "cannot be reached: the start leads to no node"
		}
		if p.trapped(at.at) {
			return "cannot be reached: a journey through " + p.by(at.at) + " loops forever"
		}
		return "cannot be reached: a journey through " + p.by(at.at) + " stops there"
	}
}

// by names the nodes on the journey to v, including v.
func (p *analysis) by(v int) string { return p.named(v, p.journeys.nodes[v]) }

// named names the first nodes on the journey to v, up to count.
func (p *analysis) named(v, count int) string {
	return p.names(p.journeys.head[v][:min(count, headLen)], count)
}

func (p *analysis) roundNames(v int) string {
	hops := p.rounds[v]
	var first []int
	for _, h := range hops[:min(len(hops), headLen)] {
		first = append(first, h.from)
	}
	return p.names(first, len(hops))
}

// trapped reports whether a journey that is stuck at v, the nearest such place, can still continue from node to node.
func (p *analysis) trapped(v int) bool {
	for _, w := range p.graph.ways(v) {
		if w >= 0 {
			return true
		}
	}
	return false
}

// names lists nodes, and says how many of count are not listed.
func (p *analysis) names(first []int, count int) string {
	names := make([]string, len(first))
	for i, v := range first {
		names[i] = p.name(p.graph.form.Nodes[v])
	}
	s := strings.Join(names, ", ")
	if more := count - len(first); more > 0 {
		s += " … and " + strconv.Itoa(more) + " more"
	}
	return s
}

// maxName bounds a node's name in a detail, in code points: three of them and
// the longest sentence stay within 160.
const maxName = 24

// name returns the alias of a node, else its id, in quotation marks if the findings have them.
func (p *analysis) name(n *model.Node) string {
	for _, s := range []string{n.Alias, n.ID} {
		if s = printable(s); s != "" && p.quoted {
			return schema.Quote(s)
		} else if s != "" {
			return s
		}
	}
	return "a node without an id"
}

// printable returns the beginning of s, with spaces in place of unprintable characters, since details are also printed as lines in a
// terminal.
func printable(s string) string {
	var out []rune
	for _, r := range s {
		if len(out) == maxName {
			out[maxName-1] = '…'
			break
		}
		if !strconv.IsPrint(r) {
			r = ' '
		}
		out = append(out, r)
	}
	return strings.TrimSpace(string(out))
}
