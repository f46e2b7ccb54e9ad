package kit

import (
	"cmp"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/face"
)

// Bar is the header of pages other than the editor. Common handles its acts.
func Bar(u client.User) app.UI {
	return header(El("a.quiet.to-forms href=/forms hidden=%", Yes(u.Sub == "")).Text("Forms"), IconButton("theme", "Switch between light and dark", "theme", true),
		app.If(u.Sub != "", func() app.UI { return Account(u) }))
}

// MenuBar is the header of a page with the account menu of the editor, whose lines are AccountItems. open reports whether it is open.
func MenuBar(u client.User, open bool) app.UI {
	if u.Sub == "" {
		return Bar(u)
	}
	return header(AccountButton(u, face.Hue(u.Sub), open))
}

func header(end ...app.UI) app.UI {
	return El("header.bar").Body(append([]app.UI{El("a.home href=/forms title=%", "All forms").Body(Mark(), El("span.brand").Text("Formgraph")), El("span.push")}, end...)...)
}

// Account shows the signed-in user, with links to their account and, for administrators, to the administration, and
// a button to sign out.
func Account(u client.User) app.UI {
	name := u.Name
	if name == "" {
		name = u.Email
	}
	return El("div.account").Body(
		app.If(u.Can("read:clients") && !Remote(), func() app.UI {
			return El("a.icon href=/admin aria-label=% title=%", "Administration", "Administration").Body(Icon("settings"))
		}),
		person(u, name),
		El("button.quiet.sign-out type=button aria-label=% title=% data-act=sign-out", "Sign out", "Sign out").Body(Icon("leave"),
			El("span").Text("Sign out")),
	)
}

// person shows who is signed in. It links to the account page if there is one.
func person(u client.User, name string) app.UI {
	el, title := "span.account-link title=%", u.Email
	if HasAccount() {
		el, title = "a.account-link href=/account title=%", "Your account – "+u.Email
	}
	return El(el, title).Body(Face(u), El("span.account-name").Text(name))
}

// Face draws the initials of the person who is signed in, in the color that other people see, too.
func Face(u client.User) app.HTMLElem {
	return FaceOf(u.Sub, cmp.Or(u.Name, u.Email))
}

// FaceOf draws the initials of a person with a subject in the color that the person has everywhere.
func FaceOf(sub, name string) app.HTMLElem {
	return faceIn(face.Hue(sub), name)
}

func faceIn(hue int, name string) app.HTMLElem {
	return El("span.avatar.person aria-hidden=true data-initials=% data-hue=%", face.Initials(name), strconv.Itoa(hue))
}

// Common runs an act of Bar that is the same on all pages, and reports whether name is one.
func Common(name string) bool {
	if name == "theme" {
		SwitchTheme()
	}
	return name == "theme"
}
