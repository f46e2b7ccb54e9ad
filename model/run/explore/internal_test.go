package explore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// TestBoxesAreExactlyTheCombinations compares boxesOf with all combinations: each given one is in exactly one box, and no other is in any.
func TestBoxesAreExactlyTheCombinations(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 4))
		n, size := r.IntN(4), 1+r.IntN(5)
		all := [][]byte{{}}
		for range n {
			var longer [][]byte
			for _, tuple := range all {
				for c := range size {
					longer = append(longer, append(slices.Clone(tuple), byte(c*13)))
				}
			}
			all = longer
		}
		var given [][]byte
		for _, tuple := range all {
			if r.IntN(3) > 0 {
				given = append(given, tuple)
			}
		}
		if len(given) == 0 {
			continue
		}
		boxes := boxesOf(slices.Clone(given), n)
		for _, tuple := range all {
			in := 0
			for _, b := range boxes {
				inside := true
				for i, c := range tuple {
					inside = inside && b[i].has(int(c))
				}
				if inside {
					in++
				}
			}
			want := 0
			if slices.ContainsFunc(given, func(g []byte) bool { return bytes.Equal(g, tuple) }) {
				want = 1
			}
			if in != want {
				t.Fatalf("seed %d: %v is in %d boxes of %v, want %d", seed, tuple, in, boxes, want)
			}
		}
	}
}

// TestBoxesAreFew checks that combinations that are a box make one box.
func TestBoxesAreFew(t *testing.T) {
	var tuples [][]byte
	for a := range byte(6) {
		for b := range byte(6) {
			tuples = append(tuples, []byte{a, b})
		}
	}
	if boxes := boxesOf(tuples, 2); len(boxes) != 1 {
		t.Errorf("got %v", boxes)
	}
}

func TestExamplesMatch(t *testing.T) {
	for pattern, want := range map[string]int{
		`abc`: 1, `^\d{4}$`: 1, `^[A-Z]{2}\d+$`: 1, `^(x|yz)$`: 2, `a*b`: 2, `^a?$`: 2, `^[^@]+@[^@]+\.ch$`: 1, `^\w+ \w+$`: 1, `(?i)^HELLO$`: 1, `.`: 1,
		`^a{2,}$`: 1, `^$`: 1, `^[\x{4e00}-\x{4e10}]$`: 1, `^(?:a(b(c)?)?)$`: 2, `^[a-c]{0,3}x$`: 2, `\babc\b`: 1,
		`(`: 0, `^\b$`: 0, `a^`: 0, `[^\x00-\x{10FFFF}]`: 0,
	} {
		found := examples(pattern)
		if len(found) != want {
			t.Errorf("%s: %q, want %d", pattern, found, want)
		}
		for _, s := range found {
			if !regexp.MustCompile(pattern).MatchString(s) {
				t.Errorf("%s does not match %q", pattern, s)
			}
		}
	}
}

func TestBetween(t *testing.T) {
	for _, x := range []struct {
		values []any
		want   []any
	}{
		{nil, nil},
		{[]any{schema.Number("3")}, []any{schema.Number("2"), schema.Number("4")}},
		{[]any{schema.Number("9"), schema.Number("3")}, []any{schema.Number("2"), schema.Number("6"), schema.Number("10")}},
		{[]any{schema.Number("3"), schema.Number("4")}, []any{schema.Number("2"), schema.Number("3.5"), schema.Number("5")}},
		{[]any{"3"}, []any{schema.Number("2"), schema.Number("4")}},
		{[]any{"2026-03-01"}, []any{"2026-02-28", "2026-03-02"}},
		{[]any{"ab"}, []any{"aba", "a"}},
	} {
		if got := (&leafs{values: x.values}).between(); !slices.Equal(got, x.want) {
			t.Errorf("%v: %v, want %v", x.values, got, x.want)
		}
	}
}

// TestTextFieldIsExactIfItAcceptsOthers checks when the candidates of a text field stand for all texts.
func TestTextFieldIsExactIfItAcceptsOthers(t *testing.T) {
	for _, x := range []struct {
		config, condition string
		want              bool
	}{
		{`{}`, `{"operator":"EQ","operands":["{{fields.f}}","x"]}`, true},
		{`{"min_length":3,"max_length":3}`, `{"operator":"EQ","operands":["{{fields.f}}","xyz"]}`, true},
		{`{"max_length":1}`, `{"operator":"EQ","operands":["{{fields.f}}","a"]}`, true},
		{`{}`, `{"operator":"GT","operands":["{{fields.f}}",5]}`, false},
		{`{}`, `{"operator":"MATCHES","operands":["{{fields.f}}","x"]}`, false},
		{`{}`, `{"operator":"EQ","operands":["{{fields.f}}","{{vars.v}}"]}`, true},
	} {
		src := fmt.Sprintf(`{"name":"x","start":{"next_node":"a"},"ending":{},"nodes":[
			{"id":"a","type":"STEP","config":{"next_node":"r","components":[{"id":"f","category":"FIELD","type":"TEXT","config":%s},
				{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"x"}}]}},
			{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"AND","operands":[%s]},"next_node":"a"}],"fallback":"$ending"}}]}`,
			x.config, x.condition)
		w := worldOf(formtest.Parse(t, src))
		if got := w.vars.list[w.vars.by[[2]string{fields, "f"}]].exact; got != x.want {
			t.Errorf("%s with %s: exact is %v, want %v", x.condition, x.config, got, x.want)
		}
	}
}

// TestCandidatesAreOrdinaryFirst checks that scenarios have answers that people may give, where conditions leave the choice.
func TestCandidatesAreOrdinaryFirst(t *testing.T) {
	src := `{"name":"x","start":{"next_node":"r"},"ending":{},"nodes":[{"id":"r","type":"ROUTER","config":{"fallback":"$ending","rules":[
		{"id":"x","condition":{"operator":"AND","operands":[{"operator":"NEQ","operands":["{{context.x}}","a"]}]},"next_node":"$ending"}]}}]}`
	w := worldOf(model.FromTree(formtest.Parse(t, src).Tree()))
	if first := w.vars.list[0].domain[0]; first.defined {
		t.Errorf("the first candidate of a variable from outside is %v, and should be none", first.given)
	}
}
