package kit

import (
	"cmp"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// El returns an element. The spec consists of its tag, its classes after dots, and its attributes: "button.quiet
// type=button data-arg=%". Each % is replaced with the next of the values, which may contain any text; values in the
// spec itself cannot contain spaces.
//
// go-app's typed constructors are not used: each of their types adds its methods to the program, and each chained
// call adds code.
func El(spec string, values ...string) app.HTMLElem { return Tree(spec, values) }

// Tree is El with the content of the element in braces, as in "li { button type=button data-arg=% { @warn b { % } % } * }": elements, "%" for the
// next of the values as a text, "@name" for an icon, and "*" for the next of the kids. A tag, an attribute and a brace are words of their own. A
// "@%" is the icon that the next value names. Drawing with one call adds a fraction of the code that nested calls of El add.
func Tree(spec string, values []string, kids ...app.UI) app.HTMLElem {
	t := tree{spec, values, kids}
	return t.element(t.word())
}

// tree is what is left of the arguments of Tree.
type tree struct {
	spec   string
	values []string
	kids   []app.UI
}

func (t *tree) word() (word string) {
	word, t.spec, _ = strings.Cut(t.spec, " ")
	return word
}

func (t *tree) value() (value string) {
	value, t.values = t.values[0], t.values[1:]
	return value
}

// element reads an element whose first word is head.
func (t *tree) element(head string) app.HTMLElem {
	tag, classes, _ := strings.Cut(head, ".")
	e := app.Elem(tag)
	if classes != "" {
		e.Class(strings.ReplaceAll(classes, ".", " "))
	}
	for {
		word, rest, _ := strings.Cut(t.spec, " ")
		name, value, attribute := strings.Cut(word, "=")
		if word != "{" && !attribute {
			return e
		}
		t.spec = rest
		if word == "{" {
			return e.Body(t.content()...)
		}
		if value == "%" {
			value = t.value()
		}
		e.Attr(name, value)
	}
}

// content reads what is between two braces.
func (t *tree) content() (list []app.UI) {
	for {
		switch word := t.word(); {
		case word == "}" || word == "":
			return list
		case word == "%":
			list = append(list, app.Text(t.value()))
		case word == "*":
			list = append(list, t.kids[0])
			t.kids = t.kids[1:]
		case word == "@%":
			list = append(list, Icon(t.value()))
		case word[0] == '@':
			list = append(list, Icon(word[1:]))
		default:
			list = append(list, t.element(word))
		}
	}
}

// Yes returns the value of a boolean attribute.
func Yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// SVG is the XML namespace of SVG elements.
const SVG = "http://www.w3.org/2000/svg"

// Icon draws a symbol of the icon set.
func Icon(name string) app.UI {
	return El("svg").XMLNS(SVG).Attr("class", "i").Attr("aria-hidden", "true").Body(
		El("use").XMLNS(SVG).Attr("href", "#i-"+name),
	)
}

// IconButton is a button that shows only an icon; name is its accessible name.
func IconButton(act, name, symbol string, enabled bool) app.HTMLElem {
	return El("button.icon type=button aria-label=% title=% data-act=% disabled=%", name, name, act, Yes(!enabled)).Body(Icon(symbol))
}

// TextButton is a button with a text.
func TextButton(act, name, class string) app.HTMLElem {
	return El("button type=button class=% data-act=%", class, act).Text(name)
}

// Held stores a control's value for SyncControls. go-app's value attribute does not work: it drops empty values,
// trims the others, and ignores input. The marks at both ends preserve spaces.
func Held(text string) string { return "=" + text + "=" }

// DomID turns a path into an id that can be used in ARIA attributes.
func DomID(prefix, path string) string {
	return prefix + strings.Map(func(r rune) rune {
		if r <= ' ' || r == '"' {
			return '_'
		}
		return r
	}, path)
}

// Act returns the control that an event concerns: the nearest element with data-act.
func Act(e app.Event) (name, arg string, ok bool) {
	el := Near(e, "[data-act]")
	if !el.Truthy() || el.Get("disabled").Truthy() {
		return "", "", false
	}
	data := el.Get("dataset")
	if a := data.Get("arg"); a.Type() == app.TypeString {
		arg = a.String()
	}
	return data.Get("act").String(), arg, true
}

// Notice is a full panel with a message and at most one action.
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

// Banner is a message above the page with its actions.
func Banner(symbol, text string, buttons ...app.UI) app.UI {
	body := append([]app.UI{Icon(symbol), El("span").Text(text)}, buttons...)
	return El("div.banner role=alert").Body(body...)
}

// Mark is the product's logo.
func Mark() app.UI { return El("span.mark").Body(Icon("home")) }

// Loading is a notice that something is loading.
func Loading(what string) app.UI {
	return El("div.notice role=status").Body(El("span.busy aria-hidden=true"), El("p").Text("Loading "+what+"…"))
}

// Failed is a notice that something could not be read, with a button to retry.
func Failed(err error, act string) app.UI {
	return Notice("warn", "This could not be loaded", Sentence(err), TextButton(act, "Try again", "primary"))
}

// Warned is an element with a text preceded by a warning sign.
func Warned(spec, text string) app.UI { return El(spec).Body(Icon("warn"), El("span").Text(text)) }

// SearchField is a search field; attributes identify it.
func SearchField(attributes, name, held string) app.UI {
	return El("label.field-search").Body(Icon("search"),
		El("input type=search maxlength=200 placeholder=% aria-label=% data-held=% "+attributes, name, name, Held(held)))
}

// Time draws a time relative to now, with the exact time as a tooltip. text replaces the relative time unless it is
// "".
func Time(at, now time.Time, text string) app.UI {
	return El("time datetime=% title=%", at.Format(time.RFC3339), at.Local().Format(DateTime)).Text(cmp.Or(text, Ago(at, now)))
}
