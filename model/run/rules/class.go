package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// class is a set of values of a part that its comparisons do not distinguish. Some classes may have no value, but each value is in one.
type class struct {
	value    any // one of the values, if known
	defined  bool
	known    bool
	verdicts []truth // by the comparisons of the part
}

const (
	// maxFree bounds how many comparisons with parts of a text or list are judged in all combinations.
	maxFree = 6
	// maxClasses bounds the classes of a part and its comparisons, whose values are in classes of their own as a rule. The comparisons of a part with
	// more are not judged.
	maxClasses = 512
	// maxLiterals bounds the values that a part is compared with, elements of lists included.
	maxLiterals = 8 * maxClasses
)

// sort is a sort of values with regard to what comparisons can find out about them.
type sort int

const (
	exact  sort = iota // a single value
	number             // numbers, or texts that spell numbers, of the same size
	text               // other texts, at the same place in the order of texts
	list               // lists
)

// classes collects the classes of a part.
type classes struct {
	of       *part
	literals []any
	texts    map[string]bool // the texts among the literals
	list     []class
	seen     map[string]bool
	work     *work
	cost     int // of judging a short value
	steps    int // for each byte of a value
}

// classesOf returns the classes of a part. The tried values come first.
func classesOf(p *part, tried []explore.Value, w *work) []class {
	c := classes{of: p, seen: map[string]bool{}, texts: map[string]bool{}, work: w}
	if len(p.atoms) > maxClasses {
		return c.unjudged()
	}
	for _, a := range p.atoms {
		c.cost, c.steps = c.cost+a.cost, c.steps+1+a.steps
		for i, v := range a.operands {
			if i != a.at {
				c.literal(v)
			}
		}
	}
	if len(c.literals) > maxLiterals {
		return c.unjudged()
	}
	numbers := c.numbers(tried)
	if !c.complete(numbers) {
		return c.unjudged()
	}
	for _, v := range tried {
		if v.Accepted || p.component == nil {
			c.add(v.Value, v.Defined, exact)
		}
	}
	c.exact()
	c.others(numbers)
	if c.done() {
		return c.unjudged()
	}
	return c.list
}

// done reports whether there are too many classes, or no work is left, so that a further one makes no difference.
func (c *classes) done() bool { return len(c.list) > maxClasses || c.work.over() }

// accept returns the answer that the component makes of a value, and why it refuses it.
func (c *classes) accept(v any) (any, *answer.Refusal) {
	if !c.work.spend(50 + (sizeOf(v)+sizeOf(c.of.component.Config()))/4) {
		return nil, nil
	}
	return answer.Judge(c.of.component, v, nil)
}

// literal notes a value that is compared with the part, the elements of a list, and the texts that equal them.
func (c *classes) literal(v any) {
	if elements, ok := v.([]any); ok {
		for _, e := range elements {
			c.literal(e)
		}
	}
	c.literals = append(c.literals, v)
	if s, ok := template.Spelling(v); ok {
		c.literals = append(c.literals, s)
		c.texts[s] = true
	}
}

// unjudged returns classes with which nothing can be said about the part.
func (c *classes) unjudged() []class {
	verdicts := slices.Repeat([]truth{unsure}, len(c.of.atoms))
	return []class{{verdicts: verdicts}}
}

// exact adds the values that comparisons name, and those that are like no others.
func (c *classes) exact() {
	if c.of.component == nil {
		for _, v := range c.literals {
			c.add(v, true, exact)
		}
		object := schema.NewObject(schema.Member{Key: "a", Value: c.fresh("a")})
		for _, v := range []any{true, false, nil, "", []any{}, schema.NewObject(), object} {
			c.add(v, true, exact)
		}
	} else {
		given := answer.Samples(c.of.component)
		for _, v := range c.literals {
			given = append(given, v, []any{v})
		}
		for _, v := range append(given, true, false) {
			if a, refusal := c.accept(v); refusal == nil && a != nil {
				c.add(a, true, exact)
			}
		}
	}
	c.add(nil, false, exact)
}

