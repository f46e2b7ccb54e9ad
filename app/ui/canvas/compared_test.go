package canvas

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/formtest"
)

func TestDifferencesAreDrawnOnCards(t *testing.T) {
	s := graph.New(formtest.Parse(t, `{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"x","category":"FIELD","type":"TEXT","label":"X"},{"id":"y","category":"FIELD","type":"TEXT","label":"Y"}]}}]}`))
	d := &Difference{Kind: "changed", Tag: "~ 2 changes", Rows: []string{"y", "+"}, Gone: "Old <b>"}
	m := marksOf(Marks{Compared: &Compared{Cards: map[string]*Difference{"a": d}}})
	c := s.Card("a")
	html := string(appendCard(nil, c, look{content: c.Content, id: c.ID, row: -1, differs: m.difference(c)}, false))
	for _, want := range []string{`data-compare="changed"`, `data-tag="~ 2 changes"`, `data-component="y" data-sign="+"`, `<s>Old &lt;b&gt;</s>`, "a, step, 2 changes"} {
		if !strings.Contains(html, want) {
			t.Errorf("the card lacks %s: %s", want, html)
		}
	}
	d.Arrives = true
	if html := string(appendCard(nil, c, look{content: c.Content, id: c.ID, row: -1, differs: d}, false)); !strings.Contains(html, ">+ Old &lt;b&gt;</div>") {
		t.Errorf("what arrives on the card is not added: %s", html)
	}
	if strings.Count(html, "data-sign") != 1 || m.difference(s.Card("$start")) != nil || (*marks)(nil).difference(c) != nil {
		t.Error("what does not differ is marked")
	}
}

// What only the other form has is drawn but cannot be connected: it has no handles.
func TestGhosts(t *testing.T) {
	of := &Compared{
		Gone: formtest.Parse(t, `{"nodes":[{"id":"old<","type":"STEP","coordinates":{"x":40,"y":60},"config":{"next_node":"$ending","components":[]}},
			{"id":"nowhere","type":"STEP","config":{"components":[]}}]}`),
		Edges: []string{`M0 0"><script>`}, Was: []string{"left:1px;top:2px\""},
	}
	scene, html := of.ghosts()
	if scene.Card("old<") == nil {
		t.Error("the ghost cannot be found")
	}
	form := graph.Rect{X: -300, Y: 70, W: 10, H: 10}
	if got := withGhosts(form, scene); got != form.Union(scene.Card("old<").Rect) || withGhosts(form, nil) != form {
		t.Errorf("around the form and the ghosts is %v", got)
	}
	for _, want := range []string{`data-node="old&lt;"`, `data-compare="removed"`, `left:40px;top:60px`, `d="M0 0&#34;&gt;&lt;script&gt;"`, `style="left:1px;top:2px&#34;"`} {
		if !strings.Contains(html, want) {
			t.Errorf("the ghosts lack %s: %s", want, html)
		}
	}
	for _, bad := range []string{"data-handle", "nowhere", "$start"} {
		if strings.Contains(html, bad) {
			t.Errorf("the ghosts have %s: %s", bad, html)
		}
	}
	of.Arrives = true
	if _, html := of.ghosts(); !strings.Contains(html, `data-compare="added" data-tag="+ Added"`) || !strings.Contains(html, "cv-new") || !strings.Contains(html, "goes here") {
		t.Errorf("what arrives is not added: %s", html)
	}
	if scene, html := (*Compared)(nil).ghosts(); scene != nil || html != "" {
		t.Error("without a comparison there are ghosts")
	}
}
