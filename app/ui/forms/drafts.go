package forms

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// listDrafts returns the person's drafts, none if the browser stores nothing.
func listDrafts(ctx context.Context, c *client.Client) []*drafts.Found {
	store, err := drafts.Open(ctx, c)
	if err != nil {
		return nil
	}
	defer store.Close()
	found, _ := store.List(ctx)
	return found
}

// draftMark marks a form with unsaved work.
func (p drawing) draftMark(form string) app.UI {
	i := slices.IndexFunc(p.drafts, func(d *drafts.Found) bool { return d.Form == form })
	if i < 0 {
		return kit.El("span hidden=true")
	}
	d := p.drafts[i]
	return kit.El("span.chip title=%", fmt.Sprintf("Kept in this browser, %s", d.Changed.Local().Format("2 January 2006, 15:04:05"))).
		Text(kit.Several(d.Changes, "1 unsaved change", "%d unsaved changes"))
}

// lostForms draws the drafts of forms that the tenant no longer lists.
func (p drawing) lostForms() []app.UI {
	var rows []app.UI
	for _, d := range p.drafts {
		if p.has(d.Form) {
			continue
		}
		rows = append(rows, kit.El("li.lost-form").Body(
			kit.El("span.grow").Body(kit.El("b").Text(d.Name), kit.El("small").Text(kit.Ago(d.Changed, time.Now()))),
			app.If(p.user.Can("create:forms"), func() app.UI {
				return kit.TextButton("restore-draft", "Save as a new form", "secondary").DataSet("arg", d.ID)
			}),
			kit.TextButton("export-draft", "Export", "secondary").DataSet("arg", d.ID),
			kit.TextButton("drop-draft", "Discard", "quiet").DataSet("arg", d.ID),
		))
	}
	if len(rows) == 0 {
		return nil
	}
	return []app.UI{
		kit.El("h2").Text("Unsaved work on forms that are gone"),
		kit.El("p.quiet-text").Text("These forms were deleted, or you can no longer open them. Your work on them is still in this browser."),
		kit.El("ul.lost-forms").Body(rows...),
	}
}

func (p *desk) has(form string) bool {
	for i := range p.forms {
		if p.forms[i].ID == form {
			return true
		}
	}
	return false
}

// unsaved contains the actions on drafts of deleted forms.
type unsaved struct{ *desk }

// act saves the draft of a deleted form as a new form, downloads it, or
// discards it.
func (p unsaved) act(ctx app.Context, act, id string) {
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		err := withDraft(c, p.client, id, func(s *drafts.Store, f *model.Form) error {
			place := drafts.Place{Store: s, ID: id}
			switch act {
			case "restore-draft":
				made, err := formapi.Create(c, p.client, transfer.Content(f))
				if err != nil {
					return err
				}
				err = place.Delete()
				ctx.Dispatch(func(ctx app.Context) { ctx.Navigate(p.address(made.ID)) })
				return err
			case "export-draft":
				kit.Download(transfer.FileName(f.Name), string(schema.EncodeIndent(transfer.Content(f).Tree())))
				return nil
			}
			if kit.Ask("Discard", fmt.Sprintf("Your unsaved work on %s will be lost.", kit.Quote(f.Name)),
				kit.Choice{Name: "Cancel", Class: "primary"}, kit.Choice{Name: "Discard", Class: "danger"}) == 1 {
				return place.Delete()
			}
			return nil
		})
		return func(ctx app.Context) {
			p.fail(err)
			p.load(ctx)
		}
	})
}

// withDraft opens a draft and calls use with its form.
func withDraft(ctx context.Context, c *client.Client, id string, use func(*drafts.Store, *model.Form) error) error {
	store, err := drafts.Open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	d, log, err := store.Read(ctx, id)
	if log == nil {
		return err
	}
	return use(store, d.Past.Now().Form)
}
