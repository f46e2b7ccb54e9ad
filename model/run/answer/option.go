package answer

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// parseOptions reads one option or several by their values. Where the config allows another answer, one text that is no option may be among
// them.
func parseOptions(config *schema.Object, given any) (any, Key) {
	list := asList(given)
	values := optionValues(config)
	chosen := make([]bool, len(values))
	other, count := "", 0
	for _, v := range list {
		s, i := find(values, v)
		switch {
		case i >= 0 && !chosen[i]:
			chosen[i] = true
			count++
		case i >= 0 || s == "" && blank(v):
			// Chosen before, or nothing.
		case s == "" || !flag(config.Object("allow_other"), "enabled") || other != "" && other != s:
			return nil, InvalidOption
		case other == "":
			other = s
			count++
		}
	}
	answers := make([]any, 0, count)
	for i, v := range values {
		if chosen[i] {
			answers = append(answers, v)
		}
	}
	if other != "" {
		answers = append(answers, other)
	}
	switch {
	case len(answers) == 0:
		return nil, ""
	case flag(config, multiple):
		return answers, ""
	case len(answers) > 1:
		return nil, TooManyOptions
	}
	return answers[0], ""
}

// find returns the text of a given value, and the index of the option with exactly that value or, without white space around it, or -1.
func find(values []string, given any) (string, int) {
	if s, ok := given.(string); ok {
		if i := slices.Index(values, s); i >= 0 {
			return s, i
		}
	}
	s, _ := scalar(given)
	return s, slices.IndexFunc(values, func(v string) bool { return strings.TrimSpace(v) == s && s != "" })
}

// optionValues returns the values of a config's options, each once.
func optionValues(config *schema.Object) []string {
	var values []string
	seen := map[string]bool{}
	for _, v := range config.List(options) {
		o, _ := v.(*schema.Object)
		if s := o.Text("value"); s != "" && !seen[s] {
			seen[s] = true
			values = append(values, s)
		}
	}
	return values
}
