package editor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
)

// chain is a form whose nodes lead to each other: "a>b" is a step, "f:a>b" a flow,
// "r:a>b,c" a router with a rule to c and the fallback b, "j:a>b,c" a step with a
// jump button to c.
func chain(start string, nodes ...string) string {
	next := func(key, to string) string {
		if to == "" {
			return `"x":0`
		}
		return `"` + key + `":"` + to + `"`
	}
	var list []string
	for _, n := range nodes {
		typ, n, ok := strings.Cut(n, ":")
		if !ok {
			typ, n = "s", typ
		}
		id, to, _ := strings.Cut(n, ">")
		to, by, _ := strings.Cut(to, ",")
		list = append(list, fmt.Sprintf(map[string]string{
			"s": `{"id":%q,"type":"STEP","config":{%s}}`,
			"f": `{"id":%q,"type":"FLOW","config":{%s}}`,
			"l": `{"id":%q,"type":"LOOP","config":{%s}}`,
			"j": `{"id":%q,"type":"STEP","config":{%s,"components":[{"id":"c` + id + `","type":"JUMP_BUTTON","config":{%s}},{"type":"X"}]}}`,
			"r": `{"id":%q,"type":"ROUTER","config":{%s,"rules":[{"id":"one"},{"id":"two",%s}]}}`,
		}[typ], append([]any{id, next(map[bool]string{true: "fallback", false: "next_node"}[typ == "r"], to)},
			map[bool][]any{true: {next("next_node", by)}}[typ == "r" || typ == "j"]...)...))
	}
	return `{"nodes":[` + strings.Join(list, ",") + `],"start":{` + next("next_node", start) + `}}`
}

