package problems

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Sources are where the panel finds what only other parts know. Each may be nil.
type Sources struct {
	// Refused returns the problems that the server found in the last save.
	Refused func() schema.Problems
	// Hints returns what is probably wrong with references to fields, by the path of the text.
	Hints func() map[string][]inspector.Hint
	// Flaws returns what is wrong with rules.
	Flaws func() []message.Flaw
	// Checking reports whether Flaws may soon return more.
	Checking func() bool
}

// rank is why something is listed. Only own problems block a save.
type rank int

const (
	own rank = iota
	inherited
	warned
	refused
	hinted // a reference or a rule: a warning that the editor itself does not know
)

// notes say what the ranks mean, "" for what needs no words.
var notes = [...]string{inherited: "Already in the saved form", refused: "Refused by the server"}

// remark is a line of the list.
type remark struct {
	schema.Problem
	rank  rank
	index int             // in the list of all
	hint  *inspector.Hint // of a remark of rank hinted, as is flaw
	flaw  *message.Flaw
	// behind has the remarks that go with this one: about the nodes that are unreachable because this one is.
	behind  []*remark
	follows bool // it is in behind of another one
}

// problem reports whether the remark is a problem, and not a warning.
func (r *remark) problem() bool { return r.rank == own || r.rank == inherited || r.rank == refused }

// remarks returns everything that is listed: first the person's problems, those that the saved form has already, the warnings, and those that
// the server found in the last save. Saver.Banner relies on this order.
func (p *Panel) remarks() []*remark {
	var all []*remark
	add := func(of rank, list schema.Problems) {
		for i := range list {
			all = append(all, &remark{Problem: list[i], rank: of, index: len(all)})
		}
	}
	add(own, p.Editor.Found().Own())
	add(inherited, p.Editor.Found().Inherited())
	add(warned, p.Editor.Found().Warnings())
	if p.Refused != nil {
		add(refused, p.Refused())
	}
	if p.Hints != nil {
		all = p.addHints(all)
	}
	if p.Flaws != nil {
		flaws := p.Flaws()
		for i := range flaws {
			f := &flaws[i]
			if path, err := schema.ParsePath(f.Path); err == nil {
				pr := schema.Problem{Path: path, Detail: strings.TrimSuffix(f.Text, "."), Offset: -1}
				all = append(all, &remark{Problem: pr, rank: hinted, index: len(all), flaw: f, hint: noHint})
			}
		}
	}
	for _, pr := range p.lacking() {
		all = append(all, &remark{Problem: pr, rank: hinted, index: len(all), flaw: noFlaw, hint: noHint})
	}
	return all
}

// lack are the flows that the tenant is known to lack: those of a form, by the names of flows.
type lack struct {
	form  *model.Form
	flows []formapi.Flow
	found schema.Problems
}

// lacking returns the places of flows that the tenant is known to lack, except those that have a warning already. They are found once for each form
// and list of flows.
func (p *Panel) lacking() schema.Problems {
	form := p.Editor.State().Form
	if p.lack.form == form && slices.Equal(p.lack.flows, p.Flows) {
		return p.lack.found
	}
	p.lack = lack{form: form, flows: p.Flows}
	for _, ref := range form.Lacking(p.FlowNames()) {
		if !form.Odd(ref) {
			p.lack.found = append(p.lack.found, schema.Problem{Path: ref.Path, Detail: strings.TrimSuffix(workspace.NoSuchFlow(ref.ID), "."), Offset: -1})
		}
	}
	return p.lack.found
}

// noHint and noFlaw stand for none.
var (
	noHint = &inspector.Hint{}
	noFlaw = &message.Flaw{}
)

// addHints adds the hints in document order.
func (p *Panel) addHints(all []*remark) []*remark {
	hints := p.Hints()
	var ps schema.Problems
	for text, list := range hints {
		if path, err := schema.ParsePath(text); err == nil {
			for i := range list {
				ps = append(ps, schema.Problem{Path: path, Detail: strings.TrimSuffix(list[i].Text, "."), Offset: i})
			}
		}
	}
	schema.Sort(p.Editor.State().Form.Tree(), ps)
	for i := range ps {
		hint := &hints[ps[i].Path.String()][ps[i].Offset]
		all = append(all, &remark{Problem: ps[i], rank: hinted, index: len(all), hint: hint, flaw: noFlaw})
	}
	return all
}

// group is the remarks about a node, an end or the form.
type group struct {
	key        string // of the node or end, "" for the form
	name, icon string
	list       []*remark
}

// groups returns the remarks that the filter shows, by what they are about: first the form, then the start, the nodes in their order and the
// ending. In each, problems come before warnings.
func (p *Panel) groups(all []*remark) []*group {
	f := p.Editor.State().Form
	keys := f.Keys()
	places := make(map[string]int, len(keys)+2)
	order := append(append([]string{"", model.StartID}, keys...), model.EndingID)
	for i, key := range order {
		places[key] = i
	}
	out := make([]*group, len(order))
	for _, r := range p.folded(all) {
		at, inGraph := f.At(r.Path)
		key := at.End
		if key == "" && inGraph {
			key = keys[at.Node]
		}
		g := out[places[key]]
		if g == nil {
			g = &group{key: key}
			out[places[key]] = g
			if g.name, g.icon = describe.Target(f, r.Path); at.Node >= 0 && inGraph {
				g.name, g.icon = f.Nodes[at.Node].Name(), describe.NodeIcon(f.Nodes[at.Node])
			}
		}
		g.list = append(g.list, r)
	}
	return slices.DeleteFunc(out, func(g *group) bool { return g == nil })
}

