package kit

import (
	"context"
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/pause"
)

// maxAnswer is the maximum size of the body of an answer; a form has at most 4 MiB.
const maxAnswer = 8 << 20

// Browser sends requests with the browser's fetch.
type Browser struct{}

// Fetch implements client.Fetcher.
func (Browser) Fetch(ctx context.Context, r client.Request) (client.Response, error) {
	abort := app.Window().Get("AbortController").New()
	stop := context.AfterFunc(ctx, func() { abort.Call("abort") })
	defer stop()
	headers := map[string]any{}
	for k, v := range r.Header {
		headers[k] = v
	}
	init := map[string]any{
		"method": r.Method, "headers": headers, "signal": abort.Get("signal"), "cache": "no-store", "redirect": "error",
		"credentials": "same-origin",
	}
	if r.Body != nil {
		init["body"] = string(r.Body)
	}
	res, err := Await(app.Window().Call("fetch", r.Path, init))
	if err != nil {
		// Browsers' messages are of no use here: "Failed to fetch", "Load failed".
		return client.Response{}, timedOut(ctx, errors.New("there is no connection"))
	}
	buf, err := Await(res.Call("arrayBuffer"))
	if err != nil {
		return client.Response{}, timedOut(ctx, err)
	}
	body := bytesOf(buf)
	if len(body) > maxAnswer {
		return client.Response{}, errors.New("the answer is too large")
	}
	header := res.Get("headers")
	return client.Response{
		Status: res.Get("status").Int(), Body: body,
		Header: func(name string) string {
			if v := header.Call("get", name); v.Type() == app.TypeString {
				return v.String()
			}
			return ""
		},
	}, nil
}

// bytesOf returns the bytes of an ArrayBuffer.
func bytesOf(buffer app.Value) []byte {
	array := app.Window().Get("Uint8Array").New(buffer)
	b := make([]byte, array.Length())
	app.CopyBytesToGo(b, array)
	return b
}

func timedOut(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("it did not answer in time")
	}
	return err
}

// Await waits for a promise. It must not run on the goroutine of a JavaScript
// callback: the page would freeze.
func Await(promise app.Value) (app.Value, error) {
	type result struct {
		v   app.Value
		err error
	}
	done := make(chan result, 1)
	then := app.FuncOf(func(_ app.Value, args []app.Value) any {
		v := app.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		done <- result{v: v}
		return nil
	})
	fail := app.FuncOf(func(_ app.Value, args []app.Value) any {
		msg := "unknown error"
		if len(args) > 0 {
			msg = args[0].Get("message").String()
		}
		done <- result{app.Undefined(), errors.New(msg)}
		return nil
	})
	defer then.Release()
	defer fail.Release()
	promise.Call("then", then, fail)
	r := <-done
	return r.v, r.err
}

// Exception is a value thrown by a call to the browser; Value is usually an Error object.
type Exception struct {
	app.Value
	text string
}

// Error returns the exception's message.
func (e *Exception) Error() string { return e.text }

// Thrown returns the browser's exception that caused a panic, nil for any other value.
func Thrown(broken any) *Exception {
	// The value is an Error of package syscall/js, which native tests cannot import.
	if e, ok := broken.(interface {
		error
		Truthy() bool
	}); ok {
		return &Exception{app.ValueOf(e), e.Error()}
	}
	return nil
}

// Drawn calls f after a frame that shows everything typed before it. go-app may draw a frame although events wait for their handlers, and to set
// controls to their held values would then undo what these events tell of.
func Drawn(ctx app.Context, f func(app.Context)) {
	before := typed()
	ctx.Dispatch(func(ctx app.Context) { // after the handlers of the events before
		ctx.PreventUpdate()
		ctx.Defer(func(ctx app.Context) {
			if typed() != before {
				Drawn(ctx, f)
				return
			}
			f(ctx)
		})
	})
}

// typed returns how many events of controls there have been.
func typed() int { return app.Window().Get("formgraphTyped").Int() }

// Focused, passed to SyncControls, stands for the focused control.
const Focused = "*"

// SyncControls sets the values of all controls on the page to their held values; see Held. typing is the path of the control that is being edited, ""
// for none: that control keeps what was typed since the page was drawn. Call it when Drawn says so. It is in the page's script, boot.js, since to ask
// each control from here would take longer than to draw the page.
func SyncControls(typing string) { app.Window().Call("formgraphSync", typing) }

