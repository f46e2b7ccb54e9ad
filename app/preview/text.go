package preview

import (
	"strconv"

	"github.com/formgraph/formgraph/model/schema"
)

// line returns an input of one line with what is typical of a type of text.
func (f *field) line(typ, autocomplete, mode string) *element {
	e := el("input", "af-"+family(typ)+"Field-input").set("type", typ)
	e.some("value", answerText(f.it.Answer)).some("placeholder", f.config.Text("placeholder"))
	return e.some("autocomplete", autocomplete).some("inputmode", mode).set("enterkeyhint", "next")
}

// family returns the name of a type of input in the vendor's classes.
func family(typ string) string {
	if typ == "date" || typ == "time" {
		return "date"
	}
	return "string"
}

func drawText(f *field) control {
	limit, counts := f.limit()
	k := control{}
	if counts {
		k.rules = []*element{counter(limit)}
	}
	if !f.flag("multiline") {
		return f.only(f.line("text", "", ""), k)
	}
	e := el("textarea", "af-textField-input", text(answerText(f.it.Answer))).set("rows", "4")
	return f.only(e.some("placeholder", f.config.Text("placeholder")), k)
}

// limit returns the maximal length of a text, and whether it has one.
func (f *field) limit() (int, bool) {
	v, _ := f.config.Get("max_length")
	n, _ := v.(schema.Number)
	i, ok := n.Int()
	return i, ok && i > 0
}

// counter returns a counter of characters, which the frame shows near the maximum.
func counter(limit int) *element {
	return el("div", "af-counter").set("data-limit", strconv.Itoa(limit)).set("hidden", "")
}

func drawEmail(f *field) control {
	return f.only(f.line("email", "email", "email").set("spellcheck", "false").set("autocapitalize", "none"), control{})
}

func drawURL(f *field) control {
	return f.only(f.line("url", "url", "url").set("spellcheck", "false").set("autocapitalize", "none"), control{})
}

// drawNumber draws a text: an input of type number hides what it cannot read, and the refusal of it should be seen.
func drawNumber(f *field) control { return f.only(f.line("text", "off", "decimal"), control{}) }

func drawDate(f *field) control {
	if f.config.Text("format") == "TIME" {
		return f.only(f.line("time", "off", ""), control{})
	}
	return f.only(f.line("date", "off", ""), control{})
}

// Patterns of the rules of passwords, as the frame's regular expressions. They agree with the constraints of package answer.
const (
	upperPattern  = `\p{Lu}`
	lowerPattern  = `\p{Ll}`
	digitPattern  = `\p{Nd}`
	symbolPattern = `[^\p{L}\p{Nd}\s]`
)

func drawPassword(f *field) control {
	e := f.line("password", "new-password", "").set("spellcheck", "false").set("autocapitalize", "none").set("data-secret", "")
	var k control
	if rules := f.passwordRules(); len(rules) > 0 {
		k.rules = append(k.rules, el("ul", "fg-password-rules", rules...))
	}
	if f.flag("strength_meter") {
		meter := el("meter", "").set("min", "0").set("max", "4").set("value", "0").set("aria-label", f.strength)
		k.rules = append(k.rules, el("div", "fg-strength", meter, span("", "")).set("data-strength", f.strengths))
	}
	reveal := el("button", "af-password-icon", span("", f.show), hidden(" "+f.name())).set("type", "button").set("data-act", "reveal")
	reveal.set("data-show", f.show).set("data-hide", f.hide)
	k.body = []*element{el("div", "af-password-wrapper", e, reveal)}
	return f.only(e, k)
}

// passwordRules returns what the config asks of a password. A rule with a pattern is ticked while a person types.
func (f *field) passwordRules() []*element {
	var rules []*element
	add := func(words, pattern string) {
		li := el("li", "", icon("check"), span("", words)).some("data-pattern", pattern)
		rules = append(rules, li)
	}
	least, has := f.config.Int("min_length")
	nist := f.flag("nist")
	if nist && least < 8 {
		least, has = 8, true
	}
	if has {
		n := strconv.Itoa(least)
		add(f.atLeast+n+f.characters, `^[^]{`+n+`,}$`)
	}
	if most, ok := f.config.Int("max_length"); ok {
		n := strconv.Itoa(most)
		add(f.atMost+n+f.characters, `^[^]{1,`+n+`}$`)
	}
	if f.flag("complexity") {
		add(f.upperCase, upperPattern)
		add(f.lowerCase, lowerPattern)
		add(f.digit, digitPattern)
		add(f.symbol, symbolPattern)
	}
	if nist {
		add(f.uncommon, "")
	}
	return rules
}

// drawCustom draws a text area: the code of a custom field never runs.
func drawCustom(f *field) control {
	value := answerText(f.it.Answer)
	if _, isText := f.it.Answer.(string); !isText && f.it.Answer != nil {
		value = string(schema.EncodeIndent(f.it.Answer))
	}
	e := el("textarea", "af-textField-input", text(value)).set("rows", "3").set("spellcheck", "false")
	schemaOf := f.config.Object("schema")
	title, typ := schemaOf.Text("title"), schemaOf.Text("type")
	note := f.json
	switch {
	case title != "":
		note += " " + schema.Quote(title)
	case typ == "string":
		note = f.textSchema
	case typ != "":
		note += " (" + typ + ")"
	}
	k := control{rules: []*element{f.note(note)}}
	if typ != "string" {
		e.set("class", "af-textField-input fg-code")
	}
	return f.only(e, k)
}

// note returns the words that mark a stand-in.
func (f *field) note(s string) *element {
	return el("p", "fg-note", span("fg-tag", f.standIn), text(" "), el("bdi", "", text(s)).set("lang", "en"))
}

func drawUnknown(f *field) control {
	k := drawCustom(f)
	k.rules = []*element{f.note(f.unknown + ": " + f.c.Type)}
	return k
}
