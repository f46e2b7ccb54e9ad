package account

import (
	"errors"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// canMakePasskeys reports whether the browser has the functions that parse and produce JSON. WebAuthn Level 3,
// section 5.1.
func canMakePasskeys() bool {
	api := app.Window().Get("PublicKeyCredential")
	return api.Truthy() && api.Get("parseCreationOptionsFromJSON").Type() == app.TypeFunction
}

// createPasskey asks the browser for a new passkey and returns the proof for the tenant. It must not run on the
// page's goroutine, because the browser shows a dialog of its own meanwhile.
func createPasskey(options *schema.Object) (answer *schema.Object, err error) {
	defer func() {
		// The browser throws an exception if it does not accept the options.
		if thrown := kit.Thrown(recover()); thrown != nil {
			err = thrown
		}
	}()
	parsed := app.Window().Get("JSON").Call("parse", string(schema.Encode(options)))
	public := app.Window().Get("PublicKeyCredential").Call("parseCreationOptionsFromJSON", parsed)
	made, err := kit.Await(app.Window().Get("navigator").Get("credentials").Call("create", map[string]any{"publicKey": public}))
	if err != nil {
		return nil, err
	}
	text := app.Window().Get("JSON").Call("stringify", made.Call("toJSON")).String()
	tree, _ := schema.Decode([]byte(text))
	answer, ok := tree.(*schema.Object)
	if !ok {
		return nil, errors.New("unknown error")
	}
	return answer, nil
}

// typed returns the text of a field.
func typed(id string) string {
	if el := kit.Element("#" + id); el.Truthy() {
		return el.Get("value").String()
	}
	return ""
}

// ticked reports whether a checkbox is checked.
func ticked(id string) bool {
	el := kit.Element("#" + id)
	return el.Truthy() && el.Get("checked").Bool()
}

// wanted is the parameter of the page's address that names the act for which a fresh sign-in was needed.
const wanted = "then"

// leaveToConfirm leaves the page for a fresh sign-in, which returns to act.
func leaveToConfirm(act string) {
	back := "/account"
	if act != "" {
		back += "?" + wanted + "=" + act
	}
	kit.Leave("/bff/login?fresh=1&return_to=" + app.Window().Call("encodeURIComponent", back).String())
}

// takeWanted returns the act for which a fresh sign-in was needed, or "" if there is none, and removes it from
// the address. It accepts only names of controls on the page: the address may come from anywhere.
func takeWanted() string {
	at := app.Window().Get("location")
	act, ok := strings.CutPrefix(at.Get("search").String(), "?"+wanted+"=")
	if !ok {
		return ""
	}
	app.Window().Get("history").Call("replaceState", app.Null(), "", at.Get("pathname"))
	switch act {
	case password, passkey, totp, recovery:
		return act
	}
	return ""
}
