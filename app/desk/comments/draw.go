package comments

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/model/schema"
)

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("header.cm-head data-region=head").Close()
		w.Open("div.cm-body").Open("div data-region=new").Close().Open("div data-region=state").Close()
		w.Open("ul.cm-list aria-label=Comments data-region=list").Close()
		w.Open("div data-region=gone-head").Close()
		w.Open("ul.cm-list aria-labelledby=cm-gone data-region=gone").Close().Close()
	})
	s.Region("head", p.head)
	s.Region("new", p.fresher)
	var here, gone []desk.Line
	for _, t := range p.threads {
		if t.open() == p.resolved {
			continue
		}
		if at, there := p.where.find(t.place); there {
			here = append(here, p.line(t, at))
		} else {
			gone = append(gone, p.line(t, at))
		}
	}
	s.Region("state", func(w *markup.Writer) { p.state(w, len(here)+len(gone)) })
	s.Lines("list", here)
	s.Region("gone-head", func(w *markup.Writer) {
		if len(gone) > 0 {
			w.Open("h3.cm-gone id=cm-gone").Text("No longer in the form").Close()
		}
	})
	s.Lines("gone", gone)
}

func (p *Page) head(w *markup.Writer) {
	open := 0
	for _, t := range p.threads {
		if t.open() {
			open++
		}
	}
	w.Open("div.cm-title").Leaf("h2", "Comments").Open("span.push").Close()
	w.Leaf("button.quiet type=button data-do=form title=%", "Comment on the form", "Writes a comment about the form as a whole")
	w.Open("button.icon type=button data-do=leave aria-label=% title=%", "Close the comments", "Close the comments (Esc)").Icon("close").Close().Close()
	w.Open("div.seg role=group aria-label=%", "Which comments")
	tab := func(id, name string, n int, on bool) {
		w.Open("button type=button id=% data-do=show data-arg=% aria-pressed=%", "cm-"+id, id, markup.Yes(on)).Text(name)
		w.Leaf("small", strconv.Itoa(n)).Close()
	}
	tab("open", "Open", open, !p.resolved)
	tab("resolved", "Resolved", len(p.threads)-open, p.resolved)
	w.Close()
}

// fresher draws the field of a new comment.
func (p *Page) fresher(w *markup.Writer) {
	p.waiting(w)
	if p.place == nil {
		return
	}
	at, _ := p.where.find(*p.place)
	name, icon := p.where.name(at)
	w.Open("section.cm-new aria-label=%", "New comment").Open("h3").Icon(icon).Leaf("span", name).Close()
	p.field(w, p.place.key(), "Comment on "+name, "Write a comment, type @ to mention", "Comment", true)
	w.Close()
}

// waiting draws the new comments that are written and not sent, except the one with the field.
func (p *Page) waiting(w *markup.Writer) {
	for _, key := range slices.Sorted(maps.Keys(p.drafts.of)) {
		if !strings.HasPrefix(key, newKey) || blank(p.drafts.of[key].text) || p.place != nil && p.place.key() == key {
			continue
		}
		at, _ := p.where.find(placeOf(key))
		name, icon := p.where.name(at)
		w.Open("button.cm-unsent type=button data-do=resume data-arg=% title=%", key, "Continue the comment").Icon(icon)
		w.Leaf("b", name).Leaf("span.cm-you", "unsent").Close()
	}
}

// state says why there is no list.
func (p *Page) state(w *markup.Writer, shown int) {
	switch {
	case p.wrong != "":
		w.Open("div.cm-wrong role=alert").Icon("warn").Open("div.grow").Leaf("b", p.wrong)
		w.Leaf("button.link type=button data-do=again", "Try again").Close().Close()
	case !p.read:
		w.Leaf("p.cm-state role=status", "Reading the comments…")
	case shown > 0 || p.place != nil: // no hint while somebody writes a comment
	case p.resolved:
		w.Leaf("p.cm-state", "Nothing is resolved yet.")
	default:
		w.Open("div.cm-state").Leaf("p", "No open comments.")
		w.Open("p").Text("Select a node or a component and ").Open("span.by-key").Text("press ").Leaf("kbd", "Shift M").Close().Leaf("span.by-touch", "choose Comment in its menu").
			Text(" to ask or to note something. Comments are kept beside the form and are never part of it.").Close().Close()
	}
}

