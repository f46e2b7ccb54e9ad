package scope_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/scope"
)

// step returns the JSON text of a step with a next button besides its components.
func step(id, next string, components ...string) string {
	components = append(components, `{"id":"next_`+id+`","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Next"}}`)
	return fmt.Sprintf(`{"id":%q,"type":"STEP","config":{"next_node":%q,"components":[%s]}}`, id, next, strings.Join(components, ","))
}

func block(text string) string {
	return fmt.Sprintf(`{"id":"block","category":"BLOCK","type":"RICH_TEXT","config":{"content":%q}}`, text)
}

const (
	name = `{"id":"name","category":"FIELD","type":"TEXT","label":"Your\n name","required":true}`
	code = `{"id":"code","category":"FIELD","type":"NUMBER"}`
	back = `{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"Back"}}`
)

// hello shows the name.
var hello = block("{{fields.name}}")

func jump(to string) string {
	return fmt.Sprintf(`{"id":"jump","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Jump","next_node":%q}}`, to)
}

// form returns a form that begins at its first node.
func form(tb testing.TB, more string, nodes ...string) *model.Form {
	tb.Helper()
	return formtest.Parse(tb, fmt.Sprintf(`{"name":"f","start":{"next_node":"a"},"nodes":[%s]%s}`, strings.Join(nodes, ","), more))
}

var missNames = map[scope.Miss]string{scope.NoField: "no field", scope.NoPath: "no path", scope.SomePaths: "some paths"}

