// Package answertype has the types of the answers that components take, and ordinary examples of such answers. It is the part of what is
// known about answers that an editor needs while nothing runs; package answer judges them.
package answertype

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Type is the type of a component's answer.
type Type string

// The types of answers.
const (
	None       Type = ""           // the component takes no answer
	Text       Type = "text"       // a string
	Number     Type = "number"     // a schema.Number
	Boolean    Type = "boolean"    // true or false
	Option     Type = "option"     // the value of an option, or a text of one's own
	Options    Type = "options"    // a list of such strings, without duplicates, in the order of the options
	Date       Type = "date"       // a string such as 2026-01-31
	Time       Type = "time"       // a string such as 23:15
	Phone      Type = "phone"      // an object; see phoneTree
	Files      Type = "files"      // a list of objects with name, and possibly size in bytes and type
	Payment    Type = "payment"    // the id of a payment method, or an object with payment_method_id
	Social     Type = "social"     // an object with provider, or a provider
	Address    Type = "address"    // a GeoJSON feature, with the parts of the address in properties.geocoding
	Challenge  Type = "challenge"  // an object with success
	Credential Type = "credential" // an object with state
	Any        Type = "any"        // any JSON value but null
)

// types has the type of the answer to each kind of component that takes one, in the order of the spec's tables. It may depend on the config.
var types = map[string]func(config *schema.Object) Type{
	"SERVICE_VERIFIABLE_CREDENTIALS": always(Credential),
	"MAPS_ADDRESS":                   always(Address),
	"RECAPTCHA":                      always(Challenge),
	"BOOLEAN":                        always(Boolean),
	"CARDS":                          options,
	"CHOICE":                         options,
	"CUSTOM":                         always(Any),
	"DATE":                           date,
	"DROPDOWN":                       options,
	"EMAIL":                          always(Text),
	"FILE":                           always(Files),
	"LEGAL":                          always(Boolean),
	"NUMBER":                         always(Number),
	"PASSWORD":                       always(Text),
	"PAYMENT":                        always(Payment),
	"SOCIAL":                         always(Social),
	"TEL":                            phone,
	"TEXT":                           always(Text),
	"URL":                            always(Text),
}

// Of returns the type of a component's answer, None if it takes no answer. A component of an unknown type may be one of a tenant that is
// newer than our tables, so it takes any answer unless it is a block.
func Of(c *model.Component) Type {
	switch {
	case c.Kind != nil && c.Kind.Category == c.Category:
		if of := types[c.Kind.Type]; of != nil {
			return of(c.Config())
		}
		return None
	case c.Category == model.Block:
		return None
	}
	return Any
}

// always returns a function that ignores the config.
func always(t Type) func(*schema.Object) Type { return func(*schema.Object) Type { return t } }

func options(config *schema.Object) Type {
	if flag(config, "multiple") {
		return Options
	}
	return Option
}

func date(config *schema.Object) Type {
	if config.Text("format") == "TIME" {
		return Time
	}
	return Date
}

func phone(config *schema.Object) Type {
	if flag(config, "country_picker") {
		return Phone
	}
	return Text
}

// flag reports whether a property of a config is true.
func flag(config *schema.Object, property string) bool {
	v, _ := config.Get(property)
	return v == true
}
