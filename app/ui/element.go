//go:build js

package ui

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// el returns an element. The spec is its tag, its classes behind dots, and its
// attributes: "button.quiet type=button data-arg=%". Each % takes the next of the
// values, which may hold anything; what stands in the spec itself has no spaces.
//
// The typed constructors of go-app are not used: each of their types brings its
// methods into the program, and each call in a chain its code.
func el(spec string, values ...string) app.HTMLElem {
	head, rest, _ := strings.Cut(spec, " ")
	tag, classes, _ := strings.Cut(head, ".")
	e := app.Elem(tag)
	if classes != "" {
		e.Class(strings.ReplaceAll(classes, ".", " "))
	}
	for rest != "" {
		var attr string
		attr, rest, _ = strings.Cut(rest, " ")
		name, value, _ := strings.Cut(attr, "=")
		if value == "%" {
			value, values = values[0], values[1:]
		}
		e.Attr(name, value)
	}
	return e
}

// yes is the value of an attribute that is true or false.
func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

const svgNS = "http://www.w3.org/2000/svg"

// icon draws a symbol of the icon set.
func icon(name string) app.UI {
	return el("svg").XMLNS(svgNS).Attr("class", "i").Attr("aria-hidden", "true").Body(
		el("use").XMLNS(svgNS).Attr("href", "#i-"+name),
	)
}

// iconButton is a button that shows an icon only; name is what it is called.
func iconButton(act, name, symbol string, enabled bool) app.HTMLElem {
	return el("button.icon type=button aria-label=% title=% data-act=% disabled=%", name, name, act, yes(!enabled)).Body(icon(symbol))
}

// textButton is a button with a text.
func textButton(act, name, class string) app.HTMLElem {
	return el("button type=button class=% data-act=%", class, act).Text(name)
}

// held keeps a control's value where syncControls finds it. The value attribute
// of go-app would not do: it drops empty values, trims the others, and knows
// nothing of what was typed. The marks at both ends keep the spaces.
func held(text string) string { return "=" + text + "=" }

// domID turns a path into an id that ARIA lists can hold.
func domID(prefix, path string) string {
	return prefix + strings.Map(func(r rune) rune {
		if r <= ' ' || r == '"' {
			return '_'
		}
		return r
	}, path)
}

// act reads which control an event is about: the nearest element with data-act.
func act(e app.Event) (name, arg string, ok bool) {
	el := e.Get("target").Call("closest", "[data-act]")
	if !el.Truthy() || el.Get("disabled").Truthy() {
		return "", "", false
	}
	data := el.Get("dataset")
	if a := data.Get("arg"); a.Type() == app.TypeString {
		arg = a.String()
	}
	return data.Get("act").String(), arg, true
}

// notice is a full panel that says what happened and offers one way on.
func notice(symbol, title, text string, action app.UI) app.UI {
	var body []app.UI
	body = append(body, el("span.notice-icon").Body(icon(symbol)), el("h2").Text(title))
	if text != "" {
		body = append(body, el("p").Text(text))
	}
	if action != nil {
		body = append(body, action)
	}
	return el("div.notice role=status").Body(body...)
}

// mark is the product's mark.
func mark() app.UI { return el("span.mark").Body(icon("home")) }
