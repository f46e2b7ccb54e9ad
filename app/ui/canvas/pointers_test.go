package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/model"
)

func TestPointers(t *testing.T) {
	at := func(name string, hue, x, y int) Pointer {
		return Pointer{Visitors{Names: name, Hue: hue}, model.Point{X: x, Y: y}}
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
