package editor_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// A style is pasted on several components in one step: a property that they share gets the value or loses its own, and content stays.
func TestPasteStyle(t *testing.T) {
	const form = `{"name":"x","nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"from","category":"FIELD","type":"TEXT","label":"From","hint":"Hint","required":true,"sensitive":true,"config":{"multiline":true,"placeholder":"P","max_length":9}},
		{"id":"same","category":"FIELD","type":"TEXT","label":"Same","config":{"default_value":"d","min_length":3}},
		{"id":"other","category":"FIELD","type":"TEL","label":"Other","config":{"country_picker":true,"min_length":3}},
		{"id":"bare","category":"FIELD","type":"EMAIL","label":"Bare"},
		{"id":"block","category":"BLOCK","type":"IMAGE","config":{"src":"https://x.example/","height":9}}]}}]}`
	want := strings.NewReplacer(
		`"label":"Same","config":{"default_value":"d","min_length":3}`, `"label":"Same","required":true,"config":{"multiline":true,"default_value":"d","max_length":9}`,
		`"label":"Other","config":{"country_picker":true,"min_length":3}`, `"label":"Other","required":true,"config":{"max_length":9,"country_picker":true}`,
		`"label":"Bare"`, `"label":"Bare","required":true`,
	).Replace(form)
	f := formtest.Parse(t, form)
	e := editor.New(f, editor.Config{Rand: rand.IntN})
	sel := func(ids ...string) {
		s := editor.Selection{Nodes: []string{"s"}, Parts: ids}
		if len(ids) == 1 {
			s.Component, s.Parts = ids[0], nil
		}
		e.Select(s)
	}
	sel("from")
	style, ok := editor.StyleOf(e.State())
	if !ok || style.None() || !(editor.Style{}).None() {
		t.Fatal("the style is not copied")
	}
	steps := len(e.Steps())
	sel("same", "other", "bare", "block")
	if err := e.Run(editor.PasteStyle{Style: style}); err != nil {
		t.Fatal(err)
	}
	if d := model.Diff(formtest.Parse(t, want), e.State().Form); d.Tree().Len() > 0 {
		t.Errorf("got  %s\nwant %s", schema.Encode(e.State().Form.Tree()), want)
	}
	if len(e.Steps()) != steps+1 || e.UndoLabel() != "Paste style" {
		t.Errorf("%d steps, the last is %q", len(e.Steps())-steps, e.UndoLabel())
	}
	if err := e.Run(editor.PasteStyle{Style: style}); err != nil || len(e.Steps()) != steps+1 {
		t.Errorf("pasted again: %v, %d steps", err, len(e.Steps())-steps)
	}
	if e.Undo(); !schema.Equal(e.State().Form.Tree(), f.Tree()) {
		t.Error("undo leaves something")
	}
	sel("block")
	if err := e.Run(editor.PasteStyle{Style: style}); err == nil {
		t.Error("a picture takes the style of a text")
	}
}
