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

// me is where the account API is reached.
const me = "/bff/api/me"

// Page is the page at /account.
type Page struct {
	app.Compo
	*desk
	ways    ways
	places  places
	drawing drawing
	unwatch func() // see signout.Watch
}

// New returns the page.
func New() *Page {
	d := &desk{}
	return &Page{desk: d, ways: ways{d}, places: places{d}, drawing: drawing{d}}
}

// desk is what the parts of the page share: the account as it is shown, and the dialog that is open.
type desk struct {
	question
	life       kit.Life
	client     *client.Client // nil until the page is opened
	toast      kit.Toast
	shown      profile
	loading    bool
	busy       bool
	signedOut  bool
	everywhere bool   // it was asked for
	err        error  // why there is nothing to show
	noPasskeys bool   // the browser cannot make them
	failed     string // why the last act failed
	act        string // what was wanted when a fresh sign-in was asked for
}

// question is the dialog that is open.
type question struct {
	open     dialog
	of       string         // id of what the dialog is about
	begun    *schema.Object // what the tenant answered to the first half of an enrolment
	replaced bool           // the recovery code that is shown takes the place of another, which is gone
	visible  bool           // the new password is shown as it is typed
	modal    kit.Modal
}

// dialog is what is open above the page.
type dialog int

const (
	noDialog dialog = iota
	dialogPassword
	dialogRename
	dialogName // a passkey that was just made
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
	kit.SetTitle("Your account – Formgraph")
	p.life.End()
	p.client, p.life = client.New(kit.Browser{}), kit.NewLife()
	p.noPasskeys = !canMakePasskeys()
	p.act = takeWanted()
	if p.unwatch == nil {
		p.unwatch = signout.Watch(p.client, func() string { return p.shown.user.Sub }, func(_ bool, load func()) { load() })
	}
	p.load(ctx)
}

// OnDismount releases what the page holds in the browser.
func (p *Page) OnDismount() {
	p.life.End()
	if p.unwatch != nil {
		p.unwatch()
	}
}

// load reads everything and shows that it does.
func (p *desk) load(ctx app.Context) {
	p.loading, p.err, p.failed = true, nil, ""
	p.read(ctx, p.arrive)
}

// arrive moves the focus to what a person wanted to do before a fresh sign-in.
func (p *desk) arrive(ctx app.Context) {
	if p.act == "" {
		return
	}
	at := "[data-act=" + p.act + "]"
	p.act = ""
	p.toast.Say(ctx, "Thank you. You can continue now.")
	kit.FocusSoon(ctx, at, 0)
}

// read reads the account. Until it has been read the page keeps what it shows.
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

// fetch reads who is signed in, then the lists at the same time. It must not run on the page's goroutine.
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
		kit.Bar(p.shown.user),
		kit.El("main.me aria-busy=%", kit.Yes(p.busy)).Body(
			kit.El("h1 id=title tabindex=-1").Text("Your account"),
			p.drawing.body(),
		),
		p.drawing.dialog(),
		p.toast.Box(),
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

// failure says why the last act failed, where here is true.
func (p drawing) failure(here bool) app.UI {
	if !here || p.failed == "" {
		return kit.El("p role=alert hidden=true")
	}
	return kit.Warned("p.failed role=alert", p.failed)
}
