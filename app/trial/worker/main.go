//go:build js

// Command worker runs the form under edit in a worker of the browser. It is a program of its own, which a browser loads when somebody
// first asks for the preview.
package main

import (
	"syscall/js"

	"github.com/formgraph/formgraph/app/trial"
	"github.com/formgraph/formgraph/app/trial/message"
)

func main() {
	session := &trial.Session{}
	post := func(v message.View) { js.Global().Call("postMessage", v.Text()) }
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		c, err := message.ParseCommand(args[0].Get("data").String())
		if err != nil {
			post(message.View{Fault: err.Error()})
			return nil
		}
		post(session.Do(c))
		return nil
	}))
	post(message.View{}) // ready
	select {}
}
