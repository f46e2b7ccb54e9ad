package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
)

const diffHelp = `Usage: formgraph diff [--json | --patch] [--no-layout] [--exit-code] A B

Prints what changed from the form in A to the form in B, by node and component.
- reads standard input.

  --json       a JSON array of the changes with their values, secrets too
  --patch      the smallest body of a PATCH that makes B of A
  --no-layout  leave out where nodes are drawn
  --exit-code  end with 1 when there is a difference
`

// change is one change as --json prints it. Values that are not there are left
// out, which tells them from null.
type change struct {
	Kind      model.ChangeKind `json:"kind"`
	Path      schema.Path      `json:"path"`
	From      *schema.Path     `json:"from,omitempty"`
	Node      string           `json:"node,omitempty"`
	Component string           `json:"component,omitempty"`
	Rule      string           `json:"rule,omitempty"`
	Layout    bool             `json:"layout,omitempty"`
	Text      string           `json:"text"`
	Before    json.RawMessage  `json:"before,omitempty"`
	After     json.RawMessage  `json:"after,omitempty"`
}

// diff prints what changed between two forms; contract, section 1. It ends with 0,
// with --exit-code 1 when there is a difference, and with 2 when one of the files
// is no form that can be compared. Forms with problems can be.
func diff(_ context.Context, p process, args []string) int {
	var noLayout, exitCode bool
	format := &choice{of: []string{"text", "json", "patch"}}
	a := arguments{
		tool: "diff", flags: map[string]*bool{"--no-layout": &noLayout, "--exit-code": &exitCode}, choices: map[string]*choice{"--format": format},
		alias: map[string][]string{"--json": {"--format=json"}, "--patch": {"--format=patch"}},
	}
	if err := a.parse(args); err != nil {
		return p.usage(err, diffHelp)
	}
	if len(a.files) != 2 {
		return p.fail(exitUnusable, fmt.Errorf("diff compares two files, has %d", len(a.files)))
	}
	if a.files[0] == stdinName && a.files[1] == stdinName {
		return p.fail(exitUnusable, errors.New("diff: only one of the files can be standard input"))
	}
	was, err := p.form(a.files[0])
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	now, err := p.form(a.files[1])
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	var differs bool
	if format.value == "patch" {
		patch := model.Diff(was, now)
		differs = !patch.Empty()
		_, err = p.stdout.Write(schema.EncodeIndent(patch.Tree()))
	} else {
		differs, err = p.tellChanges(model.Changes(was, now), format.value == "json", noLayout)
	}
	switch {
	case err != nil:
		return p.fail(exitUnusable, fmt.Errorf("write difference: %w", err))
	case differs && exitCode:
		return exitFailed
	}
	return exitOK
}

// form reads a form to compare: any document that is one JSON object.
func (p process) form(name string) (*model.Form, error) {
	src, err := p.read(name)
	if err != nil {
		return nil, err
	}
	d, problems, _ := envelope.Read(src)
	for _, q := range problems {
		if d.Form == nil || q.Code == schema.CodeDuplicateKey {
			return nil, errors.New(findings(src, schema.Problems{q})[0].line(name))
		}
	}
	return d.Form, nil
}

func (p process) tellChanges(changes []model.Change, asJSON, noLayout bool) (differs bool, err error) {
	if noLayout {
		changes = slices.DeleteFunc(changes, model.Change.Layout)
	}
	if asJSON {
		list := make([]change, len(changes))
		for i, c := range changes {
			list[i] = changeOf(c)
		}
		enc := json.NewEncoder(p.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return len(changes) > 0, enc.Encode(list)
	}
	for _, c := range changes {
		if _, err := fmt.Fprintln(p.stdout, c); err != nil {
			return true, err
		}
	}
	return len(changes) > 0, nil
}

func changeOf(c model.Change) change {
	out := change{
		Kind: c.Kind, Path: c.Path, Node: c.Node, Component: c.Component, Rule: c.Rule, Layout: c.Layout(), Text: c.String(),
		Before: rawValue(c.Before), After: rawValue(c.After),
	}
	if c.From != nil {
		out.From = &c.From
	}
	return out
}

func rawValue(v model.Value) json.RawMessage {
	if !v.Present {
		return nil
	}
	return schema.Encode(v.Tree)
}
