package outline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
)

// onTree plays keys on the outline of branches, starting at the start, and then calls f.
func onTree(t *testing.T, keys string, f func(o *Tree, c *uitest.Canvas, ran []command.ID)) {
	t.Helper()
	w, c := uitest.Workspace(t, branches)
	var ran []command.ID
	w.Perform = func(_ app.Context, id command.ID, _ string) { ran = append(ran, id) }
	var o *Tree
	uitest.Play(t, func(ctx app.Context) {
		o = New(ctx, w)
		o.follow(false)
		for key := range strings.FieldsSeq(keys) {
			key, shift := strings.CutPrefix(key, "Shift+")
			key, alt := strings.CutPrefix(key, "Alt+")
			key, control := strings.CutPrefix(key, "Control+")
			if key == "Space" {
				key = " "
			}
			switch {
			case control:
				o.controlKey(key, shift)
			case alt:
				o.reorder(key)
			case o.moveKey(key, shift):
			default:
				o.commandKey(key, shift)
			}
			o.follow(true)
		}
	})
	f(o, c, ran)
}

func TestKeysMoveTheTabStop(t *testing.T) {
	for keys, want := range map[string]string{
		"":                                "$start",
		"ArrowUp":                         "$start",
		"ArrowDown":                       "a",
		"End":                             "$ending",
		"End ArrowDown":                   "$ending",
		"End Home":                        "$start",
		"ArrowDown ArrowRight":            "a mail",
		"ArrowDown ArrowDown":             "a mail",
		"ArrowDown ArrowRight ArrowLeft":  "a",
		"ArrowDown ArrowLeft ArrowDown":   "r", // closes a
		"ArrowDown ArrowLeft ArrowRight":  "a", // and opens it again
		"ArrowDown ArrowLeft * ArrowDown": "a mail",
	} {
		onTree(t, keys, func(o *Tree, _ *uitest.Canvas, _ []command.ID) {
			if got := strings.TrimSpace(o.curID + " " + o.curPart); got != want {
				t.Errorf("%s moves to %q, want %q", keys, got, want)
			}
		})
	}
}

func TestKeysSelect(t *testing.T) {
	for keys, want := range map[string]string{
		"ArrowDown":                                    "[]",
		"ArrowDown Space":                              "[a]",
		"ArrowDown ArrowDown Enter":                    "[a] mail",
		"ArrowDown Space Escape":                       "[]",
		"ArrowDown Space Shift+ArrowDown":              "[a r]",
		"ArrowDown Shift+ArrowDown Shift+ArrowDown":    "[a r left]",
		"ArrowDown Shift+ArrowDown Shift+ArrowUp":      "[a]",
		"ArrowDown Space End Control+Space":            "[a $ending]",
		"ArrowDown Space Control+Space":                "[]",
		"Control+a":                                    "[$start lost meet right left r a $ending]",
		"ArrowDown ArrowDown Space Home Control+Space": "[a $start]",
	} {
		onTree(t, keys, func(o *Tree, c *uitest.Canvas, _ []command.ID) {
			sel := o.Editor.State().Selection
			if got := strings.TrimSpace(fmt.Sprint(sel.Nodes) + " " + sel.Component + sel.Rule); got != want {
				t.Errorf("%s selects %q, want %q", keys, got, want)
			}
			if shown := slices.Contains(c.Calls, "ZoomTo a"); shown != strings.HasSuffix(keys, "Enter") {
				t.Errorf("%s: the canvas shows the node: %t", keys, shown)
			}
		})
	}
}

// A command applies to the row with the tab stop, or to the whole selection if it contains
// the row.
func TestCommandAppliesToTheTabStop(t *testing.T) {
	for _, test := range []struct {
		keys, selected, ran string
		nodes               int
	}{
		{"ArrowDown c", "[a]", "[connect-to]", 6},
		{"ArrowDown ?", "[]", "[help]", 6},
		{"ArrowDown F8", "[]", "[next-problem]", 6},
		{"ArrowDown Delete", "[]", "[]", 5},
		{"ArrowDown Shift+ArrowDown Delete", "[]", "[]", 4},
		{"ArrowDown Space End c", "[$ending]", "[connect-to]", 6},
		{"ArrowDown q", "[]", "[]", 6},
	} {
		onTree(t, test.keys, func(o *Tree, _ *uitest.Canvas, ran []command.ID) {
			s := o.Editor.State()
			if got := fmt.Sprint(s.Selection.Nodes); got != test.selected || fmt.Sprint(ran) != test.ran || len(s.Form.Nodes) != test.nodes {
				t.Errorf("%s: selects %s, runs %v, leaves %d nodes; want %+v", test.keys, got, ran, len(s.Form.Nodes), test)
			}
		})
	}
}

