//go:build js

// Command worker runs the form under edit in a worker of the browser. It is a program of its own, which a browser loads when somebody
// first asks for the preview or the scenarios.
package main

import (
	"context"
	"syscall/js"

	"github.com/formgraph/formgraph/app/trial"
	"github.com/formgraph/formgraph/app/trial/message"
)

func main() {
	session := &trial.Session{}
	post := func(text string) { js.Global().Call("postMessage", text) }
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].Get("data").String()
		if job, ok := message.ParseJob(text); ok {
			// To cancel the job, the page ends the worker.
			report := trial.Work(context.Background(), job, func(percent int) { post(message.Report{Percent: percent}.Text()) })
			post(report.Text())
			return nil
		}
		c, err := message.ParseCommand(text)
		if err != nil {
			post(message.View{Fault: err.Error()}.Text())
			return nil
		}
		post(session.Do(c).Text())
		return nil
	}))
	post(message.View{}.Text()) // ready
	select {}
}
