package run

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/run/template/hash"
	"github.com/formgraph/formgraph/model/schema"
)

// env returns what templates read at this moment. Random numbers depend on the path alone, so that neither input nor waiting changes them:
// the texts of a step stay the same while it is on the screen, and the replay of a scenario takes the same ways.
func (r *Run) env() *template.Env {
	random := rand.New(rand.NewPCG(r.input.Seed, uint64(r.past.ways))) //nolint:gosec // a run must be repeatable
	return &template.Env{
		Lookup:    r.lookup,
		Translate: r.texts.Custom,
		Now:       func() time.Time { return r.now },
		Random:    random.Float64,
		UUID:      func() string { return uuid(random) },
		Hash:      hash.Hex,
	}
}

// uuid returns a UUID of version 4, RFC 9562 section 5.4.
func uuid(random *rand.Rand) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], random.Uint64())
	binary.BigEndian.PutUint64(b[8:], random.Uint64())
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// remaining is the number of seconds until a resend button can be pressed again.
const remaining = "remaining_seconds"

func (r *Run) lookup(namespace string, path schema.Path) (any, bool) {
	switch namespace {
	case "context":
		return within(r.input.Context, path)
	case "vars":
		return within(r.data.vars, path)
	case remaining:
		return "{{" + remaining + "}}", len(path) == 0
	case "fields":
		if len(path) == 0 {
			return r.Fields(), true
		}
		v, ok := r.data.fields[path[0].Key]
		if !ok {
			return nil, false
		}
		return template.At(v, path[1:])
	}
	return nil, false
}

func within(o *schema.Object, path schema.Path) (any, bool) {
	if o == nil {
		return nil, false
	}
	return template.At(o, path)
}

// resolve returns a value with the templates in it evaluated, and false if it is undefined. An undefined element of an array becomes
// null, and an undefined member of an object is omitted.
func resolve(v any, env *template.Env) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, false
	case string:
		t, _ := template.Parse(v)
		return t.Value(env)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i], _ = resolve(e, env)
		}
		return list, true
	case *schema.Object:
		return resolveMembers(v, func(m schema.Member) (any, bool) { return resolve(m.Value, env) }), true
	}
	return v, true
}

func resolveMembers(o *schema.Object, value func(schema.Member) (any, bool)) *schema.Object {
	var members []schema.Member
	for _, m := range o.Members() {
		if v, ok := value(m); ok || m.Value == nil {
			members = append(members, schema.Member{Key: m.Key, Value: v})
		}
	}
	return schema.NewObject(members...)
}

// Item is a component of the step on the screen.
type Item struct {
	Component *model.Component // in the language of the run, with its templates evaluated
	Given     any              // what its control contains, nil if that is empty
	Refusal   string           // why its answer was refused, "" if it was not
	Waiting   bool             // whether it is a resend button that cannot be pressed yet
	Spent     bool             // whether it is a resend button that cannot be pressed more often
}

// Items returns the components of the step on the screen, nil in any other state. What templates insert into HTML of the
// author is escaped. The template {{remaining_seconds}} stays in the texts: it changes with the clock.
func (r *Run) Items() []Item {
	step := r.program.step(r.at.node)
	if step == nil {
		return nil
	}
	env := r.env()
	env.Undefined = r.input.Undefined
	items := make([]Item, len(step.Components))
	for i, c := range step.Components {
		tree := texts(c, nil, r.texts.Component(c), env).(*schema.Object)
		if id, ok := c.Tree().Get("id"); ok {
			tree = tree.With("id", id)
		}
		items[i] = Item{Component: model.ReadComponent(tree), Given: r.data.given[c.ID]}
		items[i].Waiting, items[i].Spent = r.resending(c)
		for _, refusal := range r.at.refusals {
			if refusal.Component == c.ID {
				items[i].Refusal = textOf(refusal.Text, env)
			}
		}
	}
	return items
}

// texts returns what a component has at a path, with the templates in its texts evaluated.
func texts(c *model.Component, at schema.Path, v any, env *template.Env) any {
	switch v := v.(type) {
	case string:
		spec, _ := c.Row(at).Spec.(schema.String)
		return shown(spec, v, env)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = texts(c, append(at, schema.Index(i)), e, env)
		}
		return list
	case *schema.Object:
		var members []schema.Member
		for _, m := range v.Members() {
			if !model.Verbatim(m.Key) {
				m.Value = texts(c, append(at, schema.Key(m.Key)), m.Value, env)
			}
			members = append(members, m)
		}
		return schema.NewObject(members...)
	}
	return v
}

// shown returns a text of the screen with its templates evaluated. Only what the author wrote is HTML.
func shown(spec schema.String, s string, env *template.Env) string {
	t, _ := template.Parse(s)
	if spec.Markup(s) {
		return t.HTML(env)
	}
	text := t.Text(env)
	if spec.Markup(text) {
		return "<p>" + template.EscapeHTML(text) + "</p>"
	}
	return text
}

// Redirection returns the address to which the ending redirects, with its templates evaluated, "" for none.
func (r *Run) Redirection() string { return textOf(r.program.form.Ending.Target, r.env()) }

func textOf(s string, env *template.Env) string {
	t, _ := template.Parse(s)
	return t.Text(env)
}
