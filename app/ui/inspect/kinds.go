package inspect

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// kinds asks for another kind of the selected component.
type kinds struct {
	*sheet
	open bool
	to   string // the type that was chosen, "" for none
}

// KindID is the id of the list of kinds.
const KindID = "kind-to"

// ChangeKind asks for another kind of the selected component, or no longer does.
func (p *Panel) ChangeKind(ctx app.Context) {
	p.Panels.ShowRight()
	k := p.kinds
	if k.to, k.open = "", !k.open; k.open {
		kit.FocusSoon(ctx, "#"+KindID, 0)
		return
	}
	k.back(ctx)
}

func (k *kinds) back(ctx app.Context) {
	kit.FocusSoon(ctx, ".who-is [data-act="+string(command.ChangeKind)+"]", 0)
}

// command returns the command for the kind that was chosen.
func (k *kinds) command() (c editor.ChangeKind, ok bool) {
	to := model.KindOf(k.to)
	if to == nil {
		return c, false
	}
	return k.Editor.Make().ChangeKind(to), true
}

// act handles the buttons below the list.
func (k *kinds) act(ctx app.Context, name string) {
	if c, ok := k.command(); ok && name == "kind-use" {
		k.Run(ctx, c)
	}
	k.open = false
	k.back(ctx)
}

// draw draws the list of kinds, and what the one that is chosen would keep and lose.
func (k *kinds) draw() app.UI {
	list := inspector.OtherKinds(k.Editor.State())
	if !k.open || list == nil {
		return kit.El("div hidden=true")
	}
	options := []app.UI{kit.Tree("option value=% { % }", []string{notSet, "Choose a kind"})}
	var group []app.UI
	for i, kind := range list {
		group = append(group, kit.Tree("option value=% { % }", []string{kind.Type, kind.Label}))
		if i == len(list)-1 || list[i+1].Category != kind.Category {
			options, group = append(options, kit.El("optgroup label=%", kind.Category.Title()).Body(group...)), nil
		}
	}
	c, ok := k.command()
	effect := "The id, the place and the translations stay."
	if ok {
		effect = inspector.Effect(k.Editor.State(), c)
	}
	return kit.Tree("div.kinds role=group aria-label=% { label for=% { % } div.control { * } p.quiet-text id=kind-effect role=status { % } div.buttons { "+
		"button.secondary type=button data-act=kind-cancel { % } button.primary type=button data-act=kind-use disabled=% { % } } }",
		[]string{command.Of(command.ChangeKind).Title, KindID, "Change to", effect, "Cancel", kit.Yes(!ok), "Change"},
		kit.El("select id=% data-held=% aria-describedby=kind-effect", KindID, kit.Held(orNotSet(k.to))).Body(options...))
}
