package saver

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// ChangesDialog is the name of the dialog that lists what came from outside. It is also the act that opens it.
const ChangesDialog = "tenant-changes"

// changesLimit is the maximum number of changes in the dialog, and changeLength that of the characters of the first one in the message.
const (
	changesLimit = 300
	changeLength = 120
)

// arrival is what came into the form from outside: from the tenant in its answer to a save, or from somebody else.
type arrival struct {
	title, text string // of the dialog
	changes     []merge.Change
	before      *model.Form // without the changes of somebody else, and with them; nil for the tenant's
	after       *model.Form
}

// ShowChanges opens the dialog that lists what came from outside.
func (s *standing) ShowChanges(ctx app.Context) {
	s.Toast.Clear()
	s.Dialog.Open(ctx, ChangesDialog)
}

// Arrived returns the form without and with what somebody else saved last, nil if nobody did.
func (s *standing) Arrived() (before, after *model.Form) { return s.arrival.before, s.arrival.after }

// ImpactAct is the act that shows what the changes of others do to people.
const ImpactAct = "impact-theirs"

// draw draws the dialog that lists what came from outside.
func (a *arrival) draw(d *workspace.Dialog) app.UI {
	var items []app.UI
	for i, c := range a.changes {
		if i == changesLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", len(a.changes)-i)))
			break
		}
		items = append(items, kit.El("li.arrived").Text(c.String()))
	}
	buttons := []app.UI{kit.TextButton("cancel", "Close", "primary")}
	if a.before != nil {
		buttons = append([]app.UI{kit.TextButton(ImpactAct, "See the impact", "secondary")}, buttons...)
	}
	return d.Frame(a.title, kit.El("p").Text(a.text), kit.El("ul.targets").Body(items...), workspace.Buttons(buttons...))
}
