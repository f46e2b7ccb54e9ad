package forms

import (
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/client/formapi"
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

func TestRenameSendsTheNameAlone(t *testing.T) {
	p, err := renamed(firstForm("Old"), "New")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(schema.Encode(p.Tree())), `{"name":"New"}`; got != want {
		t.Errorf("sends %s, want %s", got, want)
	}
}
