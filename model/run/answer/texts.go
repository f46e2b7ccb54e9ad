package answer

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Texts are the texts of a form in one language. They are immutable. The nil *Texts has the built-in English texts only.
type Texts struct {
	language    string
	form        *schema.Object
	translation *schema.Object // nil for the language in which the form is written
}

// In returns the texts of a form in the first requested language that it has. A request matches the same language tag, else the tag
// without its last parts (pt for pt-BR), else a tag that begins with it (pt-BR for pt); case does not matter. If the form has none of
// them, its default language is used, else the language in which it is written.
func In(f *model.Form, requested ...string) *Texts {
	offered := f.Languages()
	language := offered[0]
	for _, want := range append(slices.Clip(requested), f.Tree().Object("languages").Text("default")) {
		if l, ok := match(offered, want); ok {
			language = l
			break
		}
	}
	t := &Texts{language: language, form: f.Tree()}
	for _, m := range t.form.Object("translations").Members() {
		if model.LanguageTag(m.Key) == model.LanguageTag(language) {
			t.translation, _ = m.Value.(*schema.Object)
			break // as in Languages, the first of two names of a language counts
		}
	}
	return t
}

func match(offered []string, want string) (string, bool) {
	for tag := model.LanguageTag(want); tag != ""; tag = tag[:max(0, strings.LastIndexByte(tag, '-'))] {
		if i := slices.IndexFunc(offered, func(l string) bool { return model.LanguageTag(l) == tag }); i >= 0 {
			return offered[i], true
		}
	}
	base, _, _ := strings.Cut(model.LanguageTag(want), "-")
	i := slices.IndexFunc(offered, func(l string) bool { return strings.HasPrefix(model.LanguageTag(l), base+"-") })
	if i < 0 {
		return "", false
	}
	return offered[i], true
}

// Language returns the language, as the form names it.
func (t *Texts) Language() string {
	if t == nil {
		return model.DefaultLanguage
	}
	return t.language
}

// Error returns the text of a refusal, with its parameters as templates: that of the translation, else of the form, else the built-in one.
func (t *Texts) Error(key Key) string {
	if s, ok := t.message("errors", string(key)); ok {
		return s
	}
	return english(key)
}

// Custom returns the custom message with a key, as the template function t does, and whether there is one.
func (t *Texts) Custom(key string) (string, bool) { return t.message("custom", key) }

func (t *Texts) message(group, key string) (string, bool) {
	if t == nil {
		return "", false
	}
	for _, o := range []*schema.Object{t.translation, t.form} {
		if s := o.Object("messages").Object(group).Text(key); s != "" {
			return s, true
		}
	}
	return "", false
}

// Component returns the component's object with its texts in the language: label, hint, and the texts of its config, such as content,
// placeholder and the labels of options. A text without a translation stays as the form has it. A translation changes no value of another
// type, no id, pointer or secret, and neither values of options nor the default value.
func (t *Texts) Component(c *model.Component) *schema.Object {
	tree := c.Tree()
	if t == nil {
		return tree
	}
	over := t.translation.Object("components").Object(c.ID)
	for _, name := range []string{"label", "hint"} {
		if s := over.Text(name); s != "" {
			tree = tree.With(name, s)
		}
	}
	if config := over.Object("config"); config != nil && c.Kind != nil {
		if o, _ := translate(c.Kind.Config, c.Config(), config).(*schema.Object); o != nil {
			tree = tree.With("config", o)
		}
	}
	return tree
}

// translate returns a value of the form with the texts of a translation.
func translate(s schema.Spec, value, over any) any {
	switch s := s.(type) {
	case schema.String:
		if text, ok := over.(string); ok && text != "" && s.Translatable() {
			return text
		}
	case schema.Table:
		return translateObject(func(key string) schema.Spec { r, _ := s.Row(key); return r.Spec }, value, over)
	case schema.Map:
		return translateObject(func(string) schema.Spec { return s.Value }, value, over)
	case schema.List:
		return translateList(s.Item, value, over)
	default: // no texts of the author
	}
	return value
}

func translateObject(spec func(key string) schema.Spec, value, over any) any {
	o, _ := value.(*schema.Object)
	texts, _ := over.(*schema.Object)
	for _, m := range texts.Members() {
		s := spec(m.Key)
		if s == nil || model.IsAnswer(m.Key) {
			continue
		}
		old, _ := o.Get(m.Key)
		if v := translate(s, old, m.Value); v != nil {
			o = o.With(m.Key, v)
		}
	}
	if o == nil {
		return value
	}
	return o
}

// translateList translates the elements of a list by those with the same value, or at the same place if they have none. It adds none.
func translateList(item schema.Spec, value, over any) any {
	list, _ := value.([]any)
	texts, _ := over.([]any)
	if len(texts) == 0 || len(list) == 0 {
		return value
	}
	list = slices.Clone(list)
	for i, v := range texts {
		if name := elementName(v); name != "" {
			i = slices.IndexFunc(list, func(v any) bool { return elementName(v) == name })
		}
		if i >= 0 && i < len(list) {
			list[i] = translate(item, list[i], v)
		}
	}
	return list
}

// elementName returns the value by which a translation names an element of a list, "" if it has none.
func elementName(v any) string {
	o, _ := v.(*schema.Object)
	return o.Text("value")
}
