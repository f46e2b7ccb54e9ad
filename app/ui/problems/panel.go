// Package problems is the tab of the left panel that lists the problems and warnings of the form, and fixes those that are safe to fix.
package problems

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// shownLimit is the maximum number of problems and warnings that are drawn.
const shownLimit = 300

// What the filter shows, besides everything.
const (
	onlyProblems = "problems"
	onlyWarnings = "warnings"
)

// Panel lists the problems and warnings of the form.
type Panel struct {
	*workspace.Workspace
	Sources

	at       int             // position of the line to which Step moved, among those in sight
	turned   map[string]bool // the paths of the nodes whose followers somebody has folded or unfolded; see Panel.unfolded
	only     string          // what the filter shows, "" for everything
	selected bool            // shows only what is about the selection
	lit      lit
	proved   proved
	lack     lack
	causes   causes
}

// lit is the journey that is marked on the canvas. It stays while its form and selection do.
type lit struct {
	edges     []string
	form      *model.Form
	selection editor.Selection
}

// New returns the panel of a workspace.
func New(w *workspace.Workspace, from Sources) *Panel {
	return &Panel{Workspace: w, Sources: from, at: -1, turned: map[string]bool{}}
}

// Acts of the panel.
const (
	FilterAct   = "problem-filter"
	SelectedAct = "problem-selected"
	FixAct      = "problem-fix"
	FixAllAct   = "problem-fix-all"
	PlayAct     = "problem-play"
	BehindAct   = "problem-behind"
	RevertAct   = "problem-revert"
)

// Act handles a control of the panel, and reports whether it is one.
func (p *Panel) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case FilterAct:
		p.only, p.at = arg, -1
	case SelectedAct:
		p.selected, p.at = !p.selected, -1
	case BehindAct:
		p.turned[arg] = !p.turned[arg]
	case FixAct:
		p.fix(ctx, arg)
	case FixAllAct:
		p.fixAll(ctx)
	case RevertAct:
		p.revert(ctx, arg)
	default:
		return false
	}
	return true
}

// Draw lists what is in sight, by node. A press on a line selects its place.
func (p *Panel) Draw() app.UI {
	all := p.remarks()
	checking := p.Checking != nil && p.Checking()
	if len(all) == 0 {
		title, text := "No problems", "This form has no problems and no warnings."
		if checking {
			title, text = "No problems so far", checkingText
		}
		return kit.El("div data-testid=problems").Body(kit.Notice("check", title, text, nil))
	}
	body := []app.UI{p.filter(all)}
	groups := p.groups(all)
	problems := inSight(groups)
	if _, n := p.Editor.Make().FixAll(problems); n > 1 && !p.ReadOnly() {
		body = append(body, kit.Tree("p.pb-all { span.grow { % } button.link type=button data-act=% { % } }",
			[]string{strconv.Itoa(n) + " can be fixed safely", FixAllAct, "Fix all"}))
	}
	left := shownLimit
	for _, g := range groups {
		if left <= 0 {
			break
		}
		body = append(body, p.group(g, &left))
	}
	if n := len(problems); n == 0 || n > shownLimit {
		text := "Nothing to show here."
		if n > 0 {
			text = "and " + strconv.Itoa(n-shownLimit) + " more"
		}
		body = append(body, kit.El("p.quiet-text").Text(text))
	}
	more := ""
	if checking {
		more = checkingText
	}
	body = append(body, kit.El("p.pb-checking").Text(more))
	return kit.El("div.problem-list data-testid=problems").Body(body...)
}

// checkingText says that more may be found.
const checkingText = "Checking paths…"

// inSight returns the problems of some groups.
func inSight(groups []*group) (list schema.Problems) {
	for _, g := range groups {
		for _, r := range g.list {
			list = append(list, r.Problem)
			for _, of := range r.behind {
				list = append(list, of.Problem)
			}
		}
	}
	return list
}

// filter draws the controls that say what is in sight.
func (p *Panel) filter(all []*remark) app.UI {
	var counts [3]int // of everything, problems and warnings
	for _, r := range all {
		counts[0]++
		if r.problem() {
			counts[1]++
		} else {
			counts[2]++
		}
	}
	only := kit.IconButton(SelectedAct, "Only what is selected", "select", true).Aria("pressed", kit.Yes(p.selected))
	if p.only == "" && (counts[1] == 0 || counts[2] == 0) { // there is nothing to choose
		return kit.Tree("div.pb-filter { span.pb-kind { % } * }", []string{kinds(counts[1], counts[2])}, only)
	}
	var choices []app.UI
	for i, c := range [...][2]string{{"", "All"}, {onlyProblems, "Problems"}, {onlyWarnings, "Warnings"}} {
		choices = append(choices, kit.Tree("button type=button data-act=% data-arg=% aria-pressed=% { span { % } small { % } }",
			[]string{FilterAct, c[0], kit.Yes(p.only == c[0]), c[1] + " ", strconv.Itoa(counts[i])}))
	}
	return kit.Tree("div.pb-filter { * * }", nil, kit.El("div.seg role=group aria-label=%", "Show").Body(choices...), only)
}

