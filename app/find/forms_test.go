package find_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// read returns the form of a JSON text.
func read(tb testing.TB, src string) *model.Form {
	tb.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		tb.Fatalf("%s: %v", src, ps)
	}
	return model.FromTree(v.(*schema.Object))
}

// search returns all hits of a new index.
func search(f *model.Form, query string) []find.Hit {
	var x find.Index
	return x.Search(f, query, 0)
}

func object(pairs ...any) *schema.Object {
	o := schema.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		o = o.With(pairs[i].(string), pairs[i+1])
	}
	return o
}

// large returns a form of n steps with ten labelled components each, as in the benchmarks of
// the model.
func large(n int) *model.Form {
	kinds := []string{"TEXT", "EMAIL", "CHOICE", "RICH_TEXT", "BOOLEAN", "TEL", "DROPDOWN", "LEGAL", "DATE", "NEXT_BUTTON"}
	nodes := make([]any, n)
	for i := range nodes {
		comps := make([]any, len(kinds))
		for j, k := range kinds {
			comp := model.NewComponent(model.KindOf(k), model.SpecDialect, fmt.Sprintf("c%d_%d", i, j))
			if model.KindOf(k).Category == model.Field {
				comp = comp.With("label", fmt.Sprintf("What is your %s number %d?", k, i))
			}
			comps[j] = comp
		}
		next := model.EndingID
		if i+1 < n {
			next = fmt.Sprintf("n%d", i+1)
		}
		nodes[i] = model.NewNode(model.StepNode, fmt.Sprintf("n%d", i), model.Point{X: i}).
			With("alias", fmt.Sprintf("Page %d", i)).With("config", object("components", comps, "next_node", next))
	}
	return model.FromTree(object("name", "large", "nodes", nodes))
}

// words are the words of random forms and queries. There are few, so that queries match.
var words = []string{
	"email", "Email", "E-Mail", "mail", "Ärger", "straße", "STRASSE", "cafe", "café", "Œuvre", "a", "e", "step", "Welcome", "phone",
	"rich_text", "&amp;", "<b>", "</b>", "<", "fields.code", "{{fields.code}}", "日本", "Ελλάς", "n\u0303", "ĳ", "x<y", "so\u00adft", "don’t",
}

// author makes random forms.
type author struct {
	r *rand.Rand
	n int
}

func (a *author) text() string {
	s := ""
	for i := range 1 + a.r.IntN(5) {
		if i > 0 {
			s += []string{" ", " ", "  ", "\n", "_", ""}[a.r.IntN(6)]
		}
		s += words[a.r.IntN(len(words))]
	}
	return s
}

func (a *author) id() string {
	a.n++
	return fmt.Sprintf("%s_%d", []string{"email", "step", "a", "mail"}[a.r.IntN(4)], a.n)
}

// fill puts texts where strings are.
func (a *author) fill(v any) any {
	switch v := v.(type) {
	case string:
		if a.r.IntN(3) > 0 {
			return a.text()
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = a.fill(v[i])
		}
		return out
	case *schema.Object:
		for _, m := range v.Members() {
			if m.Key != "type" && m.Key != "category" && m.Key != "id" {
				v = v.With(m.Key, a.fill(m.Value))
			}
		}
		return v
	}
	return v
}

func (a *author) component() *schema.Object {
	k := &model.Kinds[a.r.IntN(len(model.Kinds))]
	c := a.fill(model.NewComponent(k, model.SpecDialect, a.id())).(*schema.Object)
	if k.Category != model.Block && a.r.IntN(3) > 0 {
		c = c.With("label", a.text()).With("hint", a.text())
	}
	if a.r.IntN(12) == 0 {
		c = c.With("type", "NEW_KIND")
	}
	return c
}

func (a *author) rule() *schema.Object {
	r := model.NewRule(a.id())
	switch a.r.IntN(3) {
	case 0:
		r = r.With("alias", a.text())
	case 1:
		r = r.With("condition", object("anything", []any{a.text(), object("deep", a.text())}))
	}
	return r.With("next_node", model.EndingID)
}

func (a *author) form(nodes int) *model.Form {
	list := make([]any, nodes)
	for i := range list {
		t := []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode, "NEW"}[a.r.IntN(4)]
		n := model.NewNode(t, a.id(), model.Point{})
		parts := make([]any, a.r.IntN(4))
		for j := range parts {
			if t == model.StepNode {
				parts[j] = a.component()
			} else {
				parts[j] = a.rule()
			}
		}
		switch t {
		case model.StepNode:
			n = n.With("config", object("components", parts, "next_node", a.id()))
		case model.RouterNode:
			n = n.With("config", object("rules", parts, "fallback", model.EndingID))
		case model.FlowNode:
			n = n.With("config", object("flow_id", "af_1"))
		}
		if a.r.IntN(2) == 0 {
			n = n.With("alias", a.text())
		}
		list[i] = n
	}
	return model.FromTree(object(
		"name",
		a.text(),
		"nodes",
		list,
		"languages",
		object("primary", "en"),
		"style",
		object("css", a.text()),
		"messages",
		object("errors", object("ERR_EMAIL", a.text()), "custom", object("hello", a.text())),
		"translations",
		object(
			"de",
			object(
				"components",
				object("email_1", object("label", a.text())),
				"messages",
				object("custom", object("hello", a.text())),
				"ending",
				nil,
			),
		),
		"start",
		object("hidden_fields", []any{object("key", "email_h", "value", a.text())}, "next_node", "step_1"),
		"ending",
		object("redirection", object("target", "https://example.org/"+a.text()), "after_submit", object("flow_id", "af_2")),
	))
}
