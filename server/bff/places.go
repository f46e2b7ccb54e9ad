package bff

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/server/store"
)

// commentMoved is what events say when comments follow a renamed element.
const commentMoved = "moved"

// CommentPlaces keeps comments at the elements that they are about.
type CommentPlaces struct {
	Stored store.Comments
	Events *Events // may be nil
	Log    *slog.Logger
}

// Follow moves the comments on a form to the new IDs of what was renamed when the form was saved, in whichever way. A failure is only logged:
// the comments are then shown without their place.
func (p *CommentPlaces) Follow(ctx context.Context, form string, before, now *model.Form) {
	renamed := flow.RenamesOf(before, now)
	if len(renamed.Nodes)+len(renamed.Components) == 0 {
		return
	}
	moved, err := p.Stored.Rename(ctx, form, store.Places{Nodes: renamed.Nodes, Components: renamed.Components})
	if err != nil {
		p.Log.WarnContext(ctx, "comments do not follow a renamed element", "form", form, "error", err)
	}
	if moved == 0 || p.Events == nil {
		return
	}
	if data, err := json.Marshal(commentJSON{Form: formID(form), Did: commentMoved}); err == nil {
		p.Events.tell(form, eventComment, data)
	}
}
