package explore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/sizetest"
)

// asking returns a form that asks for fields and then takes one of two ways by conditions, which are joined by AND.
func asking(components string, conditions ...string) string {
	if components != "" {
		components += ","
	}
	return fmt.Sprintf(`{"name":"Asking","ending":{},"start":{"next_node":"ask","hidden_fields":[{"key":"h"}]},"messages":{"custom":{"hi":"Hello"}},"nodes":[
		{"id":"ask","type":"STEP","config":{"next_node":"r","components":[%s
			{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"yes","condition":{"operator":"AND","operands":[%s]},"next_node":"a"}],"fallback":"$ending"}},
		{"id":"a","type":"STEP","config":{"next_node":"$ending","components":[
			{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`, components, strings.Join(conditions, ","))
}

func field(typ, config string) string {
	return fmt.Sprintf(`{"id":"f","category":"FIELD","type":%q,"config":%s}`, typ, config)
}

// comparison returns a condition; the operands are JSON.
func comparison(operator string, operands ...string) string {
	return fmt.Sprintf(`{"operator":%q,"operands":[%s]}`, operator, strings.Join(operands, ","))
}

func exploreText(t *testing.T, src string, o explore.Options) *explore.Result {
	t.Helper()
	p := run.NewProgram(decode(t, src))
	result, err := explore.Explore(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range result.Scenarios {
		if o := scenario.Replay(p, &s); !o.Same(&s) {
			t.Errorf("scenario %q takes %v, expects %v: %s%s", s.Name, o.Path(), s.Expect, o.Missing, o.Reason)
		}
	}
	return result
}

// TestExploreTakesBothWays checks that values are found with which a rule applies, and others with which it does not.
func TestExploreTakesBothWays(t *testing.T) {
	const f = `"{{fields.f}}"`
	text, number := field("TEXT", `{}`), field("NUMBER", `{}`)
	options := `{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"},{"value":"c","label":"C"}]}`
	for _, x := range []struct {
		name, fields string
		conditions   []string
	}{
		{"a text", text, []string{comparison("EQ", f, `"x"`)}},
		{"a text with spaces at its ends never is an answer, but another is", text, []string{comparison("NEQ", f, `"y"`), comparison("EXISTS", f)}},
		{"no text", text, []string{comparison("IS_EMPTY", f)}},
		{"a long text", field("TEXT", `{"min_length":30}`), []string{comparison("EXISTS", f)}},
		{"a text that begins", text, []string{comparison("STARTS_WITH", f, `"ab"`), comparison("NEQ", f, `"ab"`)}},
		{"a text that ends", text, []string{comparison("ENDS_WITH", f, `"ab"`), comparison("NEQ", f, `"ab"`)}},
		{"a text that contains", text, []string{comparison("CONTAINS", f, `"ab"`), comparison("NEQ", f, `"ab"`)}},
		{"a text that matches", text, []string{comparison("MATCHES", f, `"^[A-Z]{2}\\d+(x|y)?$"`)}},
		{"a text that matches the second of two", text, []string{comparison("MATCHES", f, `"^(a|b+)$"`), comparison("NEQ", f, `"a"`)}},
		{"a text that does not match", text, []string{comparison("NOT_MATCHES", f, `"^[a-z]+$"`), comparison("EXISTS", f)}},
		{"an address by its domain", field("EMAIL", `{}`), []string{comparison("ENDS_WITH", f, `"@example.net"`)}},
		{"an exact address", field("EMAIL", `{}`), []string{comparison("EQ", f, `"a@example.net"`)}},
		{"a URL", field("URL", `{}`), []string{comparison("STARTS_WITH", f, `"https://shop.ch"`)}},
		{"a number between two", number, []string{comparison("GT", f, "3"), comparison("LT", f, "4")}},
		{"a number at a bound", field("NUMBER", `{"min_value":3,"max_value":9}`), []string{comparison("GTE", f, "9")}},
		{"zero", number, []string{comparison("EQ", f, "0")}},
		{"a boolean", field("BOOLEAN", `{}`), []string{comparison("EQ", f, "false")}},
		{"consent", field("LEGAL", `{"text":"x"}`), []string{comparison("EQ", f, "true")}},
		{"a date before another", field("DATE", `{}`), []string{comparison("LT", f, `"1999-12-31"`)}},
		{"a date after another", field("DATE", `{}`), []string{comparison("GT", f, `"2031-05-01"`)}},
		{"a date between two", field("DATE", `{}`), []string{comparison("BETWEEN", f, `"2031-05-01"`, `"2031-05-03"`), comparison("NEQ", f, `"2031-05-01"`), comparison("NEQ", f, `"2031-05-03"`)}},
		{"an option", field("DROPDOWN", options), []string{comparison("IN", f, `["b","c"]`)}},
		{"an option of several", field("CHOICE", strings.Replace(options, "{", `{"multiple":true,`, 1)), []string{comparison("INCLUDES", f, `"b"`)}},
		{"two options at once", field("CHOICE", strings.Replace(options, "{", `{"multiple":true,`, 1)), []string{comparison("INCLUDES", f, `"a"`), comparison("INCLUDES", f, `"b"`)}},
		{"a list from outside", "", []string{comparison("INCLUDES", `"{{context.roles}}"`, `"admin"`)}},
		{"two elements of a list from outside", "", []string{comparison("INCLUDES", `"{{context.roles}}"`, `"a"`), comparison("INCLUDES", `"{{context.roles}}"`, `"b"`)}},
		{"an element of a list", "", []string{comparison("EQ", `"{{context.roles[0]}}"`, `"admin"`)}},
		{"a part of the context", "", []string{comparison("EQ", `"{{context.user.city.name}}"`, `"Bern"`), comparison("GTE", `"{{context.user.age}}"`, "18")}},
		{"a hidden field", "", []string{comparison("EQ", `"{{fields.h}}"`, `"mail"`)}},
		{"a variable", "", []string{comparison("EQ", `"{{vars.v}}"`, "null")}},
		{"two fields", text + `,{"id":"g","category":"FIELD","type":"TEXT","config":{}}`, []string{comparison("EQ", f, `"{{fields.g}}"`), comparison("EXISTS", f)}},
		{"a field and the context", text, []string{comparison("NEQ", f, `"{{context.name}}"`)}},
		{"a call", text, []string{comparison("EQ", `"{{functions.toLowerCase(fields.f)}}"`, `"x"`)}},
	} {
		t.Run(x.name, func(t *testing.T) {
			result := exploreText(t, asking(x.fields, x.conditions...), explore.Options{})
			for _, u := range result.Untaken {
				t.Errorf("%s is not taken: %s", u.Edge, u.Reason)
			}
		})
	}
}

// TestNeverIsTrue checks, for conditions that cannot be looked into, that an edge that a run takes is not said to be never taken.
func TestNeverIsTrue(t *testing.T) {
	for _, condition := range []string{
		comparison("EXISTS", `"{{fields}}"`),
		comparison("NOT_EXISTS", `"{{fields}}"`),
		comparison("IS_EMPTY", `"{{vars}}"`),
		comparison("IS_NOT_EMPTY", `"{{vars}}"`),
		comparison("EXISTS", `"{{context}}"`),
		comparison("EQ", `"{{functions.random(1, 1)}}"`, "1"),
		comparison("GT", `"{{functions.random(0, 1, true)}}"`, "2"),
		comparison("EXISTS", `"{{functions.uuid()}}"`),
		comparison("EQ", `"{{functions.random(0, 1)}}"`, "1"),
		comparison("IN", "1", `["{{functions.random(0, 1)}}", 5]`),
		comparison("EQ", `"{{context.roles[0]}}"`, `"x"`),
		comparison("EQ", `"{{vars.v[1].x[0]}}"`, `"x"`),
		comparison("EQ", `"{{vars.v.0}}"`, `"x"`),
		comparison("STARTS_WITH", `"{{functions.getNow()}}"`, `"2026"`),
		comparison("EQ", `"{{t('hi')}}"`, `"Hello"`),
		comparison("EQ", `"{{none.x}}"`, `"x"`),
		comparison("EQ", `"{{vars[0]}}"`, `"x"`),
		comparison("ODD", `"{{fields.f}}"`),
		comparison("EQ", `"{{fields.f"`, `"x"`),
		comparison("EQ", `"x"`, `"x"`),
		comparison("MATCHES", `"{{vars.v}}"`, `"("`),
		`{"operator":"AND","operands":[]}`,
		`"yes"`,
		comparison("EQ", `["{{vars.v}}",1]`, `[2,1]`),
		comparison("EQ", `{"a":"{{vars.v}}"}`, `{"a":2}`),
		comparison("EQ", `"{{vars.v ?? 'x'}}"`, `"x"`),
		comparison("EQ", `"{{functions.toNumber(vars.v)}}"`, `0`),
		comparison("IN", `"{{vars.v}}"`, `"{{vars.list}}"`),
		comparison("BETWEEN", `"{{vars.v}}"`, `"a"`, `"b"`),
		comparison("LT", `"{{vars.v}}"`, `"a"`),
		comparison("GT", `"{{fields.h}}"`, `"{{vars.v}}"`),
	} {
		t.Run(condition, func(t *testing.T) {
			src := asking(field("TEXT", `{}`), condition)
			result := exploreText(t, src, explore.Options{})
			p := run.NewProgram(decode(t, src))
			for seed := range 60 {
				randomRun(randomOf(seed), p, 8, func(at *run.Run) {
					for _, h := range at.Hops() {
						i := slices.IndexFunc(result.Untaken, func(u explore.Untaken) bool { return u.Edge == scenario.Edge{From: h.From, Port: h.Port} })
						if h.To != "" && i >= 0 && result.Untaken[i].Never {
							t.Fatalf("%s is taken, but %s", result.Untaken[i].Edge, result.Untaken[i].Reason)
						}
					}
				})
			}
		})
	}
}

// TestExploreSaysWhyNot checks the reasons of edges that are not taken.
func TestExploreSaysWhyNot(t *testing.T) {
	const f = `"{{fields.f}}"`
	for _, x := range []struct {
		name, src string
		want      []string
	}{
		{"a rule that never applies", asking(field("NUMBER", `{"max_value":5}`), comparison("GT", f, "5")), []string{
			"r:rule:yes never: the rule never applies where no earlier one does", `a:next never: no answers lead to "a"`,
		}},
		{"a rule that always applies", asking(field("NUMBER", `{}`), comparison("NEQ", `"{{fields.other}}"`, "1")), []string{
			"r:fallback never: one of the rules always applies",
		}},
		{"a pattern without an example", asking(field("TEXT", `{}`), comparison("MATCHES", f, `"^\\b$"`)), []string{
			"r:rule:yes: the search found no values that lead here: fields.f is compared in a way for which it only tries examples",
			"a:next: the search found no values that lead here: fields.f is compared in a way for which it only tries examples",
		}},
		{"a field that accepts nothing", asking(`{"id":"f","category":"FIELD","type":"NUMBER","required":true,"config":{"min_value":5,"max_value":4}}`, comparison("EXISTS", f)), []string{
			`ask:next never: no answer of "f" is accepted`, `r:rule:yes never: no answers lead to "r"`, `r:fallback never: no answers lead to "r"`, `a:next never: no answers lead to "a"`,
		}},
		{"no node", strings.Replace(asking("", comparison("EXISTS", `"{{vars.v}}"`)), `"next_node":"a"`, `"next_node":"x"`, 1), []string{
			`r:rule:yes never: there is no node "x"`, `a:next never: no way leads to "a"`,
		}},
		{"no button", strings.Replace(asking("", comparison("EXISTS", `"{{vars.v}}"`)), `"NEXT_BUTTON"`, `"PREVIOUS_BUTTON"`, 1), []string{
			`ask:next never: "ask" has no button to continue with`, `r:rule:yes never: no way leads to "r"`, `r:fallback never: no way leads to "r"`, `a:next never: no way leads to "a"`,
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			var got []string
			for _, u := range exploreText(t, x.src, explore.Options{}).Untaken {
				text := u.String()
				if u.Never {
					text += " never"
				}
				got = append(got, text+": "+u.Reason)
			}
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// alike returns a form of n steps with the same name and the same buttons, so that names repeat.
func alike(n int) string {
	var nodes []string
	for i := range n {
		nodes = append(nodes, fmt.Sprintf(`{"id":"s%d","type":"STEP","alias":"Same","config":{"components":[
			{"id":"j%d","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Leave","next_node":"$ending"}},
			{"id":"go%d","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"s%d"}}`, i, i, i, i+1))
	}
	nodes = append(nodes, fmt.Sprintf(`{"id":"s%d","type":"STEP","config":{"components":[
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}`, n))
	return fmt.Sprintf(`{"name":"Alike","start":{"next_node":"s0"},"ending":{},"nodes":[%s]}`, strings.Join(nodes, ","))
}

func textOf(t *testing.T, scenarios []scenario.Scenario) string {
	t.Helper()
	text, err := (&scenario.File{Scenarios: scenarios}).Text()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNamesAreUnique checks that scenarios can be read back, which needs unique names, also beside kept ones with the same name.
func TestNamesAreUnique(t *testing.T) {
	src := alike(20)
	kept := exploreText(t, src, explore.Options{}).Scenarios[:3]
	result := exploreText(t, src, explore.Options{Keep: kept})
	f, problems := scenario.Read([]byte(textOf(t, slices.Concat(kept, result.Scenarios))))
	if len(problems) > 0 || len(f.Scenarios) != 21 {
		t.Fatalf("%d scenarios, %v", len(f.Scenarios), problems)
	}
	for _, s := range f.Scenarios {
		if len(s.Faults) > 0 {
			t.Error(s.Faults)
		}
	}
	if f.Scenarios[0].Name == f.Scenarios[1].Name || !strings.HasPrefix(f.Scenarios[1].Name, "Same: Leave") {
		t.Errorf("names %q and %q", f.Scenarios[0].Name, f.Scenarios[1].Name)
	}
}

// A form with loops has several short scenarios and not one that goes round and round. Their names show fields by their labels.
func TestScenariosAreShort(t *testing.T) {
	step := func(id, next string) string {
		return fmt.Sprintf(`{"id":%q,"type":"STEP","config":{"next_node":%q,"components":[{"id":"x_%[1]s","category":"FIELD","type":"TEXT","label":"Answer %[1]s"},
			{"id":"go_%[1]s","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}}`, id, next)
	}
	router := func(id, field, to, fallback string) string {
		return fmt.Sprintf(`{"id":%q,"type":"ROUTER","config":{"rules":[{"id":"again","condition":%s,"next_node":%q}],"fallback":%q}}`,
			id, comparison("EQ", `"{{fields.`+field+`}}"`, `"no"`), to, fallback)
	}
	result := exploreText(t, `{"name":"Loops","ending":{},"start":{"next_node":"a"},"nodes":[`+strings.Join([]string{
		step("a", "ra"), router("ra", "x_a", "wrong_a", "b"), step("wrong_a", "a"), step("b", "rb"), router("rb", "x_b", "wrong_b", "c"), step("wrong_b", "a"),
		step("c", "rc"), router("rc", "x_c", "wrong_c", "$ending"), step("wrong_c", "b"),
	}, ",")+`]}`, explore.Options{})
	if len(result.Untaken) > 0 || len(result.Scenarios) < 2 {
		t.Errorf("%d scenarios leave %v", len(result.Scenarios), result.Untaken)
	}
	for _, s := range result.Scenarios {
		times := map[string]int{}
		for _, n := range s.Expect {
			if times[n]++; times[n] > 2 {
				t.Errorf("%q comes to %s again and again: %v", s.Name, n, s.Expect)
				break
			}
		}
		if strings.Contains(s.Name, "fields.") {
			t.Errorf("a scenario is called %q", s.Name)
		}
	}
}

// TestExploreIsDeterministic checks that the same form gives the same bytes.
func TestExploreIsDeterministic(t *testing.T) {
	sources := []string{alike(5), large(4), consent}
	for seed := range sizetest.Of(0, 20, 100) {
		sources = append(sources, randomForm{Rand: randomOf(seed)}.form())
	}
	for _, src := range sources {
		first, second := exploreText(t, src, explore.Options{}), exploreText(t, src, explore.Options{})
		if diff := cmp.Diff(textOf(t, first.Scenarios), textOf(t, second.Scenarios)); diff != "" {
			t.Fatal(diff)
		}
		if !slices.Equal(first.Taken, second.Taken) || !slices.Equal(first.Untaken, second.Untaken) {
			t.Fatalf("%v %v, then %v %v", first.Taken, first.Untaken, second.Taken, second.Untaken)
		}
	}
}

// TestKeptScenariosCount checks that what kept scenarios take is not taken again, and that they change what is known of no other edge.
func TestKeptScenariosCount(t *testing.T) {
	for seed := range sizetest.Of(0, 40, 1000) {
		src := randomForm{Rand: randomOf(seed)}.form()
		all := exploreText(t, src, explore.Options{})
		if again := exploreText(t, src, explore.Options{Keep: all.Scenarios}); len(again.Scenarios) > 0 || !slices.Equal(again.Taken, all.Taken) {
			t.Fatalf("seed %d: %d more scenarios; taken %v, before %v", seed, len(again.Scenarios), again.Taken, all.Taken)
		}
		for i := range all.Scenarios {
			some := exploreText(t, src, explore.Options{Keep: all.Scenarios[:i]})
			if !slices.Equal(some.Taken, all.Taken) {
				t.Fatalf("seed %d, %d kept: taken %v, want %v", seed, i, some.Taken, all.Taken)
			}
		}
	}
}

// TestBudgetMakesNothingNever checks that a search that is cut off does not say that an edge is never taken if it is.
func TestBudgetMakesNothingNever(t *testing.T) {
	for seed := range sizetest.Of(0, 60, 1000) {
		src := randomForm{Rand: randomOf(seed)}.form()
		whole := exploreText(t, src, explore.Options{})
		for _, states := range []int{1, 3, 10} {
			cut := exploreText(t, src, explore.Options{States: states})
			for _, u := range cut.Untaken {
				if u.Never && slices.Contains(whole.Taken, u.Edge) {
					t.Fatalf("seed %d, %d states: %s is never taken: %s", seed, states, u.Edge, u.Reason)
				}
			}
		}
	}
}

// TestUnusualValuesAreTried checks that a way is not said to be never taken if only an unusual value takes it.
func TestUnusualValuesAreTried(t *testing.T) {
	and := func(comparisons ...string) string {
		return `{"operator":"AND","operands":[` + strings.Join(comparisons, ",") + `]}`
	}
	for _, condition := range []string{
		and(comparison("IN", `"a"`, `"{{vars.v}}"`), comparison("IN", `"b"`, `"{{vars.v}}"`)),
		and(comparison("NEQ", `"{{vars.v}}"`, `"5"`), comparison("NEQ", `"{{vars.v}}"`, `"5.0"`),
			comparison("BETWEEN", `"{{vars.v}}"`, "5", "5")),
		and(comparison("NEQ", `"{{vars.v}}"`, `"5"`), comparison("EQ", `"{{vars.v}}"`, "5")),
		and(comparison("EQ", `"{{vars.v}}"`, `"5.00"`), comparison("EQ", `"{{vars.v}}"`, `"5.0"`)),
		and(comparison("EQ", `"{{vars.v}}"`, "5"), comparison("NOT_IN", `"{{vars.v}}"`, `["5","5e0"]`)),
		and(comparison("NEQ", `"{{fields.f}}"`, `"5"`), comparison("EQ", `"{{fields.f}}"`, "5")),
		and(comparison("EXISTS", `"{{vars.v}}"`), comparison("IS_EMPTY", `"{{vars.v}}"`), comparison("NEQ", `"{{vars.v}}"`, `""`),
			comparison("NEQ", `"{{vars.v}}"`, "null")),
	} {
		src := asking(field("TEXT", `{}`), condition)
		for _, u := range exploreText(t, src, explore.Options{}).Untaken {
			if u.Never {
				t.Errorf("%s: %s is never taken: %s", condition, u.Edge, u.Reason)
			}
		}
	}
}

// TestExploreTakesWaysBehindResends checks that a resend button's flow can set what a router needs.
func TestExploreTakesWaysBehindResends(t *testing.T) {
	const again = `{"id":"again","category":"BLOCK","type":"RESEND_BUTTON","config":{"active_text":"a","button_text":"b","waiting_text":"w",
		"flow_id":"af_1","max_attempts":1,"waiting_time":5}}`
	src := asking(again, comparison("EQ", `"{{vars.sent}}"`, `"yes"`), comparison("NEQ", `"{{context.x}}"`, "1"))
	if result := exploreText(t, src, explore.Options{}); len(result.Untaken) > 0 {
		t.Errorf("got %v", result.Untaken)
	}
}

// TestPreviousButtonsMakeNothingNever checks that a way that only a previous button opens is not said to be never taken.
func TestPreviousButtonsMakeNothingNever(t *testing.T) {
	// The router reads the answer of b, which is unanswered when people first come by, and answered after they went back.
	const src = `{"name":"Back","start":{"next_node":"a"},"ending":{},"nodes":[
		{"id":"a","type":"STEP","config":{"next_node":"r","components":[{"id":"ga","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"x"}}]}},
		{"id":"r","type":"ROUTER","config":{"fallback":"b","rules":[{"id":"x","next_node":"c","condition":{"operator":"AND","operands":[
			{"operator":"EXISTS","operands":["{{fields.f}}"]}]}}]}},
		{"id":"b","type":"STEP","config":{"next_node":"$ending","components":[{"id":"f","category":"FIELD","type":"TEXT","config":{}},
			{"id":"gb","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"x"}},
			{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"x"}}]}},
		{"id":"c","type":"STEP","config":{"next_node":"$ending","components":[{"id":"gc","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"x"}}]}}]}`
	result := exploreText(t, src, explore.Options{})
	for _, u := range result.Untaken {
		if u.Never {
			t.Errorf("%s is never taken: %s", u.Edge, u.Reason)
		}
	}
	without := exploreText(t, strings.Replace(src, "PREVIOUS_BUTTON", "DIVIDER", 1), explore.Options{})
	if !slices.ContainsFunc(without.Untaken, func(u explore.Untaken) bool { return u.Never && u.From == "r" }) {
		t.Errorf("without the button: %v", without.Untaken)
	}
}
