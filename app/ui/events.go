//go:build js

package ui

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// rescue keeps the editor alive when a handler of ours is broken: a panic would
// end the page, and the work in it.
func (p *editorPage) rescue(ctx app.Context) {
	if broken := recover(); broken != nil {
		logError(fmt.Sprint("formgraph: ", broken, "\n", string(debug.Stack())))
		p.say(ctx, t.Broken)
	}
}

// onClick does what the pressed control says.
func (p *editorPage) onClick(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	name, arg, ok := act(e)
	if !ok {
		return
	}
	if p.menu && name != "menu" && name != "add-node" {
		p.menu = false
	}
	p.sync(ctx)
	p.do(ctx, name, arg)
}

// do does what a control of the page is for.
func (p *editorPage) do(ctx app.Context, name, arg string) {
	switch name {
	case "home":
		p.goHome(ctx)
	case "leave":
		p.dialog = ""
		p.ed.Saved(p.ed.State().Form) // what is left behind is not asked for again
		ctx.Navigate("/forms")
	case "cancel":
		p.dialog = ""
	case "reload":
		p.load(ctx)
	case "sign-in-page":
		leave("/bff/login?return_to=/forms/" + p.id)
	case "sign-in":
		p.signInAgain(ctx)
	case "sign-out":
		signOut(ctx, p.client)
	case "theme":
		switchTheme()
	case "left":
		p.left = !p.left
		p.right = p.right && (wide() || !p.left) // one drawer at a time
	case "right":
		p.right = !p.right
		p.left = p.left && (wide() || !p.right)
	case "help":
		p.openDialog(ctx, "help")
	case "tab":
		p.tab, p.left = arg, true
	default:
		if p.ed != nil {
			p.edit(ctx, name, arg)
		}
	}
}

// edit does what needs a form.
func (p *editorPage) edit(ctx app.Context, name, arg string) {
	if p.island != nil {
		switch name {
		case "zoom-in":
			p.island.ZoomIn()
		case "zoom-out":
			p.island.ZoomOut()
		case "fit":
			p.island.FitView()
		}
	}
	switch name {
	case "save":
		p.save(ctx)
	case "mine":
		p.saver.overwrite(ctx, p.redraw)
	case "theirs":
		p.load(ctx)
	case "merge":
		p.merge(ctx)
	case "tidy":
		p.arrangeAll(ctx)
	case "take":
		i, _ := strconv.Atoi(arg)
		p.takeResult(ctx, i)
	case "jump":
		i, _ := strconv.Atoi(arg)
		p.typing = ""
		clear(p.drafts)
		p.ed.JumpTo(i)
	case "arrange":
		if i, err := strconv.Atoi(arg); err == nil && i < len(arranging) {
			arranging[i].run(p, ctx)
		}
	case "take-theirs":
		p.takeTheirs(ctx, arg)
	case "export":
		download(fileName(p.ed.State().Form.Name), string(schema.EncodeIndent(content(p.ed.State().Form).Tree())))
	case "undo":
		p.undo(ctx)
	case "redo":
		p.redo(ctx)
	case "delete":
		p.run(ctx, editor.RemoveSelection{})
	case "menu":
		p.openMenu(ctx, !p.menu)
	case "add-node":
		p.addNode(ctx, model.NodeType(arg))
	case "add-component":
		p.addComponent(ctx, model.KindOf(arg))
	case "add-rule":
		p.run(ctx, p.ed.NewRule(p.ed.State().Selection.Only()))
	case "go":
		p.ed.Select(editor.SelectNodes(arg))
		p.show(arg)
	case "part":
		node, part, _ := strings.Cut(arg, " ")
		p.ed.Select(editor.Selection{Nodes: []string{node}, Component: part})
		p.show(node)
	case "select-part":
		p.selectPart(arg)
	case "part-up", "part-down":
		p.movePart(ctx, name, arg)
	case "problem":
		i, _ := strconv.Atoi(arg)
		p.goToProblem(ctx, i)
	case "connect":
		p.connect(ctx, arg)
	case "reveal":
		p.shown[arg] = !p.shown[arg]
	case "clear":
		if r, ok := p.rows[arg]; ok {
			p.run(ctx, editor.Clear{Path: r.Path})
		}
	case "add", "remove", "up", "down":
		p.editItems(ctx, name, arg)
	}
}

func (p *editorPage) undo(ctx app.Context) {
	p.typing = ""
	clear(p.drafts)
	if label, ok := p.ed.Undo(); ok {
		p.say(ctx, t.Undo+": "+label)
	}
}

