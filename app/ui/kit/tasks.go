package kit

import (
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/pause"
)

// PauseInTasks lets long work pause until the browser begins another task. A timer of Go could end a pause in the same task: while the garbage
// collector works, it takes the place of what sleeps.
func PauseInTasks() {
	due := make(chan func(), 1024) // more than can be due: each pause waits for its own
	next := app.FuncOf(func(app.Value, []app.Value) any {
		(<-due)()
		return nil
	})
	pause.In(func(f func()) {
		due <- f
		app.Window().Call("setTimeout", next, 0)
	}, holdEvents)
}

// The events that are kept back: those of pointers, and others in the places whose handlers go-app does not dispatch. In all other places, urgent ones end
// the pause: their handlers may prevent what the browser does by default.
const (
	pointerEvents = "pointerdown pointermove pointerup pointercancel lostpointercapture"
	placeEvents   = "keydown keyup wheel mouseup click contextmenu blur"
	urgentEvents  = "keydown paste"
	places        = "#canvas, [data-testid=outline]"
	modifiers     = "Shift AltGraph Control Meta"
)

// holdEvents keeps back the events that come while the page pauses. release sends copies of them: handlers may stop one another only while an event
// is under way. The text that a key types is not kept back, and nothing of it is lost.
func holdEvents() (release func()) {
	type held struct{ target, event app.Value }
	var all []held
	hold := app.FuncOf(func(_ app.Value, args []app.Value) any {
		e := args[0]
		kind, target := e.Get("type").String(), e.Get("target")
		switch {
		case !pause.Pausing():
			return nil
		case strings.Contains(pointerEvents, kind) || strings.Contains(placeEvents, kind) && within(target, places):
		default:
			if strings.Contains(urgentEvents, kind) && !types(e) {
				pause.Hurry()
			}
			return nil
		}
		e.Call("stopImmediatePropagation")
		all = append(all, held{target, e.Get("constructor").New(kind, e)})
		// Later it is too late for that. A key types, or moves the focus.
		if kind == "wheel" || kind == "contextmenu" || kind == "keydown" && !Typing(target) && e.Get("key").String() != "Tab" {
			e.Call("preventDefault")
		}
		return nil
	})
	options := map[string]any{"capture": true, "passive": false}
	kinds := strings.Fields(pointerEvents + " " + placeEvents + " paste") // each once
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

// within reports whether the target of an event is in an element that matches a selector. The document and the window are in none.
func within(target app.Value, selector string) bool {
	return target.Get("closest").Type() == app.TypeFunction && target.Call("closest", selector).Truthy()
}

// types reports whether an event is that of a key that only types a character, or begins to.
func types(e app.Value) bool {
	key := e.Get("key")
	return key.Type() == app.TypeString && Typing(e.Get("target")) && !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() &&
		(utf8.RuneCountInString(key.String()) == 1 || strings.Contains(modifiers, key.String()))
}
