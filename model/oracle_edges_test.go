package model_test

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// edge is one value at one place, on one side of one rule. A wrong type is
// marked, since an alternative of another type may allow it.
type edge struct {
	what  string
	value any
	valid bool
	typed bool
}

// edges calls yield for values on both sides of every rule in s, each inside the smallest value that is valid apart from it.
func edges(s schema.Spec, yield func(edge)) {
	good := func(what string, v any) { yield(edge{what, v, true, false}) }
	bad := func(what string, v any) { yield(edge{what, v, false, false}) }
	switch s := s.(type) {
	case schema.Table:
		objectEdges(s, false, yield)
	case schema.Open:
		objectEdges(s.Rows, true, yield)
	case schema.Map:
		types("object", yield)
		good("no key", schema.NewObject())
		for _, key := range []string{"", "k", "a b", "__proto__"} {
			edges(s.Value, in(fmt.Sprintf("[%q]", key), yield, func(v any) any { return schema.NewObject(schema.Member{Key: key, Value: v}) }))
		}
	case schema.String:
		types("string", yield)
		if s.Format != nil {
			for _, v := range samplesOf(s.Format).good {
				yield(edge{fmt.Sprintf("format %.20q", v), v, len(v) >= s.Min && (s.Max == 0 || len(v) <= s.Max), false})
			}
			for _, v := range samplesOf(s.Format).bad {
				bad(fmt.Sprintf("not format %.20q", v), v)
			}
			if s.Max > 0 {
				good("max", strings.Repeat("x", s.Max))
				bad("above max", strings.Repeat("x", s.Max+1))
			}
			return
		}
		for _, letter := range []string{"x", "é", "𝒳", "\u2028"} {
			good("min "+letter, strings.Repeat(letter, s.Min))
			if s.Min > 0 {
				bad("below min "+letter, strings.Repeat(letter, s.Min-1))
			}
			if s.Max > 0 {
				good("max "+letter, strings.Repeat(letter, s.Max))
				bad("above max "+letter, strings.Repeat(letter, s.Max+1))
			}
		}
	case schema.Numeric:
		types("number", yield)
		numericEdges(s, yield)
	case schema.Enum:
		types("string", yield)
		for _, v := range s {
			good("listed "+v, v)
			bad("lower case of "+v, strings.ToLower(v))
			bad("longer than "+v, v+" ")
		}
		bad("not listed", "")
	case schema.Bool:
		types("boolean", yield)
		good("true", true)
		good("false", false)
	case schema.True:
		types("boolean", yield)
		good("true", true)
		bad("false", false)
	case schema.Any:
		for _, v := range anyValues() {
			good("any", v)
		}
	case schema.List:
		types("array", yield)
		least := least(s).([]any)
		good("least", least)
		if s.Min > 0 {
			bad("too few", least[1:])
		}
		edges(s.Item, in("[]", yield, func(v any) any { return append(append([]any(nil), least...), v) }))
	case schema.Nullable:
		good("null", nil)
		edges(s.Spec, func(e edge) {
			if !e.typed || e.value != nil {
				yield(e)
			}
		})
	case schema.Either:
		for _, alt := range s.Of {
			edges(alt, func(e edge) {
				if !e.typed {
					yield(e)
				}
			})
		}
		for _, v := range []any{nil, true, []any{}, schema.NewObject()} {
			bad("none of the types", v)
		}
	case schema.Union:
		o := least(s).(*schema.Object)
		types("object", yield)
		bad("no "+s.Tag, o.Without(s.Tag))
		bad("unknown "+s.Tag, o.With(s.Tag, "OTHER"))
		bad(s.Tag+" no string", o.With(s.Tag, schema.Number("1")))
		for _, a := range s.Arms {
			edges(a.Spec, in("<"+a.Tag+">", yield, func(v any) any { return v }))
			for _, alias := range a.Aliases {
				good("alias "+alias, least(a.Spec).(*schema.Object).With(s.Tag, alias))
			}
		}
	case schema.Choice:
		choiceEdges(s, yield)
	}
}

// in turns edges of a part into edges of the whole.
func in(where string, yield func(edge), wrap func(any) any) func(edge) {
	return func(e edge) { yield(edge{where + " " + e.what, wrap(e.value), e.valid, false}) }
}