// others adds classes for all other values.
func (c *classes) others(numbers []schema.Number) {
	typ := answertype.Any
	if c.of.component != nil {
		typ = answertype.Of(c.of.component)
	}
	switch typ {
	case answertype.Boolean:
	case answertype.Number:
		for _, n := range numbers {
			if _, refusal := c.accept(n); refusal == nil {
				c.add(n, true, number)
			}
		}
	case answertype.Options:
		c.add([]any{c.fresh("a")}, true, list)
	case answertype.Option:
		if _, refusal := c.accept(c.fresh("a")); refusal == nil {
			c.textual(numbers)
		}
	case answertype.Text, answertype.Date, answertype.Time:
		c.textual(numbers)
	default:
		c.textual(numbers)
		for _, n := range numbers {
			c.add(n, true, number)
		}
		c.add([]any{c.fresh("a")}, true, list)
	}
}

// textual adds classes for all texts.
func (c *classes) textual(numbers []schema.Number) {
	for _, n := range numbers {
		c.add(condition.Respelled(n, c.texts), true, number)
	}
	c.add(c.fresh(""), true, text)
	for _, v := range c.literals {
		if s, ok := v.(string); ok {
			c.add(c.fresh(s), true, text) // the next text in the order
		}
	}
}

// fresh returns a text that begins with s, equals no literal and spells no number.
func (c *classes) fresh(s string) string {
	for s += "\x00"; c.texts[s]; {
		s += "\x00"
	}
	return s
}

// numbers returns the numbers among the tried values and the literals, refused ones included. There is at least one.
func (c *classes) numbers(tried []explore.Value) []schema.Number {
	values := append(slices.Clone(c.literals), schema.Number("0"))
	for _, v := range tried {
		values = append(values, v.Value)
	}
	return numbersOf(values)
}

// numbersOf returns the numbers in a list and those that its texts spell, in order, each once.
func numbersOf(values []any) []schema.Number {
	var numbers []schema.Number
	for _, v := range values {
		switch v := v.(type) {
		case schema.Number:
			numbers = append(numbers, v)
		case string:
			if n, ok := schema.ParseNumber(v); ok {
				numbers = append(numbers, n)
			}
		}
	}
	slices.SortFunc(numbers, schema.Number.Compare)
	return slices.CompactFunc(numbers, func(a, b schema.Number) bool { return a.Compare(b) == 0 })
}

// complete reports whether there is a number at each bound that comparisons or the field set, between any two, and beyond both ends. The
// tried values can lack some where there are many, or where a float64 cannot tell two apart.
func (c *classes) complete(numbers []schema.Number) bool {
	limits := slices.Clone(c.literals)
	field := c.of.component != nil && answertype.Of(c.of.component) == answertype.Number
	if field {
		for _, name := range []string{"min_value", "max_value"} {
			if v, ok := c.of.component.Config().Get(name); ok {
				limits = append(limits, v)
			}
		}
	}
	if !field && !slices.ContainsFunc(c.of.atoms, (*atom).orders) {
		return true
	}
	at := 0
	for _, bound := range numbersOf(limits) {
		j, found := slices.BinarySearchFunc(numbers, bound, schema.Number.Compare)
		if !found || j == at {
			return false
		}
		at = j + 1
	}
	return len(numbers) > at
}

// orders reports whether the comparison compares values in an order.
func (a *atom) orders() bool {
	return slices.Contains([]string{"GT", "GTE", "LT", "LTE", "BETWEEN"}, a.operator)
}

// judge judges a comparison of a part that has a value.
func judge(a *atom, value any, defined bool) truth {
	env := &template.Env{Lookup: func(string, schema.Path) (any, bool) { return value, defined }}
	return truthOf(a.judged.Judge(env).Verdict)
}

