package kit

import (
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/pause"
)

// PauseInTasks lets long work pause until the browser begins another task. A timer of Go could end a pause in the same task: while the garbage
// collector works, it takes the place of what sleeps. A timer of the browser could end it much later: hidden pages have one a second, or a minute.
func PauseInTasks() {
	due := make(chan func(), 1024) // more than can be due: each pause waits for its own
	tasks := app.Window().Get("MessageChannel").New()
	tasks.Get("port1").Set("onmessage", app.FuncOf(func(app.Value, []app.Value) any {
		(<-due)()
		return nil
	}))
	next := tasks.Get("port2")
	pause.In(func(f func()) {
		due <- f
		next.Call("postMessage", nil)
	}, holdEvents)
}

// The events that are kept back while the page pauses come in great numbers, and nobody waits for what they do: pointers that move, everywhere, and the
// others in places. Urgent events end the pause: what they do must come in their order, and may prevent what the browser does by default.
const (
	movingEvents = "pointermove"
	placeEvents  = "pointerenter pointerleave wheel"
	urgentEvents = "pointerdown pointerup pointercancel lostpointercapture mouseup click contextmenu keydown keyup copy cut paste blur"
	places       = "#canvas, [data-testid=outline]"
	presses      = "button, a" // nothing waits for the end of their focus, which the page's own work often causes
	modifiers    = "Shift Alt AltGraph Control Meta"
)

// holdEvents keeps events back. release sends copies of them: handlers may stop one another only while an event is under way.
func holdEvents() (release func()) {
	type held struct{ target, event app.Value }
	var all []held
	hold := app.FuncOf(func(_ app.Value, args []app.Value) any {
		e := args[0]
		kind := e.Get("type").String()
		switch {
		case !pause.Pausing():
		case strings.Contains(urgentEvents, kind):
			if !types(e) && (kind != "blur" || !Near(e, presses).Truthy()) {
				pause.Hurry()
			}
		case kind == movingEvents || Near(e, places).Truthy():
			e.Call("stopImmediatePropagation")
			all = append(all, held{e.Get("target"), e.Get("constructor").New(kind, e)})
			if kind == "wheel" { // the page must not scroll
				e.Call("preventDefault")
			}
		}
		return nil
	})
	options := map[string]any{"capture": true, "passive": false}
	kinds := strings.Fields(movingEvents + " " + placeEvents + " " + urgentEvents)
	for _, kind := range kinds {
		app.Window().Call("addEventListener", kind, hold, options)
	}
	return func() {
		for _, kind := range kinds {
			app.Window().Call("removeEventListener", kind, hold, options)
		}
		hold.Release()
		for _, h := range all {
			h.target.Call("dispatchEvent", h.event)
		}
	}
}

// types reports whether an event is that of a key that does nothing but type a character, or change what others do. The text that it types is not
// lost: see Drawn.
func types(e app.Value) bool {
	key := e.Get("key")
	if key.Type() != app.TypeString {
		return false
	}
	return strings.Contains(modifiers, key.String()) ||
		Typing(Target(e)) && utf8.RuneCountInString(key.String()) == 1 && !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool()
}
