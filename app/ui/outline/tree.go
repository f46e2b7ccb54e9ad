package outline

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/pause"
)

// Tree draws the outline into its host and handles movement in it. go-app does not draw it: a key in a tree of
// a thousand nodes then updates only one row, and a focused row remains the same element. The document contains
// only the visible rows and the row with the tab stop.
type Tree struct {
	*drawing
	ctx     app.Context
	typed   string // letters typed to look up a name
	typedAt float64

	keys, clicks, frame app.Func
	pending             app.Value
	observer            app.Value
	stop                func()
}

// drawing is the part of the outline that is in the document.
type drawing struct {
	*cursor
	list     rowList
	scroller app.Value
}

// New returns the tree of the page's editor. It is not drawn yet.
func New(ctx app.Context, w *workspace.Workspace) *Tree {
	d := &drawing{cursor: &cursor{Workspace: w}, list: newRowList(app.Undefined(), newRowElement), scroller: app.Undefined()}
	o := &Tree{drawing: d, ctx: ctx, pending: app.Undefined()}
	handler := func(call func(f func()), f func(app.Value)) app.Func {
		return app.FuncOf(func(_ app.Value, args []app.Value) any {
			call(func() {
				defer w.Rescue(ctx)
				f(args[0])
			})
			return nil
		})
	}
	o.keys, o.clicks = handler(pause.Event, o.onKey), handler(pause.Event, o.onClick)
	redraw := handler(pause.Do, func(app.Value) { o.redraw() })
	o.frame = handler(pause.Do, func(app.Value) {
		o.pending = app.Undefined()
		o.update()
	})
	o.observer = app.Window().Get("ResizeObserver").New(redraw)
	unwatch := w.Editor.Observe(o.redraw)
	// Scroll events do not bubble: this catches those of any panel.
	scroll := func(f string) {
		app.Window().Get("document").Call(f, "scroll", redraw, map[string]any{"capture": true, "passive": true})
	}
	scroll("addEventListener")
	o.stop = func() {
		unwatch()
		scroll("removeEventListener")
		app.Window().Call("cancelAnimationFrame", o.pending)
		o.unmount()
		for _, f := range []app.Func{o.keys, o.clicks, o.frame, redraw} {
			f.Release()
		}
	}
	return o
}

// Host returns the page's element for the tree.
const Host = "[data-testid=outline]"

// Close releases the browser resources of the tree. Closing nil has no effect.
func (o *Tree) Close() {
	if o != nil {
		o.stop()
	}
}

// Mount draws the tree into the page's host, if the page has one.
func (o *Tree) Mount(host app.Value) {
	if o == nil || host.Equal(o.list.host) {
		return
	}
	o.unmount()
	if !host.Truthy() {
		return
	}
	o.list.host, o.scroller = host, host.Call("closest", ".tab-panel")
	host.Call("addEventListener", "keydown", o.keys)
	host.Call("addEventListener", "click", o.clicks)
	o.observer.Call("observe", o.scroller)
	o.render(true)
}

func (o *Tree) unmount() {
	if !o.list.host.Truthy() {
		return
	}
	o.observer.Call("disconnect")
	o.list.host.Call("removeEventListener", "keydown", o.keys)
	o.list.host.Call("removeEventListener", "click", o.clicks)
	o.list.clear()
	o.list.host = app.Undefined()
}

// redraw schedules a drawing in the next frame; several changes are drawn together.
func (o *Tree) redraw() {
	if o.pending.IsUndefined() && o.list.host.Truthy() {
		o.pending = app.Window().Call("requestAnimationFrame", o.frame)
	}
}

// Focused reports whether the focus is in the tree.
func (o *Tree) Focused() bool {
	return o != nil && o.list.host.Truthy() && o.list.host.Call("contains", app.Window().Get("document").Get("activeElement")).Bool()
}

// Focus moves the focus to the row with the tab stop, and returns false if the tree is not visible.
func (o *Tree) Focus() bool {
	if o == nil || !o.list.host.Truthy() || o.list.host.Get("offsetParent").IsNull() {
		return false
	}
	o.render(true)
	o.rowOf(o.cur).li.Call("focus", map[string]any{"preventScroll": true})
	return true
}

// update synchronizes the document with the form, the selection and the visible part.
func (o *Tree) update() { o.render(false) }

// render calls update, and scrolls to the row with the tab stop if requested, or if the tab stop moved by
// itself. It reads the focus first, because the focused row may no longer be drawn afterwards.
func (o *Tree) render(scroll bool) {
	if !o.list.host.Truthy() || !o.list.host.Get("isConnected").Bool() {
		return
	}
	focused := o.Focused()
	if moved := o.follow(focused); moved || scroll {
		o.reveal()
	}
	o.draw()
	if focused {
		if li := o.rowOf(o.cur).li; !li.Equal(app.Window().Get("document").Get("activeElement")) {
			li.Call("focus", map[string]any{"preventScroll": true})
		}
	}
}
