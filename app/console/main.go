//go:build js

// Command console is the program for the account and administration pages in the browser. It is
// separate from the editor, so that people who edit forms do not load it.
package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/account"
	"github.com/formgraph/formgraph/app/ui/admin"
)

func main() {
	app.Route("/account", func() app.Composer { return account.New() })
	app.Route("/admin", func() app.Composer { return admin.New() })
	app.RunWhenOnBrowser()
}
