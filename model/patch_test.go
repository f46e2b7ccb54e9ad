package model_test

import (
	"slices"
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
	read := formtest.Parse(t, `{"name":"g","nodes":[{"id":"b"},{"id":"c"},{"id":"a","alias":"A"}],"start":{"next_node":"a"}}`)
	g := f.Share(read)
	if g.Nodes[0] != f.Nodes[1] || g.Nodes[1] != read.Nodes[1] || g.Nodes[2] != read.Nodes[2] {
		t.Error("nodes are read again")
	}
	if g.Name != "g" || len(g.Nodes) != 3 || g.Nodes[0].Tree() != f.Nodes[1].Tree() || g.Nodes[2].Alias != "A" ||
		g.Tree().Object("start") != f.Tree().Object("start") {
		t.Errorf("the form is %s", schema.Encode(g.Tree()))
	}
}

// A form shares the nodes of all forms that its tree comes from.
func TestNodesOfOthersAreShared(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","nodes":[{"id":"a"},{"id":"b"}]}`)
	g := formtest.Parse(t, `{"nodes":[{"id":"c"},{"id":"d"},7]}`)
	list := append(slices.Clone(g.Tree().List("nodes")), f.Tree().List("nodes")[1])
	body := schema.NewObject(schema.Member{Key: "nodes", Value: list})
	h := model.PatchFromTree(body).Apply(f, g)
	if beside, whole := h.SizeBeside(g), h.SizeBeside(model.New("")); beside < 4*24 || beside > whole*2/3 || f.SizeBeside(f) < 2*24 {
		t.Errorf("%d bytes beside the other form, and %d alone", beside, whole)
	}
	if len(h.Nodes) != 4 || h.Nodes[0] != g.Nodes[0] || h.Nodes[1] != g.Nodes[1] || h.Nodes[3] != f.Nodes[1] {
		t.Error("the nodes are read again")
	}
}
