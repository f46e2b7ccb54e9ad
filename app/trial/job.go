package trial

import (
	"context"
	"errors"
	"fmt"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/suite"
)

// Work does a job and returns its report. progress is called when another percent of the work is done.
func Work(ctx context.Context, j message.Job, progress func(percent int)) message.Report {
	w := worker{form: model.FromTree(j.Form), shown: -1, progress: progress}
	w.program = run.NewProgram(w.form)
	r := message.Report{Done: true}
	var err error
	switch j.Do {
	case message.Check, message.Replay:
		err = w.replay(ctx, j, &r)
	case message.Generate:
		err = w.generate(ctx, j.Scenarios, &r)
	case message.Compare:
		err = w.compare(ctx, run.NewProgram(model.FromTree(j.Before)), &r)
	case message.Rules:
		r.Flaws = checked(ctx, w.form)
	default:
		err = fmt.Errorf("the task %q is unknown", j.Do)
	}
	if err != nil {
		return message.Report{Done: true, Fault: err.Error()}
	}
	return r
}

// worker does a job.
type worker struct {
	form     *model.Form
	program  *run.Program
	shown    int // percent
	progress func(int)
}

// show reports progress.
func (w *worker) show(share float64) {
	if percent := int(100 * share); percent > w.shown {
		w.shown = percent
		w.progress(percent)
	}
}

var errNotScenarios = errors.New("this is not a file of scenarios")

// read reads a file of scenarios. Properties that it does not know are no hindrance.
func read(text string) (*scenario.File, error) {
	f, problems := scenario.Read([]byte(text))
	switch {
	case f != nil:
		return f, nil
	case len(problems) > 0:
		return nil, problems[0]
	}
	return nil, errNotScenarios
}

func (w *worker) replay(ctx context.Context, j message.Job, r *message.Report) error {
	f, err := read(j.Scenarios)
	if err != nil {
		return err
	}
	results, err := suite.Replay(ctx, w.program, f)
	if err != nil {
		return err
	}
	for i := range results {
		of := &results[i]
		r.Results = append(r.Results, message.Result{Name: of.Name, Status: string(of.Status), Expected: of.Expected, Taken: of.Taken, Reason: reason(of.Reason)})
	}
	if j.Do == message.Check {
		return nil
	}
	c, err := suite.Cover(ctx, w.program, results, w.show)
	if err != nil {
		return err
	}
	times := suite.Times(results)
	for _, e := range c.Takeable {
		r.Taken = append(r.Taken, message.Taken{Edge: e.String(), Times: times[e]})
	}
	for _, u := range c.Untaken {
		r.Untaken = append(r.Untaken, message.Untaken{Edge: u.String(), Never: u.Never, Reason: u.Reason})
	}
	r.Coverage = int(c.Percent())
	return nil
}

func (w *worker) generate(ctx context.Context, text string, r *message.Report) error {
	f, err := read(text)
	if err != nil {
		return err
	}
	completed, removed, err := suite.Complete(ctx, w.program, f, suite.Options{Generate: true, Progress: w.show})
	if err != nil {
		return err
	}
	for _, of := range removed {
		r.Removed = append(r.Removed, message.Removed{Name: of.Name, Reason: reason(of.Reason)})
	}
	for _, s := range completed.Scenarios[len(f.Scenarios)-len(removed):] {
		r.Added = append(r.Added, s.Name)
	}
	written, err := completed.Text()
	r.Scenarios = string(written)
	return err
}

func (w *worker) compare(ctx context.Context, before *run.Program, r *message.Report) error {
	found, err := explore.Compare(ctx, before, w.program, explore.Options{Progress: w.show})
	if err != nil {
		return err
	}
	names := namesIn(before.Form(), w.form)
	for _, kind := range explore.DifferenceKinds {
		for i := range found.Differences {
			if d := &found.Differences[i]; d.Kind == kind {
				r.Differences = append(r.Differences, message.Difference{
					Kind: string(d.Kind), Node: d.Node, Text: d.Text(names), Story: d.Scenario.Story(names), Scenario: d.Scenario.Tree(),
				})
			}
		}
	}
	r.Limited = found.Limited
	return nil
}
