package outline

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// selectionOf returns a selection of a single row. That of "Otherwise" is its edge, or without a target its router.
func (o *cursor) selectionOf(s spot) editor.Selection {
	if r := o.o.otherwise(s); r != nil && r.Fallback != "" {
		return editor.Selection{Edge: &editor.EdgeRef{From: o.o.id(s.at), Port: model.FallbackPort}}
	}
	sel := editor.SelectNodes(o.o.id(s.at))
	switch c, r := o.o.item(s); {
	case c != nil:
		sel.Component = c.ID
	case r != nil:
		sel.Rule = r.ID
	}
	return sel
}

// Claim selects the row with the tab stop unless it is already in the
// selection: commands apply to this row, or to the whole selection.
func (o *cursor) Claim() {
	sel := o.Editor.State().Selection
	own := o.selectionOf(o.cur)
	if sel.Has(o.curID) && (o.cur.part < 0 && !sel.Within() || o.cur.part >= 0 && slices.Contains(sel.Parts, own.Component)) {
		return
	}
	o.pick(own)
}

// RowMenu is the name of the menu of a row; see kit.ListenMenu.
const RowMenu = "outline"

// Point moves the tab stop and the focus to a row, and selects the row unless it is already in the selection. It returns false if the row is gone.
func (o *Tree) Point(li app.Value) bool {
	return o.claimAt(li.Get("dataset").Get("at").String()) && o.Focus()
}

// claimAt moves the tab stop to the row at a place, and claims it. It returns false if there is no such row.
func (o *cursor) claimAt(place string) bool {
	s, ok := o.o.parse(place)
	if ok {
		o.setCur(s)
		o.Claim()
	}
	return ok
}

// pick selects without moving the tab stop.
func (o *cursor) pick(s editor.Selection) {
	o.Editor.Select(s)
	o.seen, o.selected = o.Editor.State().Selection, map[string]bool{}
	for _, id := range o.seen.Nodes {
		o.selected[id] = true
	}
}

// later schedules an action on the page for a key.
func (o *Tree) later(f func(ctx app.Context)) {
	o.ctx.Dispatch(func(ctx app.Context) {
		defer o.Rescue(ctx)
		f(ctx)
	})
}

// onClick selects the pressed row, or toggles it if the arrow was pressed.
func (o *Tree) onClick(e app.Value) {
	li := kit.Near(e, "[role=treeitem]")
	if !li.Truthy() {
		return
	}
	s, ok := o.o.parse(li.Get("dataset").Get("at").String())
	if !ok {
		return
	}
	o.setCur(s)
	switch {
	case kit.Near(e, ".twisty").Truthy() && s.part < 0 && o.o.rows(s.at) > 0:
		o.o.setOpen(s.at, !o.o.open(s.at))
	case e.Get("shiftKey").Bool():
		o.extend()
	case e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool():
		o.toggle()
	default:
		o.choose()
	}
	o.update()
}

// choose selects the row with the tab stop and shows it on the canvas.
func (o *cursor) choose() {
	o.anchor = o.curID
	o.pick(o.selectionOf(o.cur))
	o.Show(o.curID)
}

// toggle adds the row to the selection, or removes it: a node, or a component of the only selected step. A rule is only selected alone.
func (o *cursor) toggle() {
	o.anchor = o.curID
	sel := o.Editor.State().Selection
	if o.cur.part >= 0 {
		own := o.selectionOf(o.cur)
		if own.Component != "" && sel.Only() == o.curID && sel.Rule == "" {
			own = sel.TogglePart(own.Component)
		}
		o.pick(own)
		return
	}
	if sel.Within() {
		sel = editor.SelectNodes(sel.Nodes...)
	}
	o.pick(sel.Toggle(o.curID))
}

// extend selects the nodes from the start of the extended selection to the
// tab stop.
func (o *cursor) extend() {
	from, ok := o.o.place[o.anchor]
	if !ok {
		from = o.cur.at
		o.anchor = o.curID
	}
	step := 1
	if o.cur.at < from {
		step = -1
	}
	var ids []string
	for at := from; ; at += step {
		ids = append(ids, o.o.id(at))
		if at == o.cur.at {
			break
		}
	}
	o.pick(editor.SelectNodes(ids...))
}

// nudge moves the selection by one step of the grid, as on the canvas.
func (o *Tree) nudge(ctx app.Context, by model.Point) {
	ids := o.Editor.State().Selection.Nodes
	from := map[string]model.Point{}
	for _, id := range ids {
		if o.Canvas == nil {
			break
		}
		if at, ok := o.Canvas.PlaceOf(id); ok {
			from[id] = at
		}
	}
	if len(ids) == 0 || !o.Run(ctx, editor.MoveNodes{IDs: ids, By: by, From: from, Burst: true}) {
		return
	}
	if o.Canvas != nil {
		o.Canvas.Reveal(ids[len(ids)-1])
	}
}
