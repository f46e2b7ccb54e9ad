package kit

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// AccountMenu is the name of the menu of AccountButton, and ThemeAct is the act of the lines that choose a theme.
const (
	AccountMenu = "account"
	ThemeAct    = "choose-theme"
)

// AccountButton opens the menu of the person who is signed in, who has a color there.
func AccountButton(u client.User, hue int, open bool) app.UI {
	return MenuButton("account-button", AccountMenu, "Account", open, faceIn(hue, cmp.Or(u.Name, u.Email))).Title(u.Email)
}

// themes are the lines that choose a theme: their arguments, names and icons.
var themes = [...][3]string{{SystemTheme, "System", "window"}, {LightTheme, "Light", "sun"}, {DarkTheme, "Dark", "moon"}}

// AccountItems are the lines of the account menu: who is signed in, the theme, more choices, and the pages of the account. remote reports whether
// the tenant is another server.
func AccountItems(u client.User, remote bool, choices ...Item) []Item {
	items := []Item{{Name: cmp.Or(u.Name, u.Email), Note: u.Email}, {}}
	for _, t := range themes {
		items = append(items, Item{Row: "Theme", Act: ThemeAct, Arg: t[0], Name: t[1], Icon: t[2], Chosen: t[0] == Theme()})
	}
	return append(append(append(items, choices...), Item{}), destinations(u, remote)...)
}

// destinations returns the lines that lead to the other pages, and the line that signs out.
func destinations(u client.User, remote bool) (items []Item) {
	here := Path()
	if here == "/account" || here == "/admin" {
		items = append(items, Item{Address: FormsAddress, Name: "All forms", Icon: "home"})
	}
	if HasAccount() && here != "/account" {
		items = append(items, Item{Address: "/account", Name: "Your account", Icon: "user"})
	}
	if u.Can("read:clients") && !remote && here != "/admin" {
		items = append(items, Item{Address: "/admin", Name: "Administration", Icon: "shield"})
	}
	return append(items, Item{Act: "sign-out", Name: "Sign out", Icon: "leave"})
}
