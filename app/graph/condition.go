package graph

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Word is a piece of a row's text. Values are set apart from the words between
// them: "fields.code", "equals", "123".
type Word struct {
	Text  string
	Value bool
}

// operators are the names of comparisons as people read them. The spec does not
// show them; these follow exports of real forms. One that is not listed is
// shown as it is, in lower case.
var operators = map[string]struct {
	words  string
	values int // how many operands it reads; a comparison of another number is custom
}{
	"EQ":              {"equals", 2},
	"NEQ":             {"is different from", 2},
	"GT":              {"is greater than", 2},
	"GTE":             {"is at least", 2},
	"LT":              {"is less than", 2},
	"LTE":             {"is at most", 2},
	"BETWEEN":         {"is between", 3},
	"NOT_BETWEEN":     {"is not between", 3},
	"INCLUDES":        {"includes", 2},
	"NOT_INCLUDES":    {"does not include", 2},
	"CONTAINS":        {"contains", 2},
	"NOT_CONTAINS":    {"does not contain", 2},
	"IN":              {"is one of", 2},
	"NOT_IN":          {"is none of", 2},
	"STARTS_WITH":     {"starts with", 2},
	"NOT_STARTS_WITH": {"does not start with", 2},
	"ENDS_WITH":       {"ends with", 2},
	"NOT_ENDS_WITH":   {"does not end with", 2},
	"MATCHES":         {"matches", 2},
	"NOT_MATCHES":     {"does not match", 2},
	"EXISTS":          {"exists", 1},
	"NOT_EXISTS":      {"does not exist", 1},
	"IS_EMPTY":        {"is empty", 1},
	"IS_NOT_EMPTY":    {"is not empty", 1},
}

// custom stands for a condition of a shape that we do not know.
var custom = []Word{{Text: "Custom condition"}}

// maxWords bounds how much of a long condition is put into words: a card shows
// one line of it.
const maxWords = 24

// ConditionWords returns a router condition in words, as in "fields.code equals
// 123 and ...". The shape is that of real exports, groups of comparisons; any
// other is "Custom condition", and none at all "No condition".
func ConditionWords(condition any) []Word {
	if condition == nil {
		return []Word{{Text: "No condition"}}
	}
	words, ok := appendCondition(nil, condition, false)
	if !ok || len(words) == 0 {
		return custom
	}
	return words
}

func appendCondition(words []Word, v any, nested bool) ([]Word, bool) {
	o, ok := v.(*schema.Object)
	operator := o.Text("operator")
	operands, isList := valueOf(o, "operands").([]any)
	if !ok || operator == "" || !isList {
		return words, false
	}
	if operator != "AND" && operator != "OR" {
		return appendComparison(words, operator, operands)
	}
	if len(operands) == 0 {
		return words, false
	}
	grouped := nested && len(operands) > 1
	if grouped {
		words = append(words, Word{Text: "("})
	}
	for i, operand := range operands {
		if i > 0 {
			words = append(words, Word{Text: strings.ToLower(operator)})
		}
		if len(words) > maxWords {
			return append(words, Word{Text: "…"}), true
		}
		if words, ok = appendCondition(words, operand, true); !ok {
			return words, false
		}
	}
	if grouped {
		words = append(words, Word{Text: ")"})
	}
	return words, true
}

func appendComparison(words []Word, operator string, operands []any) ([]Word, bool) {
	known, ok := operators[operator]
	if !ok {
		known.words, known.values = strings.ToLower(strings.ReplaceAll(operator, "_", " ")), len(operands)
	}
	if len(operands) == 0 || len(operands) != known.values {
		return words, false
	}
	words = append(words, Word{operand(operands[0]), true}, Word{Text: known.words})
	for i, o := range operands[1:] {
		if i > 0 {
			words = append(words, Word{Text: "and"})
		}
		words = append(words, Word{operand(o), true})
	}
	return words, true
}

// operand returns an operand as people write it: a variable without its braces,
// a text without quotes unless it is empty, another value as JSON.
func operand(v any) string {
	s, ok := v.(string)
	if !ok {
		return cut(string(schema.Encode(v)))
	}
	t := strings.TrimSpace(s)
	if t == "" {
		return `""`
	}
	if in, found := strings.CutPrefix(t, "{{"); found {
		if in, found = strings.CutSuffix(in, "}}"); found && !strings.Contains(in, "{{") {
			if in = strings.TrimSpace(in); in != "" {
				return cut(in)
			}
		}
	}
	return cut(t)
}

func valueOf(o *schema.Object, key string) any {
	v, _ := o.Get(key)
	return v
}
