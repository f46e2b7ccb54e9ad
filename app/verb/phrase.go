package verb

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Phrase is what a command does. It is comparable. The zero Phrase says nothing.
type Phrase struct {
	Verb  Verb
	Noun  string // what it is done to, in the singular, as in "node"; for Edit, Set and Clear a property; "" if only names can say it
	Count int    // how many of them, if more than one
	Rest  string // the words at the end, as in "to another step"
	Join  bool   // the neighbors of what is deleted are joined
}

// String says what the command does, as in "Move component to another step".
func (p Phrase) String() string { return p.say(p.Verb.String(), "", " and close the gap") }

// Past says what it has done, as in "Moved component to another step".
func (p Phrase) Past() string { return p.Did("", 1) }

// Did is Past with what it was done to, as in "Moved component “Age” to another step". name names the first of several; n is how many there are.
func (p Phrase) Did(name string, n int) string {
	fits := p.Noun != "" && n == 1 && p.Count < 2 || p.Noun == "" && p.Rest == ""
	end := ""
	if !fits && name != "" {
		name, end = "", ": "+name
	}
	return p.say(p.Verb.Past(), name, " and closed the gap") + end
}

// DidProperty is Did for the property of something, as in "Changed the name of “Age”".
func (p Phrase) DidProperty(property, name string) string {
	return p.Verb.Past() + " the " + property + " of " + name
}

// Edits reports whether the command gives a property another value.
func (p Phrase) Edits() bool { return p.Verb == Edit || p.Verb == Set || p.Verb == Clear }

// Bare reports whether the phrase is a verb alone.
func (p Phrase) Bare() bool { return p == Phrase{Verb: p.Verb} }

// say joins the words. A name comes after the noun.
func (p Phrase) say(verb, name, join string) string {
	noun := p.Noun
	if p.Count > 1 {
		noun = strconv.Itoa(p.Count) + " " + noun + "s"
	}
	var words []string
	for _, w := range [...]string{verb, noun, name, p.Rest} {
		if w != "" {
			words = append(words, w)
		}
	}
	text := strings.Join(words, " ")
	if p.Join {
		text += join
	}
	return text
}

// Parse returns the phrase of a text that begins with a verb, such as the title of a command. A text that does not is all of the phrase.
func Parse(text string) Phrase {
	do, rest, _ := strings.Cut(text, " ")
	if v := of(do); v != 0 {
		return v.With(rest)
	}
	return Phrase{Rest: text}
}

// of returns the verb with a word, 0 if there is none.
func of(do string) Verb {
	for v := range forms {
		if v > 0 && forms[v].do == do {
			return Verb(v)
		}
	}
	return 0
}

// Tree returns a phrase as data, which Read reads.
func (p Phrase) Tree() *schema.Object {
	o := schema.NewObject(schema.Member{Key: "verb", Value: p.Verb.String()})
	if p.Noun != "" {
		o = o.With("noun", p.Noun)
	}
	if p.Count > 1 {
		o = o.With("count", schema.IntNumber(p.Count))
	}
	if p.Rest != "" {
		o = o.With("rest", p.Rest)
	}
	if p.Join {
		o = o.With("join", true)
	}
	return o
}

// Read returns the phrase of data from Tree, or of the text that drafts had before.
func Read(v any) Phrase {
	switch v := v.(type) {
	case string:
		return Parse(v)
	case *schema.Object:
		p := Phrase{Verb: of(v.Text("verb")), Noun: v.Text("noun"), Rest: v.Text("rest")}
		if n, ok := v.Get("count"); ok {
			count, _ := n.(schema.Number)
			p.Count, _ = count.Int()
		}
		join, _ := v.Get("join")
		p.Join = join == true
		return p
	}
	return Phrase{}
}
