package condition

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// meaning judges the operands of an operator, as many as its row says. An error means that they cannot be judged.
type meaning func(o []Operand) (bool, error)

// meanings has the meaning of every operator of flow.Operators that does not negate another.
var meanings = map[string]meaning{
	"EQ":          sure(func(o []Operand) bool { return equal(o[0], o[1]) }),
	"GT":          order(func(c int) bool { return c > 0 }),
	"GTE":         order(func(c int) bool { return c >= 0 }),
	"LT":          order(func(c int) bool { return c < 0 }),
	"LTE":         order(func(c int) bool { return c <= 0 }),
	"BETWEEN":     sure(between),
	"INCLUDES":    sure(includes),
	"CONTAINS":    sure(includes),
	"IN":          sure(in),
	"STARTS_WITH": texts(strings.HasPrefix),
	"ENDS_WITH":   texts(strings.HasSuffix),
	"MATCHES":     matches,
	"EXISTS":      sure(func(o []Operand) bool { return o[0].Defined }),
	"IS_EMPTY":    sure(func(o []Operand) bool { return empty(o[0]) }),
}

// sure returns a meaning that can always be judged.
func sure(do func(o []Operand) bool) meaning {
	return func(o []Operand) (bool, error) { return do(o), nil }
}

// equal reports whether two operands have equal values. An undefined value equals nothing, not even another.
func equal(a, b Operand) bool { return a.Defined && b.Defined && Equal(a.Value, b.Value) }

// Equal reports whether EQ holds for two values: they are the same JSON value, or one is a text that spells the other, a number or a
// boolean. A number is equal to each text that spells one of the same size, so 5 equals "5" and "5.0", but two texts are equal only if all
// their characters are.
func Equal(a, b any) bool { return schema.Equal(a, b) || spells(a, b) || spells(b, a) }

// spells reports whether v is a text that spells a number or a boolean.
func spells(v, of any) bool {
	text, ok := v.(string)
	if !ok {
		return false
	}
	switch of := of.(type) {
	case schema.Number:
		n, ok := schema.ParseNumber(text)
		return ok && n.Compare(of) == 0
	case bool:
		return text == strconv.FormatBool(of)
	}
	return false
}

// Respelled returns another spelling of a number, such as 5e0 for 5, that is not among the taken texts. EQ holds for it and the number, but
// not for it and any of those texts.
func Respelled(n schema.Number, taken map[string]bool) string {
	mantissa, exponent := string(n), "0"
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], strings.TrimPrefix(mantissa[i+1:], "+")
	}
	sign := ""
	if rest, ok := strings.CutPrefix(exponent, "-"); ok {
		sign, exponent = "-", rest
	}
	for {
		if s := mantissa + "e" + sign + exponent; !taken[s] {
			return s
		}
		exponent = "0" + exponent
	}
}

// order returns the meaning of an operator that compares two values in an order.
func order(holds func(int) bool) meaning {
	return sure(func(o []Operand) bool {
		c, ok := compare(o[0], o[1])
		return ok && holds(c)
	})
}

// compare returns the order of two values, or false if they have none. Numbers, and texts that spell a number, are compared as numbers. Two
// texts that spell none are compared by their code points, which is also the order of dates and times in ISO 8601.
func compare(a, b Operand) (int, bool) {
	m, ok := number(a.Value)
	n, also := number(b.Value)
	if ok || also {
		return m.Compare(n), ok && also
	}
	s, ok := a.Value.(string)
	t, also := b.Value.(string)
	return strings.Compare(s, t), ok && also
}

// number returns a number, or the one that a text spells.
func number(v any) (schema.Number, bool) {
	switch v := v.(type) {
	case schema.Number:
		return v, true
	case string:
		return schema.ParseNumber(v)
	}
	return "", false
}

// between reports whether the first operand is neither less than the second nor greater than the third.
func between(o []Operand) bool {
	low, ok := compare(o[0], o[1])
	high, also := compare(o[0], o[2])
	return ok && also && low >= 0 && high <= 0
}

// includes reports whether an array has an element that equals the second operand, or whether a text contains it.
func includes(o []Operand) bool {
	if list, ok := o[0].Value.([]any); ok {
		return has(list, o[1])
	}
	ok, _ := texts(strings.Contains)(o)
	return ok
}

// in reports whether the first operand equals an element of the second, or the second itself if that is not an array.
func in(o []Operand) bool {
	if list, ok := o[1].Value.([]any); ok {
		return has(list, o[0])
	}
	return equal(o[0], o[1])
}

// has reports whether an operand equals an element of a list.
func has(list []any, o Operand) bool {
	return o.Defined && slices.ContainsFunc(list, func(v any) bool { return Equal(v, o.Value) })
}

// texts returns the meaning of an operator on two texts. Numbers and booleans are converted to texts. It is
// false for other values.
func texts(holds func(s, t string) bool) meaning {
	return sure(func(o []Operand) bool {
		s, ok := template.Spelling(o[0].Value)
		t, also := template.Spelling(o[1].Value)
		return ok && also && holds(s, t)
	})
}

// matches reports whether a part of the first operand matches the second, a regular expression of package regexp. Numbers and booleans
// are converted to texts. It is false for other values.
func matches(o []Operand) (bool, error) {
	text, ok := template.Spelling(o[0].Value)
	source, also := template.Spelling(o[1].Value)
	if !also {
		return false, nil
	}
	p, err := regexp.Compile(source)
	if err != nil {
		return false, fmt.Errorf("the pattern %s is not valid: %w", schema.Shorten(source, maxShown), err)
	}
	// The quick estimate keeps ordinary patterns from being parsed twice.
	if len(source)*maxRepeat > maxMatch/max(1, len(text)) && Instructions(source) > maxMatch/max(1, len(text)) {
		return false, fmt.Errorf("the pattern %s is too long for a text of %d bytes", schema.Shorten(source, maxShown), len(text))
	}
	return ok && p.MatchString(text), nil
}

const (
	// maxMatch bounds a match, whose time is that of the instructions of the pattern times the bytes of the text: this is about a second.
	maxMatch = 50_000_000
	// maxRepeat is more than the instructions for a byte of a pattern: package regexp repeats a part at most 1,000 times.
	maxRepeat = 2_000
)

// Instructions returns how many instructions a pattern has for package regexp, 0 if it is not valid. A match takes time in them times the length of
// the text.
func Instructions(pattern string) int {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0
	}
	return len(program.Inst)
}

// empty reports whether a value is undefined, null, or without characters, elements or members.
func empty(o Operand) bool {
	switch v := o.Value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case *schema.Object:
		return v.Len() == 0
	}
	return false
}
