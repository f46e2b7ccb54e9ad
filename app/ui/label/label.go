// Package label edits the label of the selected row, or the alias of the selected node, in place on its card.
package label

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// Editor edits labels.
type Editor struct{ *workspace.Workspace }

// Start shows a field over the selection. It returns false if the text can only be edited in the inspector: it is not shown on a card at
// this zoom, or has markup.
func (p *Editor) Start(ctx app.Context) bool {
	if p.Canvas == nil || p.ReadOnly() || p.Canvas.Viewport().Zoom < graph.SpotZoom {
		return false
	}
	sel := p.Editor.State().Selection
	_, text, ok := p.text(sel)
	if !ok {
		return false
	}
	_, name, ok := p.place(sel)
	if !ok {
		return false
	}
	p.Canvas.Reveal(sel.Only())
	p.Canvas.EditText(canvas.Field{Name: name, Text: text, Place: func() (graph.Rect, bool) {
		at, _, ok := p.place(sel)
		return at, ok
	}, Done: func(now string, next bool) {
		ctx.Dispatch(func(ctx app.Context) {
			defer p.Rescue(ctx)
			if now != text {
				p.keep(ctx, sel, now)
			}
			if next && p.next() {
				p.Start(ctx)
			}
			p.Sync(ctx)
		})
	}})
	return true
}

// text returns the text of an element of the form and its path, which may differ from where it was when the editing began.
func (p *Editor) text(sel editor.Selection) (schema.Path, string, bool) {
	s := p.Editor.State()
	s.Selection = sel
	return inspector.PlainText(s)
}

// keep sets the text of an element, unless that has gone meanwhile.
func (p *Editor) keep(ctx app.Context, sel editor.Selection, text string) {
	if path, _, ok := p.text(sel); ok && p.exists(sel) {
		p.Run(ctx, set(path, text))
		p.Editor.Seal()
		return
	}
	p.Say(ctx, "What you were naming is gone, so "+schema.Quote(text)+" was not kept.")
}

// exists reports whether the form still has an element that was selected.
func (p *Editor) exists(sel editor.Selection) bool {
	at, ok := sel.Place(p.Editor.State().Form)
	return ok && (sel.Component == "" || at.Component >= 0) && (sel.Rule == "" || at.Rule >= 0)
}

// set returns the command that sets a text; an empty one is removed.
func set(path schema.Path, text string) editor.Command {
	if text == "" {
		return editor.Clear{Path: path}
	}
	return editor.Set{Path: path, Value: schema.WellFormed(text)}
}

// Around a text, in form units: where it begins in a row and in a header, and the space that stays free at the right.
const (
	rowLeft  = 30
	headLeft = 36
	right    = 14
)

// place returns the rectangle of the text of an element on its card, and what it is called. A folded row has none.
func (p *Editor) place(sel editor.Selection) (r graph.Rect, name string, ok bool) {
	c := p.Canvas.Scene().Card(sel.Only())
	if c == nil || !p.exists(sel) {
		return r, "", false
	}
	at, ok := sel.Place(p.Editor.State().Form)
	if !ok || at.Node < 0 {
		return r, "", false
	}
	if at.Part() < 0 {
		return graph.Rect{X: c.Rect.X + headLeft, Y: c.Rect.Y + 4, W: c.Rect.W - headLeft - right, H: graph.HeaderHeight - 8}, "Name", true
	}
	i := c.RowOf(at.Part())
	if i < 0 || c.Rows[i].Kind == graph.MoreRow {
		return r, "", false
	}
	name = "Label"
	if at.Rule >= 0 {
		name = "Name"
	}
	return graph.Rect{X: c.Rect.X + rowLeft, Y: c.Rect.Y + c.Rows[i].Top + 1, W: c.Rect.W - rowLeft - right, H: graph.RowHeight - 2}, name, true
}

// next selects the row below the selected one, or the first row of a selected node, and reports whether there is one.
func (p *Editor) next() bool {
	s := p.Editor.State()
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Node < 0 {
		return false
	}
	n, i := s.Form.Nodes[at.Node], at.Part()+1
	sel := editor.SelectNodes(s.Selection.Nodes...)
	if c := n.Component(i); c != nil {
		sel.Component = c.ID
	} else if r := n.Rule(i); r != nil {
		sel.Rule = r.ID
	} else {
		return false
	}
	p.Editor.Select(sel)
	return true
}
