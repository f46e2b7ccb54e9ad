package forms

import (
	"context"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// picked returns the chosen forms that are listed, in their order.
func (p *desk) picked() []*formapi.Summary {
	var list []*formapi.Summary
	for _, f := range listed(p.forms, p.query, p.order) {
		if p.chosen[f.ID] {
			list = append(list, f)
		}
	}
	return list
}

// allForms stands for all forms that are listed. go-app leaves out empty attributes.
const allForms = "*"

// choose chooses a form, or no longer, or allForms.
func (p *desk) choose(id string) {
	if p.chosen == nil {
		p.chosen = map[string]bool{}
	}
	if id != allForms {
		p.chosen[id] = !p.chosen[id]
		return
	}
	all := listed(p.forms, p.query, p.order)
	on := len(p.picked()) < len(all)
	p.chosen = map[string]bool{}
	for _, f := range all {
		p.chosen[f.ID] = on
	}
}

// selection draws the bar with what can be done with the chosen forms.
func (p drawing) selection() app.UI {
	n := len(p.picked())
	if n == 0 {
		return kit.El("div hidden=true")
	}
	button := func(act, symbol, name, scope string) app.UI {
		return app.If(scope == "" || p.user.Can(scope), func() app.UI {
			return kit.El("button.quiet type=button class=% data-act=%", act, act).Body(kit.Icon(symbol), kit.El("span").Text(name))
		})
	}
	return kit.El("div.chosen role=toolbar aria-label=%", "Chosen forms").Body(
		kit.El("b role=status").Text(kit.Several(n, "1 selected", "%d selected")),
		button("export-chosen", "download", "Export", ""), button("duplicate-chosen", "copy", "Duplicate", "create:forms"),
		button("delete-chosen", "trash", "Delete", "delete:forms"), kit.IconButton("choose-none", "Select none", "close", true),
	)
}

// box draws the checkbox that chooses a form, or allForms.
func (p drawing) box(id, name string, on bool) app.UI {
	return kit.El("input type=checkbox data-choose=% aria-label=% checked=%", id, name, kit.Yes(on))
}

// markAll half-checks the checkbox for all forms while some are chosen, which no attribute does.
func (p *desk) markAll(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		if all := kit.Element("[data-choose='" + allForms + "']"); all.Truthy() {
			all.Set("indeterminate", p.someChosen())
		}
	})
}

// someChosen reports whether some, but not all, of the listed forms are chosen.
func (p *desk) someChosen() bool {
	n := len(p.picked())
	return n > 0 && n < len(listed(p.forms, p.query, p.order))
}

// actOnChosen handles the buttons of the selection.
func (p acts) actOnChosen(ctx app.Context, name string) {
	list := p.picked()
	switch name {
	case "choose-none":
		p.chosen = nil
		p.markAll(ctx)
	case "delete-chosen":
		p.open(ctx, "delete-chosen", "")
	case "export-chosen":
		for _, f := range list {
			p.export(ctx, f.ID)
		}
	case "duplicate-chosen":
		p.run(ctx, "duplicating", kit.Several(len(list), "1 copy was added.", "%d copies were added."), func(c context.Context) error {
			for _, f := range list {
				if err := p.copy(c, f.ID); err != nil {
					return fmt.Errorf("duplicate %s: %w", f.Name, err)
				}
			}
			return nil
		})
	}
}

// removeChosen deletes the chosen forms.
func (p acts) removeChosen(ctx app.Context) {
	list := p.picked()
	p.run(ctx, "deleting", kit.Several(len(list), "1 form was deleted.", "%d forms were deleted."), func(c context.Context) error {
		for _, f := range list {
			if err := p.discard(c, f.ID); err != nil && kit.StatusOf(err) != 404 {
				return fmt.Errorf("delete %s: %w", f.Name, err)
			}
			delete(p.chosen, f.ID)
		}
		return nil
	})
}
