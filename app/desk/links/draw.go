package links

import (
	"cmp"
	"strconv"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/model/schema"
)

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("header.cm-head").Open("div.cm-title").Leaf("h2", "Share a link").Open("span.push").Close()
		w.Open("button.icon type=button data-do=leave aria-label=% title=%", "Close the links", "Close the links (Esc)").Icon("close").Close().Close()
		w.Leaf("p.lk-about", "Anyone with a link can look at the graph and every screen of the form as it was last saved, without an account. They see no "+
			"secrets and no comments, and cannot change anything.").Close()
		w.Open("div.cm-body").Open("section.lk-new aria-label=% data-region=new", "New link").Close()
		w.Open("div data-region=state").Close().Open("ul.cm-list aria-label=Links data-region=list").Close().Close()
	})
	s.Region("new", p.fresher)
	s.Region("state", p.state)
	var lines []desk.Line
	for i := range p.links {
		lines = append(lines, p.line(&p.links[i]))
	}
	s.Lines("list", lines)
}

// lives are how long a link may last.
var lives = [...][2]string{{"1", "In 1 day"}, {"7", "In 7 days"}, {"30", "In 30 days"}, {"date", "On a date…"}}

// fresher draws what a new link is made of.
func (p *Page) fresher(w *markup.Writer) {
	field := func(name string) *markup.Writer { return w.Open("label.lk-field").Leaf("span", name) }
	w.Open("div.lk-two")
	field("Expires").Open("select id=lk-life data-in=life data-value=%", p.life)
	for _, l := range lives {
		w.Leaf("option value=%", l[1], l[0])
	}
	w.Close().Close()
	if p.life == "date" {
		now := p.now()
		field("Last day").Open("input type=date data-in=date data-value=% min=% max=%", p.date, now.Format("2006-01-02"), now.AddDate(1, 0, 0).Format("2006-01-02")).Close()
	}
	w.Close()
	shows := "newest"
	if p.fixed {
		shows = "fixed"
	}
	field("Shows").Open("select data-in=shows data-value=%", shows)
	w.Leaf("option value=newest", "The latest saved version").Leaf("option value=fixed", "Always the version saved now").Close().Close()
	field("Label (optional)").Open("input type=text data-in=label data-value=% data-combo=Enter autocomplete=off", p.label).Close()
	if p.fault != "" {
		w.Open("p.cm-error role=alert id=lk-fault").Icon("warn").Leaf("span", p.fault).Close()
	}
	full := p.most > 0 && len(p.links) >= p.most
	if full {
		w.Leaf("p.lk-about", "This form has the maximum number of links. Revoke one to create another.")
	}
	text := "Create link"
	if p.busy("make") {
		text = "Creating…"
	}
	w.Leaf("button.primary type=button id=lk-make data-do=make disabled=% aria-describedby=%", text, markup.Only(full || !p.read || p.busy("make"), "true"),
		markup.Only(p.fault != "", "lk-fault"))
}

// state says why there is no list.
func (p *Page) state(w *markup.Writer) {
	switch {
	case p.wrong != "":
		w.Open("div.cm-wrong role=alert").Icon("warn").Open("div.grow").Leaf("b", p.wrong)
		w.Leaf("button.link type=button data-do=again", "Try again").Close().Close()
	case !p.read:
		w.Leaf("p.cm-state role=status", "Reading the links…")
	case len(p.links) == 0:
		w.Leaf("p.cm-state", "Nobody has a link to this form yet.")
	}
}

// line draws a link.
func (p *Page) line(l *link) desk.Line {
	var w markup.Writer
	name := cmp.Or(l.label, "Link")
	w.Open("li.lk-link data-key=% aria-current=% data-expired=%", l.id, markup.Only(p.made == l.id, "true"), markup.Only(l.expired, "true"))
	w.Open("div.cm-top").Icon("link").Leaf("b.grow", name)
	if !l.expired {
		copied := "Copy"
		if p.copied == l.id {
			copied = "Copied"
		}
		w.Open("button.secondary type=button data-do=copy data-arg=% data-copy=% aria-label=%", l.id, l.url, copied+" the link "+name).Icon("copy").Leaf("span", copied).Close()
	}
	w.Leaf("button.quiet type=button data-do=revoke data-arg=% aria-label=%", "Revoke", l.id, "Revoke the link "+name)
	w.Close()
	if p.made == l.id {
		w.Open("input.lk-url type=text readonly=true data-value=% aria-label=%", l.url, "Address of the link")
	}
	w.Open("p").Text("Created by " + cmp.Or(schema.Isolate(l.by), "somebody") + ", ")
	desk.Time(&w, p.now(), l.created)
	if l.expired {
		w.Text(" · expired on ")
	} else {
		w.Text(" · expires on ")
	}
	w.Leaf("time datetime=% title=%", l.expires.Local().Format("2 January 2006"), l.expires.UTC().Format("2006-01-02T15:04:05Z"), l.expires.Local().Format(desk.Exact))
	w.Close().Open("p")
	if l.version > 0 {
		w.Text("Always version " + strconv.Itoa(l.version) + " · ")
	}
	switch l.times {
	case 0:
		w.Text("Not opened yet")
	case 1:
		w.Text("Opened once, ")
		desk.Time(&w, p.now(), l.opened)
	default:
		w.Text("Opened " + strconv.Itoa(l.times) + " times, last ")
		desk.Time(&w, p.now(), l.opened)
	}
	w.Close()
	if p.sure == l.id {
		w.Open("div.cm-sure role=alert").Leaf("span", "Revoke this link? It stops working for everybody who has it.")
		w.Leaf("button.danger type=button data-do=revoke-it data-arg=%", "Revoke", l.id)
		w.Leaf("button.secondary type=button data-do=keep data-arg=%", "Keep", l.id).Close()
	}
	w.Close()
	return desk.Line{Key: l.id, HTML: w.String()}
}
