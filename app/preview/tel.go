package preview

import (
	"strings"

	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// The members of a telephone number that the frame gives.
const (
	countryMember = "country_code_iso"
	numberMember  = "number"
)

// drawTel draws an input, and the countries beside it if the config asks for them.
func drawTel(f *field) control {
	e := f.line("tel", "tel", "tel")
	var k control
	if limit, counts := f.limit(); counts {
		k.rules = []*element{counter(limit)}
	}
	if !f.flag("country_picker") {
		return f.only(e, k)
	}
	number, iso := f.phone()
	k.collect = CollectObject
	e.some("value", number).set("data-member", numberMember)
	p := panel{id: f.key + "-country", labels: f.key + "-country-name", empty: "+"}
	p.search = or(f.config.Object("strings").Text("filter_placeholder"), f.search)
	for c := range answer.Countries() {
		box := el("input", "").set("type", "radio").set("name", f.c.ID+".country").set("value", c.ISO).when(c.ISO == iso, "checked")
		box.set("data-member", countryMember).set("data-companion", "").set("data-short", "+"+c.Code)
		name, code := span("", c.ISO).set("data-region", c.ISO), span("fg-code", "+"+c.Code)
		p.rows = append(p.rows, el("li", "", el("label", "", box, name, code)))
	}
	k.body = []*element{el("div", "fg-phone", hidden(f.country).set("id", p.labels), p.element(f), e)}
	return f.only(e, k)
}

// phone returns the number of the answer as a person types it, and its country. An international number, which a default value, a template or
// an earlier answer gives, tells its country; another one is of the country of the language.
func (f *field) phone() (number, iso string) {
	o, isObject := f.it.Answer.(*schema.Object)
	if o.Text(countryMember) == "" {
		if read, ok := answer.Phone(f.it.Answer); ok {
			o, isObject = read, true
		}
	}
	if !isObject {
		return answerText(f.it.Answer), regionOf(f.screen.Language)
	}
	for _, name := range []string{"national_format", "national_number", numberMember} {
		if number = o.Text(name); number != "" {
			break
		}
	}
	return number, o.Text(countryMember)
}

// regionOf returns the country in a language tag, "" if there is none.
func regionOf(language string) string {
	for i, part := range strings.Split(language, "-") {
		if i > 0 && len(part) == len("DE") {
			return strings.ToUpper(part)
		}
	}
	return ""
}
