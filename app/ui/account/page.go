package account

import (
	"context"
	"sync"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/model/schema"
)

// me is the base path of the account API.
const me = "/bff/api/me"

// title is the name of the page.
const title = "Your account"

// Page is the page at /account.
type Page struct {
	app.Compo
	*desk
	ways    ways
	places  places
	drawing drawing
	stops   []func()
}

// New returns the page.
func New() *Page {
	d := &desk{header: kit.Header{Here: title}}
	return &Page{desk: d, ways: ways{d}, places: places{d}, drawing: drawing{d}}
}

// desk is the state shared by the parts of the page: the account as shown, and the open dialog.
type desk struct {
	question
	life       kit.Life
	client     *client.Client // nil until the page is opened
	toast      kit.Toast
	header     kit.Header
	shown      profile
	loading    bool
	busy       bool
	signedOut  bool
	everywhere bool   // the person asked to be signed out everywhere
	err        error  // why the account is not shown
	noPasskeys bool   // the browser cannot create passkeys
	failed     string // why the last act failed
	act        string // the act for which a fresh sign-in was requested
}

// question is the state of the open dialog.
type question struct {
	open     dialog
	of       string         // id of the thing that the dialog is about
	begun    *schema.Object // the tenant's answer to the first half of an enrolment
	replaced bool           // the shown recovery code replaces another, which no longer works
	visible  bool           // the new password is shown as plain text
	wrong    string         // what is wrong with the new password
	modal    kit.Modal
}

// dialog identifies the dialog that is open above the page.
type dialog int

const (
	noDialog dialog = iota
	dialogPassword
	dialogRename
	dialogName // names a passkey that was just created
	dialogDelete
	dialogApp
	dialogReplaceRecovery
	dialogRecovery
	dialogEnd
	dialogEverywhere
	dialogTakeBack
	dialogFresh
)

// OnNav loads the account each time the page is opened.
func (p *Page) OnNav(ctx app.Context) {
	kit.SetTitle(title + " – Formgraph")
	p.life.End()
	p.client, p.life = client.New(kit.Browser{}), kit.NewLife()
	p.noPasskeys = !canMakePasskeys()
	p.act = takeWanted()
	if p.stops == nil {
		p.stops = []func(){
			signout.Watch(p.client, func() string { return p.shown.user.Sub }, func(_ bool, load func()) { load() }),
			p.header.Listen(ctx, func() bool { return p.open != noDialog }),
		}
	}
	p.load(ctx)
}

// OnDismount releases the browser resources of the page.
func (p *Page) OnDismount() {
	p.life.End()
	for _, stop := range p.stops {
		stop()
	}
}

// load reads the account while the page shows that it is loading.
func (p *desk) load(ctx app.Context) {
	p.loading, p.err, p.failed = true, nil, ""
	p.read(ctx, p.arrive)
}

// arrive moves the focus to the control that needed a fresh sign-in.
func (p *desk) arrive(ctx app.Context) {
	if p.act == "" {
		return
	}
	at := "[data-act=" + p.act + "]"
	p.act = ""
	p.toast.Say(ctx, "Thank you. You can continue now.")
	kit.FocusSoon(ctx, at, 0)
}

// read reads the account. Until the answer arrives, the page keeps its content.
func (p *desk) read(ctx app.Context, then func(app.Context)) {
	p.busy = true
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		got, err := p.fetch(c)
		return func(ctx app.Context) {
			p.busy, p.loading = false, false
			p.err, p.signedOut = err, kit.StatusOf(err) == 401
			// The person is known even when the account is not available.
			p.shown = got
			switch {
			case err != nil:
				kit.CloseDialog()
				p.open = noDialog
			case then != nil:
				then(ctx)
			}
		}
	})
}

// fetch reads the signed-in user, then the lists concurrently. It must not run on the page's goroutine.
func (p *desk) fetch(ctx context.Context) (profile, error) {
	var got profile
	var err error
	if got.user, err = p.client.User(ctx); err != nil {
		return got, err
	}
	parts := []struct {
		path string
		read func(*schema.Object)
	}{
		{"/factors", func(o *schema.Object) { got.offered = readOffered(o) }},
		{"/authentication-methods", func(o *schema.Object) { got.methods = readMethods(o) }},
		{"/sessions", func(o *schema.Object) { got.places = readPlaces(o) }},
		{"/consents", func(o *schema.Object) { got.consents = readConsents(o) }},
	}
	errs := make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() {
			o, err := p.client.Object(ctx, me+part.path)
			if errs[i] = err; err == nil {
				part.read(o)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return got, err
		}
	}
	return got, nil
}

// Render draws the page.
func (p *Page) Render() app.UI {
	return kit.El("div.page").OnClick(p.onClick).On("keydown", p.onKey).On("submit", p.onSubmit).Body(
		p.header.Draw(p.shown.user),
		kit.El("main.me aria-busy=%", kit.Yes(p.busy)).Body(
			kit.El("h1 id=title tabindex=-1").Text(title),
			p.drawing.body(),
		),
		p.drawing.dialog(),
		p.toast.Box(),
		p.header.Below(),
	)
}

// drawing draws the page.
type drawing struct{ *desk }

func (p drawing) body() app.UI {
	switch {
	case p.loading, p.client == nil: // drawn before the page is opened
		return kit.Loading("your account")
	case p.signedOut:
		text := "Sign in to see and change your account."
		if p.everywhere {
			text = "You are signed out everywhere."
		}
		return kit.Notice("leave", "You are signed out", text, kit.TextButton("sign-in", "Sign in", "primary"))
	case kit.Forbidden(p.err):
		return kit.NotAllowedPage(p.err, p.shown.user)
	case client.CodeOf(p.err) == "scope":
		return kit.Notice("shield", "Your account cannot be changed here", kit.Sentence(p.err), nil)
	case p.err != nil:
		return kit.Failed(p.err, "retry")
	}
	return kit.El("div.cards").Body(
		p.failure(p.open == noDialog),
		p.person(),
		p.signingIn(),
		p.signedIn(),
		p.applications(),
	)
}

// failure draws the reason why the last act failed, if here is true.
func (p drawing) failure(here bool) app.UI {
	if !here || p.failed == "" {
		return kit.El("p role=alert hidden=true")
	}
	return kit.Warned("p.failed role=alert", p.failed)
}