func (p *editorPage) redo(ctx app.Context) {
	p.typing = ""
	clear(p.drafts)
	if label, ok := p.ed.Redo(); ok {
		p.say(ctx, t.Redo+": "+label)
	}
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
			el := app.Window().GetElementByID(domID("k-", path))
			key = el.Get("value").String()
			el.Set("value", "")
		}
		c, err := r.Add(key)
		if err != nil {
			p.say(ctx, sentence(err))
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

// onInput takes over what is typed, key by key.
func (p *editorPage) onInput(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	el := e.Get("target")
	switch el.Get("id").String() {
	case "palette-filter":
		p.filter = el.Get("value").String()
		return
	case "connect-filter":
		p.connectTo = el.Get("value").String()
		return
	case "search-text":
		p.search.query, p.search.at = el.Get("value").String(), 0
		return
	}
	path := el.Get("dataset").Get("path")
	if p.ed == nil || path.Type() != app.TypeString || el.Get("type").String() == "checkbox" {
		return
	}
	r, ok := p.rows[path.String()]
	if !ok || !r.OnLeave() {
		p.typing = path.String()
		text := el.Get("value").String()
		if text == notSet && el.Get("tagName").String() == "SELECT" {
			text = ""
		}
		p.take(ctx, path.String(), text)
	}
}

// onChange takes over switches, choices and what is taken over on leaving.
func (p *editorPage) onChange(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	el := e.Get("target")
	if el.Get("id").String() == "wheel-zooms" {
		zooms := recall("wheel") != "zooms"
		remember("wheel", map[bool]string{true: "zooms", false: "pans"}[zooms])
		if p.island != nil {
			p.island.SetWheelZooms(zooms)
		}
		return
	}
	path := el.Get("dataset").Get("path")
	if p.ed == nil || path.Type() != app.TypeString {
		return
	}
	r, ok := p.rows[path.String()]
	switch {
	case el.Get("type").String() == "checkbox" && ok:
		// What is checked may have been put back in line with the form meanwhile.
		on, _ := schema.Lookup(p.ed.State().Form.Tree(), r.Path)
		p.run(ctx, r.Turn(on != true))
		p.sync(ctx)
	case ok && r.OnLeave():
		p.take(ctx, path.String(), el.Get("value").String())
	}
}

// onLeave ends the typing in a control.
func (p *editorPage) onLeave(ctx app.Context, _ app.Event) {
	if p.typing != "" {
		p.typing = ""
		if p.ed != nil {
			p.ed.Seal()
		}
		p.sync(ctx)
	}
}

// take turns the text of a control into a command.
func (p *editorPage) take(ctx app.Context, path, text string) {
	if path == "name" {
		if err := p.ed.Run(nameOf(text)); err != nil {
			p.say(ctx, sentence(err))
		}
		return
	}
	r, ok := p.rows[path]
	if !ok {
		return
	}
	c, err := r.Edit(text)
	if err != nil {
		p.drafts[path] = text
		return
	}
	delete(p.drafts, path)
	p.run(ctx, c)
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
	list, noun := "components", "component"
	if n.Type == model.RouterNode {
		list, noun = "rules", "rule"
	}
	by := 1
	if name == "part-up" {
		by = -1
	}
	p.run(ctx, editor.MoveItem{
		List: schema.Path{schema.Key("nodes"), schema.Index(at), schema.Key("config"), schema.Key(list)}, From: i, To: i + by, Name: noun,
	})
}

func (p *editorPage) goHome(ctx app.Context) {
	if p.ed != nil && !p.ed.Changes().Empty() {
		p.openDialog(ctx, "leave")
		return
	}
	ctx.Navigate("/forms")
}

// show brings a node into view.
func (p *editorPage) show(id string) {
	if p.island != nil {
		p.island.ZoomTo(id)
	}
}

// goToProblem selects what a problem or a warning is about and moves the focus to its row.
func (p *editorPage) goToProblem(ctx app.Context, i int) {
	problems := slices.Concat(p.ed.Problems(), p.ed.Warnings())
	if i >= len(problems) {
		return
	}
	path := problems[i].Path
	f := p.ed.State().Form
	sel := editor.Selection{}
	switch {
	case len(path) > 0 && path[0].Key == "start":
		sel = editor.SelectNodes(model.StartID)
	case len(path) > 0 && path[0].Key == "ending":
		sel = editor.SelectNodes(model.EndingID)
	case len(path) > 1 && path[0].Key == "nodes" && path[1].Index < len(f.Nodes):
		n := f.Nodes[path[1].Index]
		sel = editor.SelectNodes(n.ID)
		if len(path) > 4 {
			switch c := n.Config.(type) {
			case *model.Step:
				if path[3].Key == "components" && path[4].Index < len(c.Components) {
					sel.Component = c.Components[path[4].Index].ID
				}
			case *model.Router:
				if path[3].Key == "rules" && path[4].Index < len(c.Rules) {
					sel.Rule = c.Rules[path[4].Index].ID
				}
			case *model.Flow, nil:
			}
		}
	}
	p.right = true
	p.ed.Select(sel)
	if id := sel.Only(); id != "" {
		p.show(id)
	}
	focusSoon(ctx, "[data-path="+strconv.Quote(path.String())+"]", 0)
}

// stepProblem goes to the next problem, or the one before, round and round.
func (p *editorPage) stepProblem(ctx app.Context, by int) {
	n := len(p.ed.Problems()) + len(p.ed.Warnings())
	if n == 0 {
		p.say(ctx, t.NoProblems+".")
		return
	}
	p.problem = ((p.problem+by)%n + n) % n
	p.goToProblem(ctx, p.problem)
}

// fileName makes a file's name of a form's.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(safe, "-") + ".form.json"
}
