package answer

import (
	"strings"

	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/schema"
)

// parseSocial reads a sign-in: an object with provider, or the name of a provider.
func parseSocial(_ *schema.Object, given any) (any, Key) {
	return named(given, "provider")
}

// parseCredential reads the outcome of a verification: an object with state, or a state.
func parseCredential(_ *schema.Object, given any) (any, Key) {
	return named(given, "state")
}

// named reads an object with a text, or only that text.
func named(given any, name string) (any, Key) {
	if s, ok := given.(string); ok {
		if s = strings.TrimSpace(s); s == "" {
			return nil, ""
		}
		return schema.NewObject(schema.Member{Key: name, Value: s}), ""
	}
	o, ok := given.(*schema.Object)
	switch {
	case ok && o.Len() == 0:
		return nil, ""
	case blank(o.Text(name)):
		return nil, InvalidInput
	}
	return o, ""
}

// parseChallenge reads the verdict on a challenge: an object with success, or whether it succeeded.
func parseChallenge(config *schema.Object, given any) (any, Key) {
	o, ok := given.(*schema.Object)
	if !ok {
		passed, key := parseBoolean(config, given)
		switch {
		case key != "":
			return nil, InvalidInput
		case passed == nil:
			return nil, ""
		}
		return schema.NewObject(schema.Member{Key: "success", Value: passed}), ""
	}
	if o.Len() == 0 {
		return nil, ""
	}
	success, _ := o.Get("success")
	if _, ok := success.(bool); !ok {
		return nil, InvalidInput
	}
	return o, ""
}

func succeeded(answer any) bool {
	o, _ := answer.(*schema.Object)
	return flag(o, "success")
}

// parseAddress reads an address: a GeoJSON feature, its geocoding object alone, or a text, which becomes the label of one.
func parseAddress(_ *schema.Object, given any) (any, Key) {
	var parts *schema.Object
	switch v := given.(type) {
	case string:
		s := strings.TrimSpace(v)
		if s == "" {
			return nil, ""
		}
		parts = schema.NewObject(schema.Member{Key: "label", Value: s})
	case *schema.Object:
		if v.Len() == 0 {
			return nil, ""
		}
		if v.Has("properties") {
			if v.Object("properties").Object("geocoding").Len() == 0 {
				return nil, InvalidInput
			}
			return v, ""
		}
		parts = v
	default:
		return nil, InvalidInput
	}
	properties := schema.NewObject(schema.Member{Key: "geocoding", Value: parts})
	return schema.NewObject(schema.Member{Key: "type", Value: "Feature"}, schema.Member{Key: "properties", Value: properties}), ""
}

// minAmount is the smallest amount of a charge.
const minAmount schema.Number = "0.01"

// The properties of a card, as the config names its inputs.
var cardParts = []struct {
	name  string
	valid func(string) bool
}{
	{"card_number", isCardNumber},
	{"expiration_date", isExpiration},
	{"security_code", func(s string) bool { return digits(s) && (len(s) == 3 || len(s) == 4) }},
}

// parsePayment reads the id of a payment method, an object with one and possibly an amount, or a card.
func parsePayment(_ *schema.Object, given any) (any, Key) {
	o, isObject := given.(*schema.Object)
	if !isObject {
		s, ok := given.(string)
		s = strings.TrimSpace(s)
		switch {
		case !ok:
			return nil, InvalidInput
		case s == "":
			return nil, ""
		case isCardNumber(s):
			return nil, MissingCardInfo // a card alone, which must not be kept
		}
		return s, ""
	}
	if o.Len() == 0 {
		return nil, ""
	}
	if !o.Has("payment_method_id") {
		return parseCard(o)
	}
	if blank(o.Text("payment_method_id")) {
		return nil, MissingCardInfo
	}
	if amount, ok := o.Get("amount"); ok {
		if n, isNumber := amount.(schema.Number); !isNumber || n.Compare(minAmount) < 0 {
			return nil, CurrencyExpected
		}
	}
	return o, ""
}

func parseCard(o *schema.Object) (any, Key) {
	empty := 0
	for _, p := range cardParts {
		switch s := strings.TrimSpace(o.Text(p.name)); {
		case s == "":
			empty++
		case !p.valid(s):
			return nil, InvalidCard
		}
	}
	switch empty {
	case 0:
		return answertype.PaymentMethod, ""
	case len(cardParts):
		return nil, ""
	default:
		return nil, MissingCardInfo
	}
}

// isCardNumber reports whether s is a card number: 12 to 19 digits with the check digit of ISO/IEC 7812-1, annex B.
func isCardNumber(s string) bool {
	s = strings.NewReplacer(" ", "", "-", "").Replace(s)
	if !digits(s) || len(s) < 12 || len(s) > 19 {
		return false
	}
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// isExpiration reports whether s is a month and a year of two or four digits, such as 09/31.
func isExpiration(s string) bool {
	month, year, ok := strings.Cut(strings.ReplaceAll(s, " ", ""), "/")
	return ok && digits(month+year) && len(month) == 2 && month >= "01" && month <= "12" && (len(year) == 2 || len(year) == 4)
}

// unusableCharge reports whether the amount to charge is a text without a template that is no amount. The tables allow any text, since
// templates are texts.
func unusableCharge(bound, _ any, _ *schema.Object) bool {
	charge, _ := bound.(*schema.Object)
	amount, ok := charge.Object("one_off").Get("amount")
	s, isText := amount.(string)
	if !ok || isText && strings.Contains(s, "{{") {
		return false
	}
	n, isNumber := amount.(schema.Number)
	if isText {
		n, isNumber = number(strings.TrimSpace(s))
	}
	return !isNumber || n.Compare(minAmount) < 0
}
