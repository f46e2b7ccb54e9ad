//go:build js

package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Routes registers the pages; contract, section 5.
func Routes() {
	app.Route("/", func() app.Composer { return &listPage{} })
	app.Route("/forms", func() app.Composer { return &listPage{} })
	app.RouteWithRegexp("^/forms/[A-Za-z0-9_-]+$", func() app.Composer { return &editorPage{} })
	app.RouteWithRegexp(".*", func() app.Composer { return &missingPage{} })
}

// missingPage answers an address that has no page.
type missingPage struct{ app.Compo }

func (p *missingPage) Render() app.UI {
	return el("div.page").Body(notice("search", t.NotFound, path(), el("a.primary href=/forms").Text(t.AllForms)))
}
