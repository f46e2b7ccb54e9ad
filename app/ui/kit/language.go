package kit

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// LanguageName names a language in English, as the browser does, or by its tag if the browser does not know it.
func LanguageName(tag string) (name string) {
	defer func() {
		if recover() != nil || name == "" { // a tag that the browser refuses
			name = tag
		}
	}()
	names := app.Window().Get("Intl").Get("DisplayNames")
	if !names.Truthy() {
		return tag
	}
	return names.New([]any{"en"}, map[string]any{"type": "language"}).Call("of", tag).String()
}
