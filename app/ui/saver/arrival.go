package saver

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/ui/describe"
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
	title, text string         // of the dialog
	changes     []merge.Change // the first ones
	more        int            // how many there are beside these
	before      *model.Form    // without the changes
	after       *model.Form    // with them
	tenant      bool           // the tenant made them, and no person
}

// put sets the changes. Of many it keeps the first ones: all of them would take as much memory as the form.
func (a *arrival) put(changes []merge.Change) {
	a.changes = slices.Clone(changes[:min(len(changes), changesLimit)])
	a.more = len(changes) - len(a.changes)
}

// say describes a change in a line.
func (a *arrival) say(c *merge.Change) string {
	part, _, became := describe.Change(a.before, a.after, c)
	return part + caption.PlaceSign + became
}

// ShowChanges opens the dialog that lists what came from outside.
func (s *standing) ShowChanges(ctx app.Context) {
	s.Toast.Clear()
	s.Dialog.Open(ctx, ChangesDialog)
}

// Arrived returns the form without and with what somebody else saved last, nil if nobody did.
func (s *standing) Arrived() (before, after *model.Form) {
	if s.arrival.tenant {
		return nil, nil
	}
	return s.arrival.before, s.arrival.after
}

// ImpactAct is the act that shows what the changes of others do to people.
const ImpactAct = "impact-theirs"

// draw draws the dialog that lists what came from outside.
func (a *arrival) draw(d *workspace.Dialog) app.UI {
	var items []app.UI
	for i := range a.changes {
		part, icon, became := describe.Change(a.before, a.after, &a.changes[i])
		items = append(items, kit.El("li.arrived").Body(kit.Icon(icon), kit.El("div").Body(kit.El("strong").Text(part), kit.El("p").Text(became))))
	}
	if a.more > 0 {
		items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", a.more)))
	}
	buttons := []app.UI{kit.TextButton("cancel", "Close", "primary")}
	if !a.tenant {
		buttons = append([]app.UI{kit.TextButton(ImpactAct, "See the impact", "secondary")}, buttons...)
	}
	return d.Frame(a.title, kit.El("p").Text(a.text), kit.El("ul.targets").Body(items...), workspace.Buttons(buttons...))
}
