package answer

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Judge parses the value that was given for a component and judges it. The answer is nil if there is none: an absent or empty value is no
// answer, nor is null; false, 0 and an empty custom list are answers. The refusal is nil if the answer is accepted, and otherwise the
// first reason against it, in the language of t; then the answer is nil. A component that takes no answer ignores what was given.
//
// A value is what a control or a scenario gives: a string, or a JSON value of the component's type. Judge accepts its own answers and
// returns them unchanged. It does not change the given value; the answer may share its parts. Invalid UTF-8 of a string, or of one in a
// list, is replaced; strings further down must be valid, as in every tree.
func Judge(c *model.Component, given any, t *Texts) (answer any, refusal *Refusal) {
	k := kindOf(c)
	if k == nil {
		return nil, nil
	}
	config := c.Config()
	var key Key
	if given != nil {
		answer, key = k.parse(config, wellFormed(given))
	}
	if key != "" {
		return nil, t.refuse(c, key, nil)
	}
	if c.Required && (answer == nil || k.fulfills != nil && !k.fulfills(answer)) {
		return nil, t.refuse(c, k.absent(config), nil)
	}
	if answer == nil {
		return nil, nil
	}
	for i := range k.rules {
		r := &k.rules[i]
		bound, _ := config.Get(r.property)
		if r.broken(bound, answer, config) {
			return nil, t.refuse(c, r.key, r.params(bound))
		}
	}
	return answer, nil
}

// wellFormed returns a given string, or list of strings, in valid UTF-8.
func wellFormed(given any) any {
	switch v := given.(type) {
	case string:
		return schema.WellFormed(v)
	case []any:
		list := slices.Clone(v)
		for i, e := range list {
			if s, ok := e.(string); ok {
				list[i] = schema.WellFormed(s)
			}
		}
		return list
	}
	return given
}

func (r *rule) params(bound any) map[string]string {
	switch {
	case r.param == "":
		return nil
	case r.say != nil:
		return map[string]string{r.param: r.say(bound)}
	}
	n, _ := bound.(schema.Number)
	return map[string]string{r.param: plain(n)}
}

// plain returns a number as people write it: whole numbers without exponent or fraction.
func plain(n schema.Number) string {
	if i, ok := n.Int(); ok {
		return string(schema.IntNumber(i))
	}
	return string(n)
}
