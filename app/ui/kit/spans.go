package inspect

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// spans are the parts of lists that are drawn, by the paths of the lists; partsList is that of the selected node's components or rules. A browser
// needs seconds to draw thousands of elements.
type spans map[string]span

// span is a part of a list: the elements from one index to the one before another.
type span struct{ from, to int }

const (
	// spanStep is how many elements of a list are drawn at first, and how many more each time somebody asks for them.
	spanStep  = 100
	partsList = ""
)

func (s spans) at(list string) span {
	if sp, ok := s[list]; ok {
		return sp
	}
	return span{0, spanStep}
}

// reach makes an element of a list one of those that are drawn; i is negative for none.
func (s spans) reach(list string, i int) {
	switch sp := s.at(list); {
	case i < 0 || sp.from <= i && i < sp.to:
	case i == sp.to:
		s[list] = span{sp.from, i + 1}
	default:
		s[list] = span{max(0, i-spanStep/2), i + spanStep/2}
	}
}

// reachAll makes all elements drawn that contain the place of a path.
func (s spans) reachAll(path schema.Path) {
	for i, e := range path {
		if e.Index >= 0 {
			s.reach(path[:i].String(), e.Index)
		}
	}
}

// The sides of a span.
const (
	before = "before"
	after  = "more"
)

// more draws more elements of a list; arg is that of the button.
func (s spans) more(arg string) {
	side, list, _ := strings.Cut(arg, " ")
	sp := s.at(list)
	if side == before {
		sp.from -= spanStep
	} else {
		sp.to += spanStep
	}
	s[list] = sp
}

// draw returns the part of a list of n elements that is drawn, and the buttons that show more before and after it.
func (s spans) draw(list string, n int) (drawn span, first, last app.UI) {
	drawn = s.at(list)
	drawn.to = min(drawn.to, n)
	drawn.from = max(0, min(drawn.from, drawn.to-spanStep))
	return drawn, end(before, list, drawn.from), end(after, list, n-drawn.to)
}

// end draws the button that shows more of the elements that are left on a side.
func end(side, list string, left int) app.UI {
	return kit.El("button.link.more type=button data-act=more-rows data-arg=% hidden=%", side+" "+list, kit.Yes(left == 0)).
		Text(fmt.Sprintf("Show %d of %d %s", min(left, spanStep), left, side))
}
