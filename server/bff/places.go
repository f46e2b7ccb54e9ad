package bff

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/scenario/rename"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// commentMoved is what events say when comments follow a renamed element.
const commentMoved = "moved"

// Places keeps what is kept beside forms at the elements that it is about: comments and scenarios.
type Places struct {
	Comments  store.Comments
	Scenarios store.Files
	Now       func() time.Time
	Events    *Events // may be nil
	Log       *slog.Logger
}

// Follow moves what is kept beside a form to the new IDs of what was renamed when the form was saved, in whichever way. A failure is only logged:
// comments are then shown without their place, and scenarios name what the form lacks.
func (p *Places) Follow(ctx context.Context, form string, before, now *model.Form) {
	p.comments(ctx, form, flow.RenamesOf(before, now))
	p.scenarios(ctx, form, flow.SureRenamesOf(before, now))
}

func (p *Places) comments(ctx context.Context, form string, renamed flow.Renames) {
	if len(renamed.Nodes)+len(renamed.Components) == 0 {
		return
	}
	moved, err := p.Comments.Rename(ctx, form, store.Places{Nodes: renamed.Nodes, Components: renamed.Components})
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

// errNotFile means that what is stored cannot be read.
var errNotFile = errors.New("the file cannot be read")

func (p *Places) scenarios(ctx context.Context, form string, renamed flow.Renames) {
	if renamed.Empty() {
		return
	}
	_, err := p.Scenarios.Update(ctx, form, p.Now(), func(d store.Document) (store.Document, error) {
		tree, problems := schema.Decode(d.Body)
		file, ok := tree.(*schema.Object)
		if len(problems) > 0 || !ok {
			return d, errNotFile
		}
		body, problems := scenario.Canonical(schema.Encode(rename.File(file, renamed)))
		if len(problems) > 0 {
			return d, errNotFile
		}
		d.Body = body
		return d, nil
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		p.Log.WarnContext(ctx, "scenarios do not follow a renamed element", "form", form, "error", err)
	}
}
