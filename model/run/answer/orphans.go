package answer

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Orphans returns a warning for each translation that translates nothing, in document order: of a component, a text or a message that the form
// does not have, or of a language that it has in another place. It also has one for each translation of a text that is not a text, so that people
// see the original. Of several such values in one that has no counterpart, only the outermost has a warning. A path leads to a value that can be
// removed without a change of what other translations mean.
//
// What the tables do not know may be a text for a newer tenant, and has no warnings: properties of components of an unknown kind, and texts of
// refusals.
func Orphans(f *model.Form) schema.Problems {
	o := orphans{}
	components := map[string]*model.Component{}
	for _, n := range f.Nodes {
		if s, ok := n.Config.(*model.Step); ok {
			for _, c := range s.Components {
				if components[c.ID] == nil {
					components[c.ID] = c
				}
			}
		}
	}
	offered := f.Languages()
	for _, l := range f.Tree().Object("translations").Members() {
		p := schema.Path{schema.Key("translations"), schema.Key(l.Key)}
		if !slices.Contains(offered, l.Key) || l.Key == offered[0] {
			o.found(p, schema.CodeOrphanTranslation, "is of a language that the form has in another place")
			continue
		}
		language, _ := l.Value.(*schema.Object)
		for _, m := range language.Members() {
			switch p := append(p, schema.Key(m.Key)); m.Key {
			case "components":
				o.components(p, components, m.Value)
			case "messages":
				o.value(p, messagesTable, f.Tree().Object("messages"), m.Value)
			}
		}
	}
	return o.list
}

// messagesTable has the messages that a form names itself. All others may be those of a newer tenant.
var messagesTable = schema.Table{{Name: "custom", Spec: schema.Map{Value: schema.String{}}}}

// orphans collects the warnings.
type orphans struct{ list schema.Problems }

func (o *orphans) found(p schema.Path, code schema.Code, detail string) {
	o.list = append(o.list, schema.Problem{Path: slices.Clone(p), Code: code, Detail: detail, Offset: -1})
}

func (o *orphans) typed(p schema.Path) {
	o.found(p, schema.CodeTranslationType, "must have the type of the original, which people see in its place")
}

func (o *orphans) components(p schema.Path, known map[string]*model.Component, over any) {
	all, ok := over.(*schema.Object)
	if !ok && over != nil {
		o.typed(p)
	}
	for _, m := range all.Members() {
		p := append(p, schema.Key(m.Key))
		c := known[m.Key]
		if c == nil {
			o.found(p, schema.CodeOrphanTranslation, "translates a component that the form does not have")
			continue
		}
		table := schema.Table{{Name: "label", Spec: schema.String{}}, {Name: "hint", Spec: schema.String{}}}
		if c.Kind != nil {
			table = append(table, schema.Row{Name: "config", Spec: c.Kind.Config})
		}
		o.value(p, table, c.Tree(), m.Value)
	}
}

// value looks at the translation of a value of the form, which is nil if the form has none.
func (o *orphans) value(p schema.Path, spec schema.Spec, own, over any) {
	if over == nil {
		return
	}
	switch s := spec.(type) {
	case schema.String:
		text, isText := over.(string)
		original, _ := own.(string)
		switch {
		case !s.Translatable() || isText && text == "":
		case strings.TrimSpace(original) == "":
			o.found(p, schema.CodeOrphanTranslation, "translates a text that the form does not have")
		case !isText:
			o.typed(p)
		}
	case schema.Table, schema.Map:
		texts, ok := over.(*schema.Object)
		from, _ := own.(*schema.Object)
		if !ok {
			o.typed(p)
		}
		for _, m := range texts.Members() {
			if of := memberOf(spec, m.Key); of != nil && !model.IsAnswer(m.Key) {
				v, _ := from.Get(m.Key)
				o.value(append(p, schema.Key(m.Key)), of, v, m.Value)
			}
		}
	case schema.List:
		o.items(p, s.Item, own, over)
	default: // no texts of the author
	}
}

func memberOf(spec schema.Spec, key string) schema.Spec {
	if t, ok := spec.(schema.Table); ok {
		r, _ := t.Row(key)
		return r.Spec
	}
	m, _ := spec.(schema.Map)
	return m.Value
}

// items looks at the translation of a list. Its elements name those of the form by their value, or else by their place.
func (o *orphans) items(p schema.Path, spec schema.Spec, own, over any) {
	texts, ok := over.([]any)
	from, _ := own.([]any)
	if !ok {
		o.typed(p)
	}
	for i, v := range texts {
		at, name := i, elementName(v)
		if name != "" {
			at = slices.IndexFunc(from, func(v any) bool { return elementName(v) == name })
		}
		p := append(p, schema.Index(i))
		switch {
		case at >= 0 && at < len(from):
			o.value(p, spec, from[at], v)
		case name != "":
			o.found(p, schema.CodeOrphanTranslation, "translates an option that the form does not have")
		default:
			o.value(p, spec, nil, v)
		}
	}
}
