package gesture

import (
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// marquee draws a rectangle that selects every card it touches. Its start stays in the form while the view pans.
type marquee struct {
	*canvas
	before []string         // nodes selected before with Shift or Control held: the marquee adds to them
	sel    editor.Selection // before plus the cards that the rectangle touches
}

func (*marquee) phase() Phase  { return Selecting }
func (*marquee) shows() Redraw { return RedrawMarquee | RedrawSelection }

func (g *marquee) rect() graph.Rect { return graph.RectOf(g.began, g.here()) }

func (g *marquee) follow() Effect {
	cards := g.scene.CardsIn(g.rect(), nil)
	slices.SortFunc(cards, func(a, b *graph.Card) int { return a.Place - b.Place })
	ids := slices.Clone(g.before)
	for _, card := range cards {
		if !card.Broken() && !slices.Contains(g.before, card.Key) {
			ids = append(ids, card.Key)
		}
	}
	eff := Effect{Redraw: RedrawMarquee, Cursor: DefaultCursor}
	if sel := editor.SelectNodes(ids...); !sel.Equal(g.sel) {
		g.sel = sel
		eff.Redraw |= RedrawSelection
	}
	return eff
}

func (g *marquee) release(*Effect) {
	g.follow()
	g.ed.Select(g.sel)
}
