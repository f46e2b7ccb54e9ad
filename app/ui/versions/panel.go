// Package versions lists the saved versions of the open form, below the steps of the session.
package versions

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Act is the act of a version; its argument is the number.
const Act = "version"

// Panel is the list. The zero value with a workspace is empty.
type Panel struct {
	*workspace.Workspace

	list []formapi.Version
	etag string // of the form when the list was read
	read bool
	err  error
}

// Follow reads the list while it is in view and the form has another ETag than before.
func (p *Panel) Follow(ctx app.Context, etag string) {
	if p.Panels.Tab != workspace.History || !p.Panels.Left || p.read && p.etag == etag {
		return
	}
	p.etag, p.read = etag, true
	p.get(ctx)
	// The server records a save in the background, so the list may lack the last one at first.
	ctx.After(again, func(ctx app.Context) {
		if !p.Over() && p.etag == etag {
			p.get(ctx)
		}
	})
}

// again is when the list is read a second time after a save.
const again = 3 * time.Second

// get reads the list.
func (p *Panel) get(ctx app.Context) {
	p.Async(ctx, func(c context.Context) func(app.Context) {
		list, _, err := formapi.Versions(c, p.Client, p.ID, 0, false)
		return func(ctx app.Context) {
			if p.err = err; err == nil {
				p.list = list
			}
			p.Redraw(ctx)
		}
	})
}

// Name returns the name of a version for people.
func Name(v *formapi.Version) string {
	return cmp.Or(v.Name, v.SavedAt.Local().Format(kit.DateTime)+", "+Author(v))
}

// Author returns who saved a version.
func Author(v *formapi.Version) string { return cmp.Or(v.Author, "Saved elsewhere") }

// Draw draws the list. A press on a version compares the form with it.
func (p *Panel) Draw(now time.Time) app.UI {
	var items []app.UI
	for i := range p.list {
		v := &p.list[i]
		number := strconv.Itoa(v.Number)
		items = append(items, kit.Tree("li { button.out-item type=button data-act=% data-arg=% { @history span.grow { span { % } small { % } small { % } } span.when { * } } }",
			[]string{Act, number, cmp.Or(v.Name, Author(v)), v.Summary, v.Note}, kit.Time(v.SavedAt, now, "")))
	}
	text := ""
	switch {
	case p.err != nil:
		text = kit.Sentence(p.err)
	case items == nil && p.read:
		text = "Each save is kept here."
	}
	return kit.Tree("section.versions data-testid=versions aria-label=% { h2.sub { % } p.quiet-text role=status { % } * }",
		[]string{"Saved versions", "Saved versions", text}, kit.El("ul.history").Body(items...))
}
