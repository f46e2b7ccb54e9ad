package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

func TestGraphIsSentWhole(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","nodes":[],"start":{"next_node":"a"},"style":{"css":"x"}}`)
	for body, want := range map[string]string{
		`{"name":"g"}`:                 `{"name":"g"}`,
		`{"nodes":[]}`:                 `{"nodes":[],"start":{"next_node":"a"}}`,
		`{"name":"g","start":null}`:    `{"name":"g","start":null,"nodes":[]}`,
		`{"ending":{},"name":"g"}`:     `{"ending":{},"name":"g","nodes":[],"start":{"next_node":"a"}}`,
		`{"nodes":[],"start":{"x":1}}`: `{"nodes":[],"start":{"x":1}}`,
	} {
		p := model.PatchFromTree(formtest.Parse(t, body).Tree()).WithGraph(f)
		if got := string(schema.Encode(p.Tree())); got != want {
			t.Errorf("%s becomes %s, want %s", body, got, want)
		}
	}
}

func TestEqualValuesAreShared(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","nodes":[{"id":"a"},{"id":"b"}],"start":{"next_node":"a"}}`)
	g := f.Share(formtest.Parse(t, `{"name":"g","nodes":[{"id":"b"},{"id":"c"},{"id":"a","alias":"A"}],"start":{"next_node":"a"}}`))
	if g.Name != "g" || len(g.Nodes) != 3 || g.Nodes[0].Tree() != f.Nodes[1].Tree() || g.Nodes[2].Alias != "A" ||
		g.Tree().Object("start") != f.Tree().Object("start") {
		t.Errorf("the form is %s", schema.Encode(g.Tree()))
	}
}
