package ui

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/model"
)

// session handles sign-in and sign-out on the page, and the unsaved work of the person.
type session struct {
	*parts
	again  kit.SignIn
	open   func(ctx app.Context, form string) // opens a form
	resume func(app.Context)                  // continues the action that a lost session interrupted
	making kit.Action                         // makes a new form of the work
	copied string                             // the id of the copy that was made last
}

// signOut ends the session after writing the draft, so that the dialog can ask about it.
func (p *session) signOut(ctx app.Context) {
	ctx.Async(func() {
		p.draft.Settle()
		signout.Run(p.Client)
	})
}

// watch hides the page when the person signs out elsewhere.
func (p *session) watch() (stop func()) {
	return signout.Watch(p.Client, func() string { return p.User.Sub }, func(discard bool, load func()) {
		if discard {
			p.desk.Forget()
		}
		p.draft.Leave(discard, load)
	})
}

// signInAgain lets the person sign in in another window.
func (p *session) signInAgain(ctx app.Context) {
	if !p.again.Open(ctx, p.Life, p.Client, p.back) {
		p.Say(ctx, kit.WindowBlocked)
	}
}

// ended shows that the session has ended.
func (p *session) ended(ctx app.Context) {
	p.saver.SignedOut()
	p.Redraw(ctx)
}

// barred shows that the person may not read the form any more.
func (p *session) barred(ctx app.Context) {
	p.saver.Barred()
	p.Redraw(ctx)
}

// back continues after a sign-in, also with a save that the end of the last session interrupted. If another person has signed in, it reloads the page.
func (p *session) back(ctx app.Context, user client.User) {
	if user.Sub != p.User.Sub {
		p.draft.Leave(false, kit.Reload) // another person signed in
		return
	}
	p.User = user
	interrupted := p.saver.SignedIn()
	p.live.SignedIn(ctx)
	if interrupted {
		p.resume(ctx)
		return
	}
	p.saver.CatchUp(ctx)
	p.Redraw(ctx)
}

// saveAsNew saves unsaved work on a deleted form as a new form and opens that. The draft is kept until the new form is made.
func (p *session) saveAsNew(ctx app.Context) {
	f := p.draft.Work()
	if p.Editor != nil {
		f = p.Editor.State().Form
	}
	if f == nil {
		return
	}
	var made *model.Form
	kept := p.draft
	p.making.Run(ctx, p.Life, "creating the form", func(c context.Context) (err error) {
		made, err = formapi.Create(c, p.Client, transfer.Content(f))
		if err == nil {
			err = kept.Delete()
		}
		return err
	}, func(ctx app.Context, err error) {
		if err != nil {
			p.Say(ctx, kit.Sentence(err))
		}
		if made != nil {
			p.open(ctx, made.ID)
		}
	})
}

// create makes a new form of the form of a file and opens it.
func (p *session) create(ctx app.Context, f *model.Form) {
	var made *model.Form
	p.making.Run(ctx, p.Life, "creating the form", func(c context.Context) (err error) {
		made, err = formapi.Create(c, p.Client, f)
		return err
	}, func(ctx app.Context, err error) {
		if err != nil {
			p.Say(ctx, kit.Sentence(err))
			return
		}
		p.open(ctx, made.ID)
	})
}

// openCopyAct opens the copy of the form that was made last.
const openCopyAct = "open-copy"

// duplicate makes a copy of the form as it is on the page, with the changes that are not saved. The page stays; a button of the message opens
// the copy.
func (p *session) duplicate(ctx app.Context) {
	f, err := transfer.Duplicate(p.Editor.State().Form)
	if err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	unsaved := p.Editor.Unsaved()
	p.making.Run(ctx, p.Life, "duplicating the form", func(c context.Context) error {
		made, err := formapi.Create(c, p.Client, f)
		if err == nil {
			p.copied = made.ID
		}
		return err
	}, func(ctx app.Context, err error) {
		if err != nil {
			p.Say(ctx, "Not duplicated: "+kit.Sentence(err))
			return
		}
		said := kit.Quote(f.Name) + " was added."
		if unsaved {
			said = kit.Quote(f.Name) + " was added, with your unsaved changes."
		}
		p.Toast.SayMore(said, openCopyAct, "Open")
	})
}

// discardDraft discards the restored work. Undo restores it again.
func (p *session) discardDraft(ctx app.Context) {
	if p.Run(ctx, p.Editor.Discard()) {
		p.Say(ctx, "Discarded. Undo restores it.")
	}
	p.draft.Dismiss()
}
