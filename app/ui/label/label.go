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
	s := p.Editor.State()
	path, text, ok := inspector.PlainText(s)
	if !ok {
		return false
	}
	at, name, ok := p.place(s)
	if !ok {
		return false
	}
	p.Canvas.Reveal(s.Selection.Only())
	p.Canvas.EditText(canvas.Field{At: at, Name: name, Text: text, Done: func(now string, next bool) {
		ctx.Dispatch(func(ctx app.Context) {
			defer p.Rescue(ctx)
			if now != text {
				p.Run(ctx, set(path, now))
				p.Editor.Seal()
			}
			if next && p.next() {
				p.Start(ctx)
			}
			p.Sync(ctx)
		})
	}})
	return true
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

// place returns the rectangle of the selected text on its card, and what it is called. A folded row has none.
func (p *Editor) place(s editor.State) (r graph.Rect, name string, ok bool) {
	c := p.Canvas.Scene().Card(s.Selection.Only())
	if c == nil {
		return r, "", false
	}
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Node < 0 {
		return r, "", false
	}
	if at.Part() < 0 {
		return graph.Rect{X: c.Rect.X + headLeft, Y: c.Rect.Y + 4, W: c.Rect.W - headLeft - right, H: graph.HeaderHeight - 8}, "Alias", true
	}
	i := c.RowOf(at.Part())
	if i < 0 || c.Rows[i].Kind == graph.MoreRow {
		return r, "", false
	}
	name = "Label"
	if at.Rule >= 0 {
		name = "Alias"
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
