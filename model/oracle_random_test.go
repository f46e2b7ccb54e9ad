package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// generator generates random values that a table allows.
type generator struct{ *rand.Rand }

// randomDocument returns the document of a seed, how it was made, and whether
// it was mutated after it was generated: every third is not.
func randomDocument(seed uint64) (doc any, what string, mutated bool) {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	doc = g.value(oracleTable())
	what = fmt.Sprintf("seed %d", seed)
	if seed%3 == 0 {
		return doc, what, false
	}
	for range 1 + g.IntN(3) {
		var how string
		doc, how = g.mutate(doc)
		what += ", " + how
	}
	return doc, what, true
}

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[E any](g generator, list []E) E { return list[g.IntN(len(list))] }

// value returns a valid value of a spec.
func (g generator) value(s schema.Spec) any {
	switch s := s.(type) {
	case schema.Table:
		return g.object(s, false)
	case schema.Open:
		return g.object(s.Rows, true)
	case schema.Map:
		o := schema.NewObject()
		for range g.IntN(3) {
			o = o.With(pick(g, []string{"de", "pt-BR", "", "a b", "ERR_REQUIRED_PROPERTY", "constructor"}), g.value(s.Value))
		}
		return o
	case schema.String:
		return g.text(s)
	case schema.Numeric:
		return g.number(s)
	case schema.Enum:
		return pick(g, s)
	case schema.Bool:
		return g.chance(50)
	case schema.True:
		return true
	case schema.Any:
		return pick(g, anyValues())
	case schema.List:
		list := make([]any, s.Min+g.IntN(4))
		for i := range list {
			list[i] = g.value(s.Item)
		}
		return list
	case schema.Nullable:
		if g.chance(10) {
			return nil
		}
		return g.value(s.Spec)
	case schema.Either:
		return g.value(pick(g, s.Of))
	case schema.Union:
		return g.value(pick(g, s.Arms).Spec)
	case schema.Choice:
		own := pick(g, s.Options)
		return g.shuffled(schema.Member{Key: s.Tag, Value: own.Tag}, schema.Member{Key: own.Row.Name, Value: g.value(own.Row.Spec)})
	}
	panic(fmt.Sprintf("%T", s))
}

func (g generator) object(t schema.Table, open bool) *schema.Object {
	var members []schema.Member
	for _, r := range t {
		if r.Required || g.chance(60) {
			members = append(members, schema.Member{Key: r.Name, Value: g.value(r.Spec)})
		}
	}
	if open && g.chance(50) {
		members = append(members, schema.Member{Key: "more", Value: pick(g, anyValues())})
	}
	return g.shuffled(members...)
}