func TestRemoveNodesJoins(t *testing.T) {
	for _, tt := range []struct {
		name, form, gone string
		want             string // with Join
		cleared          string // without Join
	}{
		{"a step", chain("a", "a>b", "b>c", "c>$ending"), "b", "$start:next>a a:next>c c:next>$ending", "$start:next>a c:next>$ending"},
		{"a flow", chain("a", "a>b", "f:b>$ending"), "b", "$start:next>a a:next>$ending", "$start:next>a"},
		{"a router by its fallback", chain("a", "a>r", "r:r>b,c", "b", "c"), "r", "$start:next>a a:next>b", "$start:next>a"},
		{"a router without fallback", chain("a", "a>r", "r:r>,c", "c"), "r", "$start:next>a a:next>c", "$start:next>a"},
		{
			"a router whose rule leads to a detour", chain("a", "a>r", "r:r>c,b", "b>c", "c"), "r", "$start:next>a a:next>b b:next>c",
			"$start:next>a b:next>c",
		},
		{"a router whose fallback leads back", chain("a", "a>r", "r:r>a,b", "b"), "r", "$start:next>a a:next>b", "$start:next>a"},
		{
			"a router that leads back further", chain("a", "a>b", "b>r", "r:r>a,c", "c>$ending"), "r",
			"$start:next>a a:next>b b:next>c c:next>$ending", "$start:next>a a:next>b c:next>$ending",
		},
		{
			"two ways to nodes that others reach", chain("q", "r:q>c,a", "a>r", "r:r>d,c", "c", "d>$ending"), "r",
			"$start:next>q q:rule:two>a q:fallback>c a:next>d d:next>$ending", "$start:next>q q:rule:two>a q:fallback>c d:next>$ending",
		},
		{"a step with a jump past the next", chain("a", "a>j", "j:j>b,c", "b>c", "c"), "j", "$start:next>a a:next>b b:next>c", "$start:next>a b:next>c"},
		{
			"a rule that led back by it", chain("a", "a>b", "b>r", "r:r>c,b", "c"), "b", "$start:next>a a:next>r r:rule:two>c r:fallback>c",
			"$start:next>a r:fallback>c",
		},
		{"a step that only jumps", chain("a", "a>j", "j:j>,c", "c"), "j", "$start:next>a a:next>c", "$start:next>a"},
		{
			"routers in a circle with one way out", chain("a", "a>q", "r:q>r,", "r:r>q,c", "c"), "q r", "$start:next>a a:next>c", "$start:next>a",
		},
		{
			"a rule", chain("r", "r:r>a,b", "a>$ending", "b>a"), "b", "$start:next>r r:rule:two>a r:fallback>a a:next>$ending",
			"$start:next>r r:fallback>a a:next>$ending",
		},
		{
			"a fallback", chain("r", "r:r>b,a", "a>$ending", "b>a"), "b", "$start:next>r r:rule:two>a r:fallback>a a:next>$ending",
			"$start:next>r r:rule:two>a a:next>$ending",
		},
		{
			"a jump", chain("j", "j:j>a,b", "a>$ending", "b>a"), "b", "$start:next>j j:jump:cj>a j:next>a a:next>$ending",
			"$start:next>j j:next>a a:next>$ending",
		},
		{"the first", chain("a", "a>b", "b>$ending"), "a", "$start:next>b b:next>$ending", "b:next>$ending"},
		{"a chain", chain("a", "a>b", "b>c", "f:c>d", "d>e", "e"), "b c d", "$start:next>a a:next>e", "$start:next>a"},
		{
			"a chain from the middle", chain("a", "r:a>c,b", "b>c", "c>d", "d>e", "e"), "d b c", "$start:next>a a:rule:two>e a:fallback>e",
			"$start:next>a",
		},
		{"a round", chain("a", "a>b", "b>c", "c>b"), "b c", "$start:next>a", "$start:next>a"},
		{"back to itself", chain("a", "a>b", "b>a"), "b", "$start:next>a", "$start:next>a"},
		{"to a missing node", chain("a", "a>b", "b>gone"), "b", "$start:next>a", "$start:next>a"},
		{"a pointer that already dangled", chain("a", "a>gone", "b"), "b", "$start:next>a a:next>gone", "$start:next>a a:next>gone"},
		{"a node of an unknown type", chain("a", "a>b", "l:b>c", "c"), "b", "$start:next>a", "$start:next>a"},
		{"the last one", chain("a", "a>$ending"), "a", "", ""},
		{"all but one", chain("a", "a>$ending", "b"), "a", "$start:next>$ending", ""},
		{
			"of two with one id the first", chain("a", "a>b", "b>c", "b>a", "c"), "b", "$start:next>a a:next>b b:next>a",
			"$start:next>a a:next>b b:next>a",
		},
		{"a pointer to itself", chain("a", "a>a", "b"), "b", "$start:next>a a:next>a", "$start:next>a a:next>a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for join, want := range map[bool]string{true: tt.want, false: tt.cleared} {
				e, _ := newEditor(t, tt.form)
				run(t, e, editor.RemoveNodes{IDs: strings.Fields(tt.gone), Join: join})
				if got := ways(e.State().Form); got != want {
					t.Errorf("heal %v: got %s\nwant %s", join, got, want)
				}
				if got, want := len(e.State().Form.Nodes), len(e.Base().Nodes)-len(strings.Fields(tt.gone)); got != want {
					t.Errorf("%d nodes are left, want %d", got, want)
				}
			}
		})
	}
}

func TestRemoveSelectionJoins(t *testing.T) {
	e, _ := newEditor(t, chain("a", "a>b", "b>$ending"))
	e.Select(editor.SelectNodes("a", model.EndingID))
	run(t, e, editor.RemoveSelection{Join: true})
	if got := ways(e.State().Form); got != "$start:next>b b:next>$ending" || e.UndoLabel() != "Delete and close the gap" {
		t.Errorf("%s: %s", e.UndoLabel(), got)
	}
	if got := (editor.RemoveNodes{IDs: []string{"a", "b"}, Join: true}).Label().String(); got != "Delete 2 nodes and close the gap" {
		t.Error(got)
	}
}

