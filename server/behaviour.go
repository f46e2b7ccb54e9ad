package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	formrun "github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// behaviourChange is a difference as diff --behaviour --json prints it.
type behaviourChange struct {
	Kind     explore.DifferenceKind `json:"kind"`
	Node     string                 `json:"node"`
	Before   string                 `json:"before"`
	After    string                 `json:"after"`
	Text     string                 `json:"text"`
	Scenario *schema.Object         `json:"scenario"`
}

// behaviour prints what a change does to people, and reports whether there is anything.
func (p process) behaviour(ctx context.Context, was, now side, asJSON bool) (bool, error) {
	if was.form == nil || now.form == nil {
		return false, errors.New("diff: --behaviour needs a form on both sides")
	}
	found, err := explore.Compare(ctx, formrun.NewProgram(was.form), formrun.NewProgram(now.form), 0)
	if err != nil {
		return false, err
	}
	if asJSON {
		list := make([]behaviourChange, len(found))
		for i, d := range found {
			list[i] = behaviourChange{d.Kind, d.Node, d.Before, d.After, d.String(), d.Scenario.Tree()}
		}
		enc := json.NewEncoder(p.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return len(found) > 0, enc.Encode(struct {
			Differences []behaviourChange `json:"differences"`
		}{list})
	}
	for _, kind := range explore.DifferenceKinds {
		for _, d := range found {
			if d.Kind != kind {
				continue
			}
			p.print("%s\n", d)
			for _, line := range storyOf(&d.Scenario) {
				p.print("    %s\n", line)
			}
		}
	}
	return len(found) > 0, nil
}

// storyOf describes a scenario, a line for each thing that happens.
func storyOf(s *scenario.Scenario) []string {
	var lines []string
	for _, with := range []struct {
		name   string
		values *schema.Object
	}{{"context", s.Context}, {"hidden fields", s.Hidden}, {"variables", s.Vars}} {
		if with.values.Len() > 0 {
			lines = append(lines, with.name+": "+valuesText(with.values))
		}
	}
	for _, step := range s.Steps {
		line := step.Node + ": "
		switch {
		case step.Result != nil && step.Result.Len() == 0:
			line += "returns nothing"
		case step.Result != nil:
			line += "returns " + valuesText(step.Result)
		case step.Error != nil:
			line += "fails"
		case step.Choose != "":
			line += "takes " + step.Choose
		case step.Answers.Len() > 0:
			line += valuesText(step.Answers) + ", then presses " + step.Press
		default:
			line += "presses " + step.Press
		}
		lines = append(lines, line)
	}
	return lines
}

func valuesText(o *schema.Object) string {
	parts := make([]string, o.Len())
	for i, m := range o.Members() {
		parts[i] = fmt.Sprintf("%s %s", m.Key, schema.Shorten(string(schema.Encode(m.Value)), 60))
	}
	return strings.Join(parts, ", ")
}