// types returns a value of each JSON type except want.
func types(want string, yield func(edge)) {
	for _, x := range []struct {
		name  string
		value any
	}{
		{"null", nil},
		{"boolean", true},
		{"boolean", false},
		{"string", "x"},
		{"string", "1"},
		{"string", ""},
		{"number", schema.Number("1")},
		{"number", schema.Number("0")},
		{"array", []any{}},
		{"array", []any{"x"}},
		{"object", schema.NewObject()},
		{"object", schema.NewObject(schema.Member{Key: "type", Value: "TEXT"})},
	} {
		if x.name != want {
			yield(edge{"type " + x.name, x.value, false, true})
		}
	}
}

func objectEdges(t schema.Table, open bool, yield func(edge)) {
	types("object", yield)
	small := leastObject(t)
	full := small
	for _, r := range t {
		full = full.With(r.Name, least(r.Spec))
	}
	yield(edge{"least", small, true, false})
	yield(edge{"full", full, true, false})
	yield(edge{"unknown property", full.With("zz", nil), open, false})
	for _, r := range t {
		yield(edge{"without " + r.Name, full.Without(r.Name), !r.Required, false})
		for _, other := range []string{strings.ToUpper(r.Name), strings.ToUpper(r.Name[:1]) + r.Name[1:], r.Name + " "} {
			yield(edge{r.Name + " as " + other, full.Without(r.Name).With(other, least(r.Spec)), open && !r.Required, false})
		}
		edges(r.Spec, in("."+r.Name, yield, func(v any) any { return small.With(r.Name, v) }))
	}
}

func choiceEdges(s schema.Choice, yield func(edge)) {
	types("object", yield)
	o := leastChoice(s, 0)
	yield(edge{"no " + s.Tag, o.Without(s.Tag), false, false})
	yield(edge{"unknown " + s.Tag, o.With(s.Tag, "OTHER"), false, false})
	yield(edge{s.Tag + " no string", o.With(s.Tag, nil), false, false})
	for i, own := range s.Options {
		o := leastChoice(s, i)
		yield(edge{"own", o, true, false})
		yield(edge{"without own", o.Without(own.Row.Name), false, false})
		yield(edge{"unknown property", o.With("zz", true), false, false})
		for j, other := range s.Options {
			if i != j {
				yield(edge{"another beside own", o.With(other.Row.Name, least(other.Row.Spec)), false, false})
				yield(edge{"another's", o.With(s.Tag, other.Tag), false, false})
			}
		}
		edges(own.Row.Spec, in("."+own.Row.Name, yield, func(v any) any { return o.With(own.Row.Name, v) }))
	}
}

// numericEdges returns the bounds, numbers just beyond them, and numbers that
// a float64 rounds to a bound or cannot hold.
func numericEdges(s schema.Numeric, yield func(edge)) {
	num := func(what, text string, valid bool) { yield(edge{what + " " + text, schema.Number(text), valid, false}) }
	bound := func(what string, n schema.Number, out int64) {
		num(what, string(n), true)
		num(what, string(n)+"e0", true)
		if !strings.Contains(string(n), ".") {
			num(what, string(n)+".0", true)
			num(what, string(n)+".000E+00", true)
		}
		num("little beyond "+what, shifted(n, big.NewRat(out, 1e18)), false)
		num("far beyond "+what, shifted(n, big.NewRat(out*1_000_000, 1)), false)
		num("half within "+what, shifted(n, big.NewRat(-out, 2)), !s.Integer)
	}
	if s.Min != "" {
		bound("min", s.Min, -1)
	}
	if s.Max != "" {
		bound("max", s.Max, 1)
	}
	num("huge", "1e400", s.Max == "")
	num("huge negative", "-1e400", s.Min == "")
	if s.Min == "" && s.Max == "" {
		num("fraction", "0.5", !s.Integer)
		num("tiny", "1e-400", !s.Integer)
		num("zero", "-0", true)
	}
}

// shifted returns n plus d, computed exactly.
func shifted(n schema.Number, d *big.Rat) string {
	x, ok := new(big.Rat).SetString(string(n))
	if !ok {
		panic("no number: " + string(n))
	}
	return x.Add(x, d).FloatString(20)
}

func anyValues() []any {
	return []any{
		nil, true, false, "", "x", schema.Number("-1e400"), schema.Number("0.5"),
		[]any{},
		[]any{nil, []any{}},
		schema.NewObject(),
		schema.NewObject(schema.Member{Key: "", Value: schema.NewObject(schema.Member{Key: "$ref", Value: "#"})}),
	}
}
