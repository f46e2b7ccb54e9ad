//go:build js

// Command console is what runs in the browser beside the editor: the page of one's own account and the
// tenant's administration. It is a program of its own, so that people who edit forms do not load it.
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
