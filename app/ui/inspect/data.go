package inspect

import (
	"cmp"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// data draws what the selected flow has to do with the rest of the form: the answers that are given before it, and what reads variables after
// it. The form does not say which variables a flow sets.
func (p *Panel) data() app.UI {
	f := p.State().Form
	n, i := f.Node(p.State().Selection.Only())
	if n == nil || n.Type != model.FlowNode || p.sections.query != "" {
		return kit.El("div hidden=true")
	}
	a := p.analysis()
	var body []app.UI
	for _, g := range inspector.Variables(a, model.NodePath(i), "") {
		var before places
		for _, v := range g.Variables {
			if v.Place != "" && a.Reaches(i) {
				before.add(v.Place, cmp.Or(v.Icon, "braces"), v.Title, v.Text)
			}
		}
		body = append(body, before.draw(g.Title)...)
	}
	var after places
	for _, u := range a.UsesAfter(i) {
		_, icon := describe.Target(f, u.Path)
		after.add(u.Path.String(), icon, describe.Place(f, u.Path), u.Text)
	}
	body = append(body, after.draw("Variables read later, which a flow may set")...)
	return kit.El("section.data hidden=%", kit.Yes(len(body) == 0)).Body(append([]app.UI{kit.El("h3").Text("Data")}, body...)...)
}

// places are lines that lead to places of the form.
type places struct {
	lines []app.UI
	more  int // how many are not drawn
	last  string
}

// maxPlaces is how many places are drawn.
const maxPlaces = 6

// add adds a place, unless the one before has the same words.
func (l *places) add(path, icon, name, note string) {
	switch {
	case l.last == name+" "+note:
		return
	case len(l.lines) == maxPlaces:
		l.more++
	default:
		l.lines = append(l.lines, kit.Tree("li { button.part type=button data-act=place data-arg=% title=% { @% span.grow { % } small { % } } }",
			[]string{path, name, icon, name, note}))
	}
	l.last = name + " " + note
}

// draw draws the places below a title, nothing if there are none.
func (l *places) draw(title string) []app.UI {
	if len(l.lines) == 0 {
		return nil
	}
	return []app.UI{
		kit.El("p.quiet-text").Text(title), kit.El("ul.parts aria-label=%", title).Body(l.lines...),
		kit.El("p.quiet-text hidden=%", kit.Yes(l.more == 0)).Text(fmt.Sprintf("and %d more", l.more)),
	}
}
