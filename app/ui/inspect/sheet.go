package inspect

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// sheet is what the parts of the inspector share: the rows that are drawn, and the text that a field refused last.
type sheet struct {
	*workspace.Workspace
	rows     map[string]inspector.Row // drawn rows, by path
	spans    kit.Spans                // of lists by their paths, and of partsList
	rejected rejected
}

// partsList is the name of the list of the selected node's components or rules.
const partsList = "parts"

// setName returns the command that changes the form's name. The name's control is in the top bar.
func setName(text string) editor.Command {
	return editor.Set{Path: schema.Path{schema.Key("name")}, Value: schema.WellFormed(text)}
}

// Edit applies the text of the control with the given path. It ignores paths that the inspector does not draw, except the
// name, which is in the top bar.
func (sh *sheet) Edit(ctx app.Context, path, text string) {
	if path == "name" {
		if err := sh.Editor.Run(setName(text)); err != nil {
			sh.Say(ctx, kit.Sentence(err))
		}
		return
	}
	r, ok := sh.rows[path]
	if !ok {
		return
	}
	c := r.Edit(text)
	if !r.OnLeave() {
		sh.Run(ctx, c)
		return
	}
	sh.rejected = rejected{}
	if err := sh.Editor.Run(c); err != nil {
		sh.rejected = rejected{path, text, kit.Sentence(err)}
	}
	sh.Sync(ctx)
}

// rejected is a text that a field refused, such as a taken or malformed id. The field shows it with the reason until the
// field is edited again or the selection changes.
type rejected struct {
	path, text, reason string
}

// rejectedAt returns the text that the field with a path refused last.
func (sh *sheet) rejectedAt(path string) (rejected, bool) {
	r := sh.rejected
	return r, r.path == path && r.path != ""
}

// problemOf returns the problem of a row, in words.
func (sh *sheet) problemOf(r inspector.Row) string {
	if rejected, ok := sh.rejectedAt(r.Path.String()); ok {
		return rejected.reason
	}
	return sh.problemsOf(r, false)
}

// needOf returns in words what a new component still lacks at a row, see [editor.Editor.Early].
func (sh *sheet) needOf(r inspector.Row) string {
	if sh.problemsOf(r, true) == "" {
		return ""
	}
	return "Still to fill in."
}

// problemsOf returns the problems of a row in words, either those that are early or the others.
func (sh *sheet) problemsOf(r inspector.Row, early bool) string {
	var texts []string
	for _, pr := range r.Problems {
		if sh.Editor.Early(pr) != early {
			continue
		}
		d := pr.Detail
		if !pr.Path.Equal(r.Path) {
			d = pr.Path[len(r.Path):].String() + " " + d
		}
		texts = append(texts, kit.AsSentence(d))
	}
	return strings.Join(texts, " ")
}

// problemLine draws the problem of a row below the line that it stands in.
func (sh *sheet) problemLine(r inspector.Row) []app.UI {
	id := kit.DomID("p-", r.Path.String())
	switch problem, need := sh.problemOf(r), sh.needOf(r); {
	case problem != "":
		return []app.UI{problemText(id, problem)}
	case need != "":
		return []app.UI{kit.Tree("p.hint-text id=% role=note { @warn span { % } }", []string{id, need})}
	}
	return nil
}

// problemText draws a problem, whose control names it by its id.
func problemText(id, text string) app.UI {
	return kit.Tree("p.problem-text id=% role=alert { @warn span { % } }", []string{id, text})
}

// grip draws the handle by which an element of a list is dragged. With the focus on it, the arrow keys move the element.
func (sh *sheet) grip(name, list string) app.UI {
	if sh.Editor.ReadOnly() {
		return kit.El("span hidden=true")
	}
	return kit.El("button.grip type=button data-grip=true data-list=% aria-label=% title=%", list, "Move "+name,
		"Drag, or press the arrow keys").Body(kit.Icon("grip"))
}
