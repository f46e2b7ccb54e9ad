package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

// findings has what is known about the paths through the form, and what is probably wrong with references and rules.
type findings struct {
	*sheet
	analyzer scope.Analyzer
	scope    *scope.Analysis
	scopeOf  *model.Form // the form of scope
	hints    map[string][]inspector.Hint
	check    check
	doubted  []string // the paths of what is marked as a doubt, sorted
	showing  bool     // whether a journey of a hint is marked on the canvas
	fixes    fixes
}

// fixes are the changes that help against warnings about a form, by the warnings' texts, as far as they are known.
type fixes struct {
	of    *model.Form
	known map[string]fix
}

type fix struct {
	editor.Fix

	ok bool // there is one
}

// analysis returns what the paths through the form collect.
func (fd *findings) analysis() *scope.Analysis {
	f := fd.Editor.State().Form
	if fd.scopeOf == f {
		return fd.scope
	}
	a, same := fd.analyzer.Analyze(f)
	fd.scope, fd.scopeOf = a, f
	if !same {
		fd.hints = inspector.Hints(a)
	}
	return a
}

// Hints returns what is probably wrong with references to fields, by the path of the text.
func (fd *findings) Hints() map[string][]inspector.Hint {
	fd.analysis()
	return fd.hints
}

// hints draws what is probably wrong with the references in a row.
func (fd *findings) hintsOf(r inspector.Row) []app.UI {
	var out []app.UI
	for i, h := range fd.hints[r.Path.String()] {
		arg := fmt.Sprintf("%d %s", i, r.Path)
		body := []app.UI{kit.Icon("warn"), kit.El("span").Text(h.Text)}
		if instead := h.Instead(); instead != "" && !fd.Editor.ReadOnly() {
			body = append(body, kit.Tree("button.link type=button data-act=hint-fix data-arg=% { % }", []string{arg, "Use " + instead}))
		}
		if len(h.Journey()) > 0 {
			body = append(body, kit.Tree("button.link type=button data-act=hint-show data-arg=% { % }", []string{arg, "Show the way"}))
		}
		out = append(out, kit.El("p.hint-text id=% role=note", hintID(i, r.Path.String())).Body(body...))
	}
	return out
}

// warningsOf draws the warnings of a row, with the changes that help. That the tenant does not have a flow is said by itself.
func (fd *findings) warningsOf(r inspector.Row) []app.UI {
	var out []app.UI
	for i, w := range r.Warnings {
		if _, missing := fd.FlowName(r.Text()); missing && w.Code == schema.CodeFlowID {
			continue
		}
		detail := w.Detail
		if w.Code == schema.CodeFlowID && r.Text() == "" && !r.Mixed {
			detail = fd.askForFlow()
		}
		body := []app.UI{kit.Icon("warn"), kit.El("span").Text(kit.AsSentence(detail))}
		if fix, ok := fd.fix(w); ok && !fd.Editor.ReadOnly() {
			body = append(body, kit.Tree("button.link type=button data-act=warning-fix data-arg=% { % }", []string{fmt.Sprintf("%d %s", i, r.Path), fix.Name}))
		}
		out = append(out, kit.El("p.hint-text role=note").Body(body...))
	}
	return out
}

// fix returns the change that helps against a warning, unless it is the deletion of the selection, for which there is a button.
func (fd *findings) fix(w schema.Problem) (editor.Fix, bool) {
	if of := fd.Editor.State().Form; fd.fixes.of != of {
		fd.fixes = fixes{of, map[string]fix{}}
	}
	key := w.Error()
	known, ok := fd.fixes.known[key]
	if !ok {
		if reach := fd.Editor.Make().Reach(w); len(reach) > 1 {
			known = fix{reach[0], true}
		} else {
			known.Fix, known.ok = fd.Editor.Make().Fix(w)
		}
		fd.fixes.known[key] = known
	}
	return known.Fix, known.ok
}

// findWay finds how the selected node can be reached if it is not: drawings show it, and cannot pause.
func (fd *findings) findWay() {
	f := fd.Editor.State().Form
	_, i := f.Node(fd.Editor.State().Selection.Only())
	for _, w := range fd.Editor.Found().Warnings() {
		if w.Code != schema.CodeUnreachable {
			continue
		}
		if at, ok := f.At(w.Path); ok && at.IsNode() && at.Node == i {
			fd.fix(w)
		}
	}
}

// fixWarning makes the change that helps against a warning; arg is the index of the warning and the path of its row.
func (fd *findings) fixWarning(ctx app.Context, arg string) {
	at, path, _ := strings.Cut(arg, " ")
	i, err := strconv.Atoi(at)
	if r, ok := fd.rows[path]; ok && err == nil && i < len(r.Warnings) {
		if fix, ok := fd.fix(r.Warnings[i]); ok {
			fd.Run(ctx, fix.Command)
			fd.Sync(ctx)
		}
	}
}

// hintID returns the id of the element of a hint.
func hintID(i int, path string) string { return kit.DomID("w"+strconv.Itoa(i)+"-", path) }

// actOnHint corrects the reference of a hint, or shows the way on the canvas; arg is the index of the hint and the path of its row.
func (fd *findings) actOnHint(ctx app.Context, name, arg string) {
	at, path, _ := strings.Cut(arg, " ")
	i, err := strconv.Atoi(at)
	r, ok := fd.rows[path]
	if err != nil || !ok || i >= len(fd.hints[path]) {
		return
	}
	h := fd.hints[path][i]
	if name == "hint-fix" {
		if h.Instead() == "" {
			return
		}
		fd.Run(ctx, r.Prose().Correct(h))
		fd.Sync(ctx)
		return
	}
	fd.showing = true
	journey := h.Journey()
	edges := inspector.EdgesAlong(fd.Editor.State().Form, journey)
	fd.Mark(func(m *canvas.Marks) { m.Visited, m.Edges = journey, edges })
	if fd.Canvas != nil {
		fd.Canvas.FitView()
	}
}
