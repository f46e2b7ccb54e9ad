package admin

import (
	"cmp"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// drawing draws the page.
type drawing struct {
	*desk
	loading bool
	err     error // why the page cannot be shown
}

// body draws the page below its bar.
func (p *drawing) body() app.UI {
	alone := func(ui app.UI) app.UI {
		return box("main.list", say("h1.unseen", "Administration"), ui)
	}
	switch {
	case p.err != nil && kit.StatusOf(p.err) == 401:
		return alone(kit.Notice("user", "You are signed out", "Sign in as an administrator to manage the tenant.",
			kit.TextButton("sign-in", "Sign in", "primary")))
	case kit.Forbidden(p.err):
		return alone(kit.NotAllowedPage(p.err, p.user))
	case p.err != nil:
		return alone(kit.Failed(p.err, "retry-page"))
	case p.loading:
		return alone(kit.Loading("the administration"))
	case len(p.sections) == 0:
		text := "Ask the person who invited you: an administrator can give you the permissions under People."
		if kit.Remote() {
			text = kit.AskOperator + "."
		}
		return alone(kit.Notice("lock", "This page is for administrators", "You do not have permission to administer the tenant. "+text, say("a.primary href=/forms", "All forms")))
	}
	s := p.section()
	if s == nil {
		return box("main.admin-body", say("h1.unseen", "Administration"), p.nav(),
			box("section.rows", kit.Notice("search", "Section not found", "", nil)))
	}
	parts := []app.UI{say("h1.unseen", "Administration"), p.nav(), p.rows(s)}
	if p.at.entry != "" {
		parts = append(parts, p.entry(s))
	}
	return kit.El("main.admin-body data-open=%", kit.Yes(p.at.entry != "")).Body(parts...)
}

// nav draws the links to the sections, with a dot for unsaved changes.
func (p *drawing) nav() app.UI {
	dirty := p.unsaved()
	var items []app.UI
	for i := range p.sections {
		s := &p.sections[i]
		link := fill(kit.El("a.nav-item href=%", "/admin"+place{section: s.name}.fragment()),
			kit.Icon(s.icon), say("span", s.title), when(dirty[s.name], unsavedDot()))
		if s.name == p.at.section {
			link.Attr("aria-current", "page")
		}
		items = append(items, box("li", link))
	}
	return kit.El("nav.sections aria-label=%", "Sections").Body(box("ul", items...))
}

func unsavedDot() app.UI {
	return kit.El("span.unsaved-dot title=%", "Unsaved changes").Body(say("span.unseen", "Unsaved changes"))
}

// rows draws a section's entries. The last element shows the number of rows, which screen readers announce.
func (p *drawing) rows(s *section) app.UI {
	l := p.list(s)
	parts := []app.UI{p.listHead(s, l), say("p.about", s.about), box("div", p.notes(s, l)...)}
	switch {
	case l.Err != nil && len(l.Rows) == 0:
		parts = append(parts, kit.Failed(l.Err, "reload"))
	case l.Loading && len(l.Rows) == 0, !l.Begun():
		parts = append(parts, kit.Loading(s.many))
	case len(l.Rows) == 0 && l.Query != "":
		parts = append(parts, kit.Notice("search", "No results for "+kit.Quote(l.Query), "", nil))
	case len(l.Rows) == 0:
		parts = append(parts, kit.Notice(s.icon, s.none(), s.emptyText, nil))
	default:
		parts = append(parts, p.table(s, l))
	}
	return box("section.rows aria-labelledby=list-title", append(parts, p.foot(l))...)
}

// foot shows the number of rows, and offers more. The element that screen readers announce always exists.
func (p *drawing) foot(l *kit.List) app.UI {
	status := kit.El("p.shown role=status").Text(shownOf(l))
	if !l.More() {
		status.Class("unseen")
	}
	more := kit.TextButton("more", "Show more", "secondary").Attr("aria-disabled", kit.Yes(l.Loading))
	return box("div.list-foot", status, when(l.More(), more))
}

// shownOf describes the number of shown rows, "" while it is unknown.
func shownOf(l *kit.List) string {
	switch {
	case l.Loading || l.Err != nil || !l.Begun():
		return ""
	case l.More():
		return fmt.Sprintf("%d of %d shown", len(l.Rows), l.Total)
	case len(l.Rows) == 0:
		return ""
	case l.Query != "":
		return fmt.Sprintf("%d found", len(l.Rows))
	}
	return fmt.Sprintf("%d shown", len(l.Rows))
}

// listHead draws the title of a list, its search and its buttons.
func (p *drawing) listHead(s *section, l *kit.List) app.UI {
	why := p.mayNot("create:" + s.scope)
	var types app.UI
	if s.log() {
		types = p.types(s)
	}
	count := ""
	if l.Total > 0 {
		count = fmt.Sprint(l.Total)
	}
	return box("div.list-head",
		say("h2 id=list-title tabindex=-1", s.title),
		say("span.count", count),
		kit.El("span.push"),
		types,
		kit.SearchField("id=list-search", "Search "+s.many, l.Query),
		kit.IconButton("reload", "Reload", "resend", !l.Loading),
		when(!s.log(), say("button.primary type=button data-act=new title=% disabled=%", s.addition(), why, kit.Yes(why != ""))),
	)
}

// notes draws the notices above a list: the banners of actions, and the reason why some rows could not be
// read.
func (p *drawing) notes(s *section, l *kit.List) []app.UI {
	var notes []app.UI
	if a := p.offered(s); a != nil {
		notes = append(notes, box("div.banner role=status", kit.Icon("warn"), say("span.grow", a.banner),
			say("button.secondary type=button data-act=banner data-arg=% disabled=%", a.label, a.name, kit.Yes(!p.user.Can(a.scope)))))
	}
	if l.Err != nil && len(l.Rows) > 0 {
		notes = append(notes, kit.Warned("p.failed role=alert", kit.Sentence(l.Err)))
	}
	return notes
}

// offered returns the action whose banner is shown, nil for none.
func (p *desk) offered(s *section) *action {
	x := p.facts(p.watched[s.name], nil)
	for i := range s.actions {
		if a := &s.actions[i]; x.entry != nil && a.banner != "" && !a.hidden(x) {
			return a
		}
	}
	return nil
}

// nothing is the value of the option that selects nothing: go-app drops empty values, and the browser would
// then use the option's text.
const nothing = "-"

func orNothing(key string) string {
	if key == "" {
		return nothing
	}
	return key
}

// types draws the choice of the log's type.
func (p *drawing) types(s *section) app.UI {
	options := []app.UI{say("option value=%", "All types", nothing)}
	for _, row := range s.types {
		options = append(options, say("option value=%", row[1], row[0]))
	}
	return box("div.control.type-filter", kit.El("select id=log-type aria-label=% data-held=%", "Type",
		kit.Held(orNothing(p.logType))).Body(options...))
}

func (p *drawing) table(s *section, l *kit.List) app.UI {
	var heads, body []app.UI
	for _, c := range s.columns {
		heads = append(heads, say("th scope=col class=%", c.name, rest(c)))
	}
	now := time.Now()
	for _, o := range l.Rows {
		body = append(body, p.row(s, o, now))
	}
	return fill(kit.El("table.admin-table aria-labelledby=list-title aria-busy=%", kit.Yes(l.Loading)),
		box("thead", box("tr", heads...)), box("tbody", body...))
}

// row draws an entry in a list. Its first cell links to the entry.
func (p *drawing) row(s *section, o *schema.Object, now time.Time) app.UI {
	at := place{s.name, o.Text(s.id)}
	x := p.facts(o, nil)
	name, cells := "", []app.UI{}
	for i, c := range s.columns {
		var parts []app.UI
		for _, cell := range c.cells(x) {
			name = cmp.Or(name, cell.text)
			parts = append(parts, drawCell(cell, now))
		}
		if i == 0 {
			link := kit.El("a.row-link href=% data-row=%", "/admin"+at.fragment(), at.entry).Body(parts[0])
			if at == p.at {
				link.Attr("aria-current", "true")
			}
			parts[0] = link
			if p.forms[at.fragment()].dirty(s) {
				parts = append(parts, unsavedDot())
			}
		}
		cells = append(cells, kit.El("td class=%", rest(c)).Body(box("div.cell", parts...)))
	}
	class := ""
	if at == p.at {
		class = "current"
	}
	return kit.El("tr data-act=open data-arg=% aria-label=% class=%", at.entry, name, class).Body(cells...)
}

func rest(c column) string {
	if c.rest {
		return "rest"
	}
	return ""
}

func drawCell(c cell, now time.Time) app.UI {
	switch c.kind {
	case codeCell:
		return say("code", c.text)
	case badgeCell:
		return say("span.pill", c.text)
	case warnCell:
		return kit.Warned("span.pill.warns", c.text)
	case timeCell:
		if at, err := time.Parse(time.RFC3339, c.text); err == nil {
			return kit.Time(at, now, "")
		}
	case plainCell:
	}
	return say("span", c.text)
}
