package history

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
)

// The menu of a step undoes or redoes to it, and says how many steps that takes.
func TestJumpToAStep(t *testing.T) {
	steps := []editor.Step{{}, {}, {Current: true}, {}}
	for of, want := range map[string]string{"0": "Undo to here, 2 steps", "1": "Undo to here, 1 step", "2": ", ", "3": "Redo to here, 1 step", "4": ", ", "x": ", "} {
		it := Jump(steps, of)
		if got := it.Name + ", " + it.Hint; got != want || it.Name != "" && (it.Act != "jump" || it.Arg != of) {
			t.Errorf("step %s: got %+v, want %s", of, it, want)
		}
	}
}
