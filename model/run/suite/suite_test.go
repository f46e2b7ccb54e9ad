package suite_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/suite"
	"github.com/formgraph/formgraph/model/waittest"
)

// ageForm asks for an age, and sends minors to a step. A rule of it never applies.
const ageForm = `{"name":"Age","start":{"next_node":"ask"},"ending":{},"nodes":[
	{"id":"ask","type":"STEP","config":{"components":[
		{"id":"age","category":"FIELD","type":"NUMBER","required":true,"config":{"min_value":0}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"adult"}},
	{"id":"adult","type":"ROUTER","config":{"rules":[
		{"id":"yes","condition":{"operator":"AND","operands":[{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"$ending"},
		{"id":"never","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}",0]}]},"next_node":"minor"}],
		"fallback":"minor"}},
	{"id":"minor","type":"STEP","config":{"components":[
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}]}`

const adults = `{"name":"Adults","steps":[{"node":"ask","answers":{"age":20},"press":"go"}],"expect":["ask","adult","$ending"]}`

func fileOf(t *testing.T, scenarios ...string) *scenario.File {
	t.Helper()
	f, problems := scenario.Read([]byte(`{"version":1,"scenarios":[` + strings.Join(scenarios, ",") + `]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return f
}

func TestCover(t *testing.T) {
	p := run.NewProgram(formtest.Parse(t, ageForm))
	results, err := suite.Replay(t.Context(), p, fileOf(t, adults, strings.Replace(adults, "Adults", "More adults", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if n := suite.Times(results)[scenario.Edge{From: "adult", Port: "rule:yes"}]; n != 2 {
		t.Errorf("the rule is taken %d times, want 2", n)
	}
	last := -1.0
	c, err := suite.Cover(context.Background(), p, results, func(share float64) {
		if share < 0 || share > 1 {
			t.Errorf("progress is %v", share)
		}
		last = share
	})
	if err != nil {
		t.Fatal(err)
	}
	names := func(edges []scenario.Edge) []string {
		var list []string
		for _, e := range edges {
			list = append(list, e.String())
		}
		return list
	}
	if got, want := names(c.Missing), []string{"adult:fallback", "minor:next"}; !slices.Equal(got, want) {
		t.Errorf("missing %q, want %q", got, want)
	}
	if c.Taken() != 3 || len(c.Takeable) != 5 || c.Percent() != 60 {
		t.Errorf("%d of %d, %v %%", c.Taken(), len(c.Takeable), c.Percent())
	}
	if len(c.Untaken) != 1 || c.Untaken[0].String() != "adult:rule:never" || !c.Untaken[0].Never {
		t.Errorf("untaken %+v", c.Untaken)
	}
	if last < 0.5 {
		t.Errorf("the progress ended at %v", last)
	}
}

// Scenarios are no longer replayed once the context is done, however many there are, and however long they are.
func TestReplayEndsWithItsContext(t *testing.T) {
	p := run.NewProgram(formtest.Parse(t, ageForm))
	const many = 20
	list := make([]string, many)
	for i := range list {
		list[i] = strings.Replace(adults, "Adults", fmt.Sprint("Adults ", i), 1)
	}
	f := fileOf(t, list...)
	jobs := map[string]func(context.Context) error{
		"replay": func(ctx context.Context) error { _, err := suite.Replay(ctx, p, f); return err },
		"update": func(ctx context.Context) error {
			_, _, err := suite.Complete(ctx, p, f, suite.Options{Update: true})
			return err
		},
	}
	for name, do := range jobs {
		all := &waittest.Asked{Context: t.Context(), Left: math.MaxInt}
		if err := do(all); err != nil || math.MaxInt-all.Left < many {
			t.Errorf("%s: %v, and the context was asked %d times for %d scenarios", name, err, math.MaxInt-all.Left, many)
		}
		for left := range math.MaxInt - all.Left {
			ctx := &waittest.Asked{Context: t.Context(), Left: left}
			if err := do(ctx); !errors.Is(err, context.Canceled) || ctx.Left != -1 {
				t.Errorf("%s: %v after %d looks, and the context was asked %d times after it was done", name, err, left, -1-ctx.Left)
			}
		}
	}
}

func TestComplete(t *testing.T) {
	p := run.NewProgram(formtest.Parse(t, ageForm))
	gone := strings.Replace(strings.Replace(adults, "Adults", "Gone", 1), `"press":"go"`, `"press":"went"`, 1)
	open := `{"name":"Open","steps":[],"expect":["ask","adult"]}`
	before := fileOf(t, adults, gone, open)
	after, removed, err := suite.Complete(context.Background(), p, before, suite.Options{Generate: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(removed) != 1 || removed[0].Name != "Gone" || !strings.Contains(removed[0].Reason, `no button "went"`) {
		t.Errorf("removed %+v", removed)
	}
	if len(before.Scenarios) != 3 || len(after.Scenarios) < 3 || after.Scenarios[1].Name != "Open" {
		t.Fatalf("before %d, after %+v", len(before.Scenarios), after.Scenarios)
	}
	if got, err := suite.Replay(t.Context(), p, after); err != nil || got[1].Status != suite.Differs || got[2].Status != suite.OK {
		t.Errorf("results %+v", got)
	}
	updated, _, err := suite.Complete(context.Background(), p, before, suite.Options{Update: true})
	if err != nil || !slices.Equal(updated.Scenarios[2].Expect, []string{"ask"}) || !slices.Equal(before.Scenarios[2].Expect, []string{"ask", "adult"}) {
		t.Errorf("updated %+v, %v", updated, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := suite.Complete(ctx, p, before, suite.Options{Generate: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if c, err := suite.Cover(ctx, p, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v, %v", c, err)
	}
}
