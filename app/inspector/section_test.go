package inspector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
)

// field returns a form with one field of a type, whose config is a JSON text.
func field(typ, config string) string {
	return step(`{"id":"c","category":"FIELD","type":"` + typ + `","config":` + config + `}`)
}

// sections lists the sections of the selection as "title: note", with a minus before those that are folded.
func sections(e *editor.Editor) string {
	var out []string
	for _, s := range inspector.Read(e, nil).Sections[1:] {
		fold := ""
		if s.Folded {
			fold = "-"
		}
		out = append(out, fmt.Sprintf("%s%s: %s", fold, s.Title, s.Note))
	}
	return strings.Join(out, "; ")
}

func TestSections(t *testing.T) {
	for _, tt := range []struct {
		name, form string
		sel        editor.Selection
		want       string
	}{
		{
			"nothing set", field("FILE", `{}`), part("c"),
			"-Storage: Not set; -What people may send: Not set; -Privacy: Answer is kept; -Advanced: c",
		},
		{
			"something set", field("FILE", `{"storage":{"type":"CUSTOM"},"maxFiles":2}`), part("c"),
			"Storage: ; What people may send: ; -Privacy: Answer is kept; -Advanced: c",
		},
		{"sensitive", step(`{"id":"c","category":"FIELD","type":"TEXT","sensitive":true}`), part("c"), "Privacy: Answer is not kept; -Advanced: c"},
		{
			"a list", field("CHOICE", `{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]}`), part("c"),
			"Options: 2; -Allow other: Not set; -Privacy: Answer is kept; -Advanced: c",
		},
		{"a problem", field("FILE", `{"maxFiles":0}`), part("c"), "-Storage: Not set; What people may send: ; -Privacy: Answer is kept; -Advanced: c"},
		{"a problem of an id", `{"name":"f","nodes":[{"id":"a b","type":"STEP","config":{"components":[]}}]}`, editor.SelectNodes("a b"), "Advanced: a b"},
		{"the start", `{"name":"f"}`, editor.SelectNodes(model.StartID), "-Hidden fields: Not set; -Advanced: "},
		{"the form", `{"name":"f","languages":{"primary":"en"}}`, editor.Selection{}, ""},
		{
			"what is on pages", `{"name":"f","messages":{"errors":{"ERR_A":"a"}},"translations":{"de":{"messages":{"errors":{"ERR_A":"b"}}}}}`,
			editor.Selection{},
			"",
		},
		{"a problem of a message", `{"name":"f","messages":{"errors":{"ERR_A":""}}}`, editor.Selection{}, ""},
		{"what no page shows", `{"name":"f","style":{"font":"x"}}`, editor.Selection{}, "Advanced: "},
		{"what no page shows, without a problem", `{"name":"f","translations":{"de":{"note":"x"}}}`, editor.Selection{}, "-Advanced: "},
	} {
		if got := sections(edit(t, tt.form, tt.sel)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// What a field asks comes before how it asks, and whether an answer is required last.
func TestOrderOfAField(t *testing.T) {
	e := edit(t, field("TEXT", `{}`), part("c"))
	var got []string
	for _, r := range inspector.Read(e, nil).Sections[0].Rows {
		got = append(got, r.Label)
	}
	want := []string{"Label", "Hint", "Multiline", "Default value", "Placeholder", "Min length", "Max length", "Required"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChecks(t *testing.T) {
	at := one + ".config.categories"
	e := edit(t, field("FILE", `{}`), part("c"))
	for _, tt := range []struct {
		value string
		on    bool
		want  string
	}{
		{"IMAGE", true, `["IMAGE"]`},
		{"AUDIO", true, `["AUDIO","IMAGE"]`}, // in the order of the table
		{"AUDIO", true, `["AUDIO","IMAGE"]`},
		{"IMAGE", false, `["AUDIO"]`},
		{"VIDEO", false, `["AUDIO"]`},
		{"AUDIO", false, ""},
	} {
		r := row(t, e, at)
		if r.Input != inspector.Checks || len(r.Options) != 5 || r.Options[2].Label != "Images" {
			t.Fatalf("the control is %v with %v", r.Input, r.Options)
		}
		run(t, e, r.Check(tt.value, tt.on))
		if got := value(t, e, at); got != tt.want {
			t.Fatalf("%s %v: %s, want %s", tt.value, tt.on, got, tt.want)
		}
		if got := row(t, e, at).Checked(tt.value); got != tt.on {
			t.Errorf("%s is checked: %v", tt.value, got)
		}
	}
	for _, odd := range []string{`["AUDIO","AUDIO"]`, `["SONG"]`, `[1]`} {
		e := edit(t, field("FILE", `{"categories":`+odd+`}`), part("c"))
		if r := row(t, e, at); r.Input != inspector.Items || len(r.Rows) == 0 {
			t.Errorf("%s is shown by %v, want the elements", odd, r.Input)
		}
	}
}

// The default of a choice is chosen among its options. Any other value is kept as JSON.
func TestDefaultOption(t *testing.T) {
	at := one + ".config.default_value"
	const options = `"options":[{"value":"a","label":"A"},{"value":"b","label":""},{"value":"a","label":"again"},{"label":"none"}]`
	for _, tt := range []struct {
		config  string
		want    inspector.Input
		options string
	}{
		{`{` + options + `}`, inspector.Select, "a=A b=b"},
		{`{"default_value":"b",` + options + `}`, inspector.Select, "a=A b=b"},
		{`{"default_value":"z",` + options + `}`, inspector.Select, "a=A b=b z=z (not an option)"},
		{`{"multiple":true,` + options + `}`, inspector.Checks, "a=A b=b"},
		{`{"multiple":true,"default_value":["b"],` + options + `}`, inspector.Checks, "a=A b=b"},
		{`{"multiple":true,"default_value":["z"],` + options + `}`, inspector.JSON, "a=A b=b"},
		{`{"multiple":true,"default_value":"a",` + options + `}`, inspector.JSON, "a=A b=b"},
		{`{"default_value":["a"],` + options + `}`, inspector.JSON, "a=A b=b"},
		{`{"default_value":null,` + options + `}`, inspector.JSON, "a=A b=b"},
		{`{"default_value":1}`, inspector.JSON, ""},
	} {
		r := row(t, edit(t, field("CHOICE", tt.config), part("c")), at)
		var got []string
		for _, o := range r.Options {
			got = append(got, o.Value+"="+o.Label)
		}
		if r.Input != tt.want || strings.Join(got, " ") != tt.options {
			t.Errorf("%s: %s with %q, want %s with %q", tt.config, inputs[r.Input], got, inputs[tt.want], tt.options)
		}
	}
}

func TestStep(t *testing.T) {
	for _, tt := range []struct {
		config string
		by     int
		want   string
	}{
		{`{}`, 1, "1"},
		{`{}`, -1, "1"},
		{`{"maxFiles":2}`, 1, "3"},
		{`{"maxFiles":2}`, -1, "1"},
		{`{"maxFiles":1}`, -1, "1"},
		{`{"maxFiles":1.5}`, 1, "2.5"},
		{`{"maxFiles":"x"}`, 1, "1"},
	} {
		e := edit(t, field("FILE", tt.config), part("c"))
		run(t, e, row(t, e, one+".config.maxFiles").Quantity().Step(tt.by))
		if got := value(t, e, one+".config.maxFiles"); got != tt.want {
			t.Errorf("%s %+d: %s, want %s", tt.config, tt.by, got, tt.want)
		}
	}
	e := edit(t, step(`{"id":"c","category":"BLOCK","type":"IMAGE","config":{"src":"x","height":499.5}}`), part("c"))
	run(t, e, row(t, e, one+".config.height").Quantity().Step(3))
	if got := value(t, e, one+".config.height"); got != "500" {
		t.Errorf("beyond the upper bound: %s", got)
	}
}

func TestReset(t *testing.T) {
	for _, tt := range []struct {
		typ, config, property string
		differs               bool
		want                  string // after a reset
	}{
		{"PASSWORD", `{"hash":"NONE","min_length":8}`, "min_length", false, "8"},
		{"PASSWORD", `{"hash":"NONE","min_length":12}`, "min_length", true, "8"},
		{"PASSWORD", `{"hash":"MD5"}`, "hash", true, `"NONE"`},
		{"PASSWORD", `{"hash":"NONE","max_length":9}`, "max_length", true, ""},
		{"PASSWORD", `{"hash":"NONE"}`, "max_length", false, ""},
		{"PASSWORD", `{"hash":"NONE","placeholder":"x"}`, "placeholder", false, `"x"`}, // texts have no default
		{"FILE", `{"storage":{"type":"CUSTOM"}}`, "storage.type", true, `"MANAGED"`},
		{"FILE", `{"maxSize":5000}`, "maxSize", true, ""},
		{"FILE", `{"categories":["AUDIO"]}`, "categories", true, ""},
		{"JUMP_BUTTON", `{"text":"On","style":{"background_color":"#123456"}}`, "style.background_color", true, ""},
		{"JUMP_BUTTON", `{"text":"On"}`, "text", false, `"On"`}, // only an author knows it
		{"RESEND_BUTTON", `{"active_text":"Lost it?"}`, "active_text", true, `"Did not get the code?"`},
		{"TEXT", `{"multiline":true}`, "multiline", false, `true`}, // a switch shows its state
	} {
		at := one + ".config." + tt.property
		e := edit(t, field(tt.typ, tt.config), part("c"))
		r := row(t, e, at)
		if r.Differs() != tt.differs {
			t.Errorf("%s %s differs: %v", tt.config, tt.property, r.Differs())
		}
		if tt.differs {
			run(t, e, r.Reset())
		}
		if got := value(t, e, at); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.config, tt.property, got, tt.want)
		}
		if row(t, e, at).Differs() {
			t.Errorf("%s %s differs after a reset", tt.config, tt.property)
		}
	}
}

// A list whose elements have only a few texts is a table; a label comes first.
func TestColumns(t *testing.T) {
	for _, tt := range []struct{ form, at, want string }{
		{field("CHOICE", `{"options":[{"value":"a","label":"A"}]}`), "options", "Label|Value"},
		{field("CARDS", `{"options":[{"value":"a","label":"A","image_url":"https://x.example/a.png"}]}`), "options", "Label|Value|Image URL"},
		{field("FILE", `{"extensions":["pdf"]}`), "extensions", ""},
		{field("CHOICE", `{"options":[{"value":1,"label":{}}]}`), "options", "none"},
		{field("FILE", `{"extensions":[{}]}`), "extensions", "none"},
	} {
		r := row(t, edit(t, tt.form, part("c")), one+".config."+tt.at)
		got := strings.Join(r.Columns, "|")
		if r.Columns == nil {
			got = "none"
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.form, got, tt.want)
		}
		for i, name := range r.Columns {
			if name != "" && r.Rows[0].Rows[i].Label != name {
				t.Errorf("%s: the text %d is %s, its column %s", tt.form, i, r.Rows[0].Rows[i].Label, name)
			}
		}
	}
}

// Each page of a form says how much the form has of it.
func TestPagesOfTheForm(t *testing.T) {
	for form, want := range map[string]string{
		`{"name":"f"}`: "[{Languages 1 language} {Messages Built in} {Style Built in}]",
		`{"name":"f","languages":{"primary":"de"},"translations":{"fr":{}},"messages":{"errors":{"ERR_A":"a"},"custom":{"b":"c"}},` +
			`"style":{"css":"a {\n}\n"}}`: "[{Languages 2 languages} {Messages 2 messages} {Style 6 characters of CSS}]",
	} {
		if got := fmt.Sprint(inspector.Read(edit(t, form, editor.Selection{}), nil).Pages); got != want {
			t.Errorf("%s: got %s, want %s", form, got, want)
		}
	}
}
