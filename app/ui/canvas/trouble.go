package canvas

import (
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

// trouble is a card's display of its problems. The zero value is none.
type trouble struct {
	count    int
	early    int    // how many of them are early, see editor.Editor.Early
	rows     uint32 // bit i is set if row i has a problem
	warnings int
	doubts   uint32 // bit i is set if row i has a warning
}

// rowMark is how a row is marked.
type rowMark uint8

// The marks of rows.
const (
	unmarked rowMark = iota
	doubtful
	wrong
)

// at returns the mark of a row. A card has at most FoldAfter+2 rows.
func (t trouble) at(row int) rowMark {
	switch {
	case t.rows&(1<<row) != 0:
		return wrong
	case t.doubts&(1<<row) != 0:
		return doubtful
	}
	return unmarked
}

// troublesOf assigns the problems of a form to the cards of its scene, by key. A row with only early ones is marked as doubtful.
func troublesOf(problems schema.Problems, early func(schema.Problem) bool, scene *graph.Scene) map[string]trouble {
	if len(problems) == 0 {
		return nil
	}
	troubles := map[string]trouble{}
	for _, p := range problems {
		at, ok := scene.Form().At(p.Path)
		if !ok {
			continue
		}
		c := scene.CardOf(at)
		t := troubles[c.Key]
		t.count++
		marked := &t.rows
		if early(p) {
			t.early++
			marked = &t.doubts
		}
		if row := c.RowOf(at.Part()); row >= 0 {
			*marked |= 1 << row
		}
		troubles[c.Key] = t
	}
	return troubles
}

// warn adds the warnings of a form to the display of its problems.
func warn(troubles map[string]trouble, warnings schema.Problems, scene *graph.Scene) map[string]trouble {
	if troubles == nil {
		troubles = map[string]trouble{}
	}
	for _, p := range warnings {
		if at, ok := scene.Form().At(p.Path); ok {
			c := scene.CardOf(at)
			t := troubles[c.Key]
			t.warnings++
			if row := c.RowOf(at.Part()); row >= 0 {
				t.doubts |= 1 << row
			}
			troubles[c.Key] = t
		}
	}
	return troubles
}
