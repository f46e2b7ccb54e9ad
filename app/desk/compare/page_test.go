package compare_test

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/compare"
	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/charset/charsettest"
	"github.com/formgraph/formgraph/model/schema"
)

const mine = `{"id":"ap_1","name":"Mine","nodes":[
	{"id":"a","type":"STEP","alias":"First","coordinates":{"x":0,"y":0},"config":{"components":[{"id":"c","category":"FIELD","type":"TEXT","label":"Name"}]}},
	{"id":"new","type":"STEP","coordinates":{"x":400,"y":0},"config":{"components":[]}},
	{"id":"far","type":"STEP","coordinates":{"x":900,"y":0},"config":{"components":[]}}]}`

const theirs = `{"name":"Mine","nodes":[
	{"id":"a","type":"STEP","alias":"First","coordinates":{"x":0,"y":0},"config":{"components":[{"id":"c","category":"FIELD","type":"TEXT","label":"Your <name>"}]}},
	{"id":"far","type":"STEP","coordinates":{"x":800,"y":0},"config":{"components":[]}},
	{"id":"gone","type":"STEP","alias":"Old","coordinates":{"x":1200,"y":0},"config":{"components":[]}}]}`

var saved = message.Choice{Kind: "saved", Name: "Saved version"}

func open(t *testing.T) *desktest.Desk {
	t.Helper()
	d := desktest.Open(t, map[string]desk.Page{message.Compare: compare.New(names)}, message.Compare, mine)
	v, _ := schema.Decode([]byte(theirs))
	d.Order(message.Order{Choices: []message.Choice{saved, {Kind: "form", ID: "ap_2", Name: "Other", Group: "Other forms"}}, Choice: &saved, Other: v.(*schema.Object)})
	return d
}

func ids(d *desktest.Desk) string {
	return strings.Join(model.FromTree(d.Form()).Keys(), " ")
}

func lastMarks(t *testing.T, d *desktest.Desk) string {
	t.Helper()
	for _, text := range slices.Backward(d.Reports) {
		if r, err := message.ParseReport(text); err == nil && r.Marks != nil {
			return string(schema.Encode(r.Marks))
		}
	}
	t.Fatal("nothing was marked")
	return ""
}

func TestDifferencesAreListedAndMarked(t *testing.T) {
	d := open(t)
	for _, want := range []string{"1 added", "1 removed", "1 changed", "1 moved", "Your &lt;name&gt;", "Restore all", ">Restore<", "Other forms"} {
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("the page lacks %q:\n%s", want, d.HTML())
		}
	}
	marks := lastMarks(t, d)
	for _, want := range []string{`"key":"new","kind":"added","tag":"+ Added"`, `"key":"far","kind":"moved","tag":"↔ Moved"`, `"rows":["c","~"]`, `"id":"gone"`, `"was":["left:800px;top:0px;width:280px`} {
		if !strings.Contains(marks, want) {
			t.Errorf("the marks lack %s: %s", want, marks)
		}
	}
	d.Event(message.Event{On: "change", Do: "layout", Text: "false"})
	if strings.Contains(d.HTML(), "1 moved") || strings.Count(d.HTML(), `data-do="take"`) != 3 || strings.Contains(lastMarks(t, d), "Moved") {
		t.Errorf("without the layout:\n%s\n%s", d.HTML(), lastMarks(t, d))
	}
}

// names names languages.
func names(tag string) string { return map[string]string{"en": "English", "de": "German"}[tag] }

// A language is called by its name, and a place is not said in numbers.
func TestLinesAreForPeople(t *testing.T) {
	d := open(t)
	d.Event(message.Event{On: "file", Do: "file", Name: "other.json", File: []byte(strings.Replace(theirs, `"nodes"`, `"languages":{"primary":"de"},"nodes"`, 1))})
	for _, want := range []string{"Primary", "<ins>German</ins>", "Moved"} {
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("the page lacks %s:\n%s", want, d.HTML())
		}
	}
	if strings.Contains(d.HTML(), "Coordinates") {
		t.Errorf("the page has coordinates:\n%s", d.HTML())
	}
}

