package inspector_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// entry is a text to type into a control and the value that the form then holds.
type entry struct {
	text string
	want any
}

// entries returns texts that fit a row, by its control.
func entries(r inspector.Row) []entry {
	switch r.Input {
	case inspector.Text, inspector.LongText, inspector.Secret, inspector.Flow:
		return []entry{{"w", "w"}, {"true", "true"}, {` "é" `, ` "é" `}}
	case inspector.Number:
		return []entry{{"7", schema.Number("7")}, {" -1.50 ", schema.Number("-1.50")}}
	case inspector.Select, inspector.Pointer:
		var list []entry
		for _, o := range r.Options {
			list = append(list, entry{o.Value, o.Value})
		}
		return list
	case inspector.Switch:
		return []entry{{"true", true}, {"false", false}}
	case inspector.JSON:
		return []entry{
			{`{"b":[1.0,null]}`, schema.NewObject(schema.Member{Key: "b", Value: []any{schema.Number("1.0"), nil}})},
			{"true", true},
			{`"s"`, "s"},
			{"null", nil},
		}
	case inspector.Checks: // see TestChecks
	case inspector.Group, inspector.Items, inspector.Entries: // edited by their rows
	}
	return nil
}

// special reports whether a row has a meaning beyond its value, which a separate test
// covers: ids, the kind of a charge, an amount of two types, the
// switches that may only be on, labels that a value follows.
func special(r inspector.Row) bool {
	n := len(r.Path)
	last := r.Path[n-1].Key
	follows := last == "label" && r.Path[n-2].Key == "" && r.Path[n-3].Key == "options"
	return follows || r.OnLeave() || last == "amount" || last == "enabled" || last == "resume_flow" || last == "type" && r.Path[n-2].Key == "charge"
}

// A text typed into a row is in the form, in the JSON type of the control,
// at the row's path and nowhere else.
func TestEditEveryRow(t *testing.T) {
	count := 0
	for _, bare := range []bool{false, true} {
		for _, s := range subjects(t, bare) {
			t.Run(fmt.Sprintf("%s bare=%v", s.name, bare), func(t *testing.T) {
				for _, r := range flat(inspector.Read(open(t, s.form, s.sel), nil)) {
					if special(r) {
						continue
					}
					for _, in := range entries(r) {
						if len(r.Path) == 1 && in.want == nil {
							continue // see TestNullOfTheForm
						}
						count++
						e := open(t, s.form, s.sel)
						got := enter(t, e, r.Path.String(), in.text)
						want, err := schema.Set(s.form, r.Path, in.want)
						if err != nil {
							t.Fatal(err)
						}
						if !schema.Equal(e.State().Form.Tree(), want) {
							t.Errorf("%s: typing %q gave\n     %s\nwant %s", r.Path, in.text, text(e.State().Form.Tree()), text(want))
						}
						if !got.Present || !schema.Equal(got.Value, in.want) {
							t.Errorf("%s: the row holds %v after typing %q, want %v", r.Path, got.Value, in.text, in.want)
						}
					}
				}
			})
		}
	}
	if count < 500 {
		t.Errorf("%d texts were typed: the tables were not read", count)
	}
}

// Emptying an optional row clears it; a required one stays and has a problem.
func TestEmptyEveryRow(t *testing.T) {
	for _, s := range subjects(t, false) {
		t.Run(s.name, func(t *testing.T) {
			for _, r := range flat(inspector.Read(open(t, s.form, s.sel), nil)) {
				if special(r) || entries(r) == nil {
					continue
				}
				e := open(t, s.form, s.sel)
				c := row(t, e, r.Path.String()).Edit("")
				if _, ok := c.(editor.SetPending); ok || r.OnLeave() {
					if !r.Required {
						t.Errorf("%s cannot be emptied", r.Path)
					}
					continue
				}
				run(t, e, c)
				v, present := schema.Lookup(e.State().Form.Tree(), r.Path)
				switch {
				case !r.Required && present:
					t.Errorf("%s holds %v after it was emptied, want nothing", r.Path, v)
				case !r.Required && len(e.Found().Problems()) > 0:
					t.Errorf("emptying %s gave problems: %v", r.Path, e.Found().Problems())
				case r.Required && present && v != "" && v != false:
					t.Errorf("%s holds %v after it was emptied", r.Path, v)
				}
			}
		})
	}
}