// line draws a thread at its place.
func (p *Page) line(t *thread, at place) desk.Line {
	var w markup.Writer
	name, icon := p.where.name(at)
	id := t.id()
	w.Open("li.cm-thread data-key=% aria-current=%", id, markup.Only(p.current == id, "true"))
	w.Open("div.cm-top").Open("button.cm-go type=button data-do=go data-arg=% title=%", id, "Show it on the canvas").Icon(icon).Leaf("b", name).Close()
	if t.unread() {
		w.Leaf("span.cm-you", "for you")
	}
	if d := p.drafts.of[replyKey+id]; d != nil && !t.open() { // the field of an open thread shows it
		w.Leaf("span.cm-you", "unsent reply")
	}
	if t.open() {
		w.Open("button.quiet type=button data-do=resolve data-arg=% aria-label=%", id, "Resolve the thread about "+name).Icon("tick").Leaf("span", "Resolve").Close()
	} else {
		w.Leaf("button.quiet type=button data-do=reopen data-arg=% aria-label=%", "Reopen", id, "Reopen the thread about "+name)
	}
	w.Close()
	for i := range t.remarks {
		p.remarkOf(&w, &t.remarks[i], i == 0)
	}
	if t.open() {
		p.field(&w, replyKey+id, "Reply to the thread about "+name, "Reply, type @ to mention", "Reply", false)
	} else {
		w.Open("p.cm-resolved").Text("Resolved by " + schema.Isolate(t.resolvedBy.called()) + ", ")
		desk.Time(&w, p.now(), t.resolved)
		w.Close()
	}
	w.Close()
	return desk.Line{Key: id, HTML: w.String()}
}

// remarkOf draws a comment. begins means that it begins its thread.
func (p *Page) remarkOf(w *markup.Writer, r *remark, begins bool) {
	if r.gone() {
		w.Open("p.cm-deleted").Text("This comment was deleted.")
		if p.crowd.moderator {
			p.deleter(w, r, "Delete the thread")
		}
		w.Close()
		p.sure(w, r, true)
		return
	}
	w.Open("article.cm-remark aria-label=%", "Comment by "+schema.Isolate(r.by.called()))
	w.Open("i.cm-face aria-hidden=true data-hue=%", strconv.Itoa(p.crowd.hues[r.by.sub])).Text(face.Initials(r.by.called())).Close()
	w.Open("div.cm-said").Open("header").Leaf("b", r.by.called())
	desk.Time(w, p.now(), r.created)
	if !r.edited.IsZero() {
		w.Leaf("small title=%", "edited", r.edited.Local().Format(desk.Exact))
	}
	if r.unread {
		w.Leaf("span.unseen", "Mentions you")
	}
	mine := r.by.sub == p.crowd.me.sub
	_, editing := p.drafts.of[editKey+r.id]
	switch {
	case mine && !editing:
		w.Open("span.cm-acts")
		w.Open("button.icon type=button data-do=edit data-arg=% aria-label=% title=Edit", r.id, "Edit your comment").Icon("pencil").Close()
		p.deleter(w, r, "Delete your comment")
		w.Close()
	case !mine && p.crowd.moderator:
		w.Open("span.cm-acts")
		p.deleter(w, r, map[bool]string{true: "Delete the thread by ", false: "Delete the comment by "}[begins]+schema.Isolate(r.by.called()))
		w.Close()
	}
	w.Close()
	if mine && editing {
		p.field(w, editKey+r.id, "Edit your comment", "", "Save", true)
	} else {
		w.Open("p")
		for _, s := range spansOf(r.text, r.mentions) {
			if s.who.sub == "" {
				w.Text(s.text)
				continue
			}
			w.Open("span.cm-at data-me=%", markup.Only(s.who.sub == p.crowd.me.sub, "true")).Text(s.text).Close()
		}
		w.Close()
	}
	p.sure(w, r, begins && !mine)
	w.Close().Close()
}

