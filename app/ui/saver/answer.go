package saver

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ChangesDialog is the name of the dialog that lists what the tenant changed in the last save. It is also the act that opens it.
const ChangesDialog = "tenant-changes"

// changesLimit is the maximum number of changes in the dialog, and changeLength that of the characters of the first one in the message.
const (
	changesLimit = 300
	changeLength = 120
)

// answered adopts the tenant's answer to a save and shows the person what the tenant changed.
func (s *Saver) answered(ctx app.Context, sent, answer *model.Form) {
	changed, conflicts := s.Editor.Answered(sent, answer)
	s.changed, s.Typing = changed, ""
	if n := len(changed); n > 0 {
		text := kit.Several(n, "The tenant changed 1 thing", "The tenant changed %d things")
		s.Toast.SayMore(text+": "+schema.Shorten(changed[0].String(), changeLength), ChangesDialog, "Show")
	}
	s.Ask(ctx, conflicts)
}

// ShowChanges opens the dialog that lists what the tenant changed.
func (s *Saver) ShowChanges(ctx app.Context) {
	s.Toast.Clear()
	s.Dialog.Open(ctx, ChangesDialog)
}

// drawChanges draws that dialog.
func (s *Saver) drawChanges() app.UI {
	var items []app.UI
	for i, c := range s.changed {
		if i == changesLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", len(s.changed)-i)))
			break
		}
		items = append(items, kit.El("li.conflict").Body(kit.El("span.grow").Text(c.String())))
	}
	return s.list("What the tenant changed", "The tenant saved the form with these changes. The form on this page now has them, too.", items)
}

// list draws a dialog with a list.
func (s *Saver) list(title, text string, items []app.UI) app.UI {
	return s.Dialog.Frame(title, kit.El("p").Text(text), kit.El("ul.targets").Body(items...),
		workspace.Buttons(kit.TextButton("cancel", "Close", "primary")))
}
