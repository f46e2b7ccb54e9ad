package problems

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/schema"
)

const valid = `{"id":"ap_test","name":"Contact","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","config":{"components":[{"id":"b1","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],
	"next_node":"more"}},
	{"id":"more","type":"STEP","config":{"components":[{"id":"b2","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],
	"next_node":"$ending"}}]}`

func onPanel(t *testing.T, form string, refused schema.Problems, f func(ctx app.Context, p *Panel, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		f(ctx, New(w, func() schema.Problems { return refused }), c)
	})
}

func at(t *testing.T, path string) schema.Problem {
	t.Helper()
	p, err := schema.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	return schema.Problem{Path: p, Detail: "must be right"}
}

func TestStepCyclesThroughTheProblems(t *testing.T) {
	refused := schema.Problems{at(t, "nodes[0].id"), at(t, "nodes[1].id"), at(t, "name")}
	for _, test := range []struct {
		by   int
		want []string
	}{{1, []string{"ask", "more", "", "ask"}}, {-1, []string{"more", "ask", "", "more"}}} {
		onPanel(t, valid, refused, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if n := len(p.all()); n != 3 {
				t.Fatalf("the form has %d problems of its own", n-3)
			}
			var got []string
			for range test.want {
				p.Step(ctx, test.by)
				got = append(got, p.Editor.State().Selection.Only())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("steps of %d go to %q, want %q", test.by, got, test.want)
			}
		})
	}
}

func TestStepReportsNoProblems(t *testing.T) {
	onPanel(t, valid, nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		p.Step(ctx, 1)
		if p.Toast.Text() == "" || !strings.Contains(app.HTMLString(p.Draw()), "no problems and no warnings") {
			t.Errorf("says %q", p.Toast.Text())
		}
	})
}

func TestGoToSelectsAndShowsTheNode(t *testing.T) {
	onPanel(t, valid, schema.Problems{at(t, "nodes[1].id")}, func(ctx app.Context, p *Panel, c *uitest.Canvas) {
		p.GoTo(ctx, 1) // there is no such problem
		if len(c.Calls) > 0 || p.Panels.Right {
			t.Errorf("goes to a missing problem: %q", c.Calls)
		}
		p.GoTo(ctx, 0)
		if p.Editor.State().Selection.Only() != "more" || !slices.Contains(c.Calls, "ZoomTo more") || !p.Panels.Right {
			t.Errorf("selects %+v, canvas %q", p.Editor.State().Selection, c.Calls)
		}
	})
}

func TestProblemsComeBeforeWarningsAndAreBounded(t *testing.T) {
	var nodes []string
	for i := range shownLimit + 5 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"components":[]}}`, i))
	}
	onPanel(t, `{"id":"ap_test","name":"","nodes":[`+strings.Join(nodes, ",")+`]}`, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
		problems, warnings := len(p.Editor.Problems()), len(p.Editor.Warnings())
		shown := app.HTMLString(p.Draw())
		if problems == 0 || warnings <= shownLimit {
			t.Fatalf("the form has %d problems and %d warnings", problems, warnings)
		}
		if strings.Count(shown, `data-act="problem"`) != min(problems, shownLimit)+shownLimit ||
			!strings.Contains(shown, fmt.Sprintf("and %d more", warnings-shownLimit)) {
			t.Errorf("of %d and %d it draws %d", problems, warnings, strings.Count(shown, `data-act="problem"`))
		}
		// Warnings are numbered after the problems: a press selects the right one.
		if last := fmt.Sprintf(`data-arg="%d"`, problems+shownLimit-1); !strings.Contains(shown, last) {
			t.Errorf("no warning has %s", last)
		}
	})
}

func TestCountNamesProblemsElseWarnings(t *testing.T) {
	for form, want := range map[string]string{
		valid: "",
		strings.Replace(valid, `"Contact"`, `""`, 1):             "1 problem",
		strings.Replace(valid, `"next_node":"more"`, `"x":1`, 1): "1 problem", // which takes precedence over its warnings
		strings.Replace(valid, `:"ask"}`, `:"more"}`, 1):         "1 warning",
	} {
		onPanel(t, form, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			got := app.HTMLString(p.Count())
			if want != "" && !strings.Contains(got, want) || want == "" && strings.Contains(got, "problem") {
				t.Errorf("%s\nhas problems %v, warnings %v, counted %s, want %q", form, p.Editor.Problems(), p.Editor.Warnings(), got, want)
			}
		})
	}
}

// Problems that the saved form already has are listed and counted separately.
func TestInheritedProblemsAreListedSeparately(t *testing.T) {
	broken := strings.Replace(valid, `"config":{"text":"On"}`, `"config":{}`, 1)
	onPanel(t, broken, schema.Problems{at(t, "nodes[1].id")}, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		p.Editor = editor.New(p.Editor.Base(), editor.Config{Remote: true, Now: time.Now})
		shown, count := app.HTMLString(p.Draw()), app.HTMLString(p.Count())
		if !strings.Contains(count, "1 earlier problem") || !strings.Contains(shown, "were there when the form was opened") ||
			!strings.Contains(shown, "Refused by the tenant") {
			t.Errorf("counts %s\n%s", count, shown)
		}
		if err := p.Editor.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: ""}); err != nil {
			t.Fatal(err)
		}
		if count := app.HTMLString(p.Count()); !strings.Contains(count, ">1 problem<") {
			t.Errorf("with a problem of the person's own it counts %s", count)
		}
		for i, want := range []string{"", "ask", "more"} { // own, earlier, refused
			p.GoTo(ctx, i)
			if got := p.Editor.State().Selection.Only(); got != want {
				t.Errorf("problem %d is of %q, want %q", i, got, want)
			}
		}
	})
}
