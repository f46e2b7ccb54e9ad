package inspector_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// randomCondition returns a condition as JSON: groups in groups, comparisons with known and unknown operators, and values of other shapes, which
// the builder does not know. The spelling of numbers and the order of members are random, too.
func randomCondition(r *rand.Rand, depth int) string {
	list := func(n int, of func() string) string {
		s := "["
		for i := range n {
			if i > 0 {
				s += ","
			}
			s += of()
		}
		return s + "]"
	}
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	operation := func(name, operands string) string {
		if r.IntN(8) == 0 {
			return `{"operands":` + operands + `,"operator":` + name + `}`
		}
		return `{"operator":` + name + `,"operands":` + operands + `}`
	}
	switch n := r.IntN(12); {
	case depth > 0 && (n < 4 || depth == 4 && n < 10):
		return operation(pick(`"AND"`, `"OR"`), list(r.IntN(4), func() string { return randomCondition(r, depth-1) }))
	case n < 11:
		name := pick(`"NEAR"`, `"eq"`, `""`)
		if r.IntN(8) > 0 {
			name = strconv.Quote(flow.Operators[r.IntN(len(flow.Operators))].Name)
		}
		return operation(name, list(r.IntN(4), func() string {
			return pick(`"{{fields.a}}"`, `"{{ vars.x }}"`, `"text"`, `""`, `"true"`, `"12"`, `12`, `1.0`, `-0`, `1e3`, `true`, `false`, `null`, `[1,"a"]`, `{"x":1}`)
		}))
	default:
		return pick(`true`, `null`, `"{{fields.a}}"`, `[]`, `{}`, `3.10`, `{"operator":"AND"}`, `{"operator":1,"operands":[]}`, `{"operator":"OR","operands":[],"note":"x"}`)
	}
}

// shown returns the condition of the selected rule that a builder shows, nil if it shows JSON.
func shown(e *editor.Editor) (*inspector.Condition, *inspector.Row) {
	for _, part := range inspector.Read(e, nil).Parts {
		for i := range part.Sections {
			s := &part.Sections[i]
			if s.Condition != nil {
				return s.Condition, nil
			}
			for j := range s.Rows {
				if s.Rows[j].Path.String() == cond {
					return nil, &s.Rows[j]
				}
			}
		}
	}
	return nil, nil
}

// tree returns the condition that a builder shows as a value.
func tree(c *inspector.Condition) any {
	operands := []any{}
	for _, t := range c.Terms {
		switch {
		case t.Comparison != nil:
			values := []any{}
			for i := range t.Comparison.Operands {
				values = append(values, t.Comparison.Operands[i].Value)
			}
			operands = append(operands, map[string]any{"operator": t.Comparison.Operator.Value, "operands": values})
		case t.Group != nil:
			operands = append(operands, tree(t.Group))
		default:
			operands = append(operands, t.Other.Value)
		}
	}
	if c.Operator.Path == nil { // a comparison that stands alone
		return operands[0]
	}
	return map[string]any{"operator": c.Operator.Value, "operands": operands}
}

