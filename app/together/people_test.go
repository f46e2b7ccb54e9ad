package together_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Others see the mouse of a page where it points in the form, until it leaves the canvas.
func TestMice(t *testing.T) {
	var people together.People
	shown := func(s together.Shows) *model.Point {
		people.Presence("me", schema.NewObject(schema.Member{Key: "page", Value: "p"}, schema.Member{Key: "shows", Value: s.Tree(nil)}))
		return people.List()[0].At
	}
	if at := shown(together.Shows{At: &model.Point{X: -30, Y: 1200}}); at == nil || *at != (model.Point{X: -30, Y: 1200}) {
		t.Errorf("the mouse is at %v", at)
	}
	if at := shown(together.Shows{Node: "a"}); at != nil {
		t.Errorf("the mouse that has left is at %v", at)
	}
}

// Everybody has another color on every page, in whatever order they came, and keeps it while they do something else.
func TestColors(t *testing.T) {
	const a, b = "auth0|7", "auth0|9" // with the same color of their own
	if face.Hue(a) != face.Hue(b) {
		t.Fatal("choose others")
	}
	is := func(page, sub string) *schema.Object {
		return schema.NewObject(schema.Member{Key: "page", Value: page}, schema.Member{Key: "sub", Value: sub})
	}
	var here, there together.People
	here.Hello(a, nil)
	before := here.List()
	here.Presence(a, is("p", b))
	there.Hello(b, []any{is("q", a)})
	if here.Hue(a) != face.Hue(a) || here.Hue(b) == here.Hue(a) || there.Hue(a) != here.Hue(a) || there.Hue(b) != here.Hue(b) {
		t.Errorf("%d, %d here, %d, %d there", here.Hue(a), here.Hue(b), there.Hue(a), there.Hue(b))
	}
	here.Presence(a, is("p", b))
	if q := here.List()[0]; q.Hue != here.Hue(b) || len(before) > 0 {
		t.Errorf("the other has the color %d, not %d", q.Hue, here.Hue(b))
	}
	if there.Presence(b, schema.NewObject(schema.Member{Key: "page", Value: "q"}, schema.Member{Key: "left", Value: true})); there.Hue(b) != face.Hue(b) {
		t.Errorf("alone, the color is %d", there.Hue(b))
	}
}

func TestLookAlike(t *testing.T) {
	base := together.Person{Page: "p", Sub: "s", Name: "Bo", Edits: true, Node: "a", Component: "c", Field: "f", Forks: []together.Fork{{Field: "f", Text: "x"}}}
	for name, test := range map[string]struct {
		change func(*together.Person)
		node   string // that is selected
		want   bool
	}{
		"the same":                      {func(*together.Person) {}, "a", true},
		"another selection":             {func(p *together.Person) { p.Node, p.Component = "b", "d" }, "a", true},
		"another place of the mouse":    {func(p *together.Person) { p.At = &model.Point{X: 1} }, "a", true},
		"types here":                    {func(p *together.Person) { p.Field = "g" }, "a", false},
		"types elsewhere":               {func(p *together.Person) { p.Field = "g" }, "z", true},
		"comes here to type":            {func(p *together.Person) { p.Node, p.Field = "z", "g" }, "z", false},
		"types in the form":             {func(p *together.Person) { p.Node, p.Field = "", "name" }, "", false},
		"asks":                          {func(p *together.Person) { p.Asks = true }, "z", false},
		"may not edit any more":         {func(p *together.Person) { p.Edits = false }, "z", false},
		"another color":                 {func(p *together.Person) { p.Hue = 4 }, "z", false},
		"another name":                  {func(p *together.Person) { p.Name = "Ana" }, "z", false},
		"another text in their way":     {func(p *together.Person) { p.Forks = []together.Fork{{Field: "f", Text: "y"}} }, "z", false},
		"nobody has another text there": {func(p *together.Person) { p.Forks = nil }, "z", false},
	} {
		now := base
		test.change(&now)
		if got := together.LookAlike([]together.Person{base}, []together.Person{now}, test.node); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if together.LookAlike([]together.Person{base}, nil, "z") {
		t.Error("somebody who has left is still there")
	}
}

// The canvas marks the people again if somebody comes, goes or selects something else.
func TestSamePlaces(t *testing.T) {
	is := together.Person{Page: "p", Sub: "s", Name: "Bo", Node: "a", Component: "c"}
	for name, test := range map[string]struct {
		change func(*together.Person)
		want   bool
	}{
		"mouse":     {func(p *together.Person) { p.At = &model.Point{} }, true},
		"field":     {func(p *together.Person) { p.Field = "f" }, true},
		"node":      {func(p *together.Person) { p.Node = "b" }, false},
		"component": {func(p *together.Person) { p.Component = "" }, false},
		"name":      {func(p *together.Person) { p.Name = "Bob" }, false},
	} {
		now := is
		test.change(&now)
		if got := together.SamePlaces([]together.Person{is}, []together.Person{now}); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if together.SamePlaces([]together.Person{is}, nil) {
		t.Error("somebody who has left is still there")
	}
}

// Editors are told at most every half minute of somebody who asks again and again, or on several pages.
func TestAskingIsToldOnce(t *testing.T) {
	var p together.People
	now := time.Unix(0, 0)
	told := 0
	shows := func(page, sub string, asks bool) {
		t.Helper()
		v, ps := schema.Decode(fmt.Appendf(nil, `{"page":%q,"sub":%q,"name":"V","shows":{"asks":%t}}`, page, sub, asks))
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		before := p.List()
		p.Presence("me", v.(*schema.Object))
		told += len(p.Asking(before, now))
	}
	want := func(n int) {
		t.Helper()
		if told != n {
			t.Errorf("told %d times, want %d", told, n)
		}
	}
	for i := range 100 {
		shows("a", "v", i%2 == 0)
		shows("b", "v", i%3 == 0)
		now = now.Add(25 * time.Millisecond)
	}
	want(1)
	shows("c", "w", true)
	want(2)
	shows("a", "v", false)
	now = now.Add(time.Minute)
	shows("a", "v", true)
	want(3)
}