// add adds the classes of the values of a sort, of which one is given.
func (c *classes) add(value any, defined bool, s sort) {
	if c.done() || !c.work.spend(c.cost+(sizeOf(value)-16)/4*c.steps) {
		return
	}
	verdicts := make([]truth, len(c.of.atoms))
	var free []int
	for i, a := range c.of.atoms {
		verdicts[i] = judge(a, value, defined)
		if s != exact && verdicts[i] != unsure && a.free(s) {
			if verdicts[i] = no; c.can(a, s) {
				free = append(free, i)
			}
		}
	}
	if len(free) > maxFree {
		for _, i := range free {
			verdicts[i] = unsure
		}
		free = nil
	}
	if !c.work.spend(len(verdicts) << len(free)) {
		return
	}
	for mask := range 1 << len(free) {
		of := slices.Clone(verdicts)
		for bit, i := range free {
			of[i] = yes * truth(mask>>bit&1)
		}
		if s != list && !c.consistent(of, free) {
			continue
		}
		key := make([]byte, len(of))
		for i, v := range of {
			key[i] = byte(v)
		}
		if !c.seen[string(key)] {
			c.seen[string(key)] = true
			c.list = append(c.list, class{value, defined, s == exact, of})
		}
	}
}

// free reports whether values of a sort differ in a comparison.
func (a *atom) free(s sort) bool {
	if s != list && !a.spelled && !a.twice {
		return false // what is compared with the text is none, or there is nothing
	}
	switch a.operator {
	case "STARTS_WITH", "ENDS_WITH", "MATCHES":
		return s != list
	case "INCLUDES", "CONTAINS":
		if a.at == 0 {
			return true
		}
		_, in := a.operands[0].([]any)
		return !in && s != list
	case "IN":
		return s == list && (a.at == 1 || a.twice)
	}
	return false
}

// can reports whether a comparison with a part of a text, or with an element of a list, can hold for an answer.
func (c *classes) can(a *atom, s sort) bool {
	if c.of.component == nil || !a.spelled {
		return true
	}
	if s == list {
		_, refusal := c.accept([]any{a.operands[1-a.at]})
		return refusal == nil
	}
	if a.at == 0 && a.operator != "MATCHES" {
		_, refusal := c.accept(a.literal)
		n, bounded := c.of.component.Config().Int("max_length")
		return refusal == nil || refusal.Key != answer.TooLong || !bounded || utf8.RuneCountInString(a.literal) <= n
	}
	return true
}

// consistent reports whether a text can begin and end with, and contain, what the verdicts say.
func (c *classes) consistent(verdicts []truth, free []int) bool {
	for _, i := range free {
		for _, j := range free {
			a, b := c.of.atoms[i], c.of.atoms[j]
			if verdicts[i] == no || i == j {
				continue
			}
			implies, excludes := related(a, b)
			if implies && verdicts[j] == no || excludes && verdicts[j] == yes {
				return false
			}
		}
	}
	return true
}

// related reports whether a text for which one comparison holds must, or cannot, be one for which another holds.
func related(a, b *atom) (implies, excludes bool) {
	if !a.spelled || !b.spelled || a.at != 0 || b.at != 0 {
		return false, false
	}
	s, t := a.literal, b.literal
	has := strings.Contains
	switch b.operator {
	case "STARTS_WITH":
		has = strings.HasPrefix
	case "ENDS_WITH":
		has = strings.HasSuffix
	case "INCLUDES", "CONTAINS":
		return a.operator != "MATCHES" && has(s, t), false
	}
	if a.operator != b.operator || b.operator == "MATCHES" {
		return false, false
	}
	return has(s, t), !has(s, t) && !has(t, s)
}

// span returns what the verdict on a comparison of the part can be.
func (p *part) span(slot int) span {
	can := span{yes, no}
	for _, c := range p.classes {
		can.low, can.high = min(can.low, c.verdicts[slot]), max(can.high, c.verdicts[slot])
	}
	return can
}
