package kit

import (
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Addresses of pages.
const (
	FormsAddress = "/forms"
	formsPrefix  = "/forms/"
)

// FormAddress returns the address of a form's editor. Tenants choose the shapes of ids.
func FormAddress(id string) string { return formsPrefix + url.PathEscape(id) }

// FormPath returns the path of a form's editor as Path returns it.
func FormPath(id string) string { return formsPrefix + id }

// FormID returns the id of the form in a path of Path, false for the path of another page.
func FormID(path string) (id string, ok bool) {
	id, ok = strings.CutPrefix(path, formsPrefix)
	return id, ok && id != "" && !strings.Contains(id, "/")
}

// Address returns the path of the page's address as it is written there, with the escapes.
func Address() string { return app.Window().Get("location").Get("pathname").String() }

// Path returns the path of the page's address without escapes.
func Path() string {
	if path, err := url.PathUnescape(Address()); err == nil {
		return path
	}
	return Address()
}

// PreviewFragment is the fragment of the address of a form that opens with its preview.
const PreviewFragment = "#preview"

// TakeFragment reports whether the address has a fragment, and removes it, so that a reload does not find it again.
func TakeFragment(fragment string) bool {
	if app.Window().Get("location").Get("hash").String() != fragment {
		return false
	}
	app.Window().Get("history").Call("replaceState", app.Null(), "", Address())
	return true
}

// SignInAddress returns the address that starts a sign-in, after which the browser returns to an address of this server. With other, the
// person may choose another account.
func SignInAddress(returnTo string, other bool) string {
	address := "/bff/login?return_to=" + url.QueryEscape(returnTo)
	if other {
		address += "&prompt=select_account"
	}
	return address
}
