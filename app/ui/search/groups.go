package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// The groups of the list of commands.
const (
	recentGroup    = "Recent"
	commandGroup   = "Commands"
	laterGroup     = "Not possible now"
	componentGroup = "Components"
	nodeGroup      = "Nodes"
	partGroup      = "In this form"
	formGroup      = "Forms"
)

// recentLimit is the maximum number of commands in the group of those that were taken last.
const recentLimit = 3

// groupLimit is the maximum number of nodes and of forms in the list.
const groupLimit = 8

// firstNodes is the maximum number of nodes in the list without a query.
const firstNodes = 5

// foldFrom is the number of commands with the same remedy from which on they are one line.
const foldFrom = 4

// formsAge is how long the names of the tenant's forms are used before they are read again.
const formsAge = time.Minute

// otherForms are the forms of the tenant that the list offers to open.
type otherForms struct {
	list []formapi.Summary
	read time.Time
}

// follow reads the names of the forms if they are old. The list is complete without them: a failure is not reported.
func (p *Dialog) follow(ctx app.Context) {
	now := time.Now()
	if p.Client == nil || now.Sub(p.forms.read) < formsAge {
		return
	}
	p.forms.read = now
	p.Async(ctx, func(c context.Context) func(app.Context) {
		list, err := formapi.List(c, p.Client)
		if err != nil {
			return nil
		}
		return func(ctx app.Context) {
			p.forms.list = list
			p.Redraw(ctx)
		}
	})
}

// grouped returns what the query finds among commands, kinds of components, nodes, the components of the form and other forms, in groups. The
// group with the best match is the first, and the components of the form are never: the name of a kind adds one, although there may be one of
// that name. Scattered letters find commands only if the query finds nothing else. Without a query, the commands that were taken last come
// first, then the first nodes, and then all commands; components are listed only for a query. So are, at the end, the commands that do not apply,
// with what is to be done first.
func (p *Dialog) grouped() []result {
	groups := [4][]result{0: p.ofPage(), 2: p.nodes(), 3: p.others()}
	var out []result
	if p.query == "" {
		out, groups[2] = groups[2], nil
	}
	parts := p.components()
	found := findCommands(p.query, p.Situation(), 2*resultLimit)
	if len(groups[2])+len(groups[3])+len(parts) > 0 || len(found) > 0 && !found[0].scattered {
		found = slices.DeleteFunc(found, func(f foundCommand) bool { return f.scattered })
	}
	var later []result
	for _, f := range found {
		if p.Page != nil || p.query == "" && f.missing != "" {
			continue
		}
		if f.ID == command.Save && p.query == "" && !p.Editor.Unsaved() {
			continue
		}
		r := result{group: commandGroup, icon: f.Icon, title: f.Name, inTitle: f.in, keys: f.Shortcut(), note: f.missing, disabled: f.missing != "", repeats: true, adds: f.Kind != nil}
		r.take = func(ctx app.Context) { p.Perform(ctx, f.ID, f.Arg) }
		if r.disabled {
			r.group = laterGroup
			later = append(later, r)
			continue
		}
		i := 0
		if f.Kind != nil {
			r.group, i = componentGroup, 1
		}
		groups[i] = append(groups[i], r)
	}
	var best []find.Entry
	var order []int
	for i, g := range groups {
		if len(g) > 0 {
			// The words make every group match; the names decide the order.
			best, order = append(best, find.Entry{Name: g[0].title, Also: g[0].also, Words: p.query}), append(order, i)
		}
	}
	for _, m := range find.Rank(best, p.query) {
		out = append(out, groups[order[m.Index]]...)
		out, parts = append(out, parts...), nil
	}
	return append(p.recent(append(out, parts...)), folded(later)...)
}

// folded returns commands that do not apply, in one line if many have the same remedy.
func folded(later []result) []result {
	same := map[string]int{}
	for _, r := range later {
		same[r.note]++
	}
	var out []result
	for _, r := range later {
		n := same[r.note]
		if n < 0 {
			continue // it is in a line before
		}
		if n >= foldFrom {
			r.icon, r.title, r.inTitle, r.keys = "plus", fmt.Sprintf("%d commands", n), nil, ""
			if r.adds {
				r.title = fmt.Sprintf("%d components", n)
			}
			same[r.note] = -1
		}
		out = append(out, r)
	}
	return out
}

// recent returns results with the commands that were taken last in front, in a group of their own, if there is no query.
func (p *Dialog) recent(all []result) []result {
	if p.query != "" {
		return all
	}
	var first []result
	for _, title := range p.taken {
		if i := slices.IndexFunc(all, func(r result) bool { return r.repeats && r.title == title }); i >= 0 {
			r := all[i]
			r.group = recentGroup
			first, all = append(first, r), slices.Delete(all, i, i+1)
		}
	}
	return append(first, all...)
}

