package admin

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// source is a list of a section whose rows are offered as options.
type source struct {
	section string
	options func(row *schema.Object, x facts) []option // the options of one row
	// of returns the search words that rows must match; nil to use those that the person types.
	of    func(facts) string
	named string // the member of entries with the name of the row, "" for none
}

// one returns the option of a row, with its name (or its text if it has no name, or else its key) and the member text as
// its description.
func one(key, text string) func(*schema.Object, facts) []option {
	return func(o *schema.Object, _ facts) []option {
		name := nameIn(o, text)
		if name == "" {
			name = o.Text(key)
		}
		out := option{key: o.Text(key), name: name, text: o.Text(text)}
		if out.text == out.name {
			out.text = ""
		}
		return []option{out}
	}
}

// scopesOf returns the scopes of an API as options; group is the name of the API shown above them.
func scopesOf(api *schema.Object, key func(scope string) string, group string) []option {
	var out []option
	for _, v := range api.List("scopes") {
		s, _ := v.(*schema.Object)
		scope := s.Text("value")
		out = append(out, option{key: key(scope), name: scope, text: s.Text("description"), group: group})
	}
	return out
}

// permissionSource offers the scopes of all APIs as options, with the same keys as a set of permissions.
func permissionSource() *source {
	return &source{section: apisName, options: func(api *schema.Object, _ facts) []option {
		identifier := api.Text("identifier")
		return scopesOf(api, func(scope string) string { return identifier + unit + scope }, api.Text("name"))
	}}
}

// permissionSet is the set of permissions of a role or a person.
func permissionSet() *set {
	return &set{
		member: "permissions", keys: []string{"resource_server_identifier", "permission_name"},
		option: func(o *schema.Object) option {
			name := o.Text("permission_name")
			return option{
				key: o.Text("resource_server_identifier") + unit + name, name: name, text: o.Text("description"),
				group: o.Text("resource_server_name"),
			}
		},
	}
}

// chooser is the state of the options of one field in a form.
type chooser struct {
	kit.List          // the offered rows, and their search
	held     kit.List // of a long set: its items that match the same search
	filter   string   // the search text that narrows the options
	wide     bool     // there have been enough options to offer a search
	known    map[string]option
	learned  map[string]bool // keys of held that are in the form
}

// waiting reports whether the options are still being read.
func (c *chooser) waiting() bool { return c.Loading || c.held.Loading }

// failure returns the error that prevented reading the options.
func (c *chooser) failure() error {
	if c.Err != nil {
		return c.Err
	}
	return c.held.Err
}

// more reports whether there are more options to read.
func (c *chooser) more() bool { return c.More() || c.held.More() }

// manyOptions is the number of options at which a search is offered.
const manyOptions = 9

// searchable reports whether to offer a search of the options, of which n are shown. Once offered, the search stays: a
// search field that disappeared while somebody typed would lose the focus.
func (c *chooser) searchable(n int) bool {
	c.wide = c.wide || n >= manyOptions || c.more()
	return c.wide
}

// chooser returns the chooser of a field.
func (e *editing) chooser(f *field) *chooser {
	if e.choosers == nil {
		e.choosers = map[string]*chooser{}
	}
	c := e.choosers[f.path]
	if c == nil {
		c = &chooser{known: map[string]option{}, learned: map[string]bool{}}
		e.choosers[f.path] = c
	}
	return c
}

// choices returns the options of a field. Selected values that are no longer offered, or not read yet, come first: a scope
// that its API has lost must be visible to be removed.
func (e *editing) choices(f *field, x facts) []option {
	c := e.chooser(f)
	list := slices.Clone(f.options)
	for _, row := range c.Rows {
		list = append(list, f.from.options(row, x)...)
	}
	var out []option
	for _, key := range items(listOf(append(items(e.was[f.path]), items(e.now[f.path])...))) {
		if !slices.ContainsFunc(list, func(o option) bool { return o.key == key }) {
			out = append(out, c.option(key))
		}
	}
	return slices.DeleteFunc(append(out, list...), func(o option) bool { return !o.matches(c.filter) })
}

