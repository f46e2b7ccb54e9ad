package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	formrun "github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
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
	found, err := explore.Compare(ctx, formrun.NewProgram(was.form), formrun.NewProgram(now.form), explore.Options{})
	if err != nil {
		return false, err
	}
	if found.Limited {
		_, _ = fmt.Fprintln(p.stderr, "diff: the forms are too large to be compared to the end; there may be more differences")
	}
	if asJSON {
		list := make([]behaviourChange, len(found.Differences))
		for i, d := range found.Differences {
			list[i] = behaviourChange{d.Kind, d.Node, d.Before, d.After, d.String(), d.Scenario.Tree()}
		}
		enc := json.NewEncoder(p.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return len(found.Differences) > 0, enc.Encode(struct {
			Differences []behaviourChange `json:"differences"`
		}{list})
	}
	for _, kind := range explore.DifferenceKinds {
		for _, d := range found.Differences {
			if d.Kind != kind {
				continue
			}
			p.print("%s\n", d)
			for _, line := range d.Scenario.Story(nil) {
				p.print("    %s\n", line)
			}
		}
	}
	return len(found.Differences) > 0, nil
}
