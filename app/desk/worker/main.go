//go:build js

// Command worker draws the desk in a worker of the browser. It is a program of its own, which a browser loads when somebody first opens a
// screen of the desk.
package main

import (
	"fmt"
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/comments"
	"github.com/formgraph/formgraph/app/desk/compare"
	"github.com/formgraph/formgraph/app/desk/files"
	"github.com/formgraph/formgraph/app/desk/languages"
	"github.com/formgraph/formgraph/app/desk/links"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/desk/messages"
	"github.com/formgraph/formgraph/app/desk/style"
)

func main() {
	names := languageName()
	session := desk.New(map[string]desk.Page{
		message.Languages: languages.New(names), message.Messages: messages.New(), message.Style: style.New(),
		message.Compare: compare.New(names), message.Comments: comments.New(time.Now), message.Links: links.New(time.Now),
	}, languages.Records, files.Make)
	post := js.Global().Get("postMessage")
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer func() {
			if broken := recover(); broken != nil {
				js.Global().Get("console").Call("error", fmt.Sprint("formgraph: the desk failed: ", broken))
				post.Invoke(message.Report{Fault: "This page failed and was closed. Your form is not affected; open the page again."}.Text())
			}
		}()
		report, screen := session.Take(parts(args[0].Get("data")))
		if screen != "" {
			// The page's script takes lists, the editor's program texts.
			post.Invoke(js.Global().Get("JSON").Call("parse", screen))
		}
		if report != "" {
			post.Invoke(report)
		}
		return nil
	}))
	select {}
}

// parts returns the text of a message, and the bytes of a file that come with some.
func parts(data js.Value) (text string, file []byte) {
	if data.Type() == js.TypeString {
		return data.String(), nil
	}
	from := data.Get("file")
	file = make([]byte, from.Length())
	js.CopyBytesToGo(file, from)
	return data.Get("text").String(), file
}

// languageName returns a function that names languages as the browser does, or by their tags.
func languageName() func(tag string) string {
	names := js.Global().Get("Intl").Get("DisplayNames").New([]any{"en"}, map[string]any{"type": "language"})
	known := map[string]string{}
	return func(tag string) (name string) {
		if name, ok := known[tag]; ok {
			return name
		}
		defer func() {
			if recover() != nil { // a tag that the browser refuses
				name = tag
			}
			known[tag] = name
		}()
		return names.Call("of", tag).String()
	}
}