// An optional object is cleared with its last property, and only then, so that an author
// can remove what was begun even if one of its properties is
// required.
func TestEmptyLastProperty(t *testing.T) {
	for _, tt := range []struct {
		name, form string
		sel        editor.Selection
		paths      []string // emptied one after the other
		left       []string // their object after each
		at         string
		problems   []int
	}{
		{
			name: "redirection", form: `{"name":"f","ending":{"redirection":{"target":"/","delay":3},
"resume_flow":true}}`, sel: editor.SelectNodes(model.EndingID),
			at: "ending", paths: []string{"ending.redirection.target", "ending.redirection.delay"},
			left: []string{`{"redirection":{"delay":3},"resume_flow":true}`, `{"resume_flow":true}`}, problems: []int{1, 0},
		},
		{
			name: "the ending stays", form: `{"name":"f","ending":{"redirection":{"target":"/"}}}`, sel: editor.SelectNodes(model.EndingID),
			at: "ending", paths: []string{"ending.redirection.target"}, left: []string{`{}`}, problems: []int{0},
		},
		{
			name: "coordinates", form: `{"name":"f","start":{"coordinates":{"x":1,"y":2},
"next_node":"$ending"}}`, sel: editor.SelectNodes(model.StartID),
			at: "start", paths: []string{"start.coordinates.x", "start.coordinates.y"},
			left: []string{`{"coordinates":{"y":2},"next_node":"$ending"}`, `{"next_node":"$ending"}`}, problems: []int{1, 0},
		},
		{
			name: "objects within each other", form: step(`{"id":"c","category":"FIELD","type":"TEL","config":{"strings":` +
				`{"filter_placeholder":"x"}}}`), sel: part("c"),
			at: one, paths: []string{one + ".config.strings.filter_placeholder"}, left: []string{`{"id":"c","category":"FIELD","type":"TEL"}`},
			problems: []int{0},
		},
		{
			name: "a required config stays", form: step(`{"id":"c","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}`), sel: part("c"),
			at: one, paths: []string{one + ".config.text"}, left: []string{`{"id":"c","category":"BLOCK","type":"NEXT_BUTTON","config":` +
				`{"text":""}}`}, problems: []int{0},
		},
		{
			name: "an element stays", form: step(`{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[
{"value":"v"}]}}`), sel: part("c"),
			at: one + ".config", paths: []string{one + ".config.options[0].value"}, left: []string{`{"options":[{"value":""}]}`}, problems: []int{2},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := edit(t, tt.form, tt.sel)
			for i, p := range tt.paths {
				enter(t, e, p, "")
				if got := value(t, e, tt.at); got != tt.left[i] {
					t.Errorf("after emptying %s: %s, want %s", p, got, tt.left[i])
				}
				if len(e.Found().Problems()) != tt.problems[i] {
					t.Errorf("after emptying %s the problems are %v, want %d", p, e.Found().Problems(), tt.problems[i])
				}
			}
			// Typing again begins the object anew.
			last := tt.paths[len(tt.paths)-1]
			if enter(t, e, last, "8"); value(t, e, last) == "" {
				t.Errorf("%s cannot be typed again", last)
			}
		})
	}
}

// one is the path of the only component of step.
const one = "nodes[0].config.components[0]"

// step returns a form with one step, s, that holds components.
func step(components string) string {
	return `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[` + components + `]}}]}`
}

func part(id string) editor.Selection {
	return editor.Selection{Nodes: []string{"s"}, Component: id}
}

// Text that the table does not allow is kept as it was typed, in the form and in the row.
func TestRefusedTextIsKept(t *testing.T) {
	number := step(`{"id":"c","category":"FIELD","type":"PASSWORD","config":{"hash":"MD5","min_length":8}}`)
	for _, tt := range []struct {
		path, text, want string
		code             schema.Code
	}{
		{one + ".config.min_length", "0", "0", schema.CodeRange},
		{one + ".config.min_length", "1.5", "1.5", schema.CodeType},
		{one + ".config.min_length", "1e", `"1e"`, schema.CodeType},
		{one + ".config.min_length", "01", `"01"`, schema.CodeType},
		{one + ".config.min_length", " eight ", `" eight "`, schema.CodeType},
		{one + ".config.hash", "SHA3", `"SHA3"`, schema.CodeEnum},
	} {
		e := edit(t, number, part("c"))
		got := enter(t, e, tt.path, tt.text)
		if v := value(t, e, tt.path); v != tt.want || got.Text() != tt.text {
			t.Errorf("%s: %q is kept as %s and shown as %q, want %s", tt.path, tt.text, v, got.Text(), tt.want)
		}
		if len(got.Problems) != 1 || got.Problems[0].Code != tt.code {
			t.Errorf("%s: problems of %q are %v, want one %s", tt.path, tt.text, got.Problems, tt.code)
		}
	}
	// An option that is not listed is still shown.
	e := edit(t, number, part("c"))
	r := enter(t, e, one+".config.hash", "SHA3")
	if n := len(keep(r.Options, func(o inspector.Option) bool { return o.Value == "SHA3" })); n != 1 {
		t.Errorf("the choices hold SHA3 %d times, want once: %v", n, r.Options)
	}
	if got := enter(t, e, one+".config.min_length", "12"); got.Value != schema.Number("12") {
		t.Errorf("after a bad text the number is %v, want 12", got.Value)
	}
}

