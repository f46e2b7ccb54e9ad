package forms

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// readLast asks who changed the forms last. Without an answer the list says only when.
func (p *desk) readLast(ctx app.Context) {
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		last, err := formapi.LastChanges(c, p.client)
		if err != nil {
			return nil
		}
		return func(app.Context) { p.last = last }
	})
}

// by returns the name and the subject of who changed a form last, "" if that is unknown: it was never saved here, or somebody saved it elsewhere
// since.
func (l *listing) by(f *formapi.Summary) (name, sub string) {
	c, ok := l.last[f.ID]
	if !ok || f.UpdatedAt.Truncate(time.Millisecond).After(c.SavedAt) {
		return "", ""
	}
	return c.Author, c.AuthorID
}

// updated draws when a form was changed last, and by whom.
func (p drawing) updated(f *formapi.Summary, now time.Time) app.UI {
	picture, who := app.UI(kit.El("span hidden=true")), kit.El("small hidden=true")
	if by, sub := p.by(f); by != "" {
		all := formapi.Authors(by)
		picture = kit.FaceOf(sub, formapi.FirstAuthor(by)).Title(all)
		who = kit.El("small.by").Text("by " + schema.Isolate(all))
	}
	return kit.El("td.col-when").Body(kit.El("span").Body(picture, kit.Time(f.UpdatedAt, now, kit.AgoShort(f.UpdatedAt, now)), who))
}
