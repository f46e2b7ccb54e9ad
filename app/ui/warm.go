package ui

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// warmForm contains one of each thing that most forms have.
const warmForm = `{"id":"ap_1","name":"A","languages":{"primary":"en"},"nodes":[
{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"alias":"A","config":{"components":[
{"id":"t","category":"FIELD","type":"TEXT","label":"A","required":true},
{"id":"h","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>A</p>"}},
{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"A"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[{"id":"u","condition":
{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.t}}","A"]}]},"next_node":"a"}],"fallback":"f"}},
{"id":"f","type":"FLOW","coordinates":{"x":800,"y":0},"config":{"flow_id":"af_1","next_node":"$ending"}}],
"start":{"next_node":"a"},"ending":{"resume_flow":true}}`

// warm decodes and draws a small form once while the server is asked for the requested one. The browser
// compiles a WebAssembly function when it is first called. This takes a third of the time until a form is
// visible, and the browser is idle at this point.
func warm() {
	tree, problems := schema.Decode([]byte(warmForm))
	o, ok := tree.(*schema.Object)
	if !ok || len(problems) > 0 {
		return
	}
	ed := editor.New(model.FromTree(o), editor.Config{Now: time.Now, Rand: rand.IntN, Dialect: model.Dialect(kit.Dialect())})
	_ = ed.Found().Problems()
	_ = ed.Found().Warnings()
	canvas.Warm(ed.State().Form)
}

// warmOnce calls warm on its first call only. The list of forms calls it too, because the next page is
// usually a form.
var warmOnce = sync.OnceFunc(warm)