// kinds says how many remarks of the only kind there are.
func kinds(problems, warnings int) string {
	if problems > 0 {
		return kit.Several(problems, "1 problem", "%d problems")
	}
	return kit.Several(warnings, "1 warning", "%d warnings")
}

// group draws the remarks about a node; left is how many may be drawn.
func (p *Panel) group(g *group, left *int) app.UI {
	var items []app.UI
	for _, r := range g.list {
		if *left--; *left < 0 {
			break
		}
		items = append(items, p.line(g, r, left))
	}
	return kit.Tree("section.pb-group { h2.pb-node { @% span.grow { % } } * }", []string{g.icon, g.name}, kit.El("ul.problems aria-label=%", g.name).Body(items...))
}

// flowOf returns the flow that a warning is about if the tenant is known to lack it, "" otherwise.
func (p *Panel) flowOf(r *remark) string {
	if r.Code != schema.CodeFlowID {
		return ""
	}
	v, _ := schema.Lookup(p.Editor.State().Form.Tree(), r.Path)
	id, _ := v.(string)
	if _, missing := p.FlowName(id); !missing {
		return ""
	}
	return id
}

// line draws a remark with its actions and with what goes with it; left is how many more may be drawn.
func (p *Panel) line(g *group, r *remark, left *int) app.UI {
	who, text := describe.Problem(p.Editor.State().Form, r.Problem)
	if inside, ok := strings.CutPrefix(who, g.name+caption.PlaceSign); ok {
		who = inside
	} else if who == g.name {
		who, text = "", kit.AsSentence(strings.TrimLeft(text, ": ")) // the name is in the heading
	}
	class, note := "note", ""
	if id := p.flowOf(r); id != "" {
		who, text = "", workspace.NoSuchFlow(id) // as in the inspector
	}
	switch r.rank {
	case hinted:
		if at := model.PlaceOf(r.Path); at.Rule >= 0 {
			who = "Rule " + number(at.Rule) // as the text calls the others
		}
		if text, note = kit.Stop(r.Detail), r.flaw.Example; who != "" {
			text = ": " + text
		}
	case own:
		class = ""
	case inherited, refused, warned:
		note = notes[r.rank]
		if c := p.cause(r); c.did != "" {
			note = "Since you " + c.did
		}
	}
	acts := kit.El("div.pb-acts")
	var buttons []app.UI
	for _, it := range p.actions(r) {
		buttons = append(buttons, kit.TextButton(it.Act, it.Name, "link").Attr("data-arg", it.Arg))
	}
	index := strconv.Itoa(r.index)
	return kit.Tree("li data-menu=% data-of=% { button.problem type=button data-act=problem class=% data-arg=% data-problem-path=% "+
		"{ @warn span.grow { span { b { % } % } small { % } } } * * }", []string{RowMenu, index, class, index, r.Path.String(), who, text, note},
		acts.Body(buttons...), p.followers(r, left))
}

// unfolded reports whether what goes with a remark is shown. A few lines are, until somebody folds them.
func (p *Panel) unfolded(r *remark) bool {
	const few = 3
	return p.turned[r.Path.String()] != (len(r.behind) <= few)
}

// followers draws the remarks that go with another one, in a list that can be folded. They stay in the document: a folded line is still found.
func (p *Panel) followers(r *remark, left *int) app.UI {
	if len(r.behind) == 0 {
		return kit.El("div hidden=true")
	}
	path, open := r.Path.String(), p.unfolded(r)
	var items []app.UI
	for _, of := range r.behind {
		if *left--; *left < 0 {
			break
		}
		items = append(items, p.line(&group{}, of, left))
	}
	id := kit.DomID("pb-", path)
	return kit.Tree("div.pb-behind { button.fold type=button data-act=% data-arg=% aria-expanded=% aria-controls=% { @down span { % } } * }",
		[]string{BehindAct, path, kit.Yes(open), id, kit.Several(len(r.behind), "and 1 node behind it", "and %d nodes behind it")},
		kit.El("ul.problems id=% hidden=%", id, kit.Yes(!open)).Body(items...))
}

// fix makes a fix; arg is the index of the remark and that of its fix.
func (p *Panel) fix(ctx app.Context, arg string) {
	of, which, _ := strings.Cut(arg, " ")
	i, _ := strconv.Atoi(of)
	j, _ := strconv.Atoi(which)
	all := p.remarks()
	if i >= len(all) {
		return
	}
	if fixes := p.fixes(all[i]); j < len(fixes) && p.Run(ctx, fixes[j].Command) {
		p.SayUndo(ctx, kit.Stop("Fixed: "+fixes[j].Name))
		p.keepFocus(ctx)
	}
}

