package kit

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// OtherAccount is the act that leaves for a sign-in with another account.
const OtherAccount = "other-account"

// Forbidden reports whether a call failed because the signed-in person may not use the editor at all.
func Forbidden(err error) bool { return client.CodeOf(err) == client.CodeNotAllowed }

// NotAllowed explains why a person may not use the editor. u is the person as far as the page knows.
func NotAllowed(err error, u client.User) string {
	e, _ := errors.AsType[*client.Error](err)
	who := cmp.Or(u.Email, u.Name, u.Sub)
	if e != nil {
		who = cmp.Or(e.Who, who)
	}
	if who == "" {
		return "You are signed in, but not allowed to use this editor"
	}
	return fmt.Sprintf("You are signed in as %s, but not allowed to use this editor", schema.Isolate(who))
}

// NotAllowedPage is the content of a page for a person who may not use the editor. Its acts are OtherAccount and sign-out.
func NotAllowedPage(err error, u client.User) app.UI {
	return Notice("lock", NotAllowed(err, u), Sentence(err)+" "+AskOperator+", or sign in with another account.", El("div.buttons").Body(
		TextButton("sign-out", "Sign out", "secondary"), TextButton(OtherAccount, "Sign in with another account", "primary")))
}

// AskOperator is what helps a person who may not do something at a tenant whose administration is not ours.
const AskOperator = "Ask whoever runs this editor for access"
