package desk

import (
	"cmp"
	"context"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/versions"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// source is a kind of form to compare with. Its choices have its kind and group.
type source struct {
	kind, group string
	list        func(c context.Context, w *workspace.Workspace) ([]message.Choice, error)
	read        func(c context.Context, w *workspace.Workspace, id string) (*model.Form, error)
}

// saved is the kind of the last saved version. A comparison with it follows each save.
const saved = message.Saved

// version is the kind of earlier saved versions.
const version = message.Version

// sources are the kinds of forms to compare with, in the order in which they are offered. Files are read by the worker.
var sources = []source{
	{
		kind: saved,
		list: func(context.Context, *workspace.Workspace) ([]message.Choice, error) {
			return []message.Choice{{Name: "Saved version"}}, nil
		},
		read: func(_ context.Context, w *workspace.Workspace, _ string) (*model.Form, error) {
			return w.Editor.Base(), nil
		},
	},
	{
		kind: version, group: "Earlier versions",
		list: func(c context.Context, w *workspace.Workspace) (list []message.Choice, err error) {
			all, _, err := formapi.Versions(c, w.Client, w.ID, 0, false)
			for i := range all {
				list = append(list, message.Choice{ID: strconv.Itoa(all[i].Number), Name: versions.Name(&all[i])})
			}
			return list, err
		},
		read: func(c context.Context, w *workspace.Workspace, id string) (*model.Form, error) {
			return formapi.ReadVersion(c, w.Client, w.ID, id)
		},
	},
	{
		kind: "form", group: "Other forms",
		list: func(c context.Context, w *workspace.Workspace) (list []message.Choice, err error) {
			forms, err := formapi.List(c, w.Client)
			for _, f := range forms {
				if f.ID != w.ID {
					list = append(list, message.Choice{ID: f.ID, Name: cmp.Or(f.Name, f.ID)})
				}
			}
			return list, err
		},
		read: func(c context.Context, w *workspace.Workspace, id string) (*model.Form, error) {
			f, _, err := formapi.Read(c, w.Client, id)
			return f, err
		},
	},
}

// Comparison reads the forms that the comparison shows.
type Comparison struct {
	*workspace.Workspace
	show  func(app.Context) // shows the page
	shown func() bool       // reports whether the page is shown
	post  func(message.Order)
	of    sides
}

// sides are the forms that are compared: the one before the changes and, unless it is the form under edit, the one after them.
type sides struct {
	with, now message.Choice
	base      *model.Form // the saved form when the worker last got a form to compare; nil before
}

// WithSaved compares the form with the last saved version.
func (c *Comparison) WithSaved(ctx app.Context) {
	c.open(ctx, message.Choice{Kind: saved, Name: "Saved version"}, nil)
}

// WithFile compares the form with that of a file, from which people take what they want.
func (c *Comparison) WithFile(ctx app.Context, name string, f *model.Form) {
	c.open(ctx, message.Choice{Kind: message.File, Name: name, After: true}, f)
}

// WithBefore compares the form with what it was before an import.
func (c *Comparison) WithBefore(ctx app.Context, f *model.Form) {
	c.open(ctx, message.Choice{Kind: message.Before, Name: "Before the import"}, f)
}

// WithVersion compares the form with the version that has a number.
func (c *Comparison) WithVersion(ctx app.Context, number string) {
	c.open(ctx, versionOf(number), nil)
}

// versionOf returns the choice of the version with a number.
func versionOf(number string) message.Choice {
	return message.Choice{Kind: version, ID: number, Name: "Version " + number}
}

// Change shows what the version with a number changed in comparison with the version before it. If there is none, or if it cannot be found,
// Change compares the form with the version.
func (c *Comparison) Change(ctx app.Context, number string) {
	c.Async(ctx, func(calls context.Context) func(app.Context) {
		before, err := versionBefore(func(part int) ([]formapi.Version, int, error) {
			return formapi.Versions(calls, c.Client, c.ID, part, false)
		}, number)
		return func(ctx app.Context) {
			if err != nil || before == "" {
				c.WithVersion(ctx, number)
				return
			}
			c.open(ctx, versionOf(before), nil)
			now := versionOf(number)
			now.After = true
			c.fetch(ctx, now)
		}
	})
}

// versionBefore returns the number of the version before the one with a number, "" if there is none. list returns a part of the versions, newest
// first, and the total number of versions.
func versionBefore(list func(part int) (list []formapi.Version, total int, err error), number string) (string, error) {
	met := false
	for part, seen := 0, 0; ; part++ {
		all, total, err := list(part)
		if err != nil {
			return "", err
		}
		for i := range all {
			if met {
				return strconv.Itoa(all[i].Number), nil
			}
			met = strconv.Itoa(all[i].Number) == number
		}
		if seen += len(all); len(all) == 0 || seen >= total {
			return "", nil
		}
	}
}

// open compares with other, or, if that is nil, with the form of the choice, which it reads.
func (c *Comparison) open(ctx app.Context, with message.Choice, other *model.Form) {
	if c.show(ctx); !workspace.Wide() {
		c.Panels.Close()
	}
	c.of = sides{}
	if other != nil {
		c.post(message.Order{Choices: []message.Choice{}, Choice: &with, Other: other.Tree()})
	} else {
		c.fetch(ctx, with)
	}
	c.Async(ctx, func(calls context.Context) func(app.Context) {
		var all []message.Choice
		for i := range sources {
			s := &sources[i]
			list, _ := s.list(calls, c.Workspace) // the others are offered if one cannot be listed
			for _, choice := range list {
				choice.Kind, choice.Group = s.kind, s.group
				all = append(all, choice)
			}
		}
		return func(app.Context) { c.post(message.Order{Choices: all}) }
	})
}

// fetch reads the form of a choice for the worker.
func (c *Comparison) fetch(ctx app.Context, with message.Choice) {
	if with.After {
		c.of.now = with
	} else {
		c.of.with = with
	}
	if with.Kind == message.This {
		return // the worker has it
	}
	c.Async(ctx, func(calls context.Context) func(app.Context) {
		o := message.Order{Choice: &with, Wrong: "This form can no longer be compared."}
		for i := range sources {
			if s := &sources[i]; s.kind == with.Kind {
				f, err := s.read(calls, c.Workspace, with.ID)
				if o.Wrong = ""; err != nil {
					o.Wrong = kit.Sentence(err)
				} else {
					o.Other = f.Tree()
				}
			}
		}
		return func(app.Context) {
			if c.of.with.Is(&with) || c.of.now.Is(&with) {
				c.of.base = c.Editor.Base()
				c.post(o)
			}
		}
	})
}

// keep reads the last saved version again after a save if a side of the comparison is that version.
func (c *Comparison) keep(ctx app.Context) {
	if !c.shown() || c.of.base == nil || c.of.base == c.Editor.Base() {
		return
	}
	for _, side := range []message.Choice{c.of.with, c.of.now} {
		if side.Kind == saved {
			c.fetch(ctx, side)
		}
	}
}

// mark shows on the canvas what differs, nil for nothing.
func mark(w *workspace.Workspace, o *schema.Object) {
	var c *canvas.Compared
	if o != nil {
		c = comparedOf(o)
	}
	w.Mark(func(m *canvas.Marks) { m.Compared = c })
}

// comparedOf reads the marks of a report.
func comparedOf(o *schema.Object) *canvas.Compared {
	arrives := o.Has("arrives")
	c := &canvas.Compared{Cards: map[string]*canvas.Difference{}, Arrives: arrives}
	for _, v := range o.List("cards") {
		card, _ := v.(*schema.Object)
		c.Cards[card.Text("key")] = &canvas.Difference{Kind: card.Text("kind"), Tag: card.Text("tag"), Rows: texts(card, "rows"), Gone: card.Text("gone"), Arrives: arrives}
	}
	if nodes := o.List("nodes"); len(nodes) > 0 {
		c.Gone = model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: nodes}))
	}
	c.Edges, c.Was = texts(o, "edges"), texts(o, "was")
	return c
}

func texts(o *schema.Object, key string) (list []string) {
	for _, v := range o.List(key) {
		text, _ := v.(string)
		list = append(list, text)
	}
	return list
}

// find selects a node, if the form has it, or a component of it, and brings it into view.
func find(w *workspace.Workspace, key, part string) {
	if n, _ := w.State().Form.Node(key); n != nil || key == model.StartID || key == model.EndingID {
		s := editor.SelectNodes(key)
		s.Component = part
		w.Editor.Select(s)
	}
	w.Show(key)
}

// File gives the person a file of the form, which the worker makes.
func (p *Panel) File(ctx app.Context, kind string) {
	p.start(ctx)
	order := message.Order{File: kind}
	p.bring(&order)
	p.post(order)
}
