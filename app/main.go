//go:build js

// Command app is the editor that runs in the browser.
package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui"
)

func main() {
	ui.Routes()
	app.RunWhenOnBrowser()
}
