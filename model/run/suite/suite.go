// Package suite replays the scenarios of a form, completes them, and measures what they cover. The command and the editor share it.
package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// Status is how a replay of a scenario compares with its expected path.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Differs Status = "differs" // it takes another path, or names something that the form does not have
	Fault   Status = "fault"   // it cannot be replayed
)

// Result is the result of a scenario.
type Result struct {
	Name     string // never empty
	Status   Status
	Expected []string // nodes; not nil
	Taken    []string // nodes; not nil
	Reason   string   // why it differs or cannot be replayed, "" if its path says all
	Edges    []scenario.Edge
}

// Detail describes a result that differs: both paths, and the reason.
func (r *Result) Detail() string {
	detail := fmt.Sprintf("expected %s, took %s", pathText(r.Expected), pathText(r.Taken))
	if r.Reason != "" {
		detail += "; " + r.Reason
	}
	return detail
}

func pathText(path []string) string {
	if len(path) == 0 {
		return "nothing"
	}
	return strings.Join(path, " > ")
}

// Replay replays all scenarios of a file, in their order. An error is that of the context, at which it looks before each step.
func Replay(ctx context.Context, p *run.Program, f *scenario.File) ([]Result, error) {
	results := make([]Result, len(f.Scenarios))
	for i := range f.Scenarios {
		s := &f.Scenarios[i]
		r := Result{Name: s.Name, Status: OK, Expected: s.Expect, Taken: []string{}}
		if r.Name == "" {
			r.Name = fmt.Sprintf("scenarios[%d]", i)
		}
		if r.Expected == nil {
			r.Expected = []string{}
		}
		if len(s.Faults) > 0 {
			r.Status, r.Reason = Fault, faultText(s.Faults)
			results[i] = r
			continue
		}
		o, err := scenario.ReplayUntil(ctx, p, s)
		if err != nil {
			return nil, fmt.Errorf("replay the scenarios: %w", err)
		}
		r.Taken = append(r.Taken, o.Path()...)
		r.Edges = scenario.Edges(o.Run)
		if !o.Same(s) {
			r.Status, r.Reason = Differs, o.Reason
			if o.Missing != "" {
				r.Reason = o.Missing
			}
		}
		results[i] = r
	}
	return results, nil
}

func faultText(faults schema.Problems) string {
	texts := make([]string, len(faults))
	for i, p := range faults {
		texts[i] = p.Error()
	}
	return strings.Join(texts, "; ")
}

// Removed is a scenario that Complete left out.
type Removed struct{ Name, Reason string }

// Options say how Complete changes scenarios. Scenarios without an expected path always get the one that they take.
type Options struct {
	Update   bool                // the path that each scenario takes becomes the expected one
	Generate bool                // scenarios that name what the form does not have are removed, and new ones take the remaining edges
	Progress func(share float64) // of the search, see explore.Options
}

// Complete returns the scenarios of a file, changed as the options say; the file does not change. An error is that of the context, or names
// a scenario with a fault other than a missing expected path.
func Complete(ctx context.Context, p *run.Program, f *scenario.File, o Options) (*scenario.File, []Removed, error) {
	kept := make([]scenario.Scenario, 0, len(f.Scenarios))
	var removed []Removed
	for _, s := range f.Scenarios {
		if !onlyUnexpected(s) {
			return nil, nil, fmt.Errorf("scenario %q has a fault: %s", s.Name, faultText(s.Faults))
		}
		outcome, err := scenario.ReplayUntil(ctx, p, &s)
		if err != nil {
			return nil, nil, fmt.Errorf("replay the scenarios: %w", err)
		}
		if outcome.Missing != "" && o.Generate {
			removed = append(removed, Removed{s.Name, outcome.Missing})
			continue
		}
		if s.Expect == nil || o.Update {
			s.Expect = append([]string{}, outcome.Path()...)
		}
		s.Faults = nil
		kept = append(kept, s)
	}
	if o.Generate {
		result, err := explore.Explore(ctx, p, explore.Options{Keep: kept, Progress: o.Progress})
		if err != nil {
			return nil, nil, fmt.Errorf("generate scenarios: %w", err)
		}
		kept = append(kept, result.Scenarios...)
	}
	return &scenario.File{Scenarios: kept}, removed, nil
}

// onlyUnexpected reports whether a scenario has no fault but the lack of an expected path.
func onlyUnexpected(s scenario.Scenario) bool {
	for _, p := range s.Faults {
		if p.Code != schema.CodeRequired || len(p.Path) != 3 || p.Path[2].Key != "expect" {
			return false
		}
	}
	return true
}

// Coverage is how much scenarios take of what can be taken.
type Coverage struct {
	// Takeable are the edges that can be taken: those that the generator takes, and those that the scenarios take beyond that.
	Takeable []scenario.Edge
	// Missing are the takeable edges that no scenario takes.
	Missing []scenario.Edge
	// Untaken are the edges that neither the scenarios nor the generator take, with the reason.
	Untaken []explore.Untaken
}

// Taken returns the number of takeable edges that scenarios take.
func (c *Coverage) Taken() int { return len(c.Takeable) - len(c.Missing) }

// Percent returns the share that is taken, from 0 to 100. It is 100 if nothing can be taken.
func (c *Coverage) Percent() float64 {
	if len(c.Takeable) == 0 {
		return 100
	}
	return 100 * float64(c.Taken()) / float64(len(c.Takeable))
}

// Cover measures what replayed scenarios cover. progress may be nil, see explore.Options. An error is that of the context.
func Cover(ctx context.Context, p *run.Program, results []Result, progress func(float64)) (*Coverage, error) {
	found, err := explore.Explore(ctx, p, explore.Options{Progress: progress})
	if err != nil {
		return nil, fmt.Errorf("find the edges that can be taken: %w", err)
	}
	times := Times(results)
	c := &Coverage{Takeable: found.Taken}
	for _, u := range found.Untaken {
		if times[u.Edge] > 0 {
			c.Takeable = append(c.Takeable, u.Edge)
		} else {
			c.Untaken = append(c.Untaken, u)
		}
	}
	for _, e := range c.Takeable {
		if times[e] == 0 {
			c.Missing = append(c.Missing, e)
		}
	}
	return c, nil
}

// Times counts the scenarios that take each edge.
func Times(results []Result) map[scenario.Edge]int {
	times := map[scenario.Edge]int{}
	for i := range results {
		for _, e := range results[i].Edges {
			times[e]++
		}
	}
	return times
}
