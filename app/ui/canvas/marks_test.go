package canvas

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/formtest"
)

func TestMarks(t *testing.T) {
	s := graph.New(formtest.Parse(t, `{"name":"f","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"components":[{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"c"}},
		{"id":"c","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`))
	m := marksOf(Marks{Visited: []string{"$start", "a", "c"}, Edges: []string{"$start:next", "a:next"}, Current: "c"})
	for id, want := range map[string]trace{"$start": visited, "a": visited, "c": current, "$ending": untouched} {
		if got := m.node(s.Card(id)); got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
	covered := marksOf(Marks{Taken: map[string]int{"$start:next": 2, "a:next": 1}})
	visits := map[string]bool{"$start:next": true, "a:next": true, "c:next": false}
	times := map[string]int{"$start:next": 2, "a:next": 1, "c:next": 0}
	edges := 0
	s.Edges(func(e *graph.Edge) {
		edges++
		if name := edgeName(e); m.edge(e) != visits[name] || m.times(e) != uncounted || covered.edge(e) || covered.times(e) != times[name] {
			t.Errorf("%s: visited %v, taken %d; visited %v, taken %d", name, m.edge(e), m.times(e), covered.edge(e), covered.times(e))
		}
	})
	if edges != len(times) {
		t.Errorf("%d edges", edges)
	}
	if v := marksOf(Marks{People: map[string]Visitors{"a": {Names: "Ada", Hue: 2}}}); v.visitors(s.Card("a")).Names != "Ada" || v.visitors(s.Card("c")).Names != "" ||
		m.visitors(s.Card("a")).Names != "" {
		t.Error("the people are at other nodes")
	}
	forked := marksOf(Marks{Forks: map[string]bool{"a": true}})
	if a, c := s.Card("a"), s.Card("c"); forked.warned(a, trouble{}).warnings != 1 || forked.warned(c, trouble{}).warnings != 0 || m.warned(a, trouble{}).warnings != 0 ||
		m.warned(a, trouble{warnings: 2}).warnings != 2 {
		t.Error("what is to be decided is marked at other nodes")
	}
	if at := (picked{marks: m}); !at.same(at) || at.same(picked{marks: covered}) || at.same(picked{}) {
		t.Error("other marks are drawn as these")
	}
	talked := marksOf(Marks{Threads: Threads{map[string]int{"a": 3, "$start": 1}, map[string]int{"b": 2}}})
	if a, start := talked.comments(s.Card("a")), talked.comments(s.Card("$start")); a.count != 3 || a.at(0) != 2 || a.at(1) != 0 || a.at(99) != 0 || start.count != 1 {
		t.Errorf("comments are %+v and %+v", a, start)
	}
	c := s.Card("a")
	html := string(appendCard(nil, c, look{content: c.Content, id: c.ID, row: -1, talk: talked.comments(c)}, false))
	for _, want := range []string{`title="3 open comments"`, `title="2 open comments"`, `aria-label="a, step, 3 comments"`} {
		if !strings.Contains(html, want) {
			t.Errorf("the card lacks %s: %s", want, html)
		}
	}
	if c := covered.comments(s.Card("a")); c != (talk{}) {
		t.Errorf("comments are %+v, want none", c)
	}
	if none := marksOf(Marks{}); none != nil || none.node(s.Card("a")) != untouched {
		t.Errorf("nothing is %+v", none)
	}
	if empty := marksOf(Marks{Taken: map[string]int{}}); empty == nil {
		t.Error("coverage without a scenario is hidden")
	}
}
