package answer

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Translatable is a text of a form that people read and that a language may replace.
type Translatable struct {
	// Owner is the place below a language that has the translations of the text's component, or those of all messages.
	Owner schema.Path
	// Path is the place of the text below its component, or below the messages, as in config.options[1].label.
	Path schema.Path
	// Key is Path with the value of an option instead of its index, as in config.options.red.label. It stays the same when options move.
	Key   schema.Path
	Value string
	Row   schema.Row // the row of the property; its Spec is a schema.String
}

// ComponentTexts returns the texts of a component that people read, in the order of its tables: its label and hint, and the texts of its
// config that are not addresses, keys, code or values of answers. It omits empty texts, and those of options without a value of their own,
// since a translation could not name the option.
func ComponentTexts(c *model.Component) []Translatable {
	g := gatherer{owner: schema.Path{schema.Key("components"), schema.Key(c.ID)}}
	table := schema.Table{{Name: "label", Spec: schema.String{}}, {Name: "hint", Spec: schema.String{}}}
	if c.Kind != nil {
		table = c.Kind.Table()
	}
	g.gather(schema.Row{Spec: table}, c.Tree())
	return g.texts
}

// MessageTexts returns the messages of a form that people may see, in the order of the form: its own, then the built-in texts of the given
// refusals, those that any language replaces, and any other message that a language has.
func MessageTexts(f *model.Form, refusals []Key) []Translatable {
	messages, table := f.Tree().Object("messages"), f.Row(schema.Path{schema.Key("messages")})
	g := gatherer{owner: schema.Path{schema.Key("messages")}}
	g.gather(table, messages)
	errs := messages.Object("errors")
	row := f.Row(schema.Path{schema.Key("messages"), schema.Key("errors"), schema.Key("")})
	for _, m := range Messages {
		if errs.Text(string(m.Key)) != "" {
			continue
		}
		replaced := slices.ContainsFunc(f.Tree().Object("translations").Members(), func(l schema.Member) bool {
			o, _ := l.Value.(*schema.Object)
			return o.Object("messages").Object("errors").Text(string(m.Key)) != ""
		})
		if replaced || slices.Contains(refusals, m.Key) {
			g.path = schema.Path{schema.Key("errors"), schema.Key(string(m.Key))}
			g.key = g.path
			row.Name = string(m.Key)
			g.gather(row, m.Text)
		}
	}
	for _, l := range f.Tree().Object("translations").Members() {
		o, _ := l.Value.(*schema.Object)
		g.unknown(f, messages, o.Object("messages"))
	}
	return g.texts
}

// unknown gathers the messages that a language has and the form does not. The key of such a message stands for its text, which is not known here.
func (g *gatherer) unknown(f *model.Form, own, translated *schema.Object) {
	for _, group := range []string{"errors", "custom"} {
		row := f.Row(schema.Path{schema.Key("messages"), schema.Key(group), schema.Key("")})
		for _, m := range translated.Object(group).Members() {
			path := schema.Path{schema.Key(group), schema.Key(m.Key)}
			known := strings.TrimSpace(own.Object(group).Text(m.Key)) != "" || slices.ContainsFunc(g.texts, func(t Translatable) bool { return t.Path.Equal(path) })
			if _, ok := m.Value.(string); !ok || known {
				continue
			}
			g.path, g.key, row.Name = path, path, m.Key
			g.gather(row, m.Key)
		}
	}
}

// gatherer collects the texts of one owner. path and key lead to the value that it looks at.
type gatherer struct {
	owner, path, key schema.Path
	texts            []Translatable
}

func (g *gatherer) gather(row schema.Row, v any) {
	switch s := row.Spec.(type) {
	case schema.String:
		if text, ok := v.(string); ok && strings.TrimSpace(text) != "" && s.Read() {
			g.texts = append(g.texts, Translatable{Owner: g.owner, Path: slices.Clone(g.path), Key: slices.Clone(g.key), Value: text, Row: row})
		}
	case schema.Table:
		o, _ := v.(*schema.Object)
		for _, r := range s {
			if member, ok := o.Get(r.Name); ok && !model.IsAnswer(r.Name) {
				g.inside(schema.Key(r.Name), schema.Key(r.Name), r, member)
			}
		}
	case schema.Map:
		o, _ := v.(*schema.Object)
		for _, m := range o.Members() {
			if !model.IsAnswer(m.Key) {
				g.inside(schema.Key(m.Key), schema.Key(m.Key), schema.Row{Name: m.Key, Spec: s.Value}, m.Value)
			}
		}
	case schema.List:
		list, _ := v.([]any)
		taken := map[string]bool{"": true}
		for i, item := range list {
			name := elementName(item)
			if !taken[name] {
				g.inside(schema.Index(i), schema.Key(name), schema.Row{Name: row.Name, Spec: s.Item}, item)
			}
			taken[name] = true
		}
	default: // no texts of the author
	}
}

func (g *gatherer) inside(at, key schema.Elem, row schema.Row, v any) {
	g.path, g.key = append(g.path, at), append(g.key, key)
	g.gather(row, v)
	g.path, g.key = g.path[:len(g.path)-1], g.key[:len(g.key)-1]
}