// Two other forms can be compared, too. Then nothing can be taken, and the canvas, which shows neither form, has no marks.
func TestTwoOtherForms(t *testing.T) {
	d := open(t)
	other, _ := schema.Decode([]byte(strings.Replace(theirs, "Old", "Older", 1)))
	d.Event(message.Event{On: "change", Do: "now", Text: "form ap_2"})
	if last := d.Reports[len(d.Reports)-1]; !strings.Contains(last, `"after":true`) || !strings.Contains(last, "ap_2") {
		t.Errorf("the page asks with %s", last)
	}
	if !strings.Contains(d.HTML(), "Reading the form") {
		t.Errorf("before the form is read:\n%s", d.HTML())
	}
	now := message.Choice{Kind: "form", ID: "ap_2", Name: "Other", After: true}
	d.Order(message.Order{Choice: &now, Other: other.(*schema.Object)})
	if !strings.Contains(d.HTML(), "1 changed") || !strings.Contains(d.HTML(), "Older") || strings.Contains(d.HTML(), `data-do="take`) || lastMarks(t, d) != "{}" {
		t.Errorf("marks %s and shows\n%s", lastMarks(t, d), d.HTML())
	}
	d.Press("take-all", "")
	if ids(d) != "a new far" {
		t.Errorf("the nodes are %s", ids(d))
	}
	d.Order(message.Order{Choice: &message.Choice{Kind: "form", ID: "ap_2", Name: "Other"}, Other: other.(*schema.Object)})
	if !strings.Contains(d.HTML(), "Nothing differs: “Other” is the same as “Other”") {
		t.Errorf("the same form twice:\n%s", d.HTML())
	}
	d.Event(message.Event{On: "change", Do: "now", Text: "this "})
	if !strings.Contains(d.HTML(), "1 moved") || !strings.Contains(d.HTML(), `data-do="take`) || lastMarks(t, d) == "{}" {
		t.Errorf("the form again:\n%s", d.HTML())
	}
}

// Without unsaved changes the page offers the version before the saved one, if there is one.
func TestNothingIsUnsaved(t *testing.T) {
	d := desktest.Open(t, map[string]desk.Page{message.Compare: compare.New(names)}, message.Compare, mine)
	v, _ := schema.Decode([]byte(mine))
	one := []message.Choice{saved, {Kind: message.Version, ID: "2", Name: "Now"}, {Kind: "form", ID: "ap_2", Name: "Other"}}
	d.Order(message.Order{Choices: one, Choice: &saved, Other: v.(*schema.Object)})
	if !strings.Contains(d.HTML(), "Nothing is unsaved.") || strings.Contains(d.HTML(), `data-do="before"`) {
		t.Errorf("with one version:\n%s", d.HTML())
	}
	d.Press("before", "")
	d.Order(message.Order{Choices: append(one, message.Choice{Kind: message.Version, ID: "1", Name: "Then"})})
	if !strings.Contains(d.HTML(), `data-do="before"`) {
		t.Errorf("with two versions:\n%s", d.HTML())
	}
	d.Press("before", "")
	if last := d.Reports[len(d.Reports)-1]; !strings.Contains(last, `"version"`) || !strings.Contains(last, `"id":"1"`) {
		t.Errorf("the page asks with %s", last)
	}
}

func TestTakingIsOneCommand(t *testing.T) {
	d := open(t)
	d.Press("take", "n2-gone")
	if ids(d) != "a new far gone" || d.Editor().UndoLabel() != "Restore Old from Saved version" {
		t.Errorf("the nodes are %s, undo %q", ids(d), d.Editor().UndoLabel())
	}
	if d.Screen.Text("focus") == "" || strings.Count(d.HTML(), `data-do="take"`) != 3 {
		t.Errorf("the focus goes to %q, the page is\n%s", d.Screen.Text("focus"), d.HTML())
	}
	d.Press("take", "n-1-new")
	if ids(d) != "a far gone" {
		t.Errorf("the nodes are %s", ids(d))
	}
	d.Press("take-all", "")
	if !strings.Contains(d.HTML(), "Nothing is unsaved.") || d.Form().Text("id") != "ap_1" {
		t.Errorf("after taking all:\n%s", d.HTML())
	}
	d.Editor().Undo()
	d.Editor().Undo()
	d.Editor().Undo()
	if ids(d) != "a new far" || d.Editor().UndoLabel() != "" {
		t.Errorf("undone, the nodes are %s", ids(d))
	}
}

func TestOtherFormsAreAskedFor(t *testing.T) {
	d := open(t)
	d.Event(message.Event{On: "change", Do: "with", Text: "form ap_2"})
	r, err := message.ParseReport(d.Reports[len(d.Reports)-1])
	if err != nil || r.Read == nil || r.Read.ID != "ap_2" || !strings.Contains(d.HTML(), "Reading the form") {
		t.Fatalf("the report is %+v (%v)", r, err)
	}
	d.Order(message.Order{Choice: r.Read, Wrong: "It is gone."})
	if !strings.Contains(d.HTML(), "It is gone.") {
		t.Errorf("the failure is not shown:\n%s", d.HTML())
	}
	d.Press("again", "")
	if r, _ := message.ParseReport(d.Reports[len(d.Reports)-1]); r.Read == nil || r.Read.ID != "ap_2" {
		t.Error("it is not asked for again")
	}
}