// revert undoes the step behind a remark.
func (p *Panel) revert(ctx app.Context, arg string) {
	i, err := strconv.Atoi(arg)
	all := p.remarks()
	if err != nil || i < 0 || i >= len(all) {
		return
	}
	c := p.cause(all[i])
	switch {
	case c.last:
		p.Perform(ctx, command.Undo, "")
	case c.command == nil || !p.Run(ctx, c.command):
		return
	default:
		p.SayUndo(ctx, "Undone: "+kit.Stop(c.did))
	}
	p.keepFocus(ctx)
}

// fixAll makes all sure fixes of what is in sight.
func (p *Panel) fixAll(ctx app.Context) {
	if c, n := p.Editor.Make().FixAll(inSight(p.groups(p.remarks()))); p.Run(ctx, c) {
		p.SayUndo(ctx, kit.Several(n, "Fixed 1 problem.", "Fixed %d problems."))
		p.keepFocus(ctx)
	}
}

// keepFocus keeps the focus in the list if the line that had it is gone.
func (p *Panel) keepFocus(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		if !kit.Element("[data-testid=problems] :focus").Truthy() {
			kit.Focus("#tab-problems")
		}
	})
}

// GoTo selects the place of a remark, moves the focus to its row, and marks the journey that shows it.
func (p *Panel) GoTo(ctx app.Context, i int) {
	all := p.remarks()
	if i < 0 || i >= len(all) {
		return
	}
	p.ShowPlace(ctx, all[i].Path)
	nodes, edges := p.journey(all[i])
	p.light(nodes, edges)
}

// light marks a journey on the canvas in place of the last one.
func (p *Panel) light(nodes, edges []string) {
	if len(edges) == 0 && len(p.lit.edges) == 0 {
		return
	}
	was := p.lit.edges
	p.Mark(func(m *canvas.Marks) {
		if len(edges) > 0 || slices.Equal(m.Edges, was) { // a run may be shown meanwhile
			m.Visited, m.Edges = nodes, edges
		}
	})
	s := p.Editor.State()
	p.lit = lit{edges, s.Form, s.Selection}
}

// Follow takes the marks away once the person goes on, and finds what drawings count: they cannot pause.
func (p *Panel) Follow() {
	_ = p.lacking()
	if s := p.Editor.State(); len(p.lit.edges) > 0 && (p.lit.form != s.Form || !p.lit.selection.Equal(s.Selection)) {
		p.light(nil, nil)
	}
}

// Step moves to the next or previous line in sight, wrapping around.
func (p *Panel) Step(ctx app.Context, by int) {
	var lines []int
	for _, g := range p.groups(p.remarks()) {
		for _, r := range g.list {
			lines = append(lines, r.index)
			for _, of := range r.behind {
				if p.unfolded(r) {
					lines = append(lines, of.index)
				}
			}
		}
	}
	n := len(lines)
	if n == 0 {
		p.Say(ctx, "No problems"+".")
		return
	}
	if p.at < 0 && by < 0 {
		p.at = 0 // the last line comes before the first one
	}
	p.at = ((p.at+by)%n + n) % n
	p.GoTo(ctx, lines[p.at])
}

// Count is the button with the number of the person's problems, or else of those that the form had already, or else of warnings.
func (p *Panel) Count() app.UI {
	n, kind := p.Counted()
	if n == 0 {
		return kit.El("span hidden=true")
	}
	class, text, more := "note", kit.Several(n, "1 warning", "%d warnings"), ""
	if p.Checking != nil && p.Checking() {
		more = " so far. " + checkingText
	}
	switch kind {
	case own:
		class, text = "bad", kit.Several(n, "1 problem", "%d problems")
	case inherited:
		text = kit.Several(n, "1 earlier problem", "%d earlier problems")
	case warned, refused, hinted:
	}
	return kit.Tree("button.quiet type=button class=% title=% data-act=tab data-arg=problems { @warn span { % } }", []string{class, text + more, text})
}

// Counted returns what Count counts.
func (p *Panel) Counted() (n int, of rank) {
	if n := len(p.Editor.Found().Own()); n > 0 {
		return n, own
	}
	if n := len(p.Editor.Found().Inherited()); n > 0 {
		return n, inherited
	}
	pause.Now()
	n = len(p.Editor.Found().Warnings())
	pause.Now()
	if p.Hints != nil {
		for _, hints := range p.Hints() {
			n += len(hints)
		}
	}
	if p.Flaws != nil {
		n += len(p.Flaws())
	}
	return n + len(p.lacking()), warned
}

// Blocking reports whether Counted counts problems that block a save.
func (p *Panel) Blocking() bool { return len(p.Editor.Found().Own()) > 0 }

func number(i int) string { return strconv.Itoa(i + 1) }
