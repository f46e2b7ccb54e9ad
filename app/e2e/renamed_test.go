//go:build e2e && !js

package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// renamedForm has elements that others refer to: three fields in a step, and a router that asks for each of them.
const renamedForm = `{"name":"Renamed","languages":{"primary":"en"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":0,"y":0},"config":{"components":[
		{"id":"f0","category":"FIELD","type":"TEXT","label":"0","hint":"0","config":{"max_length":10}},
		{"id":"f1","category":"FIELD","type":"TEXT","label":"1","hint":"1","config":{"max_length":11}},
		{"id":"f2","category":"FIELD","type":"TEXT","label":"2","hint":"2","config":{"max_length":12}},
		{"id":"say","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>{{fields.f0}} {{fields.f1}} {{fields.f2}}</p>"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go on"}}],"next_node":"route"}},
	{"id":"route","type":"ROUTER","alias":"Route","coordinates":{"x":400,"y":0},"config":{"rules":[
		{"id":"r0","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.f0}}","a"]}]},"next_node":"ask"},
		{"id":"r1","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.f1}}","b"]}]},"next_node":"ask"}],
		"fallback":"$ending"}}],
	"translations":{"de":{"components":{"f0":{"label":"D0"},"f1":{"label":"D1"},"f2":{"label":"D2"}}}},
	"start":{"next_node":"ask","coordinates":{"x":-300,"y":0}},"ending":{"resume_flow":true,"coordinates":{"x":900,"y":0}}}`

// headOf is the head of the card of a node, whatever its id.
func headOf(i int) string { return sel(`[data-kind="` + []string{"STEP", "ROUTER"}[i] + `"] .cv-head`) }

// fieldRow is a row of the step's card, whatever the id of the component.
func fieldRow(k int) string {
	return fmt.Sprintf(`document.querySelectorAll('[data-kind="STEP"] [data-component]')[%d]`, k)
}

// renamedWhole fails unless a form has each element of renamedForm once, and every reference leads to what it led to.
func renamedWhole(t *testing.T, f map[string]any) {
	t.Helper()
	text := func(path ...any) string {
		s, _ := at(f, path...).(string)
		return s
	}
	is := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %q, want %q in %v", what, got, want, f)
		}
	}
	nodes, _ := f["nodes"].([]any)
	fields, _ := at(f, "nodes", 0, "config", "components").([]any)
	rules, _ := at(f, "nodes", 1, "config", "rules").([]any)
	if len(nodes) != 2 || len(fields) != 5 || len(rules) != 2 {
		t.Fatalf("%d nodes, %d components and %d rules: %v", len(nodes), len(fields), len(rules), f)
	}
	ask, route := text("nodes", 0, "id"), text("nodes", 1, "id")
	var refs []string
	for k := range 3 {
		id := text("nodes", 0, "config", "components", k, "id")
		refs = append(refs, "{{fields."+id+"}}")
		is("the length", fmt.Sprint(at(f, "nodes", 0, "config", "components", k, "config", "max_length")), fmt.Sprint(10+k))
		is("the translation", text("translations", "de", "components", id, "label"), fmt.Sprintf("D%d", k))
	}
	is("the text", text("nodes", 0, "config", "components", 3, "config", "content"), "<p>"+strings.Join(refs, " ")+"</p>")
	is("the start", text("start", "next_node"), ask)
	is("the next node", text("nodes", 0, "config", "next_node"), route)
	for k := range 2 {
		is("the operand", text("nodes", 1, "config", "rules", k, "condition", "operands", 0, "operands", 0), refs[k])
		is("the way of a rule", text("nodes", 1, "config", "rules", k, "next_node"), ask)
	}
}