// While another form is read, nothing of the last one is marked, and when the page is opened again nothing is left of it.
func TestMarksGoWithTheFormComparedWith(t *testing.T) {
	d := open(t)
	d.Event(message.Event{On: "change", Do: "with", Text: "form ap_2"})
	if got := lastMarks(t, d); got != "{}" {
		t.Errorf("marked are %s", got)
	}
	d = open(t)
	d.Order(message.Order{Page: message.Compare})
	if got := lastMarks(t, d); got != "{}" || !strings.Contains(d.HTML(), "Reading the form") {
		t.Errorf("marked are %s:\n%s", got, d.HTML())
	}
	n := len(d.Reports)
	d.Order(message.Order{})
	if len(d.Reports) != n {
		t.Error("the same marks are sent again")
	}
}

func TestFilesAreRead(t *testing.T) {
	d := open(t)
	for _, text := range []string{theirs, `{"version":"4.0.0","form":` + theirs + `,"flows":{},"connections":{}}`} {
		d.Event(message.Event{On: "file", Do: "file", Name: "theirs.json", File: []byte(text)})
		if !strings.Contains(d.HTML(), "theirs.json") || !strings.Contains(d.HTML(), "Take all") || strings.Count(d.HTML(), `data-do="take"`) != 4 {
			t.Errorf("the file is not compared:\n%s", d.HTML())
		}
		// The file comes after the form: what only it has is added.
		for _, want := range []string{
			"1 added", "1 only in this form", `aria-label="Take Old. Adds it as in theirs.json."`,
			`aria-label="Remove new. Removes it: theirs.json does not have it."`, "<del>Name</del> <ins>Your &lt;name&gt;</ins>",
		} {
			if !strings.Contains(d.HTML(), want) {
				t.Errorf("the file lacks %q:\n%s", want, d.HTML())
			}
		}
		for _, want := range []string{`"key":"new","kind":"removed","tag":"− Only in this form"`, `"id":"gone"`, `"arrives":true`, `"rows":["c","~"]`} {
			if !strings.Contains(lastMarks(t, d), want) {
				t.Errorf("the marks lack %s: %s", want, lastMarks(t, d))
			}
		}
		d.Press("take", "n-1-gone")
		d.Press("take", "n1-new")
		if ids(d) != "a far gone" {
			t.Errorf("the nodes are %s", ids(d))
		}
		d.Editor().Undo()
		d.Editor().Undo()
		d.Order(message.Order{Form: d.Form()})
	}
	d.Event(message.Event{On: "file", Do: "file", Name: "bad.json", File: []byte(`{"name":"x","nodes":3}`)})
	if !strings.Contains(d.HTML(), "is not a form") || strings.Contains(d.HTML(), "Take all") {
		t.Errorf("a bad file is compared:\n%s", d.HTML())
	}
	for _, c := range charsettest.Of(charsettest.Form) {
		d.Event(message.Event{On: "file", Do: "file", Name: "a.json", File: c.File})
		if refused := strings.Contains(d.HTML(), "is not a form"); refused != (c.Refused != "") || !strings.Contains(d.HTML(), html.EscapeString(c.Refused)) {
			t.Errorf("%s: want %q in\n%s", c.Name, c.Refused, d.HTML())
		}
	}
}

