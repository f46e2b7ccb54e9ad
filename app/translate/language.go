package translate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Reasons to refuse a language.
var (
	ErrMalformed = errors.New("must be a language tag such as de or pt-BR")
	ErrTaken     = errors.New("the form has the language already")
	ErrUnknown   = errors.New("the form does not have the language")
	ErrSource    = errors.New("the form is written in the language")
)

// maxLanguage is the number of characters that the tables allow for the name of a language.
const maxLanguage = 55

// validLanguage returns an error that wraps ErrMalformed for a name that is no tag: tags are letters, digits, and - or _ between them.
func validLanguage(name string) error {
	ok := name != "" && len(name) <= maxLanguage
	for i := range len(name) {
		c := name[i]
		alphanumeric := '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		inside := i > 0 && i < len(name)-1
		ok = ok && (alphanumeric || inside && (c == '-' || c == '_'))
	}
	if !ok {
		return fmt.Errorf("language %q: %w", name, ErrMalformed)
	}
	return nil
}

// AddLanguage adds a language without texts. The errors are ErrMalformed and ErrTaken.
type AddLanguage struct{ Language string }

// Label names the language.
func (c AddLanguage) Label() verb.Phrase { return verb.Add.With("language " + c.Language) }

// Do adds the language.
func (c AddLanguage) Do(s editor.State) (editor.State, error) {
	if err := free(s.Form, c.Language, ""); err != nil {
		return s, err
	}
	return editor.Set{Path: languagePath(c.Language), Value: schema.NewObject()}.Do(s)
}

// free returns an error unless the name is well formed and no language of the form but the excepted one has it.
func free(f *model.Form, name, except string) error {
	if err := validLanguage(name); err != nil {
		return err
	}
	for _, l := range f.Languages() {
		if l != except && same(name)(l) {
			return fmt.Errorf("language %q: %w", name, ErrTaken)
		}
	}
	return nil
}

// RemoveLanguage removes a language with its texts. If it is the default, the form has no default any more. The errors are ErrUnknown and
// ErrSource.
type RemoveLanguage struct{ Language string }

// Label names the language.
func (c RemoveLanguage) Label() verb.Phrase { return verb.Remove.With("language " + c.Language) }

// Do removes the language.
func (c RemoveLanguage) Do(s editor.State) (editor.State, error) {
	next, err := s, known(s.Form, c.Language)
	remove := func(p ...schema.Elem) {
		if err == nil {
			next, err = editor.Clear{Path: p}.Do(next)
		}
	}
	empty := func(key string) bool { o := next.Form.Tree().Object(key); return o != nil && o.Len() == 0 }
	if languages := s.Form.Tree().Object("languages"); err == nil && same(c.Language)(languages.Text("default")) {
		remove(schema.Key("languages"), schema.Key("default"))
		if empty("languages") {
			remove(schema.Key("languages"))
		}
	}
	for _, m := range s.Form.Tree().Object(translationsKey).Members() {
		if same(c.Language)(m.Key) {
			remove(languagePath(m.Key)...)
		}
	}
	if empty(translationsKey) {
		remove(schema.Key(translationsKey))
	}
	if err != nil {
		return s, err
	}
	return next, nil
}

// known returns an error unless the language is one of those into which the form can be translated.
func known(f *model.Form, name string) error {
	source, others := columnsOf(f)
	switch {
	case same(name)(source):
		return fmt.Errorf("language %q: %w", name, ErrSource)
	case !slices.ContainsFunc(others, same(name)):
		return fmt.Errorf("language %q: %w", name, ErrUnknown)
	}
	return nil
}

// SetDefault makes a language the one for people whose language the form does not have. For the language in which the form is written, no language is
// named: it is the default without a word. The error is ErrUnknown.
type SetDefault struct{ Language string }

// Label names the language.
func (c SetDefault) Label() verb.Phrase {
	return verb.Phrase{Verb: verb.Set, Noun: "default language", Rest: "to " + c.Language}
}

// Do names the default language. A form that names only a default one is written in it, so the language of the form is named, too.
func (c SetDefault) Do(s editor.State) (editor.State, error) {
	source, _ := columnsOf(s.Form)
	languages := s.Form.Tree().Object("languages")
	next := s
	var err error
	if languages.Text("primary") == "" {
		next, err = editor.Set{Path: schema.Path{schema.Key("languages"), schema.Key("primary")}, Value: source}.Do(next)
	}
	at := schema.Path{schema.Key("languages"), schema.Key("default")}
	switch unknown := known(s.Form, c.Language); {
	case err != nil:
	case same(c.Language)(source):
		next, err = editor.Clear{Path: at}.Do(next)
	case unknown != nil:
		err = unknown
	default:
		next, err = editor.Set{Path: at, Value: c.Language}.Do(next)
	}
	if err != nil {
		return s, err
	}
	return next, nil
}

// RenameLanguage gives a language another name, in its place. The default language follows. The errors are ErrMalformed, ErrTaken and ErrUnknown.
type RenameLanguage struct{ From, To string }

// Label names the languages.
func (c RenameLanguage) Label() verb.Phrase {
	return verb.Rename.With("language " + c.From + " to " + c.To)
}

// Do renames the language.
func (c RenameLanguage) Do(s editor.State) (editor.State, error) {
	source, _ := columnsOf(s.Form)
	ours := same(c.From)(source)
	if err := known(s.Form, c.From); err != nil && !ours {
		return s, err
	}
	if err := free(s.Form, c.To, c.From); err != nil {
		return s, err
	}
	next := s
	var err error
	if ours {
		next, err = editor.Set{Path: schema.Path{schema.Key("languages"), schema.Key("primary")}, Value: c.To}.Do(next)
	}
	if err == nil && same(c.From)(s.Form.Tree().Object("languages").Text("default")) {
		next, err = editor.Set{Path: schema.Path{schema.Key("languages"), schema.Key("default")}, Value: c.To}.Do(next)
	}
	if ours {
		return next, err
	}
	all := slices.Clone(s.Form.Tree().Object(translationsKey).Members())
	if i := slices.IndexFunc(all, func(m schema.Member) bool { return same(c.From)(m.Key) }); i >= 0 && err == nil {
		all[i].Key = c.To
		// Not with editor.Set, which drops the pending texts of the other languages.
		next.Form, err = next.Form.Set(schema.Path{schema.Key(translationsKey)}, schema.NewObject(all...))
	}
	if err != nil {
		return s, err
	}
	return next, nil
}