// Who edits a field goes on editing it when another person renames it and its step.
func TestRenamedWhileEdited(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(renamedForm)
	here, there := both(t, s, id)
	label := "nodes[0].config.components[1].label"
	here.clickOn(fieldRow(1))
	here.fill(label, "My")
	there.clickOn(fieldRow(1))
	there.fill("nodes[0].config.components[1].id", "city")
	there.key("\t")
	here.wait(sel(node("ask") + ` [data-component="city"]`))
	here.wait(`document.activeElement === ` + sel(`[data-path=`+js(label)+`]`))
	here.insert(" city")
	there.choose("ask")
	there.fill("nodes[0].id", "where")
	there.key("\t")
	here.wait(sel(node("where") + ` [data-component="city"]`))
	here.wait(`document.activeElement === ` + sel(`[data-path=`+js(label)+`]`) + ` && document.activeElement.value === "My city"`)
	here.insert("!")
	there.card("where", "My city!")
	if said := eval[string](here, `[...document.querySelectorAll("[role=note]")].map((e) => e.textContent).join()`); said != "" {
		t.Errorf("the page says %q, although nobody has typed the same", said)
	}
	here.shots("renamed-while-edited")
	here.press("button", "Save")
	here.saveState("saved")
	f := s.form(id)
	renamedWhole(t, f)
	if got := fmt.Sprint(at(f, "nodes", 0, "id"), at(f, "nodes", 0, "config", "components", 1, "id"), at(f, "nodes", 0, "config", "components", 1, "label")); got != "wherecityMy city!" {
		t.Errorf("saved %s", got)
	}
}

// Two browsers make 200 edits each of the same few elements, and rename them all the time. In the end both have the same form, in which nothing is
// doubled and every reference is whole.
func TestRenamesTogether(t *testing.T) {
	nightly(t) // model/live tests it without a browser (TestRenamesTravel); TestRenamedWhileEdited does it once
	t.Parallel()
	s := shared(t)
	id := s.create(renamedForm)
	here, there := both(t, s, id)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 5))
	typed := map[string]string{} // the last text by the path
	given := map[string]bool{}
	pages, texts := []*page{here, there}, []string{"label", "hint"}
	for n := range 400 {
		i := n % 2
		p, now := pages[i], fmt.Sprintf("%c%d", 'A'+i, n)
		path := ""
		switch k := rng.IntN(3); rng.IntN(6) {
		case 0: // a field's id
			p.clickOn(fieldRow(k))
			path = fmt.Sprintf("nodes[0].config.components[%d].id", k)
		case 1: // a node's id
			k = rng.IntN(2)
			p.clickOn(headOf(k))
			path = fmt.Sprintf("nodes[%d].id", k)
			p.wait(sel(`[data-path=` + js(path) + `]`))
		case 2: // the name of the node that only this page gives one
			p.clickOn(headOf(i))
			path = fmt.Sprintf("nodes[%d].alias", i)
			typed[path] = now
		default: // the text of a field that only this page types
			p.clickOn(fieldRow(k))
			path = fmt.Sprintf("nodes[0].config.components[%d].%s", k, texts[i])
			typed[path] = now
		}
		p.fill(path, now)
		if strings.HasSuffix(path, ".id") {
			given[now] = true
			p.key("\t")
		}
	}
	for path, text := range typed {
		for _, p := range pages {
			var i, k int
			if n, _ := fmt.Sscanf(path, "nodes[0].config.components[%d]", &k); n == 1 {
				p.clickOn(fieldRow(k))
			} else if _, err := fmt.Sscanf(path, "nodes[%d]", &i); err == nil {
				p.clickOn(headOf(i))
			}
			p.wait(sel(`[data-path=`+js(path)+`]`) + `?.value === ` + js(text))
		}
	}
	here.press("button", "Save")
	here.saveState("saved")
	there.saveState("saved")
	f := s.form(id)
	renamedWhole(t, f)
	for _, was := range []any{at(f, "nodes", 0, "id"), at(f, "nodes", 1, "id"), at(f, "nodes", 0, "config", "components", 0, "id")} {
		if !given[fmt.Sprint(was)] {
			t.Errorf("nobody gave the id %v", was)
		}
	}
}
