// Package history is the tab of the left panel that lists the states of the form and
// jumps to any of them.
package history

import (
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// Panel lists the states of a form. The zero Panel is ready to use.
type Panel struct {
	known map[int]*entry // by the serials of steps
}

// Draw lists the states of a form, the first one last. The act "jump" jumps to a state.
func (p *Panel) Draw(steps []editor.Step, now time.Time) app.UI {
	var items []app.UI
	later := "later"
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		if s.Current {
			later = ""
		}
		e := p.entry(s)
		when, saved := app.UI(kit.El("span hidden=true")), kit.El("span hidden=true")
		if !s.At.IsZero() {
			when = kit.Time(s.At, now, kit.AgoShort(s.At, now))
		}
		if s.Saved {
			saved = kit.Tree("span.saved-mark { @check % }", []string{"Saved"})
		}
		items = append(items, kit.Tree("li data-menu=% data-of=% { button.out-item type=button data-act=jump class=% data-arg=% aria-current=% "+
			"{ @% span.grow { * small.when { * * } } } }",
			[]string{RowMenu, strconv.Itoa(i), later, strconv.Itoa(i), kit.Yes(s.Current), e.icon}, kit.El("span title=%", e.text).Body(unbroken(e.text)...), when, saved))
	}
	return kit.El("div").Body(kit.Tree("div.history-head { button.secondary type=button data-act=% { @compare span { % } } }", []string{string(command.Compare), command.Of(command.Compare).Title}),
		kit.El("ul.history aria-label=%", "History").Body(items...))
}

// unbroken returns a text whose short words do not break at their hyphens.
func unbroken(text string) (parts []app.UI) {
	const short = 24
	plain := ""
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			plain += " "
		}
		if len(word) > short || !strings.Contains(word, "-") {
			plain += word
			continue
		}
		parts = append(parts, app.Text(plain), kit.El("span.whole").Text(word))
		plain = ""
	}
	return append(parts, app.Text(plain))
}

// RowMenu is the name of the menu of a step; see kit.ListenMenu. The value of data-of is the index of the step.
const RowMenu = "history"

// Jump returns the line of a menu that goes to a step, which has no name for the current step.
func Jump(steps []editor.Step, of string) (it kit.Item) {
	to, err := strconv.Atoi(of)
	now := 0
	for i := range steps {
		if steps[i].Current {
			now = i
		}
	}
	if err != nil || to >= len(steps) || to == now {
		return it
	}
	it.Act, it.Arg, it.Name, it.Icon = "jump", of, "Undo to here", "undo"
	if to > now {
		to, now = now, to
		it.Name, it.Icon = "Redo to here", "redo"
	}
	it.Hint = kit.Several(now-to, "1 step", "%d steps")
	return it
}