// ofPage returns the commands of a page without a form that the query finds.
func (p *Dialog) ofPage() []result {
	if p.Page == nil {
		return nil
	}
	var items []kit.Item
	var entries []find.Entry
	for _, it := range p.Page() {
		if it.Act == "" && it.Address == "" {
			continue
		}
		name := it.Name
		if it.Row != "" {
			name = it.Row + ": " + name
		}
		items, entries = append(items, it), append(entries, find.Entry{Name: name})
	}
	return ranked(entries, p.query, func(i int) result {
		it := items[i]
		return result{group: commandGroup, icon: it.Icon, take: func(ctx app.Context) {
			if it.Address != "" {
				kit.Leave(it.Address)
				return
			}
			p.Do(ctx, it.Act, it.Arg)
		}}
	})
}

// SetForms sets the forms of the tenant, on a page that has them.
func (p *Dialog) SetForms(list []formapi.Summary) { p.forms.list = list }

// partNames are the names of the components of a form.
type partNames struct {
	form    *model.Form // of which the others are
	entries []find.Entry
	at      []editor.Selection
}

// of returns the names of a form. They are made once for each form: a large one has thousands.
func (n *partNames) of(f *model.Form) *partNames {
	if n.form == f {
		return n
	}
	*n = partNames{form: f}
	keys := f.Keys()
	for i, node := range f.Nodes {
		if step, ok := node.Config.(*model.Step); ok {
			for _, c := range step.Components {
				e := find.Entry{Name: caption.Component(c), Also: c.ID}
				if c.Kind != nil {
					e.Words = c.Kind.FullLabel()
				}
				n.entries = append(n.entries, e)
				n.at = append(n.at, editor.Selection{Nodes: []string{keys[i]}, Component: c.ID})
			}
		}
	}
	return n
}

// components returns the components of the form that the query finds.
func (p *Dialog) components() []result {
	f := p.State().Form
	if f == nil || p.query == "" {
		return nil
	}
	names := p.parts.of(f)
	return ranked(names.entries, p.query, func(i int) result {
		icon, at := "unknown", names.at[i]
		if c, _, _ := f.Component(at.Component); c != nil && c.Kind != nil {
			icon = c.Kind.Icon
		}
		return result{group: partGroup, icon: icon, take: func(app.Context) {
			p.Editor.Select(at)
			p.Show(at.Only())
		}}
	})
}

// nodes returns the nodes that the query finds, and the first ones without a query.
func (p *Dialog) nodes() []result {
	f := p.State().Form
	if f == nil {
		return nil
	}
	var entries []find.Entry
	var icons []string
	for _, n := range f.Nodes {
		icon := "step"
		if k := model.NodeKindOf(n.Type); k != nil {
			icon = k.Icon
		}
		entries, icons = append(entries, find.Entry{Name: n.Name(), Also: n.ID}), append(icons, icon)
	}
	keys := f.Keys()
	if p.query == "" {
		entries = entries[:min(len(entries), firstNodes)]
	} else {
		entries, icons = append([]find.Entry{{Name: "Start"}, {Name: "Ending"}}, entries...), append([]string{"start", "ending"}, icons...)
		keys = append([]string{model.StartID, model.EndingID}, keys...)
	}
	return ranked(entries, p.query, func(i int) result {
		icon := icons[i]
		return result{group: nodeGroup, icon: icon, take: func(app.Context) {
			p.Editor.Select(editor.SelectNodes(keys[i]))
			p.Show(keys[i])
		}}
	})
}

// others returns the other forms that the query finds.
func (p *Dialog) others() []result {
	list := slices.DeleteFunc(slices.Clone(p.forms.list), func(s formapi.Summary) bool { return s.ID == p.ID })
	entries := make([]find.Entry, len(list))
	for i, s := range list {
		entries[i] = find.Entry{Name: cmp.Or(s.Name, s.ID), Also: s.ID}
	}
	return ranked(entries, p.query, func(i int) result {
		return result{group: formGroup, icon: "form", take: func(ctx app.Context) { ctx.Navigate(kit.FormAddress(list[i].ID)) }}
	})
}

// ranked returns the best results of a query, with the names of the entries. Entries that have only its letters are left out.
func ranked(entries []find.Entry, query string, of func(int) result) []result {
	var out []result
	for _, m := range find.Rank(entries, query) {
		if m.Scattered || len(m.InName) == 0 && len(m.InAlso) > len(strings.Fields(query)) { // letters here and there in an id
			continue
		}
		if len(out) == groupLimit {
			break
		}
		r, e := of(m.Index), entries[m.Index]
		r.title, r.also, r.inTitle, r.note, r.inNote = e.Name, e.Also, m.InName, e.Also, m.InAlso
		if e.Also == e.Name {
			r.note, r.inNote = "", nil
		}
		out = append(out, r)
	}
	return out
}
