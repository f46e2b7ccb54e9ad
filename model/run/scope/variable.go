package scope

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// Variable is a variable that templates and conditions can use.
type Variable struct {
	Text  string // in a template, without the braces, such as fields.age
	Title string // for people: the label of a component, else the key of the field, the name of a documented variable, or the text without its namespace
	// Component asks for the field; it is the first one with the id. Others are from outside.
	Component *model.Component
	Path      schema.Path // of the component or hidden field, nil for any other variable
	Icon      string      // name of a symbol in the icon set, "" if the variable has no component of a known kind
	// Type is the type of the value. It is answertype.Any for a hidden field, since a value from outside is not checked, and for a variable of
	// which nothing is known.
	Type answertype.Type
	// Every reports whether every path to the place collects the field. It is false for variables in vars and context, and at a place that
	// no path reaches for all but hidden fields.
	Every bool

	value string // of a hidden field
}

// Option is a value that a respondent may choose.
type Option struct{ Value, Label string }

// At returns the variables that a template or condition at a path can use, nil if none is evaluated there. The path is that of a node, a
// component or rule, the ending, the value of a hidden field, a translation, or of anything in them. Fields come first, in document order,
// then hidden fields, vars and context.
//
// The outputs of flows and the values that come with a run are unknown, so vars and context have the variables that the form mentions
// anywhere, and context those of the public documentation. At a place that no path reaches, such as a new node, every field is in scope,
// because the node may be connected anywhere. So are the fields whose paths are too many to follow; see Analysis.FindingsUntil.
func (a *Analysis) At(p schema.Path) []Variable {
	s, ok := a.siteOf(p)
	if !ok {
		return nil
	}
	reached := slices.ContainsFunc(s.at, func(v int) bool { return a.reached[v] })
	found := make([]Variable, 0, len(a.fields)+len(documented)+len(a.mentioned))
	misses, mays := make([]bool, len(a.groups)), make([]bool, len(a.groups))
	collected, known := a.newPass(func() bool { return false }), true
	for g := range a.groups {
		if known && g%wordSize == 0 {
			known = collected.follow(g)
		}
		if misses[g], mays[g] = true, true; known {
			misses[g], mays[g] = collected.at(s, g)
		}
	}
	for i, f := range a.fields {
		may, every := true, f.hidden
		switch {
		case s.hidden >= 0:
			may = a.givenBefore(i, s.hidden)
		case reached:
			may, every = mays[f.of], !misses[f.of]
		}
		if may {
			found = append(found, a.variable(i, every))
		}
	}
	return append(found, a.outside()...)
}

func (a *Analysis) variable(i int, every bool) Variable {
	f := &a.fields[i]
	v := Variable{Text: text(fields, schema.Path{schema.Key(f.id)}), Title: f.id, Type: answertype.Any, Every: every}
	if len(f.steps) == 0 {
		v.Path = schema.Path{schema.Key("start"), schema.Key("hidden_fields"), schema.Index(f.index)}
		if f.given >= 0 {
			v.value = a.form.Start.Hidden[f.given].Value
		}
		return v
	}
	c := a.form.Nodes[f.node].Component(f.index)
	v.Component, v.Path = c, model.ComponentPath(f.node, f.index)
	v.Title = cmp.Or(strings.Join(strings.Fields(c.Label), " "), f.id)
	v.Type = answertype.Of(c)
	if c.Kind != nil {
		v.Icon = c.Kind.Icon
	}
	return v
}

// outside returns the variables in vars and context.
func (a *Analysis) outside() []Variable {
	var found []Variable
	add := func(text, title string, typ answertype.Type) {
		if title == "" {
			_, title, _ = strings.Cut(text, ".")
		}
		found = append(found, Variable{Text: text, Title: cmp.Or(title, text), Type: typ})
	}
	names := slices.Sorted(maps.Keys(a.mentioned))
	ofContext := func(name string) bool { return strings.HasPrefix(name, context) }
	for _, name := range names {
		if !ofContext(name) {
			add(name, "", answertype.Any)
		}
	}
	for _, d := range documented {
		add(d.text, d.title, d.typ)
	}
	for _, name := range names {
		if ofContext(name) && !slices.ContainsFunc(documented, func(d contextVariable) bool { return d.text == name }) {
			add(name, "", answertype.Any)
		}
	}
	return found
}

// contextVariable is a variable of the context that the public documentation lists.
type contextVariable struct {
	text, title string
	typ         answertype.Type
}

// documented lists the variables of the context, in the order of https://auth0.com/docs/customize/forms/variables, which does not show
// their types. The titles are ours.
var documented = []contextVariable{
	{"context.user.user_id", "User: ID", answertype.Text},
	{"context.user.username", "User: username", answertype.Text},
	{"context.user.name", "User: name", answertype.Text},
	{"context.user.given_name", "User: given name", answertype.Text},
	{"context.user.family_name", "User: family name", answertype.Text},
	{"context.user.nickname", "User: nickname", answertype.Text},
	{"context.user.email", "User: email", answertype.Text},
	{"context.user.email_verified", "User: email verified", answertype.Boolean},
	{"context.user.phone_number", "User: phone number", answertype.Text},
	{"context.user.phone_verified", "User: phone verified", answertype.Boolean},
	{"context.user.picture", "User: picture", answertype.Text},
	{"context.user.user_metadata", "User: user metadata", answertype.Any},
	{"context.user.app_metadata", "User: app metadata", answertype.Any},
	{"context.user.created_at", "User: created at", answertype.Text},
	{"context.user.updated_at", "User: updated at", answertype.Text},
	{"context.user.last_password_reset", "User: last password reset", answertype.Text},
	{"context.user.identities", "User: identities", answertype.Any},
	{"context.organization.id", "Organization: ID", answertype.Text},
	{"context.organization.name", "Organization: name", answertype.Text},
	{"context.organization.display_name", "Organization: display name", answertype.Text},
	{"context.organization.metadata", "Organization: metadata", answertype.Any},
	{"context.client.client_id", "Client: ID", answertype.Text},
	{"context.client.name", "Client: name", answertype.Text},
	{"context.tenant.name", "Tenant: name", answertype.Text},
	{"context.transaction.state", "Transaction: state", answertype.Text},
	{"context.transaction.correlation_id", "Transaction: correlation ID", answertype.Text},
	{"context.custom_domain.domain", "Custom domain: domain", answertype.Text},
	{"context.custom_domain.domain_metadata", "Custom domain: metadata", answertype.Any},
}

// Example returns a value that the variable may have: an ordinary answer, or the value of a hidden field without templates. It returns nil
// if there is none.
func (v Variable) Example() any {
	if v.Component != nil {
		if examples := answertype.Examples(v.Component); len(examples) > 0 {
			return examples[0]
		}
		return nil
	}
	if t, _ := template.Parse(v.value); v.value != "" && t.Static() {
		return v.value
	}
	return nil
}

// Options returns the options of a choice, nil for any other variable. One without a label has its value as label.
func (v Variable) Options() []Option {
	if v.Type != answertype.Option && v.Type != answertype.Options {
		return nil
	}
	var options []Option
	for _, item := range v.Component.Config().List("options") {
		o, _ := item.(*schema.Object)
		if value := o.Text("value"); value != "" {
			options = append(options, Option{value, cmp.Or(o.Text("label"), value)})
		}
	}
	return options
}