// deleter draws the button that deletes a comment or, for those who may change the form, a thread of others.
func (p *Page) deleter(w *markup.Writer, r *remark, name string) {
	w.Open("button.icon type=button data-do=delete data-arg=% aria-label=% title=Delete", r.id, name).Icon("trash").Close()
}

// sure asks whether to delete a comment, or the whole thread.
func (p *Page) sure(w *markup.Writer, r *remark, thread bool) {
	if p.deleting != r.id {
		return
	}
	ask := "Delete this comment for everybody?"
	if thread {
		ask = "Delete this thread with all replies for everybody?"
	}
	w.Open("div.cm-sure role=alert").Leaf("span", ask)
	w.Leaf("button.danger type=button data-do=delete-it data-arg=%", "Delete", r.id)
	w.Leaf("button.secondary type=button data-do=keep data-arg=%", "Keep", r.id).Close()
}

// field draws the field of a draft. Its buttons are there while it is in use.
func (p *Page) field(w *markup.Writer, key, name, hint, send string, used bool) {
	d := p.drafts.of[key]
	if d == nil {
		d = &draft{caret: -1}
	}
	picking := p.pick != nil && p.pick.draft == key
	keys := "Ctrl+Enter Escape"
	chosen, wrong, caret, id := "", "", "", ""
	if picking {
		keys += " ArrowDown ArrowUp Enter Tab"
		chosen = "cm-offer-" + strconv.Itoa(p.pick.chosen)
	}
	if d.wrong != "" {
		wrong = "cm-wrong-" + sum(key)
	}
	if d.caret >= 0 {
		caret = strconv.Itoa(d.caret)
	}
	if strings.HasPrefix(key, newKey) {
		id = "cm-new"
	}
	w.Open("div.cm-field")
	w.Open("textarea rows=% id=% data-in=% data-arg=% data-value=% data-combo=% data-caret=% aria-label=% placeholder=% aria-invalid=% aria-describedby=% "+
		"aria-controls=% aria-activedescendant=% aria-autocomplete=%",
		map[bool]string{true: "3", false: "1"}[used], id, strconv.Itoa(p.drafts.sent[key].times), key, d.text, keys, caret, name, hint, markup.Only(wrong != "", "true"), wrong,
		markup.Only(picking, "cm-offers"), chosen, markup.Only(picking, "list")).Close()
	if picking {
		w.Open("ul.cm-offers id=cm-offers role=listbox aria-label=%", "People")
		for i, who := range p.pick.offers {
			w.Open("li role=option id=% aria-selected=% data-do=pick data-arg=%", "cm-offer-"+strconv.Itoa(i), markup.Yes(i == p.pick.chosen), strconv.Itoa(i))
			w.Open("i.cm-face aria-hidden=true data-hue=%", strconv.Itoa(p.crowd.hues[who.sub])).Text(face.Initials(who.name)).Close().Leaf("span", who.name).Close()
		}
		w.Close()
	}
	if wrong != "" {
		w.Open("p.cm-error role=alert id=%", wrong).Icon("warn").Leaf("span", d.wrong).Close()
	}
	if used || d.text != "" {
		w.Open("div.cm-send")
		if n := utf8.RuneCountInString(d.text); n > maxText*8/10 {
			w.Open("small data-over=%", markup.Only(n > maxText, "true")).Text(strconv.Itoa(n) + " of 4,000").Close()
		}
		w.Open("span.push").Close()
		if used {
			w.Leaf("button.quiet type=button data-do=cancel data-arg=%", "Cancel", key)
		}
		label := send
		if d.sending {
			label = "Sending…"
		}
		w.Leaf("button.primary type=button data-do=send data-arg=% title=% disabled=%", label, key, send+" (Ctrl Enter)", markup.Only(d.sending, "true"))
		w.Close()
	}
	w.Close()
}

// sum returns a hash of a text as a decimal number, for ids.
func sum(s string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	return strconv.FormatUint(uint64(h.Sum32()), 10)
}