// shuffled returns an object whose members are in the order of their table in half
// of the cases, since the checker tries that order first.
func (g generator) shuffled(members ...schema.Member) *schema.Object {
	if g.chance(50) {
		g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return schema.NewObject(members...)
}

var letters = []string{"a", " ", "é", "𝒳", "\n", "\"", "\\", "<", "\u2028", "\u0301", "$", "\u0000"}

func (g generator) text(s schema.String) string {
	if s.Format != nil {
		fit := slices.DeleteFunc(slices.Clone(samplesOf(s.Format).good), func(v string) bool { return s.Max > 0 && len(v) > s.Max })
		return pick(g, fit)
	}
	n := s.Min + g.IntN(12)
	if s.Max > 0 {
		n = min(n, s.Max)
		// The longest are rare, so that the documents are not few and large.
		if g.chance(5) {
			n = s.Max
		}
	}
	return g.letters(n)
}

func (g generator) letters(n int) string {
	if g.chance(30) {
		return strings.Repeat(pick(g, letters), n)
	}
	var b strings.Builder
	for range n {
		b.WriteString(pick(g, letters))
	}
	return b.String()
}

// number returns a number that s allows, in one of its notations.
func (g generator) number(s schema.Numeric) schema.Number {
	bounds := slices.DeleteFunc([]schema.Number{s.Min, s.Max}, func(n schema.Number) bool { return n == "" })
	if len(bounds) == 0 {
		return pick(g, []schema.Number{"0", "-0.0", "1e400", "-1E-400", "3.14", "1e2"})
	}
	n := pick(g, bounds)
	if strings.Contains(string(n), ".") {
		return n
	}
	return n + pick(g, []schema.Number{"", ".0", "e0", "E+0", ".00e-0"})
}

// mutate changes one place of a document and describes the change. The result may still be
// valid: the verdicts must agree, whatever they are.
func (g generator) mutate(doc any) (changed any, how string) {
	p := g.place(doc)
	old, _ := schema.Lookup(doc, p)
	value, how := g.other(old)
	changed, err := schema.Set(doc, p, value)
	if err != nil {
		panic(err)
	}
	return changed, fmt.Sprintf("%s at %s", how, p)
}

// place chooses a random place in the document, level by level, so that shallow places are not
// rare.
func (g generator) place(doc any) schema.Path {
	var p schema.Path
	for {
		switch v := doc.(type) {
		case *schema.Object:
			if v.Len() == 0 || g.chance(15) {
				return p
			}
			m := pick(g, v.Members())
			p, doc = p.Key(m.Key), m.Value
		case []any:
			if len(v) == 0 || g.chance(15) {
				return p
			}
			i := g.IntN(len(v))
			p, doc = p.Index(i), v[i]
		default:
			return p
		}
	}
}

// other returns another value to replace v.
func (g generator) other(v any) (value any, how string) {
	if g.chance(10) {
		return pick(g, anyValues()), "any value"
	}
	switch v := v.(type) {
	case *schema.Object:
		return g.otherObject(v)
	case []any:
		switch {
		case len(v) == 0 || g.chance(40):
			return append(slices.Clone(v), pick(g, anyValues())), "one element more"
		case g.chance(50):
			return v[1:], "one element less"
		}
		return append(slices.Clone(v), v[0]), "an element twice"
	case string:
		return g.otherText(v)
	case schema.Number:
		if !strings.ContainsAny(string(v), "eE") && g.chance(10) {
			return v + "e1", "tenfold"
		}
		return pick(g, []schema.Number{
			"-" + schema.Number(strings.TrimPrefix(string(v), "-")), "0", "0.5", "1.0", "10", "10.0000000000000000001", "61", "1e400", "1e-400",
			"1000000", "999999.5",
			"59.99999999999999999999", "0.0099999999999999999999", "1024.5", "1023", "600.1",
		}), "another number"
	case bool:
		return !v, "the other"
	}
	return pick(g, anyValues()), "any value"
}

func (g generator) otherObject(o *schema.Object) (value any, how string) {
	if o.Len() == 0 || g.chance(15) {
		name := pick(g, []string{"zz", "", "id", "label", "text", "one_off", "subscription", "config", "next_node", "type", "x"})
		return o.With(name, pick(g, anyValues())), "a property more"
	}
	m := pick(g, o.Members())
	if g.chance(40) {
		return o.Without(m.Key), "without " + m.Key
	}
	name := strings.ToUpper(m.Key)
	if g.chance(50) {
		name = m.Key + pick(g, []string{" ", "\u0000", "_", "s"})
	}
	return o.Without(m.Key).With(name, m.Value), "a name mistaken"
}

// otherText returns a discriminator, a listed value, another case, a length near
// one of the bounds, or a sample of any format.
func (g generator) otherText(s string) (value any, how string) {
	switch g.IntN(6) {
	case 0:
		return strings.ToLower(s), "lower case"
	case 1:
		return pick(g, []string{
			"BLOCK", "WIDGET", "FIELD", "STEP", "FLOW", "ROUTER", "TEXT", "EMAIL", "DIVIDER", "RECAPTCHA", "GMAPS_ADDRESS", "MAPS_ADDRESS",
			"SOCIAL", "URL", "ONE_OFF", "SUBSCRIPTION",
			"AUTH0_VERIFIABLE_CREDENTIALS", "LEFT", "DATE", "TIME", "NONE", "EUR", "MANAGED", "STRIPE", "AUDIO",
		}), "another word"
	case 2:
		return g.letters(
			pick(g, []int{0, 1, 30, 31, 50, 51, 55, 56, 150, 151, 250, 251, 255, 256, 500, 501, 1024, 1025, 2000, 2001, 5000, 5001, 10_000, 10_001}),
		), "another length"
	case 3:
		return pick(g, looseURLs), "an address no pattern refuses"
	case 4:
		all := []string{"forms-custom-identifier", "node-pointer", "forms-hex-color", "forms-url-https", "forms-file-extension"}
		f := samples[pick(g, all)]
		return pick(g, append(slices.Clone(f.good), f.bad...)), "a sample of a format"
	}
	return s + pick(g, letters), "a letter more"
}
