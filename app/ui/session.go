package ui

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/app/ui/transfer"
)

// session is what the page does about who is signed in, and about their unsaved work.
type session struct {
	*parts
	site   *Site
	again  kit.SignIn
	resume func(app.Context) // continues what a lost session stopped
}

// signOut ends the session once the draft is written, so that it is asked about.
func (p *session) signOut(ctx app.Context) {
	ctx.Async(func() {
		p.draft.Settle()
		signout.Run(p.Client)
	})
}

// watch hides the page when the person signs out elsewhere.
func (p *session) watch() (stop func()) {
	return signout.Watch(p.Client, func() string { return p.User.Sub }, func(discard bool, load func()) { p.draft.Leave(discard, load) })
}

// signInAgain lets the person sign in in another window, then saves what was to be saved.
func (p *session) signInAgain(ctx app.Context) {
	opened := p.again.Open(ctx, p.Life, p.Client, func(ctx app.Context, user client.User) {
		if user.Sub != p.User.Sub {
			p.draft.Leave(false, kit.Reload) // another person signed in
			return
		}
		p.User = user
		p.saver.SignedIn()
		p.resume(ctx)
	})
	if !opened {
		p.Say(ctx, kit.WindowBlocked)
	}
}

// saveAsNew makes a new form of the work on one that is gone.
func (p *session) saveAsNew(ctx app.Context) {
	f := p.draft.Work()
	if p.Editor != nil {
		f = p.Editor.State().Form
	}
	if f == nil {
		return
	}
	kept := p.draft
	p.Async(ctx, func(c context.Context) func(app.Context) {
		made, err := formapi.Create(c, p.Client, transfer.Content(f))
		if err == nil {
			err = kept.Delete()
		}
		return func(ctx app.Context) {
			if err != nil {
				p.Say(ctx, kit.Sentence(err))
			}
			if made != nil {
				ctx.Navigate(p.site.form(made.ID))
			}
		}
	})
}

// discardDraft gives up the work that was brought back. Undo brings it back again.
func (p *session) discardDraft(ctx app.Context) {
	if p.Run(ctx, p.Editor.Discard()) {
		p.Say(ctx, "Discarded. Undo restores it.")
	}
	p.draft.Dismiss()
}
