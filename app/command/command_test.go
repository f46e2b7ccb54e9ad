package command_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// constants returns the constants of type ID by name, and their values.
func constants(t *testing.T) map[string]command.ID {
	t.Helper()
	ids := map[string]command.ID{}
	ast.Inspect(parse(t, "command.go"), func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if typ, ok := v.Type.(*ast.Ident); ok && typ.Name == "ID" {
				text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				ids[v.Names[0].Name] = command.ID(text)
			}
		}
		return true
	})
	delete(ids, "None")
	return ids
}

// Each command has one row with a title and an icon.
func TestEachCommandHasARow(t *testing.T) {
	icons, err := os.ReadFile(filepath.Join("..", "..", "web", "static", "icons.svg"))
	if err != nil {
		t.Fatal(err)
	}
	ids, titles := constants(t), map[string]bool{}
	if len(ids) != len(command.Table) {
		t.Errorf("%d commands have %d rows", len(ids), len(command.Table))
	}
	for name, id := range ids {
		if command.Of(id) == nil {
			t.Errorf("%s has no row", name)
		}
	}
	for _, c := range command.Table {
		if c.Title == "" || titles[c.Title] || !strings.Contains(string(icons), `id="`+c.Icon+`"`) {
			t.Errorf("%s has the title %q and the icon %q", c.ID, c.Title, c.Icon)
		}
		titles[c.Title] = true
	}
}

// The page binds only commands of the table, and each command exactly once.
func TestEachCommandDoesSomething(t *testing.T) {
	var bound []string
	for _, file := range []string{"acts.go", "arrange/arrange.go"} {
		ast.Inspect(parse(t, filepath.Join("..", "ui", file)), func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, e := range c.List {
					bound = append(bound, e.(*ast.SelectorExpr).Sel.Name)
				}
			}
			return true
		})
	}
	for name := range constants(t) {
		if n := len(slices.DeleteFunc(slices.Clone(bound), func(s string) bool { return s != name })); n != 1 {
			t.Errorf("%s is bound %d times", name, n)
		}
	}
}

// No key has two commands in one place.
func TestNoKeyIsUsedTwice(t *testing.T) {
	type press struct {
		name string
		mods command.Mods
		in   command.Place
	}
	used := map[press]command.ID{}
	for _, c := range command.Table {
		for _, k := range c.Keys {
			for in := command.OnText; in <= command.ByEvent; in <<= 1 {
				if k.In&in == 0 {
					continue
				}
				p := press{k.Name, k.Mods, in}
				if other, ok := used[p]; ok {
					t.Errorf("%s is a key of %s and of %s", k, c.ID, other)
				}
				used[p] = c.ID
				if got := command.For(k.Name, k.Mods, in); got != c.ID {
					t.Errorf("%s leads to %q, want %s", k, got, c.ID)
				}
			}
		}
	}
}

func TestFor(t *testing.T) {
	for _, tt := range []struct {
		key  string
		mods command.Mods
		in   command.Place
		want command.ID
	}{
		{"S", command.Control, command.OnText, command.Save}, // with Caps Lock
		{"s", command.Control | command.Shift, command.OnText, command.None},
		{"z", command.Control | command.Shift, command.OnCanvas, command.Redo},
		{"n", 0, command.OnText, command.None},
		{"N", command.Shift, command.OnCanvas, command.AddNode},
		{"?", command.Shift, command.OnOutline, command.Help},
		{"+", command.Shift, command.OnCanvas, command.ZoomIn},
		{"n", command.Alt, command.OnCanvas, command.None},
		{"c", command.Control, command.OnCanvas, command.None}, // the browser sends a copy event
		{"F8", command.Shift, command.OnCanvas, command.PreviousProblem},
		{"Enter", 0, command.OnOutline, command.None},
		{"S", 0, command.InMenu, command.AddStep},
	} {
		if got := command.For(tt.key, tt.mods, tt.in); got != tt.want {
			t.Errorf("%v with %v in %v is %q, want %q", tt.key, tt.mods, tt.in, got, tt.want)
		}
	}
}

func TestShortcuts(t *testing.T) {
	for id, want := range map[command.ID]string{
		command.Redo: "Ctrl Shift Z", command.AddStep: "N S", command.SelectUpstream: "Shift ←", command.TidyUp: "", command.ZoomOut: "−",
		command.Delete: "Delete",
	} {
		if got := command.Of(id).Shortcut(); got != want {
			t.Errorf("%s has the shortcut %q, want %q", id, got, want)
		}
	}
	groups := command.Shortcuts()
	if len(groups) < 5 || groups[1].Heading != "Add and connect" ||
		!slices.Contains(groups[1].Rows, [2]string{"N", "Add node after the selected one, on the selected edge, or at the end"}) ||
		groups[len(groups)-1].Heading != command.Gestures[len(command.Gestures)-1].Heading {
		t.Errorf("the help has %q", groups)
	}
	for _, g := range groups {
		if g.Heading == "" || len(g.Rows) == 0 {
			t.Errorf("a group of the help is %q", g)
		}
	}
}

func TestNeeds(t *testing.T) {
	v, _ := schema.Decode(
		[]byte(`{"nodes":[{"id":"s","type":"STEP"},{"id":"r","type":"ROUTER"},{"id":"f","type":"FLOW"}],"start":{"next_node":"s"}}`),
	)
	f := model.FromTree(v.(*schema.Object))
	of := func(ids ...string) command.Context {
		return command.Context{State: editor.State{Form: f, Selection: editor.SelectNodes(ids...)}}
	}
	none, edge, fixed := of(), of(), of("s", "r", "f")
	edge.State.Selection = editor.Selection{Edge: &editor.EdgeRef{From: "$start", Port: "next"}}
	fixed.ReadOnly, fixed.Undo, fixed.Redo = true, "x", "y"
	all := []command.Context{none, edge, of("s"), of("r"), of("s", "r"), of("s", "r", "f"), fixed}
	for need, want := range map[command.Need]string{
		command.Nothing: "1111111", command.Anything: "1111111", command.Editable: "1111110", command.Undoable: "0000001",
		command.Redoable:  "0000001",
		command.Something: "0111110", command.Selection: "0011111", command.Selected: "0011110", command.Two: "0000110", command.Three: "0000010",
		command.OneRouter: "0001000", command.Branching: "0000000",
	} {
		got := ""
		for _, c := range all {
			remedy, ok := need.Missing(c)
			got += map[bool]string{true: "1", false: "0"}[ok]
			if silent := need == command.Undoable || need == command.Redoable; ok && remedy != "" ||
				!ok && !silent && !strings.HasSuffix(remedy, ".") {
				t.Errorf("need %d: %q, %v", need, remedy, ok)
			}
		}
		if got != want {
			t.Errorf("need %d is met in %s, want %s", need, got, want)
		}
		if _, ok := need.Missing(command.Context{}); ok != (need == command.Nothing) {
			t.Errorf("need %d without a form: %v", need, ok)
		}
	}
}

// A command that the person may never run is not offered.
func TestOfferedCommands(t *testing.T) {
	reader, editing := command.Context{ReadOnly: true, NoFlows: true}, command.Context{}
	for id, reads := range map[command.ID]bool{
		command.Save: false, command.Import: false, command.Delete: false, command.Duplicate: false, command.Undo: false,
		command.ExportFlows: false, command.Export: true, command.Copy: true, command.Find: true, command.Help: true,
	} {
		need := command.Of(id).Needs
		if need.Offered(reader) != reads || !need.Offered(editing) {
			t.Errorf("%s is offered to readers: %t, to others: %t", id, need.Offered(reader), need.Offered(editing))
		}
	}
}