// A file with other nodes stands beside the form, not over its cards, and what is taken from it comes to where it was shown.
func TestForeignFileStandsBesideTheForm(t *testing.T) {
	const file = `{"name":"Theirs","start":{"next_node":"x","coordinates":{"x":-200,"y":0}},"nodes":[
		{"id":"x","type":"STEP","alias":"X","coordinates":{"x":20,"y":0},"config":{"components":[]}},
		{"id":"y","type":"STEP","alias":"Y","coordinates":{"x":420,"y":100},"config":{"components":[]}}]}`
	d := open(t)
	d.Event(message.Event{On: "file", Do: "file", Name: "theirs.json", File: []byte(file)})
	place := func(id string) model.Point {
		n, _ := model.FromTree(d.Form()).Node(id)
		if n == nil {
			t.Fatalf("%s is not there", id)
		}
		return n.At
	}
	d.Press("take", "n-1-x")
	first := place("x")
	if below := graph.New(model.FromTree(d.Form())).Card("a").Rect.Bottom(); float64(first.Y) < below+graph.LayerGap {
		t.Errorf("x is at %v, above %v", first, below)
	}
	for _, id := range []string{"a", "new", "far"} {
		if at := place(id); at.Y != 0 {
			t.Errorf("%s has moved to %v", id, at)
		}
	}
	// More than half of its nodes are now in the form, and the rest stays where it is.
	y := first.Add(model.Point{X: 400, Y: 100})
	if want := fmt.Sprintf(`"coordinates":{"x":%d,"y":%d}`, y.X, y.Y); !strings.Contains(lastMarks(t, d), want) {
		t.Errorf("the marks lack %s: %s", want, lastMarks(t, d))
	}
	if d.Press("take", "n-1-y"); place("y") != y {
		t.Errorf("y is at %v, want %v", place("y"), y)
	}
	// Of two other forms, neither is moved.
	d = open(t)
	d.Event(message.Event{On: "file", Do: "file", Name: "theirs.json", File: []byte(file)})
	d.Order(message.Order{Choice: &message.Choice{Kind: "form", ID: "ap_2", Name: "Other"}, Other: tree(t, strings.Replace(file, `,"coordinates":{"x":-200,"y":0}`, "", 1))})
	if !strings.Contains(d.HTML(), "1 moved") { // Start
		t.Errorf("of two other forms, one is moved:\n%s", d.HTML())
	}
	// A version of the form stays at its place, whatever it has.
	d = open(t)
	d.Order(message.Order{Choice: &message.Choice{Kind: "saved", Name: "Saved version"}, Other: tree(t, file)})
	if !strings.Contains(lastMarks(t, d), `"coordinates":{"x":20,"y":0}`) {
		t.Errorf("a version is moved: %s", lastMarks(t, d))
	}
}

// Of two nodes with the same name, the list also says the ids.
func TestIDsTellNodesApart(t *testing.T) {
	d := open(t)
	if strings.Contains(d.HTML(), "<code>") {
		t.Errorf("a name that is there once has an id:\n%s", d.HTML())
	}
	d.Event(message.Event{On: "file", Do: "file", Name: "f.json", File: []byte(strings.Replace(theirs, `"gone","type":"STEP","alias":"Old"`, `"gone","type":"STEP","alias":"First"`, 1))})
	for _, want := range []string{"<b>First</b><code>a</code>", "<b>First</b><code>gone</code>", `aria-label="Take First gone. Adds`} {
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("the page lacks %s:\n%s", want, d.HTML())
		}
	}
}

// A form without nodes, one whose cards stand apart, and one that has half of its nodes leave a file where it is.
func TestFileWithRoomStaysInPlace(t *testing.T) {
	for _, tt := range []struct{ form, also, at string }{
		{`{"id":"ap_1","name":"Empty","nodes":[]}`, "", `{"x":40,"y":0}`},
		{mine, "", `{"x":40,"y":2000}`},
		{mine, `,{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[]}}`, `{"x":40,"y":0}`},
	} {
		d := desktest.Open(t, map[string]desk.Page{message.Compare: compare.New(names)}, message.Compare, tt.form)
		d.Event(message.Event{On: "file", Do: "file", Name: "theirs.json", File: []byte(`{"name":"T","nodes":[
			{"id":"x","type":"STEP","coordinates":` + tt.at + `,"config":{"components":[]}}` + tt.also + `]}`)})
		if !strings.Contains(lastMarks(t, d), `"coordinates":`+tt.at) {
			t.Errorf("moved from %s: %s", tt.at, lastMarks(t, d))
		}
	}
}

func tree(t *testing.T, text string) *schema.Object {
	t.Helper()
	v, err := schema.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.(*schema.Object)
}

// A file of the form is made whatever page is shown, or none.
func TestFileIsMadeBesideThePage(t *testing.T) {
	for _, page := range []string{message.Compare, ""} {
		d := desktest.Open(t, map[string]desk.Page{message.Compare: compare.New(names)}, page, mine)
		d.Order(message.Order{File: message.Picture})
		if got := d.Screen.Object("file").Text("name"); got != "Mine.svg" {
			t.Errorf("beside the page %q the file is %q", page, got)
		}
	}
}

func TestNothingIsTakenIntoAFormThatIsReadOnly(t *testing.T) {
	d := open(t)
	v, _ := schema.Decode([]byte(mine))
	d.Order(message.Order{Form: v.(*schema.Object), ReadOnly: true})
	if strings.Contains(d.HTML(), `data-do="take`) {
		t.Errorf("a form that is read only offers to take:\n%s", d.HTML())
	}
}

func TestChosenNodeIsShown(t *testing.T) {
	d := open(t)
	d.Press("go", "n-1-new")
	r, _ := message.ParseReport(d.Reports[len(d.Reports)-1])
	if r.Select != "new" || !strings.Contains(d.Region("list/n-1-new"), `aria-current="true"`) {
		t.Errorf("selected %q", r.Select)
	}
}
