package editor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Pasted holds the elements of a text from the clipboard, unchanged. Exactly one of the three lists is not empty. It is immutable.
type Pasted struct {
	Nodes      []*schema.Object // go into the form
	Components []*schema.Object // go into the selected step
	Rules      []*schema.Object // go into the selected router
}

// part is one list of a Pasted with its key in a text.
type part struct {
	key, word string // word names one element
	list      []*schema.Object
}

func (p Pasted) lists() [3]part {
	return [...]part{{"nodes", "node", p.Nodes}, {"components", "component", p.Components}, {"rules", "rule", p.Rules}}
}

// Phrase says what is done to the elements, as in "Paste 3 nodes".
func (p Pasted) Phrase(v verb.Verb) verb.Phrase {
	for _, part := range p.lists() {
		if n := len(part.list); n > 0 {
			return verb.Phrase{Verb: v, Noun: part.word, Count: n}
		}
	}
	return verb.Phrase{Verb: v}
}

// ParsePaste parses a text from the clipboard. It accepts the output of Copy; the nodes of a flat form, an API response, a PATCH body or an
// export envelope; and a bare node, component or rule, or an array of one of them. The list is our choice. Space and a byte order mark
// around the text are ignored. Elements of a property nodes, components or rules that are not objects are omitted. Properties that the
// tables do not list are kept, valid or not. Placeholders of flows stay.
//
// The error says that the text is not valid JSON, has a property twice, exceeds the limits of a document (schema.MaxBytes, MaxDepth,
// MaxValues), or contains nothing to paste. Time and memory are linear in the text. A text longer than schema.MaxBytes is refused without
// being parsed.
func ParsePaste(text string) (Pasted, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if len(text) > schema.MaxBytes {
		return Pasted{}, fmt.Errorf("the text is too large to paste: %d bytes, at most %d", len(text), schema.MaxBytes)
	}
	tree, ps := schema.Decode([]byte(text))
	if len(ps) > 0 {
		return Pasted{}, unreadable(text, ps[0])
	}
	var p Pasted
	var err error
	switch v := tree.(type) {
	case []any:
		p, err = sorted(v)
	case *schema.Object:
		if form := v.Object("form"); form != nil {
			v = form
		}
		switch {
		case v.Has("nodes"):
			p.Nodes = objects(v.List("nodes"))
		case v.Has("components"):
			p.Components = objects(v.List("components"))
		case v.Has("rules"):
			p.Rules = objects(v.List("rules"))
		default:
			p, err = sorted([]any{v})
		}
	}
	if err == nil && len(p.Nodes)+len(p.Components)+len(p.Rules) == 0 {
		err = errNothing
	}
	return p, err
}

var errNothing = errors.New("there are no nodes, components or rules in the text")

// unreadable returns the error for a text that cannot be parsed.
func unreadable(text string, p schema.Problem) error {
	if p.Code == schema.CodeLimit {
		return fmt.Errorf("the text is too large to paste: it %s", p.Detail)
	}
	if p.Code == schema.CodeDuplicateKey {
		return fmt.Errorf("the text has a property twice: %s", p.Path)
	}
	line, column := schema.Position([]byte(text), p.Offset)
	return fmt.Errorf("the text is not valid JSON: it %s, line %d, column %d", p.Detail, line, column)
}

func objects(list []any) []*schema.Object {
	var out []*schema.Object
	for _, v := range list {
		if o, ok := v.(*schema.Object); ok {
			out = append(out, o)
		}
	}
	return out
}

// sorted sorts bare elements by their appearance. They must all be of one sort, since half a paste would be worse than none.
func sorted(list []any) (Pasted, error) {
	var p Pasted
	for _, v := range list {
		o, _ := v.(*schema.Object)
		typ := o.Text("type")
		switch {
		case model.NodeKindOf(model.NodeType(typ)) != nil && !o.Has("category"):
			p.Nodes = append(p.Nodes, o)
		case o.Has("category") || model.KindOf(typ) != nil:
			p.Components = append(p.Components, o)
		case o.Has("condition"):
			p.Rules = append(p.Rules, o)
		default:
			return Pasted{}, errNothing
		}
	}
	sorts := 0
	for _, part := range p.lists() {
		if len(part.list) > 0 {
			sorts++
		}
	}
	if sorts > 1 {
		return Pasted{}, errors.New("the text mixes nodes, components and rules: paste one kind at a time")
	}
	return p, nil
}
