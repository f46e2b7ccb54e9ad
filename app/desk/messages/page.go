// Package messages is the page of the desk with the messages that refuse answers: the built-in ones and the form's own. It names the places
// that use them.
package messages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is the page. Use New.
type Page struct {
	form    desk.Form
	query   string
	all     bool   // also the errors that no answer of the form can get
	adding  string // the group of the message that is being added, errors or custom, "" for none
	fault   string
	errors  []refusal
	customs []custom
}

// refusal is a text that refuses answers.
type refusal struct {
	answer.Message
	text   string // of the form, "" for the built-in one
	fields int    // how many components of the form can refuse an answer with it
}

// custom is a message of the form's own.
type custom struct {
	key, text string
	known     bool // the form has the message; else something uses a key that it lacks
	uses      []schema.Path
}

// New returns the page.
func New() *Page { return &Page{} }

// Form implements desk.Page.
func (p *Page) Form(of desk.Form) {
	p.form = of
	p.errors, p.customs = refusalsOf(of.Form), customsOf(of.Form)
}

func refusalsOf(f *model.Form) []refusal {
	fields := map[answer.Key]int{}
	for _, n := range f.Nodes {
		for i := range n.Parts() {
			if c := n.Component(i); c != nil {
				keys := answer.KeysOf(c)
				slices.Sort(keys)
				for _, k := range slices.Compact(keys) {
					fields[k]++
				}
			}
		}
	}
	texts := f.Tree().Object("messages").Object("errors")
	var list []refusal
	for _, m := range answer.Messages {
		list = append(list, refusal{m, texts.Text(string(m.Key)), fields[m.Key]})
	}
	for _, m := range texts.Members() {
		if !slices.ContainsFunc(answer.Messages, func(of answer.Message) bool { return string(of.Key) == m.Key }) {
			text, _ := m.Value.(string)
			list = append(list, refusal{answer.Message{Key: answer.Key(m.Key), Unused: "the key is unknown here"}, text, 0})
		}
	}
	slices.SortStableFunc(list, func(a, b refusal) int { return cmp.Compare(b.fields, a.fields) })
	return list
}

func customsOf(f *model.Form) []custom {
	var list []custom
	at := map[string]int{}
	add := func(key, text string, known bool) {
		if _, ok := at[key]; !ok {
			at[key] = len(list)
			list = append(list, custom{key: key, text: text, known: known})
		}
	}
	for _, m := range f.Tree().Object("messages").Object("custom").Members() {
		text, _ := m.Value.(string)
		add(m.Key, text, true)
	}
	flow.EachString(f.Tree(), nil, func(s string, path schema.Path) {
		if !strings.Contains(s, "{{") || len(path) > 0 && path[0].Key == "translations" {
			return
		}
		parsed, _ := template.Parse(s)
		for _, key := range parsed.Messages() {
			add(key, "", false)
			i := at[key]
			list[i].uses = append(list[i].uses, slices.Clone(path))
		}
	})
	return list
}

// The properties that the page edits.
func errorPath(key string) schema.Path  { return path(ofErrors, key) }
func customPath(key string) schema.Path { return path(ofCustom, key) }

// The groups of messages.
const (
	ofErrors = "errors"
	ofCustom = "custom"
)

func path(group, key string) schema.Path {
	return schema.Path{schema.Key("messages"), schema.Key(group), schema.Key(key)}
}

// Go implements desk.Finder.
func (p *Page) Go(t *desk.Turn, path schema.Path) {
	p.query, p.adding = "", ""
	p.all = p.all || slices.ContainsFunc(p.errors, func(r refusal) bool { return r.fields == 0 && path.Equal(errorPath(string(r.Key))) })
	t.Focus("[data-path=" + strconv.Quote(path.String()) + "]")
}

// Event implements desk.Page.
func (p *Page) Event(t *desk.Turn, e message.Event) {
	switch e.On {
	case "input":
		p.input(t, e)
	case "change":
		if e.Do == "all" {
			p.all = e.Text == "true"
		}
	case "press":
		p.press(t, e)
	case "key":
		if e.Text == "Escape" {
			t.Focus("#view-messages")
		}
	}
}

func (p *Page) input(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "search":
		p.query = e.Text
	case "error":
		t.Run(setOrClear(errorPath(e.Arg), e.Text))
	case "custom":
		// An emptied message stays until it is removed, so that its key is not lost while somebody types.
		t.Run(editor.Set{Path: customPath(e.Arg), Value: e.Text})
	case "key":
		p.fault = ""
	}
}

func setOrClear(p schema.Path, text string) editor.Command {
	if text == "" {
		return editor.Clear{Path: p}
	}
	return editor.Set{Path: p, Value: text}
}

func (p *Page) press(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "open":
		p.adding, p.fault = cmp.Or(e.Arg, ofCustom), ""
		t.Focus("#ms-key")
	case "close":
		p.adding = ""
		t.Focus("[data-do=open]")
	case "add":
		p.add(t, strings.TrimSpace(e.Text))
	case "define":
		t.Run(editor.Set{Path: customPath(e.Arg), Value: e.Arg})
	case "remove":
		t.Run(editor.Clear{Path: customPath(e.Arg)})
	case "builtin":
		t.Run(editor.Clear{Path: errorPath(e.Arg)})
	case "show":
		if path, err := schema.ParsePath(e.Arg); err == nil {
			t.Go(path)
		}
	case "page":
		t.Show(e.Arg)
	}
}

// add adds a message with a key.
func (p *Page) add(t *desk.Turn, key string) {
	switch {
	case key == "":
		p.fault = "must have a key, such as greeting"
	case p.adding == ofErrors:
		p.adding = ""
		if at := errorPath(key); slices.ContainsFunc(p.errors, func(r refusal) bool { return string(r.Key) == key }) {
			p.Go(t, at)
		} else {
			t.Run(editor.Set{Path: at, Value: key})
		}
	case slices.ContainsFunc(p.customs, func(c custom) bool { return c.known && c.key == key }):
		p.fault = "the form has a message with this key already"
	case strings.ContainsAny(key, `'"{}\`):
		p.fault = "must not contain quotation marks, braces or backslashes"
	default:
		p.adding = ""
		t.Run(editor.Set{Path: customPath(key), Value: key})
	}
}

// matches reports whether some text contains what is searched for.
func (p *Page) matches(texts ...string) bool {
	query := strings.ToLower(strings.TrimSpace(p.query))
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), query) })
}