// Joining takes time linear in the chain: each node is visited once.
func TestJoinOverALongChain(t *testing.T) {
	const n = 5000
	var nodes, gone []string
	for i := range n {
		nodes = append(nodes, fmt.Sprintf("r:n%d>n%d,n%d", i, i+1, i+1), fmt.Sprintf("m%d>n%d", i, i))
		gone = append(gone, fmt.Sprintf("n%d", i))
	}
	e, _ := newEditor(t, chain("n0", append(nodes, fmt.Sprintf("n%d", n))...))
	s, err := editor.RemoveNodes{IDs: gone, Join: true}.Do(e.State())
	if err != nil {
		t.Fatal(err)
	}
	for _, edge := range s.Form.Edges() {
		if edge.To != "n5000" {
			t.Fatalf("%s leads to %s", edge.From, edge.To)
		}
	}
	if got := len(s.Form.Edges()); got != n+1 {
		t.Errorf("%d edges, want %d", got, n+1)
	}
}

func TestInsertOnEdge(t *testing.T) {
	form := chain("a", "a>b", "b>$ending", "c", "r:r>,", "r:q>,a", "f:f>a", "l:l", "j:j>,gone")
	edge := func(from string, port model.Port) editor.EdgeRef { return editor.EdgeRef{From: from, Port: port} }
	const rest = " q:rule:two>a f:next>a j:jump:cj>gone"
	for _, tt := range []struct {
		name string
		c    editor.InsertOnEdge
		want string // edges, or the error
	}{
		{"step", editor.InsertOnEdge{Edge: edge("a", "next"), Node: "c"}, "$start:next>a a:next>c b:next>$ending c:next>b" + rest},
		{"router", editor.InsertOnEdge{Edge: edge("b", "next"), Node: "r"}, "$start:next>a a:next>b b:next>r r:fallback>$ending" + rest},
		{"start", editor.InsertOnEdge{Edge: edge(model.StartID, "next"), Node: "c"}, "$start:next>c a:next>b b:next>$ending c:next>a" + rest},
		{"leads on", editor.InsertOnEdge{Edge: edge("a", "next"), Node: "f"}, "the node already leads to another node: disconnect it first"},
		{
			"leads on by a rule",
			editor.InsertOnEdge{Edge: edge("a", "next"), Node: "q"},
			"the node already leads to another node: disconnect it first",
		},
		{"source", editor.InsertOnEdge{Edge: edge("a", "next"), Node: "a"}, "the node is at this edge already"},
		{"target", editor.InsertOnEdge{Edge: edge("a", "next"), Node: "b"}, "the node is at this edge already"},
		{"no node", editor.InsertOnEdge{Edge: edge("a", "next"), Node: "z"}, "insert z: there is no such node"},
		{"ending", editor.InsertOnEdge{Edge: edge("a", "next"), Node: model.EndingID}, "insert $ending: there is no such node"},
		{"no way out", editor.InsertOnEdge{Edge: edge("a", "next"), Node: "l"}, "the node cannot lead to another node"},
		{"no edge", editor.InsertOnEdge{Edge: edge("c", "next"), Node: "r"}, "there is no such edge"},
		{"no port", editor.InsertOnEdge{Edge: edge("a", "fallback"), Node: "r"}, "there is no such edge"},
		{"to a missing node", editor.InsertOnEdge{Edge: edge("j", "jump:cj"), Node: "c"}, "connect to gone: there is no such node"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, form)
			if err := e.Can(tt.c); err != nil {
				if err.Error() != tt.want {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				return
			}
			run(t, e, tt.c)
			if got := ways(e.State().Form); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := e.State().Selection.Only(); got != tt.c.Node {
				t.Errorf("selected is %q", got)
			}
		})
	}
}

