package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model/formtest"
)

func TestSummary(t *testing.T) {
	const one = `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{}}]}`
	const many = `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{}},{"id":"t","type":"STEP","config":{}},{"id":"r","type":"ROUTER","config":{"rules":[]}},
		{"id":"f","type":"FLOW","config":{"flow_id":"af_1"}},{"id":"g","type":"FLOW","config":{"flow_id":"af_1"}},{"id":"x","type":"NEW"}]}`
	for _, tt := range []struct {
		form  string
		known inspector.Facts
		want  string
	}{
		{one, inspector.Facts{}, "Steps: 1 step; Tests: None yet; Problems: None; Open comments: None"},
		{
			many,
			inspector.Facts{Problems: 1, Warnings: 3, Scenarios: 4, Failing: 1, Comments: 2, SavedWhen: "12:04", SavedBy: "Ana"},
			"Steps: 2 steps, 1 router, 2 flows; Tests: 3 of 4 pass!; Problems: 1 problem!; Open comments: 2; Last saved: 12:04 by Ana",
		},
		{
			many,
			inspector.Facts{Warnings: 3, Scenarios: 4, SavedWhen: "12:04"},
			"Steps: 2 steps, 1 router, 2 flows; Tests: 4 of 4 pass; Problems: 3 warnings!; Open comments: None; Last saved: 12:04",
		},
	} {
		var got []string
		for _, f := range inspector.Summary(formtest.Parse(t, tt.form), tt.known) {
			mark := ""
			if f.Wrong {
				mark = "!"
			}
			got = append(got, fmt.Sprintf("%s: %s%s", f.About, f.Note, mark))
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%+v: got %s", tt.known, strings.Join(got, "; "))
		}
	}
}

// The hints of a new form go one by one as they are done.
func TestFirstHints(t *testing.T) {
	step := func(id, components string) string {
		return `{"id":"` + id + `","type":"STEP","config":{"components":[` + components + `]}}`
	}
	const field, block = `{"id":"c","category":"FIELD","type":"TEXT"}`, `{"id":"b","category":"BLOCK","type":"DIVIDER"}`
	for _, tt := range []struct {
		nodes []string
		tried bool
		want  string
	}{
		{[]string{step("a", block)}, false, "component + Preview"},
		{[]string{step("a", field)}, false, "+ Preview"},
		{[]string{step("a", field), step("b", "")}, false, "Preview"},
		{[]string{step("a", field), step("b", "")}, true, ""},
		{[]string{step("a", ""), step("b", ""), step("c", ""), step("d", "")}, false, ""},
	} {
		var got []string
		f := formtest.Parse(t, `{"name":"f","nodes":[`+strings.Join(tt.nodes, ",")+`]}`)
		for _, h := range inspector.FirstHints(f, inspector.Facts{Tried: tt.tried}) {
			for _, word := range []string{"component", "+", "Preview"} {
				if strings.Contains(h, word) {
					got = append(got, word)
				}
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: got %q, want %q", tt.nodes, got, tt.want)
		}
	}
}
