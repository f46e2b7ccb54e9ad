package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/forms"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// The titles of a form that is not shown.
const (
	formNotLoaded = "The form could not be loaded"
	formNotFound  = "Form not found"
)

// Site is the set of the editor's pages, by address.
type Site struct {
	// OpenCanvas draws an editor's form into the element with the given id. It returns nil if the element
	// does not exist.
	OpenCanvas func(id string, ed *editor.Editor, o canvas.Options) canvas.View
}

// Route registers the pages: the address that is opened, and the addresses of links on the pages, one by one.
func (s *Site) Route() {
	s.route("/")
	s.route("/forms")
	s.route(kit.Path())
}

func (s *Site) route(path string) {
	app.Route(path, func() app.Composer { return s.page(path) })
}

// page returns a new page for an address.
func (s *Site) page(path string) app.Composer {
	id, isForm := kit.FormID(path)
	switch {
	case path == "/", path == kit.FormsAddress:
		return forms.New(s.form, warmOnce)
	case isForm:
		return newEditorPage(s, id)
	}
	return &missingPage{}
}

// form returns the address of a form's editor and registers it.
func (s *Site) form(id string) string {
	s.route(kit.FormPath(id))
	return kit.FormAddress(id)
}

// missingPage is shown at an address without a page.
type missingPage struct{ app.Compo }

func (p *missingPage) Render() app.UI {
	return kit.El("div.page").Body(
		kit.El("header.bar").Body(kit.Home()),
		kit.El("main.list").Body(kit.Notice("search", "Page not found", "There is nothing at this address.", kit.El("a.primary href=/forms").Text("All forms"))),
	)
}
