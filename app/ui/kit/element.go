package kit

import (
	"cmp"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// El returns an element. The spec is its tag, its classes behind dots, and its
// attributes: "button.quiet type=button data-arg=%". Each % takes the next of the
// values, which may hold anything; what stands in the spec itself has no spaces.
//
// The typed constructors of go-app are not used: each of their types brings its
// methods into the program, and each call in a chain its code.
func El(spec string, values ...string) app.HTMLElem {
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

// Yes is the value of an attribute that is true or false.
func Yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// SVG is the namespace of its elements.
const SVG = "http://www.w3.org/2000/svg"

// Icon draws a symbol of the icon set.
func Icon(name string) app.UI {
	return El("svg").XMLNS(SVG).Attr("class", "i").Attr("aria-hidden", "true").Body(
		El("use").XMLNS(SVG).Attr("href", "#i-"+name),
	)
}

// IconButton is a button that shows an icon only; name is what it is called.
func IconButton(act, name, symbol string, enabled bool) app.HTMLElem {
	return El("button.icon type=button aria-label=% title=% data-act=% disabled=%", name, name, act, Yes(!enabled)).Body(Icon(symbol))
}

// TextButton is a button with a text.
func TextButton(act, name, class string) app.HTMLElem {
	return El("button type=button class=% data-act=%", class, act).Text(name)
}

// Held keeps a control's value where syncControls finds it. The value attribute
// of go-app would not do: it drops empty values, trims the others, and knows
// nothing of what was typed. The marks at both ends keep the spaces.
func Held(text string) string { return "=" + text + "=" }

// DomID turns a path into an id that ARIA lists can hold.
func DomID(prefix, path string) string {
	return prefix + strings.Map(func(r rune) rune {
		if r <= ' ' || r == '"' {
			return '_'
		}
		return r
	}, path)
}

// Act reads which control an event is about: the nearest element with data-act.
func Act(e app.Event) (name, arg string, ok bool) {
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

// Notice is a full panel that says what happened and offers one way on.
func Notice(symbol, title, text string, action app.UI) app.UI {
	var body []app.UI
	body = append(body, El("span.notice-icon").Body(Icon(symbol)), El("h2").Text(title))
	if text != "" {
		body = append(body, El("p").Text(text))
	}
	if action != nil {
		body = append(body, action)
	}
	return El("div.notice role=status").Body(body...)
}

// Banner says one thing above the page, with the ways on.
func Banner(symbol, text string, buttons ...app.UI) app.UI {
	body := append([]app.UI{Icon(symbol), El("span").Text(text), El("span.push")}, buttons...)
	return El("div.banner role=alert").Body(body...)
}

// Mark is the product's mark.
func Mark() app.UI { return El("span.mark").Body(Icon("home")) }

// Loading says that something is being read.
func Loading(what string) app.UI {
	return El("div.notice role=status").Body(El("span.busy aria-hidden=true"), El("p").Text("Loading "+what+"…"))
}

// Failed says that something could not be read, with a button to try again.
func Failed(err error, act string) app.UI {
	return Notice("warn", "This could not be loaded", Sentence(err), TextButton(act, "Try again", "primary"))
}

// Warned is an element with a text and the sign of a warning before it.
func Warned(spec, text string) app.UI { return El(spec).Body(Icon("warn"), El("span").Text(text)) }

// SearchField is a field to search in, with attributes that say which.
func SearchField(attributes, name, held string) app.UI {
	return El("label.field-search").Body(Icon("search"),
		El("input type=search maxlength=200 placeholder=% aria-label=% data-held=% "+attributes, name, name, Held(held)))
}

// Time draws a time relative to now, with the exact one on hover. text says it in words, "" for how long ago it was.
func Time(at, now time.Time, text string) app.UI {
	return El("time datetime=% title=%", at.Format(time.RFC3339), at.Local().Format(DateTime)).Text(cmp.Or(text, Ago(at, now)))
}
