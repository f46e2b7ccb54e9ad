package translate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// Table holds the texts of a form and their translations. It is immutable, and shares its rows with the tables that the same Builder made
// before and makes after it.
type Table struct {
	Source    string   // the language in which the form is written
	Languages []string // the others, as the form names them: those of the cells
	Groups    []Group
	Rows      []*Row // of all groups

	translations []*schema.Object // by language
}

// Group is the texts of a step, or of the messages.
type Group struct {
	Node *model.Node // nil for the messages
	// Weight is the share of the journeys that meet the step; see flow.Meet. It is 0 for an unreachable step.
	Weight float64
	Rows   []*Row
}

// Row is a text and its translations. It is immutable.
type Row struct {
	// Key identifies the text, as in components.mail.label. It stays the same when nodes, components or options move.
	Key string
	// At is the path of the text in the form. The form has no value there if the text is a built-in message.
	At        schema.Path
	Component *model.Component // nil for a message
	Property  string           // the name of the property for people
	Text      string
	Max       int // characters that the text and its translations may have, 0 for any number
	// Weight is the share of the journeys that can show the text. It is that of the step; a message about answers has that of the step that
	// most people meet among those that can refuse an answer with it, and any other message has 1.
	Weight float64
	Cells  []Cell // by the language of the table

	text      answer.Translatable
	hash      uint64
	templates []string
	recorded  *sources.Record
}

// Cell is the translation of a text into a language.
type Cell struct {
	Text  string // "" if it is missing
	State State
}

// Block is a rectangle of cells: some rows and columns of a table, in the order in which they are shown.
type Block struct {
	Rows    []*Row
	Columns []int // indexes in Table.Languages
}

// Name returns the name of the group for people.
func (g Group) Name() string {
	if g.Node == nil {
		return "Messages"
	}
	return g.Node.Name()
}

// Icon returns the name of a symbol in the icon set: that of the component's kind, "" for a message or an unknown kind.
func (r *Row) Icon() string {
	if r.Component == nil || r.Component.Kind == nil {
		return ""
	}
	return r.Component.Kind.Icon
}

// Rich reports whether the text is HTML that people write in the visual editor.
func (r *Row) Rich() bool {
	s, ok := r.text.Row.Spec.(schema.String)
	return ok && s.Code == schema.RichText
}

// context describes for translators where people meet the text.
func (r *Row) context(g Group) string {
	parts := []string{caption.Line(g.Name())}
	if r.Component != nil {
		parts = append(parts, caption.Component(r.Component))
	}
	return strings.Join(append(parts, r.Property), " / ")
}

// Column returns the index of a language in Languages, -1 for an unknown one. A language has several spellings; see model.LanguageTag.
func (t *Table) Column(language string) int {
	return slices.IndexFunc(t.Languages, func(l string) bool { return model.LanguageTag(l) == model.LanguageTag(language) })
}

// Path returns the path of a translation in the form. If it is missing, no other text has the path. editor.Set edits a translation at its
// path, except for a missing one of an option, for which there is no element yet: use SetText.
func (t *Table) Path(r *Row, column int) schema.Path {
	p := languagePath(t.Languages[column]).Join(r.text.Owner)
	return p.Join(r.text.PathIn(ownerIn(t.translations[column], r.text.Owner)))
}

// translationsKey is the property of a form with its translations.
const translationsKey = "translations"

func languagePath(language string) schema.Path {
	return schema.Path{schema.Key(translationsKey), schema.Key(language)}
}

// ownerIn returns the part of a language's translation that belongs to an owner of texts.
func ownerIn(translation *schema.Object, owner schema.Path) *schema.Object {
	for _, e := range owner {
		translation = translation.Object(e.Key)
	}
	return translation
}

// columnsOf returns the languages of a form but for the one in which it is written.
func columnsOf(f *model.Form) (source string, others []string) {
	all := f.Languages()
	if l := f.Tree().Object("languages").Text("default"); l != "" && !slices.ContainsFunc(all, same(l)) {
		all = append(all, l)
	}
	return all[0], all[1:]
}

// same returns a function that reports whether a language is the given one.
func same(language string) func(string) bool {
	tag := model.LanguageTag(language)
	return func(l string) bool { return model.LanguageTag(l) == tag }
}

// propertyOf names the property of a text for people, as in options red: label.
func propertyOf(text answer.Translatable) string {
	var names []string
	for i, e := range text.Key {
		if i == 0 && e.Key == "config" && len(text.Key) > 1 {
			continue
		}
		names = append(names, e.Key)
	}
	last := len(names) - 1
	names[last] = cmp.Or(text.Row.Label, schema.Words(names[last]))
	if text.Row.Label == "" && text.Owner[0].Key == messagesKey {
		names[last] = text.Row.Name // a key, which is no word
	}
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], " ") + ": " + names[last]
}

// The properties of a translation with the texts of components, and with the messages.
const (
	componentsKey = "components"
	messagesKey   = "messages"
)
