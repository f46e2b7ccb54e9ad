package translate

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/schema"
)

// Change is a new translation of a text.
type Change struct {
	Row      *Row
	Language string // as the form names it, or shall name it
	Text     string // "" removes the translation
	Source   string // the text that was translated, which is that of the row unless it has changed since
}

// Write is the command that sets and removes translations, as one undo step. A translation that is unchanged stays as it is; one that is
// removed takes with it what is empty without it, but not its language. A language that the form lacks is added. The command does not apply
// if the form would exceed the limits of a document.
type Write struct {
	Name    verb.Phrase // the label
	Changes []Change
	typing  bool // it may be merged with the last one
}

// SetText returns the command that sets one translation, "" to remove it. The commands of typing in one cell are one undo step.
func (t *Table) SetText(r *Row, column int, text string) Write {
	return Write{Name: verb.Translate.With(r.Property), Changes: []Change{t.change(r, column, text)}, typing: true}
}

// Label names the command.
func (c Write) Label() verb.Phrase { return c.Name }

// MergeKey is the cell of SetText, and "" for any other command.
func (c Write) MergeKey() string {
	if !c.typing || len(c.Changes) != 1 {
		return ""
	}
	return "translate " + c.Changes[0].Language + " " + c.Changes[0].Row.Key
}

// Do changes the translations.
func (c Write) Do(s editor.State) (editor.State, error) {
	before := s
	for language, changes := range byLanguage(c.Changes) {
		was := s.Form.Tree().Object(translationsKey).Object(language)
		if was == nil {
			if err := validLanguage(language); err != nil {
				return before, err
			}
		}
		now := written(was, changes)
		if now == was {
			continue
		}
		var err error
		if s, err = (editor.Set{Path: languagePath(language), Value: now}).Do(s); err != nil {
			return before, err
		}
	}
	if s.Form != before.Form {
		if err := editor.WithinLimits(s.Form.Tree()); err != nil {
			return before, err
		}
	}
	return s, nil
}

// byLanguage calls do with the changes of each language, in the order of the first ones.
func byLanguage(changes []Change) func(do func(string, []Change) bool) {
	var order []string
	of := map[string][]Change{}
	for _, c := range changes {
		if of[c.Language] == nil {
			order = append(order, c.Language)
		}
		of[c.Language] = append(of[c.Language], c)
	}
	return func(do func(string, []Change) bool) {
		for _, l := range order {
			if !do(l, of[l]) {
				return
			}
		}
	}
}

// written returns the translation of a language after changes, the same object if nothing changed.
func written(language *schema.Object, changes []Change) *schema.Object {
	components := language.Object(componentsKey)
	messages := language.Object(messagesKey)
	owners := map[string]*schema.Object{} // of the changed components
	var order []string
	for _, c := range changes {
		id := ""
		owner := messages
		if c.Row.Component != nil {
			id = c.Row.text.Owner[1].Key
			var known bool
			if owner, known = owners[id]; !known {
				owner = components.Object(id)
			}
		}
		if c.Row.text.In(owner) == c.Text {
			continue
		}
		owner = c.Row.text.With(owner, c.Text)
		if c.Row.Component == nil {
			messages = owner
			continue
		}
		if _, known := owners[id]; !known {
			order = append(order, id)
		}
		owners[id] = owner
	}
	language = member(language, componentsKey, replaced(components, owners, order))
	return member(language, messagesKey, messages)
}

// member returns an object with another object at a key, or without the key if that is nil. An object that did not change is kept.
func member(o *schema.Object, key string, v *schema.Object) *schema.Object {
	switch {
	case v == o.Object(key):
		return o
	case v == nil:
		return nonNil(o.Without(key))
	}
	return o.With(key, v)
}

// nonNil returns an empty object for nil: a language without texts stays a language.
func nonNil(o *schema.Object) *schema.Object {
	if o == nil {
		return schema.NewObject()
	}
	return o
}

// replaced returns an object with other values at some keys, in one pass. A nil value removes the key. The result is nil if nothing is
// left.
func replaced(o *schema.Object, values map[string]*schema.Object, order []string) *schema.Object {
	if len(values) == 0 {
		return o
	}
	members := make([]schema.Member, 0, o.Len()+len(values))
	for _, m := range o.Members() {
		v, changed := values[m.Key]
		if !changed {
			members = append(members, m)
		} else if v != nil {
			members = append(members, schema.Member{Key: m.Key, Value: v})
		}
	}
	for _, key := range order {
		if v := values[key]; v != nil && !o.Has(key) {
			members = append(members, schema.Member{Key: key, Value: v})
		}
	}
	if len(members) == 0 {
		return nil
	}
	return schema.NewObject(members...)
}
