package versions

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// rule tells people which versions are kept.
const rule = "All versions are kept for 90 days, after that the last one of each day, up to 10,000 and 64 MB in all. Versions with a name or a note are always kept."

// firstSeen is the title of the first version if nobody is known to have saved it.
const firstSeen = "As it was when Formgraph first opened it"

// Draw draws the list. A press on a version compares the form with it. menu is the menu that is open.
func (p *Panel) Draw(now time.Time, menu string) app.UI {
	var items []app.UI
	for _, l := range linesOf(p.list) {
		if len(l) > 1 {
			items = append(items, p.group(l, now, menu))
		}
		if len(l) == 1 || p.open == l[0].Number {
			for i := range l {
				items = append(items, p.item(&l[i], now, menu, len(l) > 1))
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
		"p.quiet-text role=status { % } * * p.quiet-text { % } }",
		[]string{"Saved versions", "Saved versions", namedAct, kit.Yes(p.named), "With a name", text, rule},
		kit.El("ul.history").Body(items...), more)
}

// group draws the line of several automatic saves.
func (p *Panel) group(l line, now time.Time, menu string) app.UI {
	first, last := &l[len(l)-1], &l[0]
	open := p.open == last.Number
	saves, from, to := strconv.Itoa(len(l))+" saves while editing", first.SavedAt.Local().Format(kit.TimeOfDay), last.SavedAt.Local().Format(kit.TimeOfDay)
	if from != to {
		saves += ", " + from + " to " + to
	}
	acts, more := app.UI(kit.El("span hidden=true")), app.UI(kit.El("span hidden=true")) // when it is open, its lines have them
	if !open {
		acts, more = p.actions(last, menu)
	}
	return kit.Tree("li.version { button.out-item type=button data-act=% data-arg=% aria-expanded=% { @down span.grow { span { % } small { % * } } } * * }", []string{
		unfoldAct, strconv.Itoa(last.Number), kit.Yes(open), saves, Author(last) + ", ",
	}, kit.Time(last.SavedAt, now, kit.AgoShort(last.SavedAt, now)), acts, more)
}

// item draws a version: its title, its summary and note, and who saved it and when. Its menu has the same actions.
func (p *Panel) item(v *formapi.Version, now time.Time, menu string, inner bool) app.UI {
	number := strconv.Itoa(v.Number)
	class := ""
	if inner {
		class = "inner"
	}
	title, more := p.title(v), ""
	if v.Name != "" {
		more = p.words(v.Summary)
	}
	who, picture := "", kit.Icon("history")
	if v.Author != "" || title != firstSeen && title != Author(v) {
		who = schema.Isolate(Author(v)) + ", "
	}
	when := kit.Time(v.SavedAt, now, kit.AgoShort(v.SavedAt, now))
	if p.edit.number == v.Number {
		about := kit.Tree("p.version-about { % small { % * } }", []string{title, who}, when)
		return kit.El("li class=%", class).Body(p.edit.form(about).On("keydown", p.key))
	}
	class += " version"
	if named(v) {
		class += " named"
	}
	if v.Author != "" {
		picture = kit.El("span.avatar aria-hidden=true").Text(face.Initials(formapi.FirstAuthor(v.Author)))
	}
	acts, button := p.actions(v, menu)
	return kit.Tree("li class=% data-menu=% data-of=% { button.out-item type=button data-act=% data-arg=% { * span.grow { span { % } small { % } small.version-note { % } small.blamed { % } small { % * } } } * * }",
		[]string{class, RowMenu, number, Act, number, title, more, v.Note, p.Blame.mark(v.Number), who}, picture, when, acts, button)
}

// title returns the first text in the line of a version: its name, else what it changed, else who saved it.
func (p *Panel) title(v *formapi.Version) string {
	first := ""
	switch {
	case v.Number == 1 && v.Author == "":
		first = firstSeen
	case v.Number == 1:
		first = "First version"
	}
	return cmp.Or(v.Name, p.words(v.Summary), first, Author(v))
}

// actions draws what can be done with a version, and a button for a menu of it. The first line has words below it. Another line has icons over
// its end, which take no room of their own, while a person points at it or moves the focus to it. Where nothing can be pointed at, the style
// sheet shows the button instead.
func (p *Panel) actions(v *formapi.Version, menu string) (acts, more app.UI) {
	var all []app.UI
	class := ""
	if v.Number == p.list[0].Number {
		class = "first"
	}
	for _, it := range p.items(v) {
		b := kit.IconButton(it.Act, it.Says, it.Icon, true)
		if class != "" {
			short, _, _ := strings.Cut(it.Name, " ")
			b = kit.TextButton(it.Act, short, "link").Aria("label", it.Says).Title(it.Name)
		}
		all = append(all, b.DataSet("arg", it.Arg))
	}
	of := RowMenu + strconv.Itoa(v.Number)
	return kit.El("span.version-acts class=%", class).Body(all...), kit.MenuButton("icon", of, "Actions for "+Name(v), menu == of, kit.Icon("more"))
}

// OfMenu returns the lines of the menu of a button, and false if it is not the button of a version.
func (p *Panel) OfMenu(menu string) ([]kit.Item, bool) {
	of, ok := strings.CutPrefix(menu, RowMenu)
	return p.Menu(of), ok
}

// RowMenu is the name of the menu of a version; see kit.ListenMenu. The value of data-of is its number.
const RowMenu = "versions"

// Menu returns the lines of the menu of a version, nil if it is gone.
func (p *Panel) Menu(of string) []kit.Item {
	number, _ := strconv.Atoi(of)
	if v := p.version(number); v != nil {
		return p.items(v)
	}
	return nil
}

func (p *Panel) items(v *formapi.Version) []kit.Item {
	number, name := strconv.Itoa(v.Number), Name(v)
	list := []kit.Item{{Act: Act, Arg: number, Name: "Compare", Says: "Compare with " + name, Icon: "compare"}}
	if p.ReadOnly() {
		return list
	}
	return append(list, kit.Item{Act: restoreAct, Arg: number, Name: "Restore", Says: "Restore " + name, Icon: "undo"},
		kit.Item{Act: editAct, Arg: number, Name: "Name and note", Says: "Name and note of " + name, Icon: "pencil"})
}

// words returns a summary as plain text, with the labels of components in place of their ids. Earlier releases wrote HTML and ids into summaries.
func (p *Panel) words(summary string) string {
	const id = "component "
	text, out := caption.FromHTML(summary), ""
	for {
		before, after, ok := strings.Cut(text, id)
		if out += before; !ok {
			return out
		}
		n := strings.IndexAny(after, ": ")
		if n < 0 {
			n = len(after)
		}
		if c, _, _ := p.Editor.Base().Component(after[:n]); c != nil {
			out += caption.Component(c)
		} else {
			out += id + after[:n]
		}
		text = after[n:]
	}
}