// Listen adds an event listener to the window and returns a function that removes it.
func Listen(event string, f func(app.Value)) (stop func()) {
	fn := app.FuncOf(func(_ app.Value, args []app.Value) any { pause.Event(func() { f(args[0]) }); return nil })
	app.Window().Call("addEventListener", event, fn)
	return func() {
		app.Window().Call("removeEventListener", event, fn)
		fn.Release()
	}
}

// Near returns the nearest element that matches a selector, from the target of an event outwards, null if there is none. The target may be a text,
// the document or the window, to which browsers and assistive tools send events of every kind: then the text's element or the body takes its place.
func Near(e app.Value, selector string) app.Value {
	return app.Window().Call("formgraphNear", e, selector)
}

// Target returns the element that an event concerns; see Near.
func Target(e app.Value) app.Value { return Near(e, "*") }

// PassOn dispatches a copy of a keyboard event to another element, and reports whether no listener prevented
// its default action.
func PassOn(e app.Value, selector string) (free bool) {
	el := Element(selector)
	if !el.Truthy() {
		return true
	}
	return el.Call("dispatchEvent", e.Get("constructor").New(e.Get("type"), e)).Bool()
}

// Visible reports whether the page can be seen.
func Visible() bool {
	return app.Window().Get("document").Get("visibilityState").String() == "visible"
}

// Online reports whether the browser has a network.
func Online() bool { return app.Window().Get("navigator").Get("onLine").Bool() }

// LogError writes to the browser's console.
func LogError(text string) { app.Window().Get("console").Call("error", text) }

// Element returns the first element that matches a selector, null if there is none.
func Element(selector string) app.Value {
	return app.Window().Get("document").Call("querySelector", selector)
}

// Focus moves the focus to the first element that matches a selector.
func Focus(selector string) {
	if el := app.Window().Get("document").Call("querySelector", selector); el.Truthy() {
		el.Call("focus")
		if el.Get("select").Type() == app.TypeFunction {
			el.Call("select")
		}
	}
}

// FocusSoon moves the focus to an element that one of the next frames draws. If the element does not appear,
// the focus stays.
func FocusSoon(ctx app.Context, selector string, tries int) { soon(ctx, selector, tries, Focus) }

// ScrollSoon scrolls an element that one of the next frames draws into view, if it appears.
func ScrollSoon(ctx app.Context, selector string) { soon(ctx, selector, 0, ScrollTo) }

// soon calls do when there is an element with a selector, unless it does not appear in the remaining tries.
func soon(ctx app.Context, selector string, tries int, do func(selector string)) {
	if app.Window().Get("document").Call("querySelector", selector).Truthy() {
		do(selector)
		return
	}
	if tries < focusTries {
		ctx.After(focusPause, func(ctx app.Context) { soon(ctx, selector, tries+1, do) })
	}
}

// CloseDialog closes the modal dialog at once: while it is open, no other element can receive the focus.
func CloseDialog() {
	if el := app.Window().Get("document").Call("querySelector", "dialog[open]"); el.Truthy() {
		el.Call("close")
	}
}

