package admin

import (
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// drawing draws the page.
type drawing struct {
	*desk
	dialogs *dialogs
}

// body is the page below its bar.
func (p *drawing) body() app.UI {
	alone := func(ui app.UI) app.UI {
		return box("main.list", say("h1.unseen", "Administration"), ui)
	}
	switch {
	case p.err != nil && kit.StatusOf(p.err) == 401:
		return alone(kit.Notice("user", "You are signed out", "Sign in as an administrator to manage the tenant.",
			kit.TextButton("sign-in", "Sign in", "primary")))
	case p.err != nil:
		return alone(kit.Notice("warn", "This could not be loaded", sentence(p.err), kit.TextButton("retry-page", "Try again", "primary")))
	case p.loading || p.client == nil:
		return alone(waiting("Administration"))
	case len(p.sections) == 0:
		return alone(kit.Notice("lock", "This page is for administrators",
			"Your account may not administer the tenant. Ask the person who invited you: an administrator can give you the permissions under "+
				"People.", say("a.primary href=/forms", "All forms")))
	}
	s := p.section()
	if s == nil {
		return box("main.admin-body", say("h1.unseen", "Administration"), p.nav(),
			box("section.rows", kit.Notice("search", "Section not found", "", nil)))
	}
	parts := []app.UI{say("h1.unseen", "Administration"), p.nav(), p.list(s)}
	if p.at.entry != "" {
		parts = append(parts, p.entry(s))
	}
	return kit.El("main.admin-body data-open=%", kit.Yes(p.at.entry != "")).Body(parts...)
}

// waiting says that something is being read.
func waiting(what string) app.UI {
	return box("div.notice role=status", kit.El("span.busy"), say("p", fmt.Sprintf("Loading %s…", strings.ToLower(what))))
}

// nav leads to the sections, with a dot where something is unsaved.
func (p *drawing) nav() app.UI {
	dirty := map[string]bool{}
	for key, e := range p.forms {
		name := placeOf(key[1:]).section
		if s := p.named(name); s != nil && e.dirty(s) {
			dirty[name] = true
		}
	}
	var items []app.UI
	for i := range p.sections {
		s := &p.sections[i]
		link := fill(kit.El("a.nav-item href=%", "/admin"+place{section: s.name}.fragment()),
			kit.Icon(s.icon), say("span", s.words.Title), when(dirty[s.name], unsavedDot()))
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

// list draws a section's entries.
func (p *drawing) list(s *section) app.UI {
	l := p.lists[s.name]
	if l == nil {
		l = &list{}
	}
	rows := p.matching(s, l)
	parts := []app.UI{p.listHead(s, l), say("p.about", s.words.About), box("div", p.notes(s, l)...)}
	switch {
	case l.err != nil && len(l.rows) == 0:
		parts = append(parts, kit.Notice("warn", "This could not be loaded", sentence(l.err), kit.TextButton("reload", "Try again", "primary")))
	case l.loading && len(l.rows) == 0:
		parts = append(parts, waiting(s.words.Title))
	case len(l.rows) == 0:
		parts = append(parts, kit.Notice(s.icon, s.words.Empty, s.words.EmptyText, nil))
	case len(rows) == 0:
		parts = append(parts, kit.Notice("search", fmt.Sprintf("No results for “%s”.", l.query), "", nil))
	default:
		parts = append(parts, p.table(s, rows[:min(len(rows), max(l.drawn, 1))]))
	}
	if rest := len(rows) - l.drawn; rest > 0 {
		parts = append(parts, kit.TextButton("more", kit.Several(rest, "Show 1 more", "Show %d more"), "secondary more"))
	} else if s.log && len(l.rows) > 0 && !l.whole {
		parts = append(parts, kit.TextButton("more", "Show more", "secondary more").Attr("disabled", kit.Yes(l.loading)))
		if l.query != "" {
			parts = append(parts, say("p.about", "Search is within the lines that are loaded."))
		}
	}
	return box("section.rows aria-labelledby=list-title", parts...)
}

// matching returns the entries that the search of a list finds.
func (p *drawing) matching(s *section, l *list) []*schema.Object {
	query := strings.ToLower(strings.TrimSpace(l.query))
	if query == "" {
		return l.rows
	}
	var rows []*schema.Object
	x := p.facts(nil, nil)
	for _, o := range l.rows {
		if x.entry = o; strings.Contains(s.searched(x), query) {
			rows = append(rows, o)
		}
	}
	return rows
}

// listHead draws the title of a list, its search and its buttons.
func (p *drawing) listHead(s *section, l *list) app.UI {
	why := p.mayNot(s, "create")
	var types app.UI
	if s.log {
		types = p.types()
	}
	return box("div.list-head",
		say("h2 id=list-title tabindex=-1", s.words.Title),
		say("span.count", counted(l)),
		kit.El("span.push"),
		types,
		searchField("id=list-search", s.words.Search, l.query),
		kit.IconButton("reload", "Load again", "resend", !l.loading),
		when(!s.log, say("button.primary type=button data-act=new title=% disabled=%", s.words.New, why, kit.Yes(why != ""))),
	)
}

// notes draws what stands above a list: the banners of actions, and why not all of it could be read.
func (p *drawing) notes(s *section, l *list) []app.UI {
	var notes []app.UI
	for i := range s.actions {
		if a := &s.actions[i]; a.banner != "" && p.inSight(s, a) != nil {
			notes = append(notes, box("div.banner role=status", kit.Icon("warn"), say("span.grow", a.banner),
				say("button.secondary type=button data-act=banner data-arg=% disabled=%", a.text.Name, a.name, kit.Yes(!p.user.Can(a.scope)))))
		}
	}
	if l.err != nil && len(l.rows) > 0 {
		notes = append(notes, warned("p.failed role=alert", sentence(l.err)))
	}
	return notes
}

// searchField is a field to search by; attribute tells it from others.
func searchField(attribute, name, held string) app.UI {
	return box("label.field-search", kit.Icon("search"), kit.El("input type=search placeholder=% aria-label=% data-held=% "+attribute, name,
		name, kit.Held(held)))
}

// counted is how many there are, with a sign when more come.
func counted(l *list) string {
	switch {
	case len(l.rows) == 0:
		return ""
	case l.whole:
		return fmt.Sprint(len(l.rows))
	}
	return fmt.Sprint(len(l.rows)) + "+"
}

// inSight returns the first entry that has an action in sight, nil for none.
func (p *desk) inSight(s *section, a *action) *schema.Object {
	l := p.lists[s.name]
	if l == nil {
		return nil
	}
	x := p.facts(nil, nil)
	for _, o := range l.rows {
		if x.entry = o; a.hidden == nil || !a.hidden(x) {
			return o
		}
	}
	return nil
}

// nothing is the value of an option that chooses none: go-app drops empty values, and the browser then takes
// the option's text.
const nothing = "-"

func orNothing(key string) string {
	if key == "" {
		return nothing
	}
	return key
}

// types chooses the type of the log's lines.
func (p *drawing) types() app.UI {
	options := []app.UI{say("option value=%", "All types", nothing)}
	for _, row := range logTypes {
		options = append(options, say("option value=%", row[1], row[0]))
	}
	return box("div.control.type-filter", kit.El("select id=log-type aria-label=% data-held=%", "Type",
		kit.Held(orNothing(p.logType))).Body(options...))
}

func (p *drawing) table(s *section, rows []*schema.Object) app.UI {
	x := p.facts(nil, nil)
	var heads, body []app.UI
	for _, c := range s.columns {
		heads = append(heads, say("th scope=col class=%", c.name, rest(c)))
	}
	now := time.Now()
	for _, o := range rows {
		x.entry = o
		id := o.Text(s.id)
		at := place{s.name, id}
		var tds []app.UI
		for i, c := range s.columns {
			var parts []app.UI
			for j, cell := range c.cells(x) {
				if i == 0 && j == 0 {
					link := kit.El("a.row-link href=% data-row=%", "/admin"+at.fragment(), id).Body(drawCell(cell, now))
					if at == p.at {
						link.Attr("aria-current", "true")
					}
					parts = append(parts, link)
					if e := p.forms[at.fragment()]; e.dirty(s) {
						parts = append(parts, unsavedDot())
					}
					continue
				}
				parts = append(parts, drawCell(cell, now))
			}
			tds = append(tds, kit.El("td class=%", rest(c)).Body(box("div.cell", parts...)))
		}
		class := ""
		if at == p.at {
			class = "current"
		}
		body = append(body, kit.El("tr data-act=open data-arg=% class=%", id, class).Body(tds...))
	}
	return box("table.admin-table aria-labelledby=list-title", box("thead", box("tr", heads...)), box("tbody", body...))
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
		return warned("span.pill.warns", c.text)
	case timeCell:
		return drawTime(c.text, now)
	case plainCell:
	}
	return say("span", c.text)
}

// drawTime draws a time relative to now, with the exact one on hover.
func drawTime(text string, now time.Time) app.UI {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return say("span", text)
	}
	return say("time datetime=% title=%", kit.Ago(at, now), text, at.Local().Format("2 January 2006, 15:04:05"))
}
