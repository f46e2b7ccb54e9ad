package model

import (
	"slices"
	"strings"
)

// DefaultLanguage is the language of a form that names none.
const DefaultLanguage = "en"

// Languages returns the languages of a form: the one in which it is written, then those of its translations.
func (f *Form) Languages() []string {
	list := []string{f.language()}
	tags := []string{LanguageTag(list[0])}
	for _, m := range f.tree.Object("translations").Members() {
		if tag := LanguageTag(m.Key); !slices.Contains(tags, tag) {
			list, tags = append(list, m.Key), append(tags, tag)
		}
	}
	return list
}

// language returns the language in which a form is written.
func (f *Form) language() string {
	languages := f.tree.Object("languages")
	for _, name := range []string{"primary", "default"} {
		if l := languages.Text(name); l != "" {
			return l
		}
	}
	return DefaultLanguage
}

// LanguageTag returns a tag that equals those of the same language.
func LanguageTag(tag string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"))
}
