package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/config"
)

var diffTool = tool{
	name: "diff", usage: []string{"[--json|--patch] [--no-layout] [--exit-code] A B", "--behaviour [--json] [--exit-code] A B"},
	about: `Prints the changes from the form in A to the form in B, by node and component, and
those of flows and connections when both are exports. - reads standard input,
/dev/null stands for a form that does not exist. As the command of a git diff driver
it accepts the arguments that git passes.

With --behaviour, prints what the change does to people: where the same answers now lead elsewhere,
what they are now asked or no longer asked, and whether they can finish, each with the answers that
show it.`,
	options: []config.Option{
		{
			Name: "format", Kind: config.Choice, Choices: []string{"text", "json", "patch"}, Default: "text", FlagOnly: true,
			Help: `text: a line for each change
json: an array of the changes with their values, secrets included
patch: the smallest body of a PATCH that turns A into B; of an export, its form`,
		},
		{Name: "json", Kind: config.Switch, Means: "format=json", FlagOnly: true, Help: "short for --format json"},
		{Name: "patch", Kind: config.Switch, Means: "format=patch", FlagOnly: true, Help: "short for --format patch"},
		option("behaviour", "", "print what changes for people who fill in the form"),
		option("no-layout", "", "ignore where nodes are drawn"),
		option("exit-code", "", "exit 1 when there is a difference"),
	},
}

// change is one change as --json prints it. Absent values are omitted, to distinguish them from null.
type change struct {
	Kind      merge.ChangeKind `json:"kind"`
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

// diff prints what changed between two forms. It exits with 0, with 1 if --exit-code is given and there is a difference, and
// with 2 if one of the files is not a form that can be compared. Forms with problems can be compared.
func diff(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(diffTool, args)
	if a == nil {
		return code
	}
	format := a.Text("format")
	names, path, err := p.sides(a.Words)
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	if len(names) == 0 {
		p.print("%s: unmerged\n", path)
		return exitOK
	}
	was, err := p.side(names[0])
	now := side{}
	if err == nil {
		now, err = p.side(names[1])
	}
	switch {
	case err != nil && path != "":
		// git shows no further differences after its driver fails.
		p.print("%s: cannot be compared: %v\n", path, err)
		return exitOK
	case err != nil:
		return p.fail(exitUnusable, err)
	case a.On("behaviour") && format == "patch":
		return p.fail(exitUnusable, errors.New("diff: --behaviour and --patch exclude each other"))
	case format == "patch" && (was.form == nil || now.form == nil):
		return p.fail(exitUnusable, errors.New("diff: --patch needs a form on both sides"))
	case path != "" && format == "text":
		p.print("%s\n", path)
	}
	var differs bool
	switch {
	case a.On("behaviour"):
		differs, err = p.behaviour(ctx, was, now, format == "json")
	case format == "patch":
		patch := model.Diff(was.form, now.form)
		differs = !patch.Empty()
		_, err = p.stdout.Write(schema.EncodeIndent(patch.Tree()))
	default:
		differs, err = p.tellChanges(changesOf(was, now, a.On("no-layout")), format == "json")
	}
	switch {
	case err != nil:
		return p.fail(exitUnusable, fmt.Errorf("write difference: %w", err))
	case differs && a.On("exit-code"):
		return exitFailed
	}
	return exitOK
}

// sides returns the two files to compare. Called by git with seven words, or nine for a renamed file, it also returns the path
// in the repository; an unmerged file has no sides. See git(1), GIT_EXTERNAL_DIFF.
func (p process) sides(files []string) (names []string, path string, err error) {
	_, byGit := p.lookup("GIT_DIFF_PATH_TOTAL")
	switch n := len(files); {
	case n == 2:
		return files, "", nil
	case byGit && n == 1:
		return nil, files[0], nil
	case byGit && (n == 7 || n == 9):
		return []string{files[1], files[4]}, files[0], nil
	default:
		return nil, "", fmt.Errorf("diff needs two files, got %d", n)
	}
}

// side is one of two documents to compare.
type side struct {
	form  *model.Form    // nil for a form that does not exist
	outer *schema.Object // of an export, else nil
}

// side reads a form to compare: any document that is one JSON object.
func (p process) side(name string) (side, error) {
	if name == os.DevNull {
		return side{}, nil
	}
	src, err := p.read(name)
	if err != nil {
		return side{}, err
	}
	d, problems := envelope.Open(src)
	for _, q := range problems {
		if d.Form == nil || q.Code == schema.CodeDuplicateKey {
			return side{}, errors.New(findings(src, schema.Problems{q})[0].line(name))
		}
	}
	return side{d.Form, d.Outer}, nil
}

// changesOf lists the differences, with the words and values that diff prints.
func changesOf(was, now side, noLayout bool) []change {
	list := []change{}
	switch {
	case was.form == nil && now.form == nil:
		return list
	case was.form == nil:
		return append(list, wholeForm(merge.Added, now.form))
	case now.form == nil:
		return append(list, wholeForm(merge.Removed, was.form))
	}
	changes := merge.Changes(was.form, now.form)
	if was.outer != nil && now.outer != nil {
		changes = append(changes, merge.ExportChanges(was.outer, now.outer)...)
	}
	for _, c := range changes {
		if !noLayout || !c.Layout() {
			list = append(list, changeOf(c))
		}
	}
	return list
}

// wholeForm is the change for a form that was added or removed.
func wholeForm(kind merge.ChangeKind, f *model.Form) change {
	c := change{Kind: kind, Path: schema.Path{}, Text: fmt.Sprintf("form %q %s, nodes: %d", schema.Shorten(f.Name, 60), kind, len(f.Nodes))}
	if kind == merge.Added {
		c.After = schema.Encode(f.Tree())
	} else {
		c.Before = schema.Encode(f.Tree())
	}
	return c
}

func (p process) tellChanges(changes []change, asJSON bool) (differs bool, err error) {
	if asJSON {
		enc := json.NewEncoder(p.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return len(changes) > 0, enc.Encode(changes)
	}
	for _, c := range changes {
		if _, err := fmt.Fprintln(p.stdout, c.Text); err != nil {
			return true, err
		}
	}
	return len(changes) > 0, nil
}

func changeOf(c merge.Change) change {
	out := change{
		Kind: c.Kind, Path: c.Path, Node: c.Node, Component: c.Component, Rule: c.Rule, Layout: c.Layout(), Text: c.String(),
		Before: rawValue(c.Before), After: rawValue(c.After),
	}
	if c.From != nil {
		out.From = &c.From
	}
	return out
}

func rawValue(v merge.Value) json.RawMessage {
	if !v.Present {
		return nil
	}
	return schema.Encode(v.Tree)
}
