package template

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Value returns the value of the template. If it is exactly one expression, the value has any type, and false means that it is undefined.
// Otherwise it is the text of Text.
func (t *Template) Value(env *Env) (any, bool) {
	if len(t.parts) != 1 || t.parts[0].expr == nil {
		return t.Text(env), true
	}
	v := t.parts[0].expr.eval(env)
	if v == any(absent{}) {
		return nil, false
	}
	return v, true
}

// Text returns the text with the texts of the values in it; see Text.
func (t *Template) Text(env *Env) string {
	same := func(s string) string { return s }
	return t.fill(env, same, same)
}

// fill returns the text with what text makes of its own parts, and value of the texts of the values, in their order.
func (t *Template) fill(env *Env, text, value func(string) string) string {
	if t.Static() {
		return t.source
	}
	var b strings.Builder
	for _, p := range t.parts {
		if p.expr == nil {
			b.WriteString(text(p.text))
			continue
		}
		v := p.expr.eval(env)
		if v == any(absent{}) && env.Undefined != nil {
			v = env.Undefined(p.text)
		}
		b.WriteString(value(Text(v)))
	}
	return b.String()
}

// expr is an expression. eval returns a tree or absent.
type expr interface{ eval(env *Env) any }

type (
	constant    struct{ value any }
	array       []expr
	coalesce    []expr
	translation struct{ key expr }
	reference   struct {
		namespace string
		path      schema.Path
	}
	property struct {
		of   expr
		path schema.Path
	}
	call struct {
		function string
		args     []expr
	}
)

func (e constant) eval(*Env) any { return e.value }

// An undefined element of an array is null, as in JSON text.
func (e array) eval(env *Env) any {
	list := make([]any, len(e))
	for i, of := range e {
		if v := of.eval(env); v != any(absent{}) {
			list[i] = v
		}
	}
	return list
}

// The value of ?? is that of its first operand that is neither undefined nor null, else that of the last.
func (e coalesce) eval(env *Env) any {
	var v any
	for _, of := range e {
		if v = of.eval(env); v != nil && v != any(absent{}) {
			return v
		}
	}
	return v
}

func (e translation) eval(env *Env) any {
	key, ok := e.key.eval(env).(string)
	if !ok || env.Translate == nil {
		return absent{}
	}
	if text, ok := env.Translate(key); ok {
		return text
	}
	return absent{}
}

func (e reference) eval(env *Env) any {
	if env.Lookup == nil {
		return absent{}
	}
	if v, ok := env.Lookup(e.namespace, e.path); ok {
		return v
	}
	return absent{}
}

func (e property) eval(env *Env) any {
	if v, ok := At(e.of.eval(env), e.path); ok {
		return v
	}
	return absent{}
}

func (e call) eval(env *Env) any {
	args := make([]any, len(e.args))
	for i, arg := range e.args {
		args[i] = arg.eval(env)
	}
	v := implementation(e.function)(env, args)
	if text, ok := v.(string); ok && len(text) > maxText {
		return absent{}
	}
	return v
}
