package canvas

import (
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

// trouble is what a card shows of its problems. The zero value is none.
type trouble struct {
	count int
	rows  uint32 // bit i is set when the i-th row has one
}

// at tells whether a row has a problem. A card has at most FoldAfter+2 rows.
func (t trouble) at(row int) bool { return row < 32 && t.rows&(1<<row) != 0 }

// troublesOf sorts the problems of a form to the cards of its scene, by key.
func troublesOf(problems schema.Problems, scene *graph.Scene) map[string]trouble {
	if len(problems) == 0 {
		return nil
	}
	cards := scene.Cards()
	troubles := map[string]trouble{}
	for _, p := range problems {
		if len(p.Path) == 0 {
			continue
		}
		slot, part := -1, -1
		switch first := p.Path[0]; {
		case first.Key == "start":
			slot = 0
		case first.Key == "ending":
			slot = 1
		case first.Key == "nodes" && len(p.Path) > 1:
			slot = 2 + p.Path[1].Index
			if len(p.Path) > 4 && p.Path[2].Key == "config" && (p.Path[3].Key == "components" || p.Path[3].Key == "rules") {
				part = p.Path[4].Index
			}
		}
		if slot < 0 || slot >= len(cards) {
			continue
		}
		c := cards[slot]
		t := troubles[c.Key]
		t.count++
		if row := c.RowOf(part); row >= 0 {
			t.rows |= 1 << row
		}
		troubles[c.Key] = t
	}
	return troubles
}