// option returns an option that no row offers: as last known, or else made from its key.
func (c *chooser) option(key string) option {
	if o, ok := c.known[key]; ok {
		return o
	}
	texts := parts(key)
	return option{key: key, name: texts[len(texts)-1], group: strings.Join(texts[:len(texts)-1], " ")}
}

// matches reports whether an option contains all words of a search. A row that matches on the server may have options that
// do not.
func (o option) matches(search string) bool {
	return kit.HasWords(o.name+"\n"+o.text+"\n"+o.group+"\n"+o.key, search)
}

// heldFirst moves the selected options of each group before the others.
func heldFirst(list []option, held []string) []option {
	var out []option
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].group == list[from].group {
			to++
		}
		for _, first := range []bool{true, false} {
			for _, o := range list[from:to] {
				if slices.Contains(held, o.key) == first {
					out = append(out, o)
				}
			}
		}
		from = to
	}
	return out
}

// name records the names of the items of a set.
func (c *chooser) name(f *field, items []*schema.Object, x facts) {
	for _, o := range items {
		if f.set.option != nil {
			named := f.set.option(o)
			c.known[named.key] = named
			continue
		}
		for _, named := range f.from.options(o, x) {
			c.known[named.key] = named
		}
	}
}

// learn adds items of a long set to the form, each only once: the person may have removed it since.
func (e *editing) learn(f *field, x facts) {
	c := e.chooser(f)
	c.name(f, c.held.Rows, x)
	for _, key := range items(f.set.read(c.held.Rows)) {
		if c.learned[key] || slices.Contains(items(e.was[f.path]), key) {
			continue
		}
		c.learned[key] = true
		e.was[f.path], e.now[f.path] = toggled(e.was[f.path], key, true), toggled(e.now[f.path], key, true)
	}
}

// narrow searches the options of a field for the input.
func (p *entries) narrow(ctx app.Context, s *section, e *editing, f *field, typed string) {
	e.chooser(f).filter = typed
	if f.from != nil && f.from.of == nil {
		p.choose(ctx, s, e, f, func(l *kit.List, ctx app.Context, c kit.Calls) { l.Search(ctx, c, typed) })
	}
}

// offer reads the options of the fields of a form.
func (p *entries) offer(ctx app.Context, s *section, e *editing) {
	x := p.facts(e.entry, e.now)
	for _, f := range s.shown(x) {
		if f.from != nil {
			p.choose(ctx, s, e, f, (*kit.List).Load)
		}
	}
}

// choose runs do on the chooser of a field, unless the person may not read its rows or change the field. The items of a
// long set are read alongside the rows, in the same order and with the same search. Therefore, the selected items among
// the first rows are among the first items.
func (p *entries) choose(ctx app.Context, s *section, e *editing, f *field, do func(*kit.List, app.Context, kit.Calls)) {
	x := p.facts(e.entry, e.now)
	of := p.named(f.from.section)
	if of == nil || f.why(x) != "" || p.barred(s, x) != "" {
		return
	}
	c := e.chooser(f)
	c.Path, c.ID, c.Size = root+of.path, of.id, optionCount
	if f.from.of != nil {
		if c.Query = f.from.of(x); c.Query == "" {
			c.Rows = nil
			return
		}
	}
	calls := p.calls()
	do(&c.List, ctx, calls)
	if f.set == nil || !f.set.long || e.entry == nil {
		return
	}
	c.held.Path, c.held.ID, c.held.Size = root+s.path+"/"+e.entry.Text(s.id)+"/"+f.path, f.set.keys[0], optionCount
	done := calls.Done
	calls.Done = func(ctx app.Context, err error) {
		e.learn(f, p.facts(e.entry, e.now))
		done(ctx, err)
	}
	do(&c.held, ctx, calls)
}