// same reports whether a builder's value is a value of JSON, to the spelling of its numbers.
func same(shown, stored any) bool {
	switch s := shown.(type) {
	case map[string]any:
		o, ok := stored.(*schema.Object)
		if !ok || o.Len() != len(s) {
			return false
		}
		for k, v := range s {
			if w, has := o.Get(k); !has || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		l, ok := stored.([]any)
		if !ok || len(l) != len(s) {
			return false
		}
		for i := range s {
			if !same(s[i], l[i]) {
				return false
			}
		}
		return true
	}
	return string(schema.Encode(shown)) == string(schema.Encode(stored))
}

// Builder and JSON agree: the builder shows exactly what the JSON says, entering what a row shows changes nothing, an edit through a row changes
// that place alone, and what the builder does not know stays byte for byte.
func TestBuilderAgreesWithJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 3))
	built, edits, conditions := 0, 0, sizetest.Of(0, 1500, 50_000)
	for range conditions {
		src := randomCondition(r, 4)
		e := router(t, src)
		at, _ := schema.ParsePath(cond)
		stored, _ := schema.Lookup(e.State().Form.Tree(), at)
		text := string(schema.Encode(stored))
		c, whole := shown(e)
		if c == nil {
			if string(schema.Encode(whole.Value)) != text {
				t.Fatalf("%s is shown as %v", src, whole.Value)
			}
			continue
		}
		built++
		if !same(tree(c), stored) {
			t.Fatalf("%s is shown as %v", src, tree(c))
		}
		rows := c.Rows()
		if len(rows) == 0 {
			continue
		}
		row := rows[r.IntN(len(rows))]
		run(t, e, row.Edit(row.Text()))
		if now, _ := schema.Lookup(e.State().Form.Tree(), at); string(schema.Encode(now)) != text {
			t.Fatalf("%s: entering %q again at %s makes %s", src, row.Text(), row.Path, schema.Encode(now))
		}
		if row.Input != inspector.Text {
			continue
		}
		edits++
		run(t, e, row.Edit("{{fields.b}}"))
		want, err := schema.Set(e.Base().Tree(), row.Path, "{{fields.b}}")
		if err != nil {
			t.Fatal(err)
		}
		if got := e.State().Form.Tree(); string(schema.Encode(got)) != string(schema.Encode(want)) {
			t.Fatalf("%s: an edit at %s makes %s", src, row.Path, schema.Encode(got))
		}
	}
	if built < conditions/2 || edits < conditions/10 {
		t.Errorf("only %d conditions have a builder, and %d were edited", built, edits)
	}
}

// Every condition of the builder's own shapes can be made in it, from an empty group.
func TestEveryConditionCanBeBuilt(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 4))
	for range sizetest.Of(0, 150, 5000) {
		want := ownCondition(r, 3)
		e := router(t, `{"operator":"AND","operands":[]}`)
		build(t, e, func() *inspector.Condition { c, _ := shown(e); return c }, want)
		if got := value(t, e, cond); got != string(schema.Encode(want)) {
			t.Fatalf("built %s, want %s", got, schema.Encode(want))
		}
	}
}

func operation(name string, operands []any) *schema.Object {
	return schema.NewObject(schema.Member{Key: "operator", Value: name}, schema.Member{Key: "operands", Value: operands})
}

// ownCondition returns a group of comparisons of texts and of such groups.
func ownCondition(r *rand.Rand, depth int) *schema.Object {
	terms := []any{}
	for range r.IntN(4) {
		if depth > 1 && r.IntN(3) == 0 {
			// A new group begins with a comparison.
			inner := ownCondition(r, depth-1)
			if len(inner.List("operands")) > 0 {
				terms = append(terms, inner)
			}
			continue
		}
		o := flow.Operators[r.IntN(len(flow.Operators))]
		operands := []any{}
		for range o.Operands {
			operands = append(operands, []string{"", "{{fields.a}}", "true", "x y"}[r.IntN(4)])
		}
		terms = append(terms, operation(o.Name, operands))
	}
	return operation([]string{flow.And, flow.Or}[r.IntN(2)], terms)
}

// build makes the group that at returns the wanted one, by the controls of the builder.
func build(t *testing.T, e *editor.Editor, at func() *inspector.Condition, want *schema.Object) {
	t.Helper()
	run(t, e, at().Operator.Edit(want.Text("operator")))
	for i, v := range want.List("operands") {
		term, _ := v.(*schema.Object)
		group := term.Text("operator") == flow.And || term.Text("operator") == flow.Or
		list := at().List
		if group {
			list = at().Group
		}
		if i < len(at().Terms) { // the comparison with which a new group begins
			if group {
				add(t, e, list)
				run(t, e, at().List.List().Remove(0))
			}
		} else {
			add(t, e, list)
		}
		if group {
			build(t, e, func() *inspector.Condition { return at().Terms[i].Group }, term)
			continue
		}
		run(t, e, at().Terms[i].Comparison.Operator.Edit(term.Text("operator")))
		for k, operand := range term.List("operands") {
			run(t, e, at().Terms[i].Comparison.Operands[k].Edit(operand.(string)))
		}
	}
}

func add(t *testing.T, e *editor.Editor, list inspector.Row) {
	t.Helper()
	c, err := list.List().Add("")
	if err != nil {
		t.Fatal(err)
	}
	run(t, e, c)
}
