//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// Routes registers the pages. go-app's routes by pattern are not used: regular
// expressions would be a twentieth of the program. So the address that is opened and
// those that the pages lead to are told one by one.
func Routes() {
	route("/")
	route("/forms")
	route(js.Global().Get("location").Get("pathname").String())
}

// route makes an address known. The browser loads others from the server, which
// answers with the same program.
func route(path string) {
	app.Route(path, func() app.Composer {
		id, isForm := strings.CutPrefix(path, "/forms/")
		switch {
		case path == "/", path == "/forms":
			return &listPage{}
		case isForm && id != "" && !strings.Contains(id, "/"):
			return &editorPage{}
		}
		return &missingPage{}
	})
}

// formPath returns the address of a form's editor and makes it known.
func formPath(id string) string {
	route("/forms/" + id)
	return "/forms/" + id
}

// missingPage answers an address that has no page.
type missingPage struct{ app.Compo }

func (p *missingPage) Render() app.UI {
	return kit.El("div.page").Body(kit.Notice("search", "There is no such page", kit.Path(), kit.El("a.primary href=/forms").Text("All forms")))
}
