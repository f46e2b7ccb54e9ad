// Package history is the tab of the left panel that lists the states of the form and
// jumps to any of them.
package history

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// Draw lists the states of a form, the first one last. The act "jump" jumps to a
// state.
func Draw(steps []editor.Step) app.UI {
	var items []app.UI
	for i, s := range slices.Backward(steps) {
		label := s.Label
		if label == "" {
			label = "Opened"
		}
		saved := kit.El("span hidden=true")
		if s.Saved {
			saved = kit.El("small").Text("Saved")
		}
		later := ""
		if i > current(steps) {
			later = "later"
		}
		items = append(items,
			kit.El("li").Body(kit.El("button.out-item type=button data-act=jump class=% data-arg=% aria-current=%", later, strconv.Itoa(i),
				kit.Yes(s.Current)).
				Body(kit.El("span.grow").Text(label), saved)))
	}
	return kit.El("ul.history aria-label=%", "History").Body(items...)
}

func current(steps []editor.Step) int {
	for i, s := range steps {
		if s.Current {
			return i
		}
	}
	return 0
}