// The row whose menu is asked for is selected, unless it is in the selection. A row that is gone changes nothing.
func TestRowOfAMenuIsSelected(t *testing.T) {
	onTree(t, "ArrowDown Space Shift+ArrowDown", func(o *Tree, _ *uitest.Canvas, _ []command.ID) {
		for _, tt := range []struct {
			place, selected, stop string
			found                 bool
		}{
			{"1", "[a r]", "a", true},
			{"99", "[a r]", "a", false},
			{"1 0", "[a] mail", "a mail", true},
			{"2 0", "[r] r1", "r r1", true},
			{"4", "[right]", "right", true},
		} {
			found := o.claimAt(tt.place)
			sel := o.Editor.State().Selection
			got := strings.TrimSpace(fmt.Sprint(sel.Nodes) + " " + sel.Component + sel.Rule)
			if stop := strings.TrimSpace(o.curID + " " + o.curPart); found != tt.found || got != tt.selected || stop != tt.stop {
				t.Errorf("at %q: found %t, selects %s, the tab stop is at %s; want %+v", tt.place, found, got, stop, tt)
			}
		}
	})
}

func TestPartsMoveByKeysAndNodesDoNot(t *testing.T) {
	for keys, want := range map[string]string{
		"ArrowDown ArrowRight Alt+ArrowDown":           "next mail",
		"ArrowDown ArrowRight Alt+ArrowUp":             "mail next",
		"ArrowDown ArrowRight ArrowDown Alt+ArrowUp":   "next mail",
		"ArrowDown ArrowRight ArrowDown Alt+ArrowDown": "mail next",
		"ArrowDown Alt+ArrowDown":                      "mail next",
	} {
		onTree(t, keys, func(o *Tree, _ *uitest.Canvas, _ []command.ID) {
			o.follow(false)
			at, _ := o.o.find("a", "")
			if got := o.o.part(spot{at.at, 0}) + " " + o.o.part(spot{at.at, 1}); got != want {
				t.Errorf("%s leaves %s, want %s", keys, got, want)
			}
		})
	}
}

func TestNudgeMovesTheRowsNode(t *testing.T) {
	onTree(t, "ArrowDown Control+ArrowRight", func(o *Tree, c *uitest.Canvas, _ []command.ID) {
		if !slices.Contains(c.Calls, "Reveal a") || !strings.HasPrefix(o.Editor.UndoLabel(), "Move") {
			t.Errorf("the canvas is asked for %q, and %q is done", c.Calls, o.Editor.UndoLabel())
		}
	})
}

func TestTabStopFollowsTheSelection(t *testing.T) {
	onTree(t, "", func(o *Tree, _ *uitest.Canvas, _ []command.ID) {
		o.Editor.Select(editor.Selection{Nodes: []string{"a"}, Component: "next"})
		if moved := o.follow(false); !moved || o.curID != "a" || o.curPart != "next" {
			t.Errorf("moved %t to %s %s", moved, o.curID, o.curPart)
		}
		if err := o.Editor.Run(editor.RemoveSelection{}); err != nil {
			t.Fatal(err)
		}
		// The row that takes the place of the deleted one, not its node's.
		if o.follow(true); o.curID != "a" || o.curPart != "mail" {
			t.Errorf("after the row was deleted the tab stop is at %s %s", o.curID, o.curPart)
		}
	})
}

// "Otherwise" of a router is its last row. Choosing it selects its edge; it cannot be moved, and Delete removes only its edge.
func TestOtherwise(t *testing.T) {
	to := "ArrowDown ArrowLeft ArrowDown ArrowDown ArrowDown ArrowDown " // past a, which it closes, r and its two rules
	for _, tt := range []struct{ keys, selected, rules, fallback string }{
		{"", "[] <nil>", "r1 r2", "right"},
		{"Enter", "[] &{r fallback}", "r1 r2", "right"},
		{"Alt+ArrowUp", "[] <nil>", "r1 r2", "right"},
		{"Delete", "[] <nil>", "r1 r2", ""},
		{"Delete Delete", "[] <nil>", "r1 r2", ""},
		{"ArrowUp Alt+ArrowDown", "[] <nil>", "r1 r2", "right"},
		{"ArrowUp Alt+ArrowUp", "[r] <nil>", "r2 r1", "right"},
	} {
		onTree(t, to+tt.keys, func(o *Tree, _ *uitest.Canvas, _ []command.ID) {
			s := o.Editor.State()
			n, _ := s.Form.Node("r")
			if n == nil {
				t.Fatalf("%s deletes the router", tt.keys)
			}
			r := n.Config.(*model.Router)
			if got := fmt.Sprint(s.Selection.Nodes) + " " + fmt.Sprint(s.Selection.Edge); got != tt.selected || r.Rules[0].ID+" "+r.Rules[1].ID != tt.rules ||
				string(r.Fallback) != tt.fallback {
				t.Errorf("%s: selects %s, rules %s %s, fallback %q; want %+v", tt.keys, got, r.Rules[0].ID, r.Rules[1].ID, r.Fallback, tt)
			}
			if !strings.Contains(tt.keys, "ArrowUp") && o.curPart != otherwisePart {
				t.Errorf("%s moves to %s %q", tt.keys, o.curID, o.curPart)
			}
			o.follow(true)
			if sel := o.selectionOf(o.cur); tt.fallback == "" && sel.Only() != "r" {
				t.Errorf("%s: without an edge the row selects %+v", tt.keys, sel)
			}
		})
	}
}