func TestReconnect(t *testing.T) {
	form := chain("a", "a>b", "b>$ending", "r:r>b,a", "c", "j:j>,gone")
	edge := func(from string, port model.Port) editor.EdgeRef { return editor.EdgeRef{From: from, Port: port} }
	to := func(from string, port model.Port) *editor.EdgeRef { return &editor.EdgeRef{From: from, Port: port} }
	const jump = " j:jump:cj>gone"
	for _, tt := range []struct {
		name string
		c    editor.Reconnect
		want string // edges and the selected one, or the error
	}{
		{"target", editor.Reconnect{Edge: edge("a", "next"), Target: "c"}, "$start:next>a a:next>c b:next>$ending r:rule:two>a r:" +
			"fallback>b" + jump + " a:next"},
		{
			"target is the ending",
			editor.Reconnect{Edge: edge("r", "fallback"), Target: model.EndingID},
			"$start:next>a a:next>b b:next>$ending r:rule:two>a r:fallback>$ending" + jump + " r:fallback",
		},
		{"source", editor.Reconnect{Edge: edge("a", "next"), Source: to("c", "next")}, "$start:next>a b:next>$ending r:rule:two>a r:" +
			"fallback>b c:next>b" + jump + " c:next"},
		{
			"source to another port",
			editor.Reconnect{Edge: edge("r", "fallback"), Source: to("r", "rule:one")},
			"$start:next>a a:next>b b:next>$ending r:rule:one>b r:rule:two>a" + jump + " r:rule:one",
		},
		{
			"source over an edge",
			editor.Reconnect{Edge: edge("a", "next"), Source: to("r", "rule:two")},
			"$start:next>a b:next>$ending r:rule:two>b r:fallback>b" + jump + " r:rule:two",
		},
		{
			"source of an edge alike",
			editor.Reconnect{Edge: edge("a", "next"), Source: to("r", "fallback")},
			"$start:next>a b:next>$ending r:rule:two>a r:fallback>b" + jump + " r:fallback",
		},
		{
			"source is the start",
			editor.Reconnect{Edge: edge("a", "next"), Source: to(model.StartID, "next")},
			"$start:next>b b:next>$ending r:rule:two>a r:fallback>b" + jump + " $start:next",
		},
		{
			"both",
			editor.Reconnect{Edge: edge("a", "next"), Source: to("c", "next"), Target: model.EndingID},
			"$start:next>a b:next>$ending r:rule:two>a r:fallback>b c:next>$ending" + jump + " c:next",
		},
		{"nothing", editor.Reconnect{Edge: edge("a", "next")}, "same"},
		{"back to a missing node", editor.Reconnect{Edge: edge("j", "jump:cj")}, "same"},
		{"the same", editor.Reconnect{Edge: edge("a", "next"), Source: to("a", "next"), Target: "b"}, "same"},
		{"no edge", editor.Reconnect{Edge: edge("c", "next"), Target: "a"}, "there is no such edge"},
		{"no port", editor.Reconnect{Edge: edge("a", "next"), Source: to("c", "fallback")}, "c has no way out fallback"},
		{
			"no port of the start",
			editor.Reconnect{Edge: edge("a", "next"), Source: to(model.StartID, "fallback")},
			"$start has no way out fallback",
		},
		{"no node", editor.Reconnect{Edge: edge("a", "next"), Source: to("z", "next")}, "connect z: there is no such node"},
		{"no target", editor.Reconnect{Edge: edge("a", "next"), Target: "z"}, "connect to z: there is no such node"},
		{"to itself", editor.Reconnect{Edge: edge("a", "next"), Source: to("b", "next")}, "a node cannot lead to itself"},
		{"to the start", editor.Reconnect{Edge: edge("a", "next"), Target: model.StartID}, "nothing can lead to the start"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, form)
			if err := e.Can(tt.c); err != nil {
				if err.Error() != tt.want {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				return
			}
			run(t, e, tt.c)
			got := "same"
			if s := e.State(); s.Form != e.Base() && s.Selection.Edge != nil {
				got = ways(s.Form) + " " + s.Selection.Edge.From + ":" + string(s.Selection.Edge.Port)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
