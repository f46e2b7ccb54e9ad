package account

import (
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// card draws a section of the page. Its heading receives the focus when one of its rows
// is removed.
func card(id, title, text string, body ...app.UI) app.UI {
	head := []app.UI{kit.El("h2 tabindex=-1 id=%", id).Text(title)}
	if text != "" {
		head = append(head, kit.El("p").Text(text))
	}
	return kit.El("section.card aria-labelledby=%", id).Body(append([]app.UI{kit.El("header").Body(head...)}, body...)...)
}

// line draws a row of a card with its title, a text and its buttons.
func line(symbol, title, text string, buttons ...app.UI) app.UI {
	return kit.El("li.line").Body(
		kit.El("span.k").Body(kit.Icon(symbol)),
		kit.El("div.what").Body(kit.El("strong").Text(title), kit.El("small hidden=%", kit.Yes(text == "")).Text(text)),
		kit.El("div.can").Body(buttons...),
	)
}

// small is a button in a row. Screen readers speak name, which includes the name of the
// row.
func (p drawing) small(act, of, text, name string) app.UI {
	return kit.El("button.secondary type=button data-act=% data-arg=% aria-label=%", act, of, name).Text(text)
}

func (p drawing) person() app.UI {
	return card("profile", "Profile", "", kit.El("dl").Body(
		kit.El("dt").Text("Name"), kit.El("dd").Text(p.shown.name()),
		kit.El("dt").Text("E-mail"), kit.El("dd").Text(p.shown.user.Email),
	))
}

func (p drawing) signingIn() app.UI {
	var groups []app.UI
	for _, w := range p.shown.ways() {
		groups = append(groups, p.group(w))
	}
	return card("ways", "Ways to sign in", "", groups...)
}

// group draws one kind of ways to sign in, and the button to add another.
func (p drawing) group(w way) app.UI {
	var title, text, symbol, add string
	none := ""
	switch w.kind {
	case password:
		title, text, symbol, add = "Password", "Used with your e-mail address.", "lock", "Change password"
		if len(w.methods) == 0 {
			text, add = "You have no password: you sign in with a passkey.", "Set a password"
		}
	case passkey:
		title, text, symbol, add, none = "Passkeys", "Sign in with your fingerprint, face or device PIN, without a password.", "key",
			"Add a passkey", "You have no passkey yet."
	case totp:
		title, text, symbol, add = "Authenticator app", "An app on your phone shows a code that you enter after your password.", "tel",
			"Set up an app"
	default:
		title, text, symbol, add = "Recovery code", "Lets you in once if you lose your phone.", "shield", "Create a recovery code"
		if len(w.methods) > 0 {
			add = "Create a new one"
		}
	}
	var rows []app.UI
	now := time.Now()
	for _, m := range w.methods {
		if m.Kind != password {
			rows = append(rows, p.methodLine(m, symbol, now))
		}
	}
	body := []app.UI{
		kit.El("div.head").Body(
			kit.El("div.what").Body(kit.El("h3").Text(title), kit.El("p").Text(text)),
			p.adding(w, add),
		),
	}
	switch {
	case len(rows) > 0:
		body = append(body, kit.El("ul").Body(rows...))
	case none != "":
		body = append(body, kit.El("p.quiet-text").Text(none))
	}
	return kit.El("div.group-of data-kind=%", w.kind).Body(body...)
}

// adding draws the button that sets up another way of a kind, or explains why there is
// none.
func (p drawing) adding(w way, text string) app.UI {
	switch {
	case !w.offered:
		return kit.El("span")
	case w.kind == passkey && p.noPasskeys:
		return kit.El("p.quiet-text").Text("This browser cannot create passkeys.")
	}
	return kit.TextButton(w.kind, text, "secondary")
}

func (p drawing) methodLine(m method, symbol string, now time.Time) app.UI {
	var can []app.UI
	if m.Kind != recovery {
		can = append(can, p.tool("rename", m.id, "Rename", fmt.Sprintf("Rename %s", m.Title()), "pencil"))
	}
	can = append(can, p.tool("delete", m.id, "Delete", fmt.Sprintf("Delete %s", m.Title()), "trash"))
	return line(symbol, m.Title(), m.story(now), can...)
}

// tool is an icon button in a row.
func (p drawing) tool(act, of, text, name, symbol string) app.UI {
	return kit.El("button.icon type=button data-act=% data-arg=% aria-label=% title=%", act, of, name, text).Body(kit.Icon(symbol))
}

func (p drawing) signedIn() app.UI {
	var rows []app.UI
	now := time.Now()
	for _, s := range p.shown.places {
		rows = append(rows, kit.El("li.line data-place=%", s.id).Body(
			kit.El("span.k").Body(kit.Icon("window")),
			kit.El("div.what").Body(
				kit.El("strong").Body(
					kit.El("span").Text(s.title()),
					app.If(s.current, func() app.UI { return kit.El("span.mine").Text("This browser") }),
				),
				kit.El("small").Body(
					kit.Time(s.since, now, s.came(now)),
					kit.El("span").Text(" · "+p.shown.where(s)),
				),
			),
			kit.El("div.can").Body(p.small("end", s.id, "Sign out", fmt.Sprintf("Sign out %s, signed in %s", s.title(), kit.Ago(s.since, now)))),
		))
	}
	return card("places", "Where you are signed in", "If you do not recognize a sign-in, end it and change your password.",
		kit.El("ul").Body(rows...),
		kit.El("div.foot").Body(kit.TextButton("everywhere", "Sign out everywhere", "secondary")),
	)
}

func (p drawing) applications() app.UI {
	if len(p.shown.consents) == 0 {
		return card("applications", "Applications", "", kit.El("p.quiet-text").Text("No application acts on your behalf."))
	}
	var rows []app.UI
	now := time.Now()
	for _, c := range p.shown.consents {
		var lines []app.UI
		for _, text := range may(c.scopes) {
			lines = append(lines, kit.El("li").Text(text))
		}
		rows = append(rows, kit.El("li.line data-consent=%", c.id).Body(
			kit.El("span.k").Body(kit.Icon("apps")),
			kit.El("div.what").Body(
				kit.El("strong").Text(c.name),
				kit.El("small").Text(fmt.Sprintf("Since %s", kit.Ago(c.since, now))),
				kit.El("details").Body(kit.Tree("summary.fold-head { @down span { % } }", []string{"Permissions"}), kit.El("ul.may").Body(lines...)),
			),
			kit.El("div.can").Body(p.small("take-back", c.id, "Revoke", fmt.Sprintf("Revoke the access of %s", c.name))),
		))
	}
	return card("applications", "Applications", "These act on your behalf.", kit.El("ul").Body(rows...))
}
