// Package desktest opens pages of the desk in tests, in the place of the page's program and its script. Only tests import it.
package desktest

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Desk is an open page with an editor that runs its changes.
type Desk struct {
	t       testing.TB
	session *desk.Session
	editor  *editor.Editor
	number  int

	Said    string         // the last message for the person
	Reports []string       // of the worker
	Screen  *schema.Object // the last one
	shown   map[string]string
}

// Open opens a page for a form.
func Open(tb testing.TB, pages map[string]desk.Page, page, form string) *Desk {
	tb.Helper()
	v, problems := schema.Decode([]byte(form))
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	f := model.FromTree(v.(*schema.Object))
	d := &Desk{
		t: tb, shown: map[string]string{}, editor: editor.New(f, editor.Config{Now: func() time.Time { return time.Unix(0, 0) }}),
		session: desk.New(pages, func(_, _ *model.Form, text string) (string, error) { return text, nil },
			func(f *model.Form, kind string) (name, mime, text string) {
				return f.Name + "." + kind, "text/plain", ""
			}),
	}
	d.take(message.Order{Page: page, Form: f.Tree()}.Text(), nil)
	return d
}

// Editor returns the editor of the form.
func (d *Desk) Editor() *editor.Editor { return d.editor }

// Form returns the form as it is.
func (d *Desk) Form() *schema.Object { return d.editor.State().Form.Tree() }

// Order sends an order.
func (d *Desk) Order(o message.Order) { d.take(o.Text(), nil) }

// Event sends an event.
func (d *Desk) Event(e message.Event) {
	d.t.Helper()
	d.number++
	members := []schema.Member{
		{Key: "on", Value: e.On},
		{Key: "do", Value: e.Do},
		{Key: "arg", Value: e.Arg},
		{Key: "text", Value: e.Text},
		{Key: "name", Value: e.Name},
		{Key: "shift", Value: e.Shift},
	}
	for key, n := range map[string]int{"left": e.Left, "top": e.Top, "width": e.Width, "height": e.Height, "number": d.number, "caret": e.Caret} {
		members = append(members, schema.Member{Key: key, Value: schema.IntNumber(n)})
	}
	d.take(string(schema.Encode(schema.NewObject(members...))), e.File)
}

// Press presses a control.
func (d *Desk) Press(does, arg string) {
	d.t.Helper()
	d.Event(message.Event{On: "press", Do: does, Arg: arg})
}

func (d *Desk) take(text string, file []byte) {
	d.t.Helper()
	for text != "" {
		report, screen := d.session.Take(text, file)
		text, file = "", nil
		if screen != "" {
			d.draw(screen)
		}
		if report == "" {
			return
		}
		d.Reports = append(d.Reports, report)
		r, err := message.ParseReport(report)
		if err != nil {
			d.t.Fatal(err)
		}
		if r.Say != "" {
			d.Said = r.Say
		}
		if r.Run != nil {
			before := d.editor.State().Form.Tree()
			if err := d.editor.Run(*r.Run); err != nil {
				d.Said = err.Error()
			}
			text = message.Order{Ran: true, Edits: schema.Delta(before, d.Form())}.Text()
		}
	}
}

// draw applies a screen as the script does, without its control over elements: regions are texts.
func (d *Desk) draw(screen string) {
	d.t.Helper()
	v, problems := schema.DecodeGrown([]byte(screen))
	list, ok := v.([]any)
	if len(problems) > 0 || !ok {
		d.t.Fatalf("not a screen: %v", problems)
	}
	d.Screen, _ = list[0].(*schema.Object)
	for _, v := range d.Screen.List("regions") {
		o, _ := v.(*schema.Object)
		name := o.Text("region")
		if o.Has("html") {
			d.shown[name] = o.Text("html")
			continue
		}
		kept := map[string]string{}
		for _, key := range o.List("keys") {
			id := name + "/" + key.(string)
			if kept[id] = d.shown[id]; o.Object("lines").Has(key.(string)) {
				kept[id] = o.Object("lines").Text(key.(string))
			}
			if kept[id] == "" {
				d.t.Fatalf("the line %s is not known", id)
			}
		}
		maps.DeleteFunc(d.shown, func(id, _ string) bool { return strings.HasPrefix(id, name+"/") })
		maps.Copy(d.shown, kept)
	}
}

// Region returns the markup of a region.
func (d *Desk) Region(name string) string { return d.shown[name] }

// HTML returns the markup of all regions, in the order of their names.
func (d *Desk) HTML() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(d.shown)) {
		b.WriteString(d.shown[name] + "\n")
	}
	return b.String()
}
