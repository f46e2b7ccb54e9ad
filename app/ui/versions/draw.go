package versions

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// rule says which versions are kept.
const rule = "Every version is kept for 90 days, and then the last of each day, at most 10,000. One with a name or a note always stays."

// Draw draws the list. A press on a version compares the form with it.
func (p *Panel) Draw(now time.Time) app.UI {
	var items []app.UI
	for _, l := range linesOf(p.list) {
		if len(l) > 1 {
			items = append(items, p.group(l, now))
		}
		if len(l) == 1 || p.open == l[0].Number {
			for i := range l {
				items = append(items, p.item(&l[i], now, len(l) > 1))
			}
		}
	}
	text := ""
	switch {
	case p.err != nil:
		text = kit.Sentence(p.err)
	case items == nil && p.named && p.read && !p.reading:
		text = "No version has a name or a note yet."
	case items == nil && p.read && !p.reading:
		text = "Each save is kept here."
	}
	more := kit.El("span hidden=true")
	if len(p.list) < p.total {
		more = kit.TextButton(moreAct, "Older versions", "secondary").Attr("disabled", p.reading)
	}
	return kit.Tree("section.versions data-testid=versions aria-label=% { div.versions-head { h2.sub { % } button.quiet type=button data-act=% aria-pressed=% { @check span { % } } } "+
		"p.quiet-text { % } p.quiet-text role=status { % } * * }",
		[]string{"Saved versions", "Saved versions", namedAct, kit.Yes(p.named), "Named only", rule, text},
		kit.El("ul.history").Body(items...), more)
}

// group draws the line of several automatic saves.
func (p *Panel) group(l line, now time.Time) app.UI {
	first, last := &l[len(l)-1], &l[0]
	open := p.open == last.Number
	saves, from, to := strconv.Itoa(len(l))+" saves while editing", first.SavedAt.Local().Format(kit.TimeOfDay), last.SavedAt.Local().Format(kit.TimeOfDay)
	if from != to {
		saves += ", " + from + " to " + to
	}
	return kit.Tree("li.version { button.out-item type=button data-act=% data-arg=% aria-expanded=% { @down span.grow { span { % } small { % } } span.when { * } } }", []string{
		unfoldAct, strconv.Itoa(last.Number), kit.Yes(open), Author(last), saves,
	}, kit.Time(last.SavedAt, now, ""))
}

// item draws a version.
func (p *Panel) item(v *formapi.Version, now time.Time, inner bool) app.UI {
	number := strconv.Itoa(v.Number)
	class, icon, title, by := "version", "history", Author(v), ""
	if v.Name != "" {
		title, by = v.Name, Author(v)
	}
	if named(v) {
		class, icon = "version named", "pin"
	}
	if inner {
		class += " inner"
	}
	if p.edit.number == v.Number {
		return kit.El("li class=%", class).Body(p.edit.form().On("keydown", p.key))
	}
	acts := kit.El("span hidden=true")
	if !p.ReadOnly() {
		acts = kit.Tree("span.version-acts { button.icon type=button data-act=% data-arg=% aria-label=% title=% { @pencil } button.quiet type=button data-act=% data-arg=% aria-label=% { % } }",
			[]string{editAct, number, "Name and note of " + Name(v), "Name and note", restoreAct, number, "Restore " + Name(v), "Restore"})
	}
	return kit.Tree("li class=% { button.out-item type=button data-act=% data-arg=% { @% span.grow { span { % } small { % } small { % } small.version-note { % } small.blamed { % } } span.when { * } } * }",
		[]string{class, Act, number, icon, title, by, v.Summary, v.Note, p.Blame.mark(v.Number)}, kit.Time(v.SavedAt, now, ""), acts)
}