// folded returns the remarks that the filter shows, those about nodes behind another unreachable one below the remark about that one.
func (p *Panel) folded(all []*remark) (list []*remark) {
	causes := map[int]*remark{} // by the indexes of their nodes
	selected := map[string]bool{}
	for _, key := range p.Editor.State().Selection.Nodes {
		selected[key] = true
	}
	keys := p.Editor.State().Form.Keys()
	for _, r := range all {
		if r.behind = nil; !p.shows(r, keys, selected) {
			continue
		}
		if list = append(list, r); r.rank == warned && r.Code == schema.CodeUnreachable {
			causes[model.PlaceOf(r.Path).Node] = r
		}
	}
	if len(causes) < 2 {
		return list
	}
	behind := map[int]int{} // the nodes that would be reached if another unreachable one were
	for _, f := range p.Editor.Found().Graph() {
		if first, ok := f.Behind(); ok {
			behind[model.PlaceOf(f.Problem.Path).Node] = first
		}
	}
	return slices.DeleteFunc(list, func(r *remark) bool {
		node := model.PlaceOf(r.Path).Node
		first, ok := behind[node]
		if !ok || causes[node] != r || causes[first] == nil {
			return false
		}
		r.follows = true
		causes[first].behind = append(causes[first].behind, r)
		return true
	})
}

// shows reports whether the filter shows a remark. keys are those of the form's nodes, and selected has the ones that are selected.
func (p *Panel) shows(r *remark, keys []string, selected map[string]bool) bool {
	if p.only == onlyProblems && !r.problem() || p.only == onlyWarnings && r.problem() {
		return false
	}
	if !p.selected {
		return true
	}
	s := p.Editor.State()
	at, inGraph := s.Form.At(r.Path)
	if !inGraph || at.Node < 0 {
		return selected[at.End]
	}
	n := s.Form.Nodes[at.Node]
	c, rule := n.Component(at.Component), n.Rule(at.Rule)
	switch {
	case !selected[keys[at.Node]]:
		return false
	case s.Selection.Component != "":
		return c != nil && c.ID == s.Selection.Component
	case s.Selection.Rule != "":
		return rule != nil && rule.ID == s.Selection.Rule
	}
	return true
}

// fixes returns the changes that remove what a remark is about.
func (p *Panel) fixes(r *remark) (out []editor.Fix) {
	if p.ReadOnly() {
		return nil
	}
	if r.rank != hinted {
		if fix, ok := p.Editor.Make().Fix(r.Problem); ok {
			return []editor.Fix{fix}
		}
		fixes := p.Editor.Make().Reach(r.Problem)
		if len(fixes) == 1 && p.follows(r) {
			return nil // what comes before it is to be reached, and not the node to be deleted
		}
		return fixes
	}
	if instead := r.hint.Instead(); instead != "" {
		if v, ok := schema.Lookup(p.Editor.State().Form.Tree(), r.Path); ok {
			text, _ := v.(string)
			out = append(out, editor.Fix{Name: "Use " + instead, Command: editor.Set{Path: r.Path, Value: r.hint.Correct(text)}})
		}
	}
	at := model.PlaceOf(r.Path)
	if at.Rule < 0 {
		return out
	}
	if r.flaw.Moves {
		list := r.Path[:len(r.Path)-len(at.Rest)-1]
		out = append(out, editor.Fix{Name: "Move above rule " + number(r.flaw.Before), Command: editor.MoveItem{
			List: list, From: at.Rule, To: r.flaw.Before, Name: "rule",
		}})
	}
	if r.flaw.Removes {
		out = append(out, editor.Fix{Name: "Delete the rule", Command: editor.RemoveItem{Path: r.Path[:len(r.Path)-len(at.Rest)], Name: "rule"}})
	}
	return out
}

// follows reports whether a remark is about a node behind another unreachable one.
func (p *Panel) follows(r *remark) bool {
	_, ok := p.finding(r).Behind()
	return ok
}

// finding returns the finding that a remark is about, the zero Finding if it is about something else.
func (p *Panel) finding(r *remark) flow.Finding {
	form := p.Editor.State().Form
	if p.proved.form != form {
		p.proved = proved{form, map[string]flow.Finding{}}
		for _, f := range slices.Backward(p.Editor.Found().Graph()) { // so that the first of a place counts
			p.proved.findings[string(f.Problem.Code)+" "+f.Problem.Path.String()] = f
		}
	}
	return p.proved.findings[string(r.Code)+" "+r.Path.String()]
}

// proved are the findings about the graph of a form, by their codes and paths.
type proved struct {
	form     *model.Form
	findings map[string]flow.Finding
}

// Journey returns the node of a remark, "" for the start of the form, and the edges of the journey that shows it, for a play of it.
func (p *Panel) Journey(i int) (node string, edges []string) {
	all := p.remarks()
	if i < 0 || i >= len(all) {
		return "", nil
	}
	f := p.Editor.State().Form
	if at, ok := f.At(all[i].Path); ok && at.Node >= 0 {
		node = f.Keys()[at.Node]
	}
	_, edges = p.journey(all[i])
	return node, edges
}

// journey returns the way through the form that shows what a remark is about: its nodes and edges, none if there is no such way. The edges are
// named by their source, a colon and their port.
func (p *Panel) journey(r *remark) (nodes, edges []string) {
	f := p.Editor.State().Form
	switch r.rank {
	case hinted:
		nodes = r.hint.Journey()
		return nodes, inspector.EdgesAlong(f, nodes)
	case own, inherited, refused:
		return nil, nil
	case warned:
	}
	for _, e := range p.finding(r).Witness() {
		nodes = append(nodes, e.From, string(e.To))
		edges = append(edges, e.From+":"+string(e.Port))
	}
	return nodes, edges
}