// In returns the translation of the text in the translation of its owner, "" if there is none.
func (t Translatable) In(owner *schema.Object) string { return t.find(owner, 0) }

// find returns the translation below a value, to which the first elements of the path have led.
func (t Translatable) find(v any, at int) string {
	for ; at < len(t.Path); at++ {
		if t.Path[at].Index >= 0 {
			_, text := t.element(v, at)
			return text
		}
		o, _ := v.(*schema.Object)
		v, _ = o.Get(t.Path[at].Key)
	}
	s, _ := v.(string)
	return s
}

// element returns the index of the element of a list that has the translation, and the translation. Of several, the last one counts. If
// there is none, the index is that of the last element that could have it, or -1.
func (t Translatable) element(v any, at int) (index int, text string) {
	list, _ := v.([]any)
	index = -1
	for i, item := range slices.Backward(list) {
		if !t.isElement(item, i, at) {
			continue
		}
		if text := t.find(item, at+1); text != "" {
			return i, text
		}
		if index < 0 {
			index = i
		}
	}
	return index, ""
}

// PathIn returns where In finds the translation, below the owner. If there is none, it returns a place of its own for it; With makes the
// place, while schema.Set cannot, since it does not know the value that names an option.
func (t Translatable) PathIn(owner *schema.Object) schema.Path {
	p := slices.Clone(t.Path)
	var v any = owner
	for at, e := range p {
		if e.Index >= 0 {
			list, _ := v.([]any)
			i, _ := t.element(v, at)
			if i < 0 {
				i = len(list) + e.Index
			}
			p[at] = schema.Index(i)
		}
		v, _ = schema.Lookup(v, p[at:at+1])
	}
	return p
}

// isElement reports whether the i-th element of a list of a translation is for the element that the path enters.
func (t Translatable) isElement(v any, i, at int) bool {
	if name := elementName(v); name != "" {
		return name == t.Key[at].Key
	}
	return i == t.Path[at].Index
}

// With returns the translation of the owner with another translation of the text. The text "" removes it, together with the objects and
// lists that are empty without it; the result is nil if nothing is left.
func (t Translatable) With(owner *schema.Object, text string) *schema.Object {
	var v any
	if owner != nil {
		v = owner
	}
	if text == "" {
		v = t.without(v, 0)
	} else {
		v = t.with(v, 0, text)
	}
	o, _ := v.(*schema.Object)
	return o
}

func (t Translatable) with(v any, at int, text string) any {
	if at == len(t.Path) {
		return text
	}
	if t.Path[at].Index < 0 {
		o, _ := v.(*schema.Object)
		member, _ := o.Get(t.Path[at].Key)
		return o.With(t.Path[at].Key, t.with(member, at+1, text))
	}
	list, _ := v.([]any)
	list = slices.Clone(list)
	for i, item := range slices.Backward(list) {
		if _, ok := item.(*schema.Object); ok && t.isElement(item, i, at) {
			list[i] = t.with(item, at+1, text)
			return list
		}
	}
	return append(list, t.with(schema.NewObject(schema.Member{Key: "value", Value: t.Key[at].Key}), at+1, text))
}

// without returns a value without the text below it, nil if nothing is left.
func (t Translatable) without(v any, at int) any {
	if at == len(t.Path) {
		return nil
	}
	if t.Path[at].Index < 0 {
		o, ok := v.(*schema.Object)
		member, has := o.Get(t.Path[at].Key)
		if !ok || !has {
			return v
		}
		if member = t.without(member, at+1); member != nil {
			return o.With(t.Path[at].Key, member)
		}
		if o = o.Without(t.Path[at].Key); o.Len() > 0 {
			return o
		}
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		return v
	}
	list = slices.Clone(list)
	for i, item := range slices.Backward(list) {
		_, ok := item.(*schema.Object)
		if !ok || !t.isElement(item, i, at) || t.find(item, at+1) == "" {
			continue
		}
		left, _ := t.without(item, at+1).(*schema.Object)
		placed := slices.ContainsFunc(list[i+1:], func(v any) bool { return elementName(v) == "" })
		switch {
		case left.Len() > 0 && (elementName(left) == "" || left.Len() > 1):
			list[i] = left
		case placed:
			list[i] = schema.NewObject() // it keeps the places of those after it
		default:
			list = slices.Delete(list, i, i+1)
		}
	}
	for len(list) > 0 {
		if o, ok := list[len(list)-1].(*schema.Object); !ok || o.Len() > 0 {
			return list
		}
		list = list[:len(list)-1] // keeps no place any more
	}
	return nil
}

// KeysOf returns the refusals that the answers for a component can get, in no order and perhaps twice.
func KeysOf(c *model.Component) []Key {
	k := kindOf(c)
	if k == nil {
		return nil
	}
	keys := slices.Clone(k.faults)
	if c.Required {
		keys = append(keys, k.absent(c.Config()))
	}
	for _, r := range k.rules {
		if c.Config().Has(r.property) {
			keys = append(keys, r.key)
		}
	}
	return keys
}
