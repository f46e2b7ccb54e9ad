//go:build js

// Command app is the editor that runs in the browser.
package main

import (
	"runtime/debug"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// heapGrowth is the percentage by which the heap grows between collections. A form is small compared
// with a browser's memory, and garbage collection shares the only thread with drawing.
const heapGrowth = 400

func main() {
	debug.SetGCPercent(heapGrowth)
	kit.PauseInTasks()
	(&ui.Site{OpenCanvas: canvas.Open}).Route()
	app.RunWhenOnBrowser()
}
