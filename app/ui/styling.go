package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
)

// copyStyle keeps the style of the selected component for pasteStyle.
func (p *performer) copyStyle(ctx app.Context) {
	style, ok := editor.StyleOf(p.Editor.State())
	if !ok {
		p.Say(ctx, "This kind of component has no style to copy.")
		return
	}
	p.Style = style
	p.Say(ctx, "Copied the style. Select components to paste it.")
}

// pasteStyle gives the copied style to the selected components.
func (p *performer) pasteStyle(ctx app.Context) {
	before := p.Editor.LastStep()
	switch {
	case !p.Run(ctx, editor.PasteStyle{Style: p.Style}):
	case p.Editor.LastStep() == before:
		p.Say(ctx, "The selection has this style already.")
	default:
		p.SayUndo(ctx, "Pasted the style.")
	}
}