// A JSON row accepts any value and keeps text that is not valid JSON beside the form.
func TestJSONRow(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"schema":{"n":1.0},"code":"x"}}`), part("c"))
	at := one + ".config.schema"
	if got, want := row(t, e, at).Text(), "{\n  \"n\": 1.0\n}"; got != want {
		t.Errorf("the row shows %q, want %q", got, want)
	}
	before := dump(e.State())
	for _, bad := range []string{`{"n":`, "", "undefined", `{"a":1}{}`, `{"a":1,"a":2}`, "\ufeff{}"} {
		got := enter(t, e, at, bad)
		if got.Text() != bad || len(got.Problems) != 1 || got.Problems[0].Code != schema.CodeSyntax {
			t.Errorf("after %q the row shows %q with %v", bad, got.Text(), got.Problems)
		}
	}
	if dump(e.State()) != before {
		t.Error("text that is not valid JSON changed the form")
	}
	// Another type than the table's is a problem at the row, and stays.
	got := enter(t, e, at, " [1] ")
	if value(t, e, at) != "[1]" || len(got.Problems) != 1 || got.Problems[0].Code != schema.CodeType || got.Input != inspector.JSON {
		t.Errorf("a list is kept as %s with %v", value(t, e, at), got.Problems)
	}
	if got := enter(t, e, at, "null"); got.Text() != "null" || !got.Present {
		t.Errorf("null shows as %q, present %v", got.Text(), got.Present)
	}
	if got := enter(t, e, at, `"text"`); got.Text() != `"text"` {
		t.Errorf("a string shows as %q", got.Text())
	}
}

// null as a property of the form itself is its absence: that is what the patch
// would say of it.
func TestNullOfTheForm(t *testing.T) {
	e := edit(t, `{"name":"f","translations":7}`, editor.Selection{})
	enter(t, e, "translations", "null")
	if got := text(e.Changes().Tree()); got != `{"translations":null}` || value(t, e, "translations") != "" {
		t.Errorf("the patch is %s, the form holds %q", got, value(t, e, "translations"))
	}
}

// A string in a JSON row shows exactly as its JSON, so that leaving the row
// without typing changes nothing.
func TestEveryRowShowsItsValue(t *testing.T) {
	for _, s := range subjects(t, false) {
		for _, r := range flat(inspector.Read(open(t, s.form, s.sel), nil)) {
			if entries(r) == nil {
				continue
			}
			e := open(t, s.form, s.sel)
			if err := e.Run(r.Edit(r.Text())); err != nil {
				t.Errorf("%s %s: %v", s.name, r.Path, err)
			}
			if r.Path[len(r.Path)-1].Key != "amount" && !e.Changes().Empty() {
				t.Errorf("%s %s: typing what it shows, %q, changed the form: %s", s.name, r.Path, r.Text(), text(e.Changes().Tree()))
			}
		}
	}
}

// Invalid UTF-8 never reaches the form: they could not be saved.
func TestBrokenBytes(t *testing.T) {
	e := edit(t, `{"name":"f"}`, editor.Selection{})
	enter(t, e, "name", "a\xffb")
	if got := value(t, e, "name"); got != "\"a\ufffdb\"" {
		t.Errorf("the name is %s", got)
	}
	e = edit(t, step(`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"schema":{},"code":"x"}}`), part("c"))
	c, err := row(t, e, one+".config.params").List().Add("k\xff")
	if err != nil {
		t.Fatal(err)
	}
	run(t, e, c)
	if got := value(t, e, one+".config.params"); got != "{\"k\ufffd\":\"\"}" {
		t.Errorf("the texts are %s", got)
	}
}
