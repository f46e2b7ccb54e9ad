package explore

import (
	"cmp"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// leafs are values that parts of variables are compared with, and values near them. Parts that are compared with each other share them.
type leafs struct {
	joined *leafs // what has taken the place of this one
	values []any
	exact  bool // whether every comparison distinguishes only these values, those near them, and others
	orders bool // whether values are compared in an order
	lists  bool // whether values may be lists
	pairs  bool // whether variables are compared with each other
}

func (l *leafs) root() *leafs {
	for l.joined != nil {
		if next := l.joined.joined; next != nil {
			l.joined = next // so that the way is shorter the next time
		}
		l = l.joined
	}
	return l
}

func (l *leafs) join(m *leafs) *leafs {
	if l == m {
		return l
	}
	l.values = append(l.values, m.values...)
	l.exact, l.orders, l.lists, l.pairs = l.exact && m.exact, l.orders || m.orders, l.lists || m.lists, l.pairs || m.pairs
	m.joined = l
	return l
}

// note adds a comparison with literals. exact reports that its other operands are single variables, of which there are so many.
func (l *leafs) note(operator string, literals []any, exact bool, variables int) {
	l.exact = l.exact && exact
	l.pairs = l.pairs || variables > 1
	for _, v := range literals {
		if list, ok := v.([]any); ok {
			l.values = append(l.values, list...)
		}
		l.values = append(l.values, v)
	}
	switch operator {
	case "EQ", "NEQ", "IN", "NOT_IN", "EXISTS", "NOT_EXISTS":
	case "IS_EMPTY", "IS_NOT_EMPTY":
		l.values = append(l.values, []any{}, schema.NewObject())
	case "GT", "GTE", "LT", "LTE", "BETWEEN", "NOT_BETWEEN":
		l.orders = true
		for _, v := range literals {
			_, number := numberOf(v)
			l.exact = l.exact && number && variables == 1
		}
	case "INCLUDES", "NOT_INCLUDES", "CONTAINS", "NOT_CONTAINS":
		l.exact, l.lists = false, true
		l.texts(literals, func(s string) []string { return []string{s, "a " + s + " b"} })
	case "STARTS_WITH", "NOT_STARTS_WITH":
		l.exact = false
		l.texts(literals, func(s string) []string { return []string{s + "a", s + "1"} })
	case "ENDS_WITH", "NOT_ENDS_WITH":
		l.exact = false
		l.texts(literals, func(s string) []string { return []string{"a" + s, "ann@" + s, "https://" + s, "1" + s} })
	case "MATCHES", "NOT_MATCHES":
		l.exact = false
		l.texts(literals, examples)
	default:
		l.exact = false
	}
}

func (l *leafs) texts(literals []any, near func(string) []string) {
	for _, v := range literals {
		s, ok := template.Spelling(v)
		if !ok {
			continue
		}
		for _, t := range near(s) {
			l.values = append(l.values, t)
		}
	}
}

// others are values that forms hardly compare with.
var others = []any{"other", "another"}

// list returns the values and those near them, without most repetitions.
func (l *leafs) list() []any {
	var values []any
	seen := map[string]bool{}
	for _, v := range l.values {
		if key := string(schema.Encode(v)); !seen[key] {
			seen[key] = true
			values = append(values, v)
		}
	}
	if l.orders {
		values = append(values, l.between()...)
	}
	values = append(values, l.respelled()...)
	values = append(values, others...)
	if l.lists {
		n := len(values)
		for _, v := range values[:n] {
			values = append(values, []any{v})
		}
		values = append(values, values[:n:n], []any{})
	}
	return values
}

// respelled returns what equals only some of the spellings of a number: the number itself equals all of them, and a text that no comparison
// names equals the number and is in the same place in an order, but equals no other text.
func (l *leafs) respelled() []any {
	named := map[string]bool{}
	for _, v := range l.values {
		if s, ok := template.Spelling(v); ok {
			named[s] = true
		}
	}
	var more []any
	for _, v := range l.values {
		n, ok := v.(schema.Number)
		if s, is := v.(string); is {
			if n, ok = schema.ParseNumber(s); ok {
				more = append(more, n)
			}
			ok = ok && l.orders
		}
		if ok {
			more = append(more, condition.Respelled(n, named))
		}
	}
	return more
}

// between returns a number between any two neighboring numbers, and one beyond each end; and the days around dates.
func (l *leafs) between() []any {
	var numbers []float64
	var near []any
	for _, v := range l.values {
		if f, ok := numberOf(v); ok {
			numbers = append(numbers, f)
			continue
		}
		if s, ok := v.(string); ok {
			if day, err := time.Parse(time.DateOnly, s); err == nil {
				near = append(near, day.AddDate(0, 0, -1).Format(time.DateOnly), day.AddDate(0, 0, 1).Format(time.DateOnly))
			} else {
				near = append(near, s+"a", s[:len(s)/2])
			}
		}
	}
	slices.SortFunc(numbers, cmp.Compare[float64])
	for i, f := range numbers {
		if i == 0 {
			near = append(near, number(f-1))
		}
		if i+1 < len(numbers) {
			near = append(near, number(middle(f, numbers[i+1])))
		} else {
			near = append(near, number(f+1))
		}
	}
	return near
}

// middle returns a number between two, a whole one if possible.
func middle(a, b float64) float64 {
	m := (a + b) / 2
	if whole := math.Floor(m); whole > a && whole < b {
		return whole
	}
	return m
}

func number(f float64) schema.Number { return schema.Number(strconv.FormatFloat(f, 'f', -1, 64)) }

// numberOf returns a number, or the one that a text spells.
func numberOf(v any) (float64, bool) {
	var n schema.Number
	switch v := v.(type) {
	case schema.Number:
		n = v
	case string:
		var ok bool
		if n, ok = schema.ParseNumber(v); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// examples returns texts that a pattern matches, none if it finds none.
func examples(pattern string) []string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	var found []string
	for _, more := range []int{0, 1} {
		if s := example(parsed.Simplify(), more); matches.MatchString(s) && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// example returns a text for a pattern, with so many repetitions where they are optional.
func example(re *syntax.Regexp, more int) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for _, r := range "a1A-@. " {
				if r >= re.Rune[i] && r <= re.Rune[i+1] {
					return string(r)
				}
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus:
		return example(re.Sub[0], more)
	case syntax.OpStar, syntax.OpQuest:
		if more > 0 {
			return example(re.Sub[0], more)
		}
	case syntax.OpRepeat:
		s, times := example(re.Sub[0], more), max(re.Min, min(more, re.Max))
		return strings.Repeat(s, min(times, maxText/max(1, len(s))))
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			if b.Len() < maxText {
				b.WriteString(example(sub, more))
			}
		}
		return b.String()
	case syntax.OpAlternate:
		return example(re.Sub[min(more, len(re.Sub)-1)], more)
	default: // the ends of lines, texts and words, and what matches nothing
	}
	return ""
}
