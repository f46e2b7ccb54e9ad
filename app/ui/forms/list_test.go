package forms

import (
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// sampleForms are in the order of a tenant's list: oldest first.
func sampleForms() []formapi.Summary {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	return []formapi.Summary{
		{ID: "ap_1", Name: "Sign-up", CreatedAt: day(1), UpdatedAt: day(9)},
		{ID: "ap_2", Name: "consent", CreatedAt: day(2), UpdatedAt: day(3)},
		{ID: "ap_3", Name: "Identity", CreatedAt: day(3), UpdatedAt: day(3)},
		{ID: "ap_4", Name: "Address", CreatedAt: day(4)}, // the tenant does not report the last update
		{ID: "ap_5", Name: "Unknown"},
	}
}

func TestListIsNewestFirstAndSortable(t *testing.T) {
	for _, test := range []struct{ order, query, want string }{
		{"", "", "ap_1 ap_4 ap_3 ap_2 ap_5"},
		{"updated", "", "ap_1 ap_4 ap_3 ap_2 ap_5"},
		{"-updated", "", "ap_5 ap_2 ap_3 ap_4 ap_1"},
		{"name", "", "ap_4 ap_2 ap_3 ap_1 ap_5"},
		{"-name", "", "ap_5 ap_1 ap_3 ap_2 ap_4"},
		{"", " SIGN", "ap_1"},
		{"", "ap_3", "ap_3"},
		{"name", "nothing", ""},
		{"size", "", "ap_1 ap_4 ap_3 ap_2 ap_5"},
	} {
		var ids []string
		for _, f := range listed(sampleForms(), test.query, parseListOrder(test.order)) {
			ids = append(ids, f.ID)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("order %q, query %q: %s, want %s", test.order, test.query, got, test.want)
		}
	}
}

func TestListOrderIsRememberedAndSpoken(t *testing.T) {
	var o listOrder
	for _, step := range []struct{ press, remembered, name, updated string }{
		{"", "updated", "none", "descending"},
		{"updated", "-updated", "none", "ascending"},
		{"updated", "updated", "none", "descending"},
		{"name", "name", "ascending", "none"},
		{"name", "-name", "descending", "none"},
		{"updated", "updated", "none", "descending"},
	} {
		if step.press != "" {
			o = o.press(step.press)
		}
		if o.String() != step.remembered || o.aria(byName) != step.name || o.aria(byUpdated) != step.updated {
			t.Errorf("after %q: %s, name %s, updated %s", step.press, o, o.aria(byName), o.aria(byUpdated))
		}
		if back := parseListOrder(o.String()); back.String() != o.String() {
			t.Errorf("%s is read back as %s", o, back)
		}
	}
}

func TestListCountRespectsTheSearch(t *testing.T) {
	if got := countListed(63, 63); got != "63" {
		t.Error(got)
	}
	if got := countListed(3, 63); got != "3 of 63" {
		t.Error(got)
	}
}

func TestDuplicateHasItsOwnNameAndTheSameContent(t *testing.T) {
	for _, name := range []string{"Sign-up", strings.Repeat("ä", maxFormName), strings.Repeat("x", 400)} {
		f := firstForm(name)
		f, err := f.Set(schema.Path{schema.Key("id")}, "ap_1")
		if err != nil {
			t.Fatal(err)
		}
		g, err := duplicated(f)
		if err != nil {
			t.Fatal(err)
		}
		if g.ID != "" || !strings.HasPrefix(g.Name, "Copy of ") || len(g.Nodes) != len(f.Nodes) {
			t.Errorf("the copy is %q with the id %q and %d nodes", g.Name, g.ID, len(g.Nodes))
		}
		if ps := model.CheckPatch(g.Tree()); len(ps) > 0 {
			t.Errorf("the copy of %q cannot be stored: %v", name, ps)
		}
		if want := "Copy of " + name; len(name) < 20 && g.Name != want {
			t.Errorf("the copy is called %q, want %q", g.Name, want)
		}
	}
}

func TestRenameSendsTheNameAlone(t *testing.T) {
	p, err := renamed(firstForm("Old"), "New")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(schema.Encode(p.Tree())), `{"name":"New"}`; got != want {
		t.Errorf("sends %s, want %s", got, want)
	}
}
