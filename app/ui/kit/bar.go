//go:build js

package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/words"
)

// Bar is the head of a page that is not the editor. Its acts are those of Act.
func Bar(u client.User) app.UI {
	return El("header.bar").Body(
		El("a.home href=/forms title=%", words.T.AllForms).Body(Mark(), El("span.brand").Text(words.T.Product)),
		El("span.push"),
		IconButton("theme", words.T.Theme, "theme", true),
		app.If(u.Sub != "", func() app.UI { return Account(u) }),
	)
}

// Account shows who is signed in, with the ways to their own account, to the administration for those
// who may, and out.
func Account(u client.User) app.UI {
	name := u.Name
	if name == "" {
		name = u.Email
	}
	return El("div.account").Body(
		app.If(u.Can("read:clients"), func() app.UI {
			return El("a.icon href=/admin aria-label=% title=%", words.T.Administration, words.T.Administration).Body(Icon("settings"))
		}),
		El("a.account-link href=/account title=%", words.T.YourAccount+" – "+u.Email).Body(
			El("span.avatar aria-hidden=true").Text(Initials(name)),
			El("span.account-name").Text(name),
		),
		El("button.quiet.sign-out type=button aria-label=% title=% data-act=sign-out", words.T.SignOut, words.T.SignOut).Body(Icon("leave"), El("span").Text(words.T.SignOut)),
	)
}

// Common does the act of Bar that every page does alike, and reports whether name was it.
func Common(name string) bool {
	if name == "theme" {
		SwitchTheme()
	}
	return name == "theme"
}