// ScrollTo scrolls the first element that matches a selector into view.
func ScrollTo(selector string) {
	if el := app.Window().Get("document").Call("querySelector", selector); el.Truthy() {
		el.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// ScrollRow scrolls a row sideways, and nothing around it, until the first element in it that matches a selector is in view.
func ScrollRow(row, selector string) {
	r := Element(row)
	if !r.Truthy() {
		return
	}
	el := r.Call("querySelector", selector)
	if !el.Truthy() {
		return
	}
	outer, inner := r.Call("getBoundingClientRect"), el.Call("getBoundingClientRect")
	by := intoRow(inner.Get("left").Float()-outer.Get("left").Float(), inner.Get("right").Float()-outer.Get("left").Float(), outer.Get("width").Float())
	if by != 0 {
		r.Set("scrollLeft", r.Get("scrollLeft").Float()+by)
	}
}

// besideInRow is the room that ScrollRow leaves beside an element. It shows that the row goes on.
const besideInRow = 32

// intoRow returns how far a row scrolls to show what is from left to right in its visible width. If there is not room for both, the left
// end is shown.
func intoRow(left, right, width float64) float64 {
	switch {
	case left >= 0 && right <= width-besideInRow:
		return 0
	case left < 0 || right-left > width-2*besideInRow:
		return left - besideInRow
	}
	return right + besideInRow - width
}

// SetTitle sets the title of the window.
func SetTitle(title string) { app.Window().Get("document").Set("title", title) }

// Leave navigates to another address of this server with a full page load.
func Leave(address string) { app.Window().Get("location").Set("href", address) }

// Reload reloads the page.
func Reload() { app.Window().Get("location").Call("reload") }

// OpenSignIn opens the sign-in page in a window beside the editor, so that the editor and its work are kept.
// It returns a function that closes the window, nil if the browser does not open windows.
func OpenSignIn() (closeWindow func()) {
	w := app.Window().Call("open", "/bff/login?display=popup&return_to=/forms", "formgraph-sign-in", "popup,width=480,height=680")
	if !w.Truthy() {
		return nil
	}
	return func() { w.Call("close") }
}

// The themes that a person can choose. SystemTheme follows the system.
const (
	SystemTheme = "system"
	LightTheme  = "light"
	DarkTheme   = "dark"
)

// Theme returns the theme that the person has chosen.
func Theme() string {
	if chosen := Recall("theme"); chosen == LightTheme || chosen == DarkTheme {
		return chosen
	}
	return SystemTheme
}

// SetTheme shows a theme and remembers the choice.
func SetTheme(theme string) {
	Remember("theme", theme)
	if theme == SystemTheme {
		theme = LightTheme
		if app.Window().Call("matchMedia", "(prefers-color-scheme: dark)").Get("matches").Bool() {
			theme = DarkTheme
		}
	}
	app.Window().Get("document").Get("documentElement").Get("dataset").Set("theme", theme)
}

// SwitchTheme switches between the light and the dark theme. theme.js has set the theme that is shown.
func SwitchTheme() {
	if app.Window().Get("document").Get("documentElement").Get("dataset").Get("theme").String() == DarkTheme {
		SetTheme(LightTheme)
		return
	}
	SetTheme(DarkTheme)
}

// Dialect returns the tenant's dialect of component names, as the server reports it.
func Dialect() string {
	if fg := app.Window().Get("formgraph"); fg.Truthy() && fg.Get("dialect").Type() == app.TypeString {
		return fg.Get("dialect").String()
	}
	return ""
}

// Remote reports whether the tenant is not the embedded one.
func Remote() bool { return told("remote") }

// HasAccount reports whether the tenant has an account API, so that there is an account page.
func HasAccount() bool { return told("account") }

// told reports whether the server set a mark on the page.
func told(mark string) bool {
	fg := app.Window().Get("formgraph")
	return fg.Truthy() && fg.Get(mark).Truthy()
}

// SelectDialog opens the dialog element as a modal dialog if it is not open.
func SelectDialog() {
	if el := app.Window().Get("document").Call("querySelector", "dialog"); el.Truthy() && !el.Get("open").Bool() {
		el.Call("showModal")
	}
}

// Download makes the browser download a file.
func Download(name, text string) { app.Window().Call("formgraphDownload", name, text) }

// Submit submits a form in a new tab. fields alternates names and values.
func Submit(address string, fields []string) {
	all := make([]any, len(fields))
	for i, f := range fields {
		all[i] = f
	}
	app.Window().Call("formgraphSubmit", address, all)
}

// ChosenFile reads the file selected in an input, "" if there is none. text is its bytes, in any encoding; of a file that is too large it is so
// much that every reader refuses it. Afterwards the same file can be selected again.
func ChosenFile(selector string) (name, text string, err error) {
	el := app.Window().Get("document").Call("querySelector", selector)
	if !el.Truthy() || el.Get("files").Length() == 0 {
		return "", "", nil
	}
	file := el.Get("files").Index(0)
	name = file.Get("name").String()
	content, err := Await(file.Call("slice", 0, maxAnswer).Call("arrayBuffer"))
	el.Set("value", "")
	if err != nil {
		return name, "", errors.New("the file could not be read: choose it again")
	}
	return name, string(bytesOf(content)), nil
}

// Dropped reports whether the file selected in an input was dropped on the page, until it is asked the next time.
func Dropped(selector string) bool {
	el := app.Window().Get("document").Call("querySelector", selector)
	if !el.Truthy() || !el.Get("dataset").Get("dropped").Truthy() {
		return false
	}
	el.Call("removeAttribute", "data-dropped")
	return true
}

// Press clicks an element, for example to open a file chooser from a button.
func Press(selector string) {
	if el := app.Window().Get("document").Call("querySelector", selector); el.Truthy() {
		el.Call("click")
	}
}
