package preview

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// cardPart is an input of a card, named as in the config.
type cardPart struct{ name, fallback, placeholder, autocomplete string }

// testCard is a number with the right check digit that no bank issues.
var testCard = schema.NewObject(
	schema.Member{Key: "card_number", Value: "4242 4242 4242 4242"},
	schema.Member{Key: "expiration_date", Value: "12/34"},
	schema.Member{Key: "security_code", Value: "123"},
)

// drawPayment draws a stand-in with the amount and the inputs of a card.
func drawPayment(f *field) control {
	k := control{collect: CollectObject, label: labelGroup, kept: f.it.Answer}
	head := el("div", "fg-amount", icon("card"), span("", f.charge()))
	fields := f.config.Object("fields")
	grid := el("div", "fg-card")
	for i, p := range []cardPart{
		{"card_number", f.cardNumber, "1234 1234 1234 1234", "cc-number"},
		{"expiration_date", f.expiration, "MM/YY", "cc-exp"},
		{"security_code", f.securityCode, "CVC", "cc-csc"},
	} {
		of := fields.Object(p.name)
		id := f.key + "-" + p.name
		input := el("input", "af-stringField-input").set("type", "text").set("inputmode", "numeric").set("id", id)
		input.set("autocomplete", p.autocomplete).set("placeholder", or(of.Text("placeholder"), p.placeholder)).set("data-member", p.name)
		if i > 0 || f.it.Problem == "" {
			f.named(input, control{})
		} else {
			f.named(input, k)
		}
		label := el("div", "af-field-label", el("label", "", text(or(of.Text("label"), p.fallback))).set("for", id))
		grid.add(el("div", "af-payment-"+camel(p.name), label, input))
	}
	fill := el("button", "fg-quiet", text(f.testCard)).set("type", "button").set("data-act", "fill")
	fill.set("data-fill", string(schema.Encode(testCard)))
	note := f.note(f.payment)
	kept := el("p", "fg-kept", icon("check"), text(f.cardKept+" "), f.clearButton())
	k.body = []*element{el("div", "af-payment fg-standin", head, kept, grid, note, fill)}
	return k
}

// clearButton returns the button that takes an answer back.
func (f *field) clearButton() *element {
	return el("button", "fg-quiet", text(f.remove)).set("type", "button").set("data-act", "clear")
}

// or returns a text, or another one instead of an empty one.
func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// camel returns a name of a config as the vendor's classes have it.
func camel(name string) string {
	first, second, _ := strings.Cut(name, "_")
	return first + strings.ToUpper(second[:1]) + second[1:]
}

// charge returns what is charged.
func (f *field) charge() string {
	charge := f.config.Object("charge")
	if charge.Text("type") == "SUBSCRIPTION" {
		return f.subscription
	}
	once := charge.Object("one_off")
	amount, _ := once.Get("amount")
	return strings.TrimSpace(money(answerText(amount)) + " " + once.Text("currency"))
}

// money returns an amount with two decimals if it has decimals. Other texts are unchanged.
func money(amount string) string {
	n, ok := schema.ParseNumber(amount)
	whole, fraction, point := strings.Cut(string(n), ".")
	if !ok || strings.ContainsAny(amount, "eE") || !point || len(fraction) > 2 {
		return amount
	}
	return whole + "." + (fraction + "00")[:2]
}
