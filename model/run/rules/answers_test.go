package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/rules"
)

// TestUncheckedAnswers checks that a field can have any value if an answer can come to the router unchecked, and runs the forms to show it.
func TestUncheckedAnswers(t *testing.T) {
	step := func(id, next string, components ...string) string {
		return fmt.Sprintf(`{"id":%q,"type":"STEP","config":{"next_node":%q,"components":[%s]}}`, id, next, strings.Join(components, ","))
	}
	const (
		age   = `{"id":"age","category":"FIELD","type":"NUMBER","config":{"max_value":120}}`
		next  = `{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"n"}}`
		previ = `{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"p"}}`
	)
	jump := func(id, to string) string {
		return fmt.Sprintf(`{"id":%q,"category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"j","next_node":%q}}`, id, to)
	}
	router := func(rule string) string {
		return `{"id":"r","type":"ROUTER","config":{"rules":[{"id":"old","condition":` + rule + `,"next_node":"$ending"}],"fallback":"z"}}`
	}
	tooOld := is("EQ", "age", "150")
	old := map[string]any{"age": "150"}
	press := func(id string, answers map[string]any) run.Event { return run.Press{Button: id, Answers: answers} }
	for _, tt := range []struct {
		name   string
		rule   string
		nodes  []string
		events []run.Event // with which the rule decides, nil if it never does
	}{
		{"next", tooOld, []string{step("s", "r", age, next)}, nil},
		{"jump", tooOld, []string{step("s", "r", age, next, jump("j", "r"))}, []run.Event{press("j", old)}},
		{"jump elsewhere", tooOld, []string{step("s", "r", age, next, jump("j", "z"))}, nil},
		{"jump to the same step", tooOld, []string{step("s", "r", age, next, jump("j", "s"))}, nil},
		{
			"jump past another step", tooOld,
			[]string{step("s", "r", age, next, jump("j", "t")), step("t", "r", next)},
			[]run.Event{press("j", old), press("next", nil)},
		},
		{"previous", tooOld, []string{step("s", "t", next), step("t", "r", age, next, previ)}, nil},
		{
			"previous, then another way", tooOld,
			[]string{step("s", "t", next, jump("j", "r")), step("t", "r", age, next, previ)},
			[]run.Event{press("next", nil), press("back", old), press("j", nil)},
		},
		{
			"two steps ask", all(is("STARTS_WITH", "age", `"1"`), is("CONTAINS", "age", `"5"`), is("ENDS_WITH", "age", `"0"`)),
			[]string{
				step("s", "r", strings.Replace(age, "NUMBER", "TEXT", 1), next),
				step("t", "r", strings.Replace(age, "NUMBER", "BOOLEAN", 1), next),
			},
			[]run.Event{press("next", old)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nodes := append(tt.nodes, router(tt.rule), step("z", "$ending", next))
			f := formtest.Parse(t, `{"start":{"next_node":"s"},"nodes":[`+strings.Join(nodes, ",")+`]}`)
			var got []string
			for _, f := range rules.Form(f) {
				got = append(got, string(f.Kind))
			}
			var want []string
			if tt.events == nil {
				want = []string{"impossible"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			r := run.NewProgram(f).Begin(run.Input{})
			for _, e := range tt.events {
				var err error
				if r, err = r.Do(e); err != nil {
					t.Fatal(err)
				}
			}
			if tt.events != nil && r.State() != run.Ended {
				t.Errorf("the run is %s at %q", r.State(), r.Node())
			}
		})
	}
}
