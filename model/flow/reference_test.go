package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// The shapes of templates, each as a string value.
func TestReferenceScan(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"none", "fields.x", ""},
		{"plain", "{{fields.x}}", "x@9"},
		{"spaces", "a {{ \t\r\nfields.x }} b", "x@15"},
		{"either", "{{fields.a  ?? fields.b.number}}", "a@9 b@22"},
		{"several", "{{fields.a}} and {{ fields.b }}{{fields.a}}", "a@9 b@27 a@40"},
		{"in a call", "{{ functions.length(fields.x) }}", "x@27"},
		{"arguments", "{{functions.replace(fields.x,'a',fields.y)}}", "x@27 y@40"},
		{"dash, digits, capitals", "{{fields.A-1_b-}}", "A-1_b-@9"},
		{"in brackets", `{{fields["x"]}}{{fields[ 'y' ].z}}`, "x@10 y@26"},
		{"in brackets, quotes that differ", `{{fields["x']}}`, ""},
		{"in brackets, no id", `{{fields["a b"] + fields[""] + fields[fields.k]}}`, "k@45"},
		{"in brackets, open", `{{fields["x"}}`, ""},
		{"in brackets, more than an id", `{{fields["x" + 1]}}{{fields["y"+"z"]}}`, ""},
		{"in brackets, the end within", `{{fields["x`, ""},
		{"in brackets, the end behind", `{{fields["x"`, ""},
		{"in brackets, at the end", `{{fields[`, ""},
		{"in literals", `{{ t('fields.x') + "fields.y" + fields.z }}`, "z@39"},
		{"quote of the other kind", `{{ "it's fields.x" + fields.y }}`, "y@28"},
		{"escaped quote", `{{ 'a\'fields.x' + fields.y }}`, "y@26"},
		{"end inside a literal", `{{ t('}}') + fields.x }}`, "x@20"},
		{"begin inside a literal", `{{ '{{fields.x' }}`, "x@13"},
		{"stray quote", `{{fields.x'}} and {{fields.y}}`, "x@9 y@27"},
		{"two stray quotes", `{{ ' " fields.x}}`, "x@14"},
		{"apostrophes outside", "it's {{fields.x}}, isn't it", "x@14"},
		{"property of another", "{{vars.fields.x}}{{ vars. fields.y }}", ""},
		{"part of a name", "{{xfields.y}}{{fieldsx.y}}{{a-fields.y}}{{$fields.y}}{{éfields.y}}{{_fields.y}}", ""},
		{"capital", "{{Fields.x}}", ""},
		{"minus before", "{{-fields.x}}", "x@10"},
		{"space around the dot", "{{fields .x}}{{fields. x}}", ""},
		{"no id", "{{fields}}{{fields.}}{{fields..x}}", ""},
		{"field named fields", "{{fields.fields.x}}", "fields@9"},
		{"id that goes on otherwise", "{{fields.é}}{{fields.aé}}{{fields.a$}}", ""},
		{"open", "{{fields.x", ""},
		{"open, one brace", "{{fields.x}", ""},
		{"open, then another", "{{fields.x {{fields.y}}", "y@20"},
		{"three braces", "{{{fields.x}}}", "x@10"},
		{"four braces", "{{{{fields.x}}}}", "x@11"},
		{"one brace", "{fields.x}", ""},
		{"after others", "{{a}}}}{{}}{{fields.x}}", "x@20"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range flow.References(model.New(tt.text)) {
				got = append(got, fmt.Sprintf("%s@%d", r.ID, r.Offset))
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

const referring = `{"name":"{{fields.a}}","nodes":[
 {"id":"s","type":"STEP","config":{"components":[
{"id":"a","category":"FIELD","type":"TEXT","label":"{{fields.b}} {{fields.h}}","config":{"default_value":"{{fields.gone.x}}"}}]}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"AND","operands":[
{"operator":"EQ","operands":["{{fields.a}}",["{{fields.b}}"]]}]}}]}}],
 "start":{"hidden_fields":[{"key":"h","value":"{{fields.b}}"}]},
 "ending":{"redirection":{"target":"https://x?a={{fields.a}}"}},
 "messages":{"custom":{"{{fields.a}}":"{{fields.late}}"}},
 "translations":{"de":{"components":{"a":{"label":"{{fields.h}}"}}}}}`

func TestReferences(t *testing.T) {
	f := parse(t, referring)
	list := func(refs []flow.Reference) string {
		var lines []string
		for _, r := range refs {
			lines = append(lines, r.Path.String()+" "+r.ID)
		}
		return strings.Join(lines, "\n")
	}
	want := `name a
nodes[0].config.components[0].label b
nodes[0].config.components[0].label h
nodes[0].config.components[0].config.default_value gone
nodes[1].config.rules[0].condition.operands[0].operands[0] a
nodes[1].config.rules[0].condition.operands[0].operands[1][0] b
start.hidden_fields[0].value b
ending.redirection.target a
messages.custom["{{fields.a}}"] late
translations.de.components.a.label h`
	if got := list(flow.References(f)); got != want {
		t.Errorf("references:\n%s\nwant:\n%s", got, want)
	}
}

func TestCorpusReferences(t *testing.T) {
	total := 0
	for _, f := range corpus(t) {
		refs := flow.References(f)
		total += len(refs)
		for _, r := range refs {
			v, _ := schema.Lookup(f.Tree(), r.Path)
			if s, _ := v.(string); s[r.Offset:r.Offset+len(r.ID)] != r.ID {
				t.Errorf("%v is not in %q", r, s)
			}
		}
	}
	if total == 0 {
		t.Error("real forms show no reference")
	}
}

// The references in any text are inside it, at the boundaries of ids, in order
// and disjoint, and renaming finds each of them.
func FuzzReferences(f *testing.F) {
	for _, s := range []string{
		"{{fields.x}}", `{{ t('fields.x') ?? fields["y"].z }}`, "{{fields.x {{fields.y}}'", `{{'\'fields.a' "}} {{`,
		"{{fields[fields.a]}}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		form := model.New(s)
		end := 0
		for _, r := range flow.References(form) {
			to := r.Offset + len(r.ID)
			switch {
			case r.Offset < end || to > len(s) || s[r.Offset:to] != r.ID:
				t.Fatalf("%+v is not in %q after %d", r, s, end)
			case !model.ValidIdentifier(r.ID):
				t.Fatalf("%q is not an id", r.ID)
			case model.ValidIdentifier(s[r.Offset-1:r.Offset]) || model.ValidIdentifier(s[to:to+1]):
				t.Fatalf("%+v is a part of an id in %q", r, s)
			case !strings.Contains(s[:r.Offset], "{{") || !strings.Contains(s[to:], "}}"):
				t.Fatalf("%+v is in no template of %q", r, s)
			}
			before := strings.TrimRight(strings.TrimRight(s[:r.Offset], " \t\r\n'\""), ".[ \t\r\n")
			if !strings.HasSuffix(before, "fields") {
				t.Fatalf("%+v reads no field in %q", r, s)
			}
			end = to
		}
	})
}

// Long texts, in the large form of the maximum length, on which a scanner with repeated lookahead or backtracking takes quadratic time, which
// would make this test take hours.
func TestScanIsLinear(t *testing.T) {
	for _, piece := range []string{
		"{{", "{{fields.x", "{{'", `{{"'\`, "'", `\'`, `\"'`, "fields[", "fields[ ", "fields['", "{{fields[' ",
		"fields.", " ", "{{fields.x}}", "-", "{{a}}'",
	} {
		s := "{{" + strings.Repeat(piece, sizetest.Of(0, schema.MaxBytes/8, schema.MaxBytes)/len(piece))
		refs := flow.References(model.New(s))
		if (piece == "{{fields.x}}") != (len(refs) > 0) {
			t.Errorf("%d references in %q and so on", len(refs), s[:20])
		}
	}
}
