package inspect

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// check finds rules that never decide, in a worker: some time after the form is opened, and again after edits.
type check struct {
	job  worker.Job
	form *model.Form // the form whose rules have been checked or are being checked; nil before the first check
	due  bool        // a check waits for further edits
	verdicts
}

// How long a check waits for further edits: longer while its findings are not on the screen.
const (
	soon  = time.Second
	later = 4 * time.Second
)

// maxNodes bounds the forms that are checked in the background: sending a larger one to the worker delays typing noticeably.
const maxNodes = 2000

// Follow checks the rules once the form is opened, and again after edits that may change what is wrong with them.
func (fd *findings) Follow(ctx app.Context) {
	if fd.Editor == nil {
		return
	}
	if fd.Panels.Left && fd.Panels.Tab == workspace.Problems {
		fd.Editor.Checked()
	}
	fd.doubt()
	fd.findWay()
	if fd.check.due || !fd.checks() {
		return
	}
	f := fd.Editor.State().Form
	if fd.check.form != nil && sameRules(fd.check.form, f) {
		fd.check.form = f // so that it is not compared again
		return
	}
	fd.check.due = true
	fd.wait(ctx, f, later)
}

// doubt marks the hints and flaws on the canvas and in the outline.
func (fd *findings) doubt() {
	texts := slices.Collect(maps.Keys(fd.Hints()))
	for _, f := range fd.Flaws() {
		texts = append(texts, f.Path)
	}
	slices.Sort(texts)
	if texts = slices.Compact(texts); slices.Equal(texts, fd.doubted) {
		return
	}
	fd.doubted = texts
	var doubts schema.Problems
	for _, text := range texts {
		if path, err := schema.ParsePath(text); err == nil {
			doubts = append(doubts, schema.Problem{Path: path})
		}
	}
	fd.Mark(func(m *canvas.Marks) { m.Doubts = doubts })
}

// wait checks the rules once the form has not been edited for a while, at the latest after rest. A person may begin to look meanwhile.
func (fd *findings) wait(ctx app.Context, seen *model.Form, rest time.Duration) {
	ctx.After(soon, func(ctx app.Context) {
		defer fd.Rescue(ctx)
		if fd.Editor == nil || fd.Over() || !fd.checks() {
			fd.check.due = false
			return
		}
		f := fd.Editor.State().Form
		switch {
		case f != seen:
			fd.wait(ctx, f, later)
			return
		case rest > soon && !fd.looks():
			fd.wait(ctx, f, rest-soon)
			return
		}
		fd.check.due, fd.check.form = false, f
		fd.check.job.Run(ctx, fd.Workspace, message.Job{Do: message.Rules, Form: f.Tree()}, func(_ app.Context, r message.Report) {
			if r.Fault == "" {
				fd.check.found(f, r.Flaws)
			}
		})
	})
}

// Close ends the check under way.
func (p *Panel) Close() {
	if p != nil {
		p.check.job.Cancel()
	}
}

// Checking reports whether the rules of the form are still to be checked.
func (fd *findings) Checking() bool {
	if fd.Editor == nil || !fd.checks() {
		return false
	}
	_, running := fd.check.job.Running()
	return running || fd.check.due || fd.check.form == nil || !sameRules(fd.check.form, fd.Editor.State().Form)
}

// checks reports whether the rules of the form are to be checked.
func (fd *findings) checks() bool {
	f := fd.Editor.State().Form
	return (fd.looks() || len(f.Nodes) <= maxNodes) && (fd.check.form != nil || slices.ContainsFunc(f.Nodes, func(n *model.Node) bool {
		r, ok := n.Config.(*model.Router)
		return ok && len(r.Rules) > 0
	}))
}

// looks reports whether the findings about rules are on the screen.
func (fd *findings) looks() bool {
	return fd.onRouter() || fd.Panels.Left && fd.Panels.Tab == workspace.Problems
}

// Flaws returns what is known to be wrong with the rules of the form. After an edit that has not been checked yet, it returns the flaws of the
// routers whose conditions are the same. It leaves out the open rule while a value is missing in it. The caller must not change the slice.
func (fd *findings) Flaws() []message.Flaw {
	s := fd.Editor.State()
	all := fd.check.of(s.Form)
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Node < 0 || at.Rule < 0 {
		return all
	}
	if r := s.Form.Nodes[at.Node].Rule(at.Rule); r == nil || !unfinished(r.Condition) {
		return all
	}
	path := model.RulePath(at.Node, at.Rule).String()
	return slices.DeleteFunc(slices.Clone(all), func(f message.Flaw) bool { return within(f.Path, path) })
}

// unfinished reports whether a value is missing in a condition.
func unfinished(condition any) bool {
	o, _ := condition.(*schema.Object)
	return slices.ContainsFunc(o.List("operands"), func(v any) bool {
		text, isText := v.(string)
		return isText && strings.TrimSpace(text) == "" || unfinished(v)
	})
}

// within reports whether a path is that of an element or leads into it.
func within(path, element string) bool {
	rest, ok := strings.CutPrefix(path, element)
	return ok && (rest == "" || rest[0] == '.')
}

func (fd *findings) onRouter() bool {
	n, _ := fd.Editor.State().Form.Node(fd.Editor.State().Selection.Only())
	return n != nil && n.Type == model.RouterNode
}

// flawsOf returns what is wrong with the rule at an index of the selected router, as far as the form was checked as it is.
func (fd *findings) flawsOf(part inspector.Part) []message.Flaw {
	var list []message.Flaw
	path := part.Path.String()
	for _, f := range fd.Flaws() {
		if within(f.Path, path) {
			list = append(list, f)
		}
	}
	return list
}

// drawFlaws draws what is wrong with a rule, with the changes that help.
func (fd *findings) drawFlaws(i int, part inspector.Part) []app.UI {
	var out []app.UI
	for _, f := range fd.flawsOf(part) {
		body := []app.UI{kit.Icon("warn"), kit.El("span.grow").Text(f.Text)}
		if f.Example != "" {
			body = append(body, kit.El("small").Text(f.Example))
		}
		if f.Moves && !fd.Editor.ReadOnly() {
			body = append(body, kit.Tree("button.link type=button data-act=rule-move data-arg=% { % }",
				[]string{strconv.Itoa(i) + " " + strconv.Itoa(f.Before), "Move above rule " + strconv.Itoa(f.Before+1)}))
		}
		if f.Removes && !fd.Editor.ReadOnly() {
			body = append(body, kit.Tree("button.link type=button data-act=part-delete data-arg=% { % }", []string{strconv.Itoa(i), "Delete the rule"}))
		}
		out = append(out, kit.El("div.flaw role=note").Body(body...))
	}
	return out
}

// moveRule moves a rule of the selected router; arg is its index and the new one.
func (fd *findings) moveRule(ctx app.Context, arg string) {
	from, to, _ := strings.Cut(arg, " ")
	i, err := strconv.Atoi(from)
	j, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return
	}
	fd.MovePart(ctx, i, j)
	fd.Editor.Select(editor.SelectNodes(fd.Editor.State().Selection.Only()))
}
