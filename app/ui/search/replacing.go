package search

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/replace"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// replacing is the part of the search that replaces what it finds. While it is shown, the list has the literal occurrences of the query.
type replacing struct {
	on    bool
	query replace.Query // without the text that is searched
	said  string        // what the last act did
	bad   bool          // some texts were not replaced

	list   []replace.Match // the occurrences of listed in form
	form   *model.Form
	listed replace.Query
}

// The acts of the part, and the id of its field.
const (
	replaceAct   = "replace-one"
	replaceAll   = "replace-all"
	replacingAct = "replacing"
	caseAct      = "replace-case"
	wordsAct     = "replace-words"
	replaceField = "replace-text"
)

// OpenReplace opens the search of the form with the part that replaces.
func (p *Dialog) OpenReplace(ctx app.Context) {
	p.Open(ctx, Find)
	p.on = true
}

// Replaces reports whether the search of the form is open with the part that replaces.
func (p *Dialog) Replaces() bool { return p.on && p.Dialog.Name() == Find && !p.ReadOnly() }

// With sets the text that replaces what is found.
func (p *Dialog) With(text string) { p.replacing.query.With, p.said = text, "" }

// matches returns the occurrences.
func (p *Dialog) matches() []replace.Match {
	r := &p.replacing
	q := r.query
	q.Text = p.query
	if f := p.Editor.State().Form; r.form != f || r.listed != q {
		r.form, r.listed, r.list = f, q, q.Find(f)
	}
	return r.list
}

// occurrences returns the lines of the occurrences.
func (p *Dialog) occurrences() (out []result) {
	list := p.matches()
	for i := range list[:min(len(list), resultLimit)] {
		m := &list[i]
		line, at := m.Around()
		h := find.Hit{Path: m.Path}
		if m.Path[0].Key == "translations" && len(m.Path) > 3 && m.Path[2].Key == "components" {
			h.Component = m.Path[3].Key
		}
		out = append(out, result{
			icon: m.Icon, title: line, note: m.Where, inTitle: []find.Range{at},
			take: func(ctx app.Context) { p.goToHit(ctx, h) },
		})
	}
	return out
}

// Act handles a control of the part, and reports whether it is one.
func (p *Dialog) Act(ctx app.Context, name, _ string) bool {
	r := &p.replacing
	switch name {
	case replacingAct:
		if r.on = !r.on; r.on {
			kit.FocusSoon(ctx, "#"+replaceField, 0)
		}
	case caseAct:
		r.query.Case = !r.query.Case
	case wordsAct:
		r.query.Words = !r.query.Words
	case replaceAct:
		p.replace(ctx, false)
		return true
	case replaceAll:
		p.replace(ctx, true)
		return true
	default:
		return false
	}
	p.at, r.said = 0, ""
	return true
}

// replace replaces the chosen occurrence and goes to the next one, or all of them in one step.
func (p *Dialog) replace(ctx app.Context, all bool) {
	list := p.matches()
	if len(list) == 0 || !p.Replaces() {
		return
	}
	p.at = min(p.at, len(list)-1)
	some := list
	if !all {
		some = list[p.at : p.at+1]
	}
	r := &p.replacing
	was := &list[p.at]
	c, refused, n := r.listed.Replace(some)
	if len(c.Edits) > 0 {
		if err := p.Editor.Run(c); err != nil {
			r.said, r.bad = kit.Sentence(err), true
			return
		}
	}
	r.said, r.bad = kit.Several(n, "Replaced 1 place.", "Replaced %d places."), len(refused) > 0
	if n > 0 {
		p.SayUndo(ctx, r.said) // it is in sight once the dialog is closed
	}
	if len(refused) > 0 {
		r.said = "Not replaced: " + refused[0]
		if n > 0 {
			r.said = fmt.Sprintf("Replaced %d. %s", n, r.said)
		}
		if more := len(refused) - 1; more > 0 {
			r.said += " " + kit.Several(more, "1 more text was not replaced.", "%d more texts were not replaced.")
		}
	}
	switch {
	case all:
		p.at = 0
	case n > 0:
		p.at = r.listed.Next(p.matches(), p.at, was)
	default:
		p.at++
	}
}

// standing returns how many occurrences there are, in words.
func (p *Dialog) standing() string {
	list := p.matches()
	texts := 0
	for i := range list {
		if i == 0 || !list[i].Path.Equal(list[i-1].Path) {
			texts++
		}
	}
	switch {
	case p.query == "":
		return "Searches all texts and names, in every language, except inside {{ }}."
	case len(list) == 0:
		return "No text contains that."
	}
	return kit.Several(len(list), "1 place", "%d places") + kit.Several(texts, " in 1 text", " in %d texts")
}

// drawReplacing draws the part below the field of the search.
func (p *Dialog) drawReplacing() app.UI {
	r := &p.replacing
	if !p.Replaces() {
		return kit.El("div hidden=true")
	}
	none := kit.Yes(len(p.matches()) == 0)
	class := "quiet-text"
	if r.bad {
		class = "failed"
	}
	return kit.Tree("div.replacing { div.replace-with { input id=% type=text maxlength=2000 autocomplete=off spellcheck=false aria-label=% placeholder=% data-held=% "+
		"button.secondary type=button data-act=% title=Enter disabled=% { % } button.secondary type=button data-act=% title=Ctrl+Enter disabled=% { % } } "+
		"div.replace-how { button.quiet type=button data-act=% aria-pressed=% aria-label=% title=% { % } button.quiet type=button data-act=% aria-pressed=% { % } "+
		"p.quiet-text role=status { % } } p role=status class=% hidden=% { % } }",
		[]string{
			replaceField, "Replace with", "Replace with", kit.Held(r.query.With), replaceAct, none, "Replace", replaceAll, none, "Replace all",
			caseAct, kit.Yes(r.query.Case), "Match case", "Match case", "Aa", wordsAct, kit.Yes(r.query.Words), "Whole words",
			p.standing(), class, kit.Yes(r.said == ""), r.said,
		})
}
