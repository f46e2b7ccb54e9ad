package inspector_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
)

// What the pages of a form cannot show stays in the inspector as JSON, and nothing else of them.
func TestWhatNoPageShows(t *testing.T) {
	const nodes = `"name":"f","languages":{"primary":"en","default":"de"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mail","config":{"placeholder":"you@","default_value":"m@x.org"}},
		{"id":"which","category":"FIELD","type":"CHOICE","label":"Which?","config":{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]}},
		{"id":"new","category":"FIELD","type":"NEWER","label":"New"}]}}]`
	for more, want := range map[string]string{
		`"style":{"css":"a{}"},"messages":{"errors":{"ERR_X":""},"custom":{"a b":"c"}}`: "",
		`"style":7`:                    "style",
		`"style":{"css":7,"font":"x"}`: "style.css style.font",
		`"messages":{"errors":[],"custom":{"a":1,"b":"c"},"more":{}}`: "messages.errors messages.custom.a messages.more",
		`"languages":{"primary":"","default":1,"x":"y"}`:              "languages.primary languages.default languages.x",
		`"translations":[]`:                "translations",
		`"translations":{"de":[],"fr":{}}`: "translations.de",
		`"translations":{"de":{},"DE":{}}`: "translations.DE",
		`"translations":{"en":{"x":"y"}}`:  "translations.en",
		`"translations":{"de":{"note":"x","messages":{"errors":{"E":"x"},"custom":{"k":1}}}}`: "translations.de.note translations.de.messages.custom.k",
		`"translations":{"de":{"components":{"mail":{"label":"E-Mail","config":{"placeholder":"du@"}},"which":{"label":"Was?","config":{"options":[
			{"value":"b","label":"Be"}]}}}}}`: "",
		`"translations":{"de":{"components":{"gone":{"label":"x"},"new":{"label":"x"},"mail":{"hint":"the form has none"},"which":7}}}`: "translations.de.components.gone " +
			"translations.de.components.new translations.de.components.mail translations.de.components.which",
		`"translations":{"de":{"components":{"mail":{"label":1},"which":{"config":{"options":[{"value":"c","label":"Ce"}]}}}}}`: "translations.de.components.mail " +
			"translations.de.components.which",
		`"translations":{"de":{"components":{"mail":{"config":{"default_value":"x"}},"which":{"config":{"options":[{"value":"a","label":"A"},{"value":"a","label":"Z"}]}}}}}`: "" +
			"translations.de.components.mail translations.de.components.which",
	} {
		form := "{" + nodes + "," + more + "}"
		if strings.HasPrefix(more, `"languages"`) {
			form = strings.Replace(form, `"languages":{"primary":"en","default":"de"},`, "", 1)
		}
		e := edit(t, form, editor.Selection{})
		panelLaw(t, e)
		var got []string
		for _, r := range flat(inspector.Read(e, nil)) {
			path := r.Path.String()
			if path == "name" || strings.HasPrefix(path, "nodes") {
				continue
			}
			if got = append(got, path); r.Input != inspector.JSON || inspector.PageOf(e.State(), r.Path) != "" {
				t.Errorf("%s: %s is %v of the page %q", more, path, r.Input, inspector.PageOf(e.State(), r.Path))
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", more, got, want)
		}
	}
}

// The problems of what a page shows are its own.
func TestPageOf(t *testing.T) {
	e := edit(t, `{"name":"f","style":{"css":"","font":"x"},"translations":{"de":{"components":{"gone":{}}}}}`, editor.Selection{})
	for at, want := range map[string]string{
		"style.css": inspector.Style, "style.font": "", "languages.primary": inspector.Languages, "translations.de.components.mail.label": inspector.Languages,
		"translations.de.components.gone.label": "", "messages.custom.a": inspector.Messages, "name": "", "nodes[0].id": "", "start": "",
	} {
		if got := inspector.PageOf(e.State(), parsePath(t, at)); got != want {
			t.Errorf("%s is on %q, want %q", at, got, want)
		}
	}
	// Text that is no JSON yet keeps its row.
	e = edit(t, `{"name":"f","translations":7}`, editor.Selection{})
	if err := e.Run(row(t, e, "translations").Edit(`{"de":`)); err != nil {
		t.Fatal(err)
	}
	if got := row(t, e, "translations").Text(); got != `{"de":` {
		t.Errorf("the text is %s", got)
	}
}