func TestFindings(t *testing.T) {
	const asked = `"ending":{"redirection":{"target":"https://example.com/{{fields.name}}"}}`
	router := func(condition string) string {
		return `{"id":"r","type":"ROUTER","config":{"fallback":"$ending","rules":[{"id":"x","condition":` + condition + `}]}}`
	}
	compare := func(operator string) string {
		return `{"operator":"AND","operands":[{"operator":"` + operator + `","operands":["{{fields.name}}"]}]}`
	}
	skip := step("a", "b", name, jump("b"))
	tests := []struct {
		name string
		form *model.Form
		want []string
	}{
		{"collected", form(t, "", step("a", "b", name), step("b", "$ending", hello)), nil},
		{"the same step", form(t, "", step("a", "$ending", name, block("Dear {{ fields.name }}"))), []string{
			"nodes[0].config.components[1].config.content: name: no path, $start a",
		}},
		{"the same step, on a way back", form(t, "", step("a", "b", name, hello), step("b", "$ending", back)), []string{
			"nodes[0].config.components[1].config.content: name: some paths, $start a",
		}},
		{"later", form(t, "", step("a", "b", hello), step("b", "$ending", name)), []string{
			"nodes[0].config.components[0].config.content: name: no path, $start a",
		}},
		{"a way back only past another step", form(t, "", step("a", "b", hello), step("b", "c"), step("c", "$ending", name, back)), []string{
			"nodes[0].config.components[0].config.content: name: no path, $start a",
		}},
		{"two ways back", form(t, "", step("a", "b", hello), step("b", "c", back), step("c", "$ending", name, back)), []string{
			"nodes[0].config.components[0].config.content: name: some paths, $start a",
		}},
		{"a default value", form(t, "", step("b", "$ending", name),
			step("a", "$ending", `{"id":"x","category":"FIELD","type":"TEXT","config":{"default_value":"{{fields.name}}"}}`)), []string{
			"nodes[1].config.components[0].config.default_value: name: no path, $start a",
		}},
		{"left by a jump", form(t, "", skip, step("b", "$ending", hello)), []string{
			"nodes[1].config.components[0].config.content: name: some paths, $start a b",
		}},
		{"left by a jump, on a longer way", form(t, "", step("a", "b", name, jump("c")), step("b", "$ending", hello), step("c", "b")), []string{
			"nodes[1].config.components[0].config.content: name: some paths, $start a c b",
		}},
		{"a fallback", form(t, "", skip, step("b", "$ending", block("{{fields.name ?? 'you'}}, {{fields.nam ?? fields.next_a ?? 1}}"))), []string{
			"nodes[1].config.components[0].config.content: nam: no field, $start a b, near name",
			"nodes[1].config.components[0].config.content: next_a: no path, $start a b",
		}},
		{"a fallback for only one of two", form(t, "", skip, step("b", "$ending", block("{{fields.name}} {{fields.name ?? 'you'}}"))), []string{
			"nodes[1].config.components[0].config.content: name: some paths, $start a b",
		}},
		{"a fallback for only the other", form(t, "", skip, step("b", "$ending", block("{{fields.name ?? 'you'}} {{fields.name}}"))), []string{
			"nodes[1].config.components[0].config.content: name: some paths, $start a b",
		}},
		{"the ending", form(t, ","+asked, step("a", "$ending", name, jump("$ending"))), []string{
			"ending.redirection.target: name: some paths, $start a $ending",
		}},
		{"a condition", form(t, "", step("a", "r", name, jump("r")), router(compare("EQ"))), []string{
			"nodes[1].config.rules[0].condition.operands[0].operands[0]: name: some paths, $start a r",
		}},
		{"a condition that asks for a value", form(t, "", step("a", "r", name, jump("r")), router(compare("NOT_EXISTS"))), nil},
		{"a condition that asks for what never comes", form(t, "", step("a", "r"), router(compare("EXISTS")), step("b", "", name)), []string{
			"nodes[1].config.rules[0].condition.operands[0].operands[0]: name: no path, $start a r",
		}},
		{"a translation", form(t,
			`,"translations":{"de":{"components":{"block":{"config":{"content":"{{fields.name}}","css":"{{fields.name}}"}}}}}`,
			step("a", "b", block("")), step("b", "$ending", name)), []string{
			"translations.de.components.block.config.content: name: no path, $start a",
		}},
		{"a translation of an id like code", form(t, `,"translations":{"de":{"components":{"code":{"label":"{{fields.name}}"}}}}`,
			step("a", "$ending", code), step("b", "", name)), []string{
			"translations.de.components.code.label: name: no path, $start a",
		}},
		{"refusals", form(t, `,"messages":{"errors":{"E":"{{fields.name}}"},"custom":{"k":"{{fields.name}}"}}`,
			step("a", "b"), step("b", "c", name), step("c", "$ending", code)), []string{
			"messages.errors.E: name: some paths, $start a b",
		}},
		{"what is not evaluated", form(t, `,"style":{"css":"{{fields.no}}"}`, step("a", "$ending",
			`{"id":"x","category":"FIELD","type":"CUSTOM",`+
				`"config":{"code":"{{fields.no}}","css":"{{fields.no}}","schema":{"a":["{{fields.no}}"]}}}`)), nil},
		{"a mistake", form(t, "", step("a", "$ending", block("{{fields.no +}} {{fields}} {{fields[0]}}"))), nil},
		{"a part of it", form(t, "", step("a", "b", name), step("b", "$ending", block("{{fields.name.first}} {{fields.mail[0]}}"))), []string{
			"nodes[1].config.components[0].config.content: mail: no field, $start a b",
		}},
		{"unreachable", form(t, "", step("a", "$ending"), step("b", "c", name), step("c", "", block("{{fields.name}}{{fields.nome}}"))), []string{
			"nodes[2].config.components[0].config.content: nome: no field, near name",
		}},
		{"hidden fields", formtest.Parse(t, `{"name":"f","nodes":[`+
			step("a", "$ending", block("{{fields.x}} {{fields.y}} {{fields.z}}"))+`,`+step("b", "", name)+
			`],"start":{"next_node":"a","hidden_fields":[{"key":"x","value":"{{fields.y}}"},{"key":"y","value":"{{fields.x}}"},`+
			`{"key":"z"},{"key":"u","value":"{{fields.z ?? 1}}{{fields.name}}{{fields.c}}"},`+
			`{"key":"x","value":"2"},{"key":"v","value":"{{fields.x}}"}]}}`), []string{
			"start.hidden_fields[0].value: y: no path, $start",
			"start.hidden_fields[3].value: z: no path, $start",
			"start.hidden_fields[3].value: name: no path, $start",
			"start.hidden_fields[3].value: c: no field, $start",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range scope.Analyze(tt.form).Findings() {
				line := f.Path.String() + ": " + f.Name + ": " + missNames[f.Miss]
				if j := f.Journey(); j != nil {
					line += ", " + strings.Join(j, " ")
				}
				if near := f.Near(); near != "" {
					line += ", near " + near
				}
				got = append(got, line)
			}
			// Findings are in document order; the forms above do not all have their members in the same order.
			slices.Sort(got)
			want := slices.Sorted(slices.Values(tt.want))
			if !slices.Equal(got, want) {
				t.Errorf("findings\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
			}
		})
	}
}

func TestFindingsAreInDocumentOrder(t *testing.T) {
	f := form(t, "", step("a", "b", block("{{fields.later}} {{fields.no}}")), step("b", "$ending", block("{{fields.nothing}}"),
		`{"id":"later","category":"FIELD","type":"TEXT","label":"{{fields.later}}"}`))
	var names []string
	for _, finding := range scope.Analyze(f).Findings() {
		names = append(names, finding.Name)
	}
	if want := []string{"later", "no", "nothing", "later"}; !slices.Equal(names, want) {
		t.Errorf("findings of %v, want %v", names, want)
	}
}

// A name is near if at most a third of it differs; the first of the nearest counts.
func TestNear(t *testing.T) {
	tests := []struct{ name, want string }{
		{"emial", "email"},
		{"Email", "email"},
		{"emai", "email"},
		{"email_2", "email"},
		{"phone_numbers", "phone_number"},
		{"phonenumber", "phone_number"},
		{"fone_nmbr", ""},
		{"cat", "car"},
		{"xy", "x1"},
		{"x", ""},
		{"mail", "email"},
		{"completely_different", ""},
	}
	var fields []string
	for _, id := range []string{"email", "phone_number", "x1", "x2", "car"} {
		fields = append(fields, `{"id":"`+id+`","category":"FIELD","type":"TEXT"}`)
	}
	for _, tt := range tests {
		findings := scope.Analyze(form(t, "", step("a", "", append(fields, block("{{fields."+tt.name+"}}"))...))).Findings()
		if len(findings) != 1 || findings[0].Near() != tt.want {
			t.Errorf("near %s: %v, want %q", tt.name, findings[0].Near(), tt.want)
		}
	}
}
