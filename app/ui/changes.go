package ui

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// take turns the text of a control into a command.
func (p *editorPage) take(ctx app.Context, path, text string) {
	if path == "name" {
		if err := p.ed.Run(nameOf(text)); err != nil {
			p.say(ctx, kit.Sentence(err))
		}
		return
	}
	r, ok := p.rows[path]
	if !ok {
		return
	}
	c := r.Edit(text)
	if !r.OnLeave() {
		p.run(ctx, c)
		return
	}
	p.rejected = rejected{}
	if err := p.ed.Run(c); err != nil {
		p.rejected = rejected{path, text, kit.Sentence(err), p.ed.State().Selection}
	}
	p.sync(ctx)
}

// rejected is a text that a field refused: an id that is taken or malformed. The
// field shows it with the reason until the field is edited again or something
// else is selected.
type rejected struct {
	path, text, reason string
	selection          editor.Selection
}

// rejectedAt returns the text that the field of a path refused last.
func (p *editorPage) rejectedAt(path string) (rejected, bool) {
	r := p.rejected
	return r, r.path == path && r.path != ""
}

func (p *editorPage) selectPart(id string) {
	s := p.ed.State()
	node := s.Selection.Only()
	sel := editor.Selection{Nodes: []string{node}}
	if n, _ := s.Form.Node(node); n != nil && n.Type == model.RouterNode {
		sel.Rule = id
	} else {
		sel.Component = id
	}
	p.ed.Select(sel)
}

func (p *editorPage) movePart(ctx app.Context, name, arg string) {
	i, err := strconv.Atoi(arg)
	n, at := p.ed.State().Form.Node(p.ed.State().Selection.Only())
	if err != nil || n == nil {
		return
	}
	kind := model.NodeKindOf(n.Type)
	if kind == nil {
		return
	}
	by := 1
	if name == "part-up" {
		by = -1
	}
	p.run(ctx, editor.MoveItem{
		List: model.NodePath(at).Key("config").Key(kind.Parts), From: i, To: i + by, Name: kind.Part,
	})
}

// editItems changes the elements of a list; arg is the path of the list, with
// the place of an element before it.
func (p *editorPage) editItems(ctx app.Context, name, arg string) {
	i := 0
	path := arg
	if name != "add" {
		at, rest, _ := strings.Cut(arg, " ")
		i, _ = strconv.Atoi(at)
		path = rest
	}
	r, ok := p.rows[path]
	if !ok || name != "add" && i >= len(r.Rows) {
		return
	}
	switch name {
	case "add":
		key := ""
		if r.Input == inspector.Entries {
			el := app.Window().GetElementByID(kit.DomID("k-", path))
			key = el.Get("value").String()
			el.Set("value", "")
		}
		c, err := r.Add(key)
		if err != nil {
			p.say(ctx, kit.Sentence(err))
			return
		}
		p.run(ctx, c)
	case "remove":
		p.run(ctx, r.Remove(i))
	case "up":
		p.run(ctx, r.Move(i, -1))
	case "down":
		p.run(ctx, r.Move(i, 1))
	}
}
