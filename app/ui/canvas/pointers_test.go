package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

// A person is named once where the mouse is close to the card that the person has selected, and elsewhere at both.
func TestPeopleAreNamedOnce(t *testing.T) {
	s := graph.New(formtest.Parse(t, `{"name":"f","nodes":[{"id":"a","type":"STEP","coordinates":{"x":100,"y":100},"config":{"components":[]}}]}`))
	for name, tt := range map[string]struct {
		p    Pointer
		want string
	}{
		"on the card":      {Pointer{At: model.Point{X: 150, Y: 120}, Node: "a"}, ""},
		"above it":         {Pointer{At: model.Point{X: 150, Y: 70}, Node: "a"}, ""},
		"far from it":      {Pointer{At: model.Point{X: -200, Y: 120}, Node: "a"}, "Ada"},
		"on another card":  {Pointer{At: model.Point{X: 150, Y: 120}, Node: "b"}, "Ada"},
		"nothing selected": {Pointer{At: model.Point{X: 150, Y: 120}}, "Ada"},
	} {
		tt.p.Names = "Ada"
		list := []Pointer{tt.p}
		if got := onceNamed(list, s); got[0].Names != tt.want || list[0].Names != "Ada" {
			t.Errorf("%s: %q", name, got[0].Names)
		}
	}
	if got := string(appendPointers(nil, []Pointer{{}})); got != `<i data-hue="0" style="translate:0px 0px"></i>` {
		t.Errorf("without a name: %s", got)
	}
}

func TestPointers(t *testing.T) {
	at := func(name string, hue, x, y int) Pointer {
		return Pointer{Visitors: Visitors{Names: name, Hue: hue}, At: model.Point{X: x, Y: y}}
	}
	list := []Pointer{at("Ada <b>", 2, -40, 300), at("Bo", 0, 0, 7)}
	want := `<i data-hue="2" style="translate:-40px 300px"><b>Ada &lt;b&gt;</b></i><i data-hue="0" style="translate:0px 7px"><b>Bo</b></i>`
	if got := string(appendPointers(nil, list)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for name, tt := range map[string]struct {
		list []Pointer
		want bool
	}{
		"moved":      {[]Pointer{at("Ada <b>", 2, 1, 1), at("Bo", 0, 2, 2)}, true},
		"one left":   {list[:1], false},
		"other name": {[]Pointer{list[0], at("Cem", 0, 0, 7)}, false},
	} {
		if got := samePeople(list, tt.list); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
