package scope_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// inScope returns the fields in scope at a path, by their id, and whether every path collects them.
func inScope(a *scope.Analysis, p schema.Path) map[string]bool {
	found := map[string]bool{}
	for _, v := range a.At(p) {
		if id, ok := strings.CutPrefix(v.Text, "fields."); ok {
			found[id] = v.Every
		}
	}
	return found
}

func TestVariables(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","start":{"next_node":"a","hidden_fields":[
		{"key":"plan","value":"gold"},{"key":"from","value":"{{context.x}}"},{"key":"size"}]},"nodes":[`+step("a", "b", name, code,
		`{"id":"colour","category":"FIELD","type":"DROPDOWN","label":"Colour",`+
			`"config":{"options":[{"value":"r","label":"Red"},{"value":"g"},{"label":"None"}]}}`,
		`{"id":"sizes","category":"FIELD","type":"CHOICE","config":{"multiple":true,"options":[{"value":"s","label":"S"}]}}`,
		`{"id":"day","category":"FIELD","type":"DATE"}`, `{"id":"ok","category":"FIELD","type":"BOOLEAN"}`,
		`{"id":"new kind","category":"FIELD","type":"HOLOGRAM"}`, jump("b"))+`,`+
		step("b", "$ending", block(`{{vars.b}} {{vars.a[0]["x y"]}} {{context.user.email}} {{context.request["ip"]}} {{vars}}`))+`]}`)
	var got []string
	for _, v := range scope.Analyze(f).At(formtest.Path(t, "nodes[1].config.components[0]")) {
		if strings.HasPrefix(v.Text, "context.user.") {
			continue
		}
		line := fmt.Sprintf("%s (%s) %s %s %s", v.Text, v.Title, v.Path, v.Icon, v.Type)
		if v.Every {
			line += ", always"
		}
		if e := v.Example(); e != nil {
			line += ", as " + string(schema.Encode(e))
		}
		if v.Component != nil && v.Component.Tree() != at(f, v.Path) {
			line += ", of another component"
		}
		for _, o := range v.Options() {
			line += ", " + o.Value + "=" + o.Label
		}
		got = append(got, line)
	}
	want := []string{
		`fields.name (Your name) nodes[0].config.components[0] text text, as "Ann"`,
		`fields.code (code) nodes[0].config.components[1] number number, as 1`,
		`fields.colour (Colour) nodes[0].config.components[2] dropdown option, as "r", r=Red, g=g`,
		`fields.sizes (sizes) nodes[0].config.components[3] choice options, as ["s"], s=S`,
		`fields.day (day) nodes[0].config.components[4] date date, as "2000-01-31"`,
		`fields.ok (ok) nodes[0].config.components[5] check boolean, as true`,
		`fields["new kind"] (new kind) nodes[0].config.components[6]  any, as "text"`,
		`fields.plan (plan) start.hidden_fields[0]  any, always, as "gold"`,
		`fields.from (from) start.hidden_fields[1]  any, always`,
		`fields.size (size) start.hidden_fields[2]  any, always`,
		`vars.a[0]["x y"] (a[0]["x y"])   any`,
		`vars.b (b)   any`,
		`context.organization.id (Organization: ID)   text`,
		`context.organization.name (Organization: name)   text`,
		`context.organization.display_name (Organization: display name)   text`,
		`context.organization.metadata (Organization: metadata)   any`,
		`context.client.client_id (Client: ID)   text`,
		`context.client.name (Client: name)   text`,
		`context.tenant.name (Tenant: name)   text`,
		`context.transaction.state (Transaction: state)   text`,
		`context.transaction.correlation_id (Transaction: correlation ID)   text`,
		`context.custom_domain.domain (Custom domain: domain)   text`,
		`context.custom_domain.domain_metadata (Custom domain: metadata)   any`,
		`context.request.ip (request.ip)   any`,
		`context.x (x)   any`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("variables\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

// at returns the object at a path of a form.
func at(f *model.Form, p schema.Path) *schema.Object {
	v, _ := template.At(f.Tree(), p)
	o, _ := v.(*schema.Object)
	return o
}

// A variable that only secrets contain is not one that texts may show. One that a text shows as well is.
func TestVariablesOfSecrets(t *testing.T) {
	const maps = `{"id":"m","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":"{{vars.MAPS_KEY}} {{vars.shown}}"}}`
	f := formtest.Parse(t, `{"name":"f","start":{"next_node":"a"},"nodes":[`+step("a", "$ending", maps, block(`{{vars.shown}}`))+`]}`)
	a := scope.Analyze(f)
	var got []string
	for _, v := range a.At(formtest.Path(t, "nodes[0].config.components[1]")) {
		if strings.HasPrefix(v.Text, "vars.") {
			got = append(got, v.Text)
		}
	}
	if !slices.Equal(got, []string{"vars.shown"}) {
		t.Errorf("got %v", got)
	}
}

// The fields in scope depend on the place; those on every path have an exclamation mark.
func TestPlaces(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","start":{"next_node":"a","hidden_fields":[`+
		`{"key":"h1","value":"1"},{"key":"h2"},{"key":"h3","value":"3"}]},"nodes":[`+
		strings.Join([]string{
			step("a", "r", name, jump("b")),
			`{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"a"}],"fallback":"b"}}`,
			step("b", "$ending", code),
			step("new", ""),
		}, ",")+`],"ending":{}}`)
	tests := []struct{ path, want string }{
		{"nodes[0]", "h1! h2! h3! name"},
		{"nodes[0].config.components[0].config.default_value", "h1! h2! h3! name"},
		{"nodes[1].config.rules[0].condition", "h1! h2! h3! name!"},
		{"nodes[2]", "h1! h2! h3! name"},
		{"ending.redirection.target", "code! h1! h2! h3! name"},
		{"nodes[3]", "code h1! h2! h3! name"},
		{"translations.de.components.code.label", "h1! h2! h3! name"},
		{"messages.errors.ERR", "h1! h2! h3! name"},
		{"start.hidden_fields[0].value", ""},
		{"start.hidden_fields[2].value", "h1!"},
	}
	a := scope.Analyze(f)
	for _, tt := range tests {
		var got []string
		for id, every := range inScope(a, formtest.Path(t, tt.path)) {
			if every {
				id += "!"
			}
			got = append(got, id)
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
	for _, path := range []string{
		"", "name", "start", "start.next_node", "start.hidden_fields[3].value", "nodes", "nodes[4]", "messages.custom.x", "style.css",
		"nodes[0].config.components[0].config.css", "translations.de", "translations.de.components.gone.label",
	} {
		if vs := a.At(formtest.Path(t, path)); vs != nil {
			t.Errorf("%q: %d variables, want none", path, len(vs))
		}
	}
}

// A variable's text is a template that reads just the variable.
func TestTextIsTemplate(t *testing.T) {
	ids := []string{"a", "A-1_b", "0", "a b", "é", `q"'\`, "}}", "a.b", "$x"}
	var fields []string
	for _, id := range ids {
		fields = append(fields, `{"category":"FIELD","type":"TEXT","id":`+string(schema.Encode(id))+`}`)
	}
	f := form(t, "", step("a", "$ending", fields...))
	found := scope.Analyze(f).At(formtest.Path(t, "ending"))
	for i, id := range ids {
		tmpl, mistakes := template.Parse("{{" + found[i].Text + "}}")
		v, single := tmpl.Single()
		if len(mistakes) > 0 || !single || v.Namespace != "fields" || !v.Path.Equal(schema.Path{schema.Key(id)}) {
			t.Errorf("%s reads %s of %s, want %q; %v", found[i].Text, v.Path, v.Namespace, id, mistakes)
		}
	}
}

// A form with more steps than a pass follows, which lead there and back.
func TestManySteps(t *testing.T) {
	f := large(t, 150)
	a := scope.Analyze(f)
	components := map[string]int{} // the node of each component that takes an answer
	for i, n := range f.Nodes {
		for _, c := range n.Config.(*model.Step).Components {
			if answertype.Of(c) != answertype.None {
				components[c.ID] = i
			}
		}
	}
	for node := range f.Nodes {
		got := inScope(a, model.NodePath(node))
		if len(got) != len(components) {
			t.Errorf("%d fields at node %d, want %d", len(got), node, len(components))
		}
		for id, of := range components {
			if got[id] != (of < node) {
				t.Errorf("every path to node %d collects %s: %v", node, id, got[id])
			}
		}
	}
	if found := a.Findings(); len(found) != 1 || found[0].Path.String() != "nodes[0].config.components[0].label" {
		t.Errorf("findings %+v, want one of the first step", found)
	}
}

// What reads variables is found along the ways from a node, also around a loop, once for each text and variable.
func TestUsesAfter(t *testing.T) {
	a := scope.Analyze(formtest.Parse(t, `{"name":"f","start":{"next_node":"a","hidden_fields":[{"key":"h","value":"{{vars.h}}"}]},"nodes":[`+
		step("a", "run", block("{{vars.before}} {{context.user.email}}"))+`,`+
		`{"id":"run","type":"FLOW","config":{"flow_id":"{{vars.no}}","next_node":"r"}},`+
		`{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","condition":{"operator":"EXISTS","operands":["{{vars.x.y}}"]},"next_node":"b"}],"fallback":"again"}},`+
		step("b", "$ending", block("{{vars.x}} {{vars.y}} {{vars.x}} {{fields.a}}"))+`,`+
		`{"id":"again","type":"FLOW","config":{"flow_id":"af_2","next_node":"run"}},`+
		step("alone", "", block("{{vars.alone}}"))+`],"ending":{"redirection":{"target":"https://x/{{vars.z}}"}},"translations":{"de":{"components":{"block":{"content":"{{vars.de}}"}}}}}`))
	const loop = "vars.x.y in nodes[2].config.rules[0].condition.operands[0]; vars.x in nodes[3].config.components[0].config.content; " +
		"vars.y in nodes[3].config.components[0].config.content; vars.z in ending.redirection.target"
	for node, want := range []string{loop, loop, loop, "vars.z in ending.redirection.target", loop, ""} {
		var got []string
		for _, u := range a.UsesAfter(node) {
			got = append(got, u.Text+" in "+u.Path.String())
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("after node %d: %s, want %s", node, s, want)
		}
	}
}
