package kit

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/schema"
)

// Spans are the parts of lists that are drawn, by the names of the lists. A browser needs seconds to draw thousands of elements.
type Spans map[string]Span

// Span is a part of a list: the elements from the index From to the one before To.
type Span struct{ From, To int }

// SpanStep is how many elements of a list are drawn at first, and how many more each time somebody asks for them.
const SpanStep = 100

// MoreRows is the act of the buttons that Draw returns.
const MoreRows = "more-rows"

func (s Spans) at(list string) Span {
	if sp, ok := s[list]; ok {
		return sp
	}
	return Span{0, SpanStep}
}

// Reach makes an element of a list one of those that are drawn; i is negative for none.
func (s Spans) Reach(list string, i int) {
	switch sp := s.at(list); {
	case i < 0 || sp.From <= i && i < sp.To:
	case i == sp.To:
		s[list] = Span{sp.From, i + 1}
	default:
		s[list] = Span{max(0, i-SpanStep/2), i + SpanStep/2}
	}
}

// ReachAll makes all elements drawn that contain the place of a path, in lists that have their paths as names.
func (s Spans) ReachAll(path schema.Path) {
	for i, e := range path {
		if e.Index >= 0 {
			s.Reach(path[:i].String(), e.Index)
		}
	}
}

// The sides of a span.
const (
	before = "before"
	after  = "more"
)

// More makes more elements of a list drawn; arg is that of the button.
func (s Spans) More(arg string) {
	side, list, _ := strings.Cut(arg, "-")
	sp := s.at(list)
	if side == before {
		sp.From -= SpanStep
	} else {
		sp.To += SpanStep
	}
	s[list] = sp
}

// Draw returns the part of a list of n elements that is drawn, and the buttons that show more before and after it.
func (s Spans) Draw(list string, n int) (drawn Span, first, last app.UI) {
	drawn = s.at(list)
	drawn.To = min(drawn.To, n)
	drawn.From = max(0, min(drawn.From, drawn.To-SpanStep))
	return drawn, end(before, list, drawn.From), end(after, list, n-drawn.To)
}

// end draws the button that shows more of the elements that are left on a side. By its id, it keeps the focus: see boot.js.
func end(side, list string, left int) app.UI {
	arg := side + "-" + list
	return El("button.link.more type=button id=% data-act=% data-arg=% hidden=%", arg, MoreRows, arg, Yes(left == 0)).
		Text(fmt.Sprintf("Show %d of %d %s", min(left, SpanStep), left, side))
}
