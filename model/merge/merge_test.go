package merge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

func TestMerge(t *testing.T) {
	const (
		div   = `"category":"BLOCK","type":"DIVIDER"`
		other = `{"id":"u","type":"STEP","config":{"components":[]}}`
	)
	nodes := func(s string) string { return `{"nodes":[` + s + `]}` }
	step := func(id, comps string) string {
		return `{"id":"` + id + `","type":"STEP","config":{"components":[` + comps + `]}}`
	}
	comp := func(id string) string { return `{"id":"` + id + `",` + div + `}` }
	said := func(id, text string) string {
		return `{"id":"` + id + `",` + div + `,"config":{"text":"` + text + `"}}`
	}
	to := func(id, next string) string {
		return `{"id":"` + id + `","type":"STEP","config":{"next_node":"` + next + `"}}`
	}
	flow := func(id string) string { return `{"id":"` + id + `","type":"FLOW","config":{"flow_id":"af_1"}}` }
	hidden := func(s string) string { return `{"start":{"hidden_fields":[` + s + `]}}` }
	router := func(s string) string {
		return nodes(`{"id":"r","type":"ROUTER","config":{"rules":[` + s + `]}}`)
	}
	email := func(rest string) string { return `{"id":"c","category":"FIELD","type":"EMAIL"` + rest + `}` }
	tests := []struct {
		name, base, mine, theirs string
		want                     string // the result
		conflicts                string // "" for none
		taken                    string // after TakeTheirs in every conflict
	}{
		{
			name:   "different properties",
			base:   `{"name":"f"}`,
			mine:   `{"name":"g"}`,
			theirs: `{"name":"f","style":{"css":"x"}}`,
			want:   `{"name":"g","style":{"css":"x"}}`,
		},
		{
			name:      "one value",
			base:      `{"name":"f"}`,
			mine:      `{"name":"g"}`,
			theirs:    `{"name":"h"}`,
			want:      `{"name":"g"}`,
			conflicts: `name changed | form: name: mine is "g", theirs "h"`,
			taken:     `{"name":"h"}`,
		},
		{name: "both alike", base: `{"name":"f"}`, mine: `{"name":"g"}`, theirs: `{"name":"g"}`, want: `{"name":"g"}`},
		{name: "both removed", base: `{"style":{"css":"x"}}`, mine: `{}`, theirs: `{}`, want: `{}`},
		{
			name:   "removed and unchanged",
			base:   `{"style":{"css":"x"},"name":"f"}`,
			mine:   `{"name":"f"}`,
			theirs: `{"style":{"css":"x"},"name":"g"}`,
			want:   `{"name":"g"}`,
		},
		{
			name:      "mine removed, theirs changed",
			base:      `{"style":{"css":"x"}}`,
			mine:      `{}`,
			theirs:    `{"style":{"css":"y"}}`,
			want:      `{"style":{"css":"y"}}`,
			conflicts: `style removed | form: style: mine removed it, theirs changed it`,
			taken:     `{"style":{"css":"y"}}`,
		},
		{
			name:      "mine changed, theirs removed",
			base:      `{"style":{"css":"x"}}`,
			mine:      `{"style":{"css":"y"}}`,
			theirs:    `{}`,
			want:      `{"style":{"css":"y"}}`,
			conflicts: `style removed | form: style: mine changed it, theirs removed it`,
			taken:     `{}`,
		},
		{
			name:      "null and absent differ",
			base:      `{"style":{}}`,
			mine:      `{"style":null}`,
			theirs:    `{}`,
			want:      `{"style":null}`,
			conflicts: `style removed | form: style: mine changed it, theirs removed it`,
			taken:     `{}`,
		},
		{
			name:      "both added an object",
			base:      `{}`,
			mine:      `{"messages":{"custom":{"a":"1","b":"2"}}}`,
			theirs:    `{"messages":{"custom":{"b":"3","c":"4"},"errors":{}}}`,
			want:      `{"messages":{"custom":{"a":"1","b":"2","c":"4"},"errors":{}}}`,
			conflicts: `messages.custom.b changed | form: messages.custom.b: mine is "2", theirs "3"`,
			taken:     `{"messages":{"custom":{"a":"1","b":"3","c":"4"},"errors":{}}}`,
		},
		{
			name:   "below a language, key by key",
			base:   `{"translations":{"de":{"components":{"c":{"label":"a","hint":"a"}}}}}`,
			mine:   `{"translations":{"de":{"components":{"c":{"label":"b","hint":"a"}}}}}`,
			theirs: `{"translations":{"de":{"components":{"c":{"label":"a","hint":"c"},"d":{}}}}}`,
			want:   `{"translations":{"de":{"components":{"c":{"label":"b","hint":"c"},"d":{}}}}}`,
		},
		{
			name:      "what the tables do not know is one value",
			base:      `{"x":{"a":1,"b":1}}`,
			mine:      `{"x":{"a":2,"b":1}}`,
			theirs:    `{"x":{"a":1,"b":2}}`,
			want:      `{"x":{"a":2,"b":1}}`,
			conflicts: `x changed | form: x: both changed it`,
			taken:     `{"x":{"a":1,"b":2}}`,
		},
		{
			name:   "a response's own are theirs",
			base:   `{"id":"a","updated_at":"1","submitted_at":"s"}`,
			mine:   `{"id":"b","updated_at":"1","embedded_at":"m","submitted_at":"s"}`,
			theirs: `{"id":"a","updated_at":"2"}`,
			want:   `{"id":"a","updated_at":"2","embedded_at":"m"}`,
		},
		{
			name:      "a place is one value",
			base:      `{"start":{"coordinates":{"x":1,"y":1}}}`,
			mine:      `{"start":{"coordinates":{"x":2,"y":1}}}`,
			theirs:    `{"start":{"coordinates":{"x":1,"y":2}}}`,
			want:      `{"start":{"coordinates":{"x":2,"y":1}}}`,
			conflicts: `start.coordinates changed layout | form: start.coordinates: mine is (2, 1), theirs (1, 2)`,
			taken:     `{"start":{"coordinates":{"x":1,"y":2}}}`,
		},
		{
			name:   "hidden fields by key",
			base:   hidden(`{"key":"a"},{"key":"b"},{"key":"c"}`),
			mine:   hidden(`{"key":"a","value":"1"},{"key":"c"}`),
			theirs: hidden(`{"key":"a"},{"key":"b"},{"key":"n"},{"key":"c","value":"2"}`),
			want:   hidden(`{"key":"a","value":"1"},{"key":"n"},{"key":"c","value":"2"}`),
		},
		{
			name:      "a hidden field changed and removed",
			base:      hidden(`{"key":"z"},{"key":"a"}`),
			mine:      hidden(`{"key":"a","value":"1"}`),
			theirs:    hidden(`{"key":"z"}`),
			want:      hidden(`{"key":"a","value":"1"}`),
			conflicts: `start.hidden_fields[0] removed | form: hidden field a: mine changed it, theirs removed it`,
			taken:     hidden(``),
		},

		{
			name:      "two orders of hidden fields",
			base:      hidden(`{"key":"a"},{"key":"b"},{"key":"c"}`),
			mine:      hidden(`{"key":"b"},{"key":"a"},{"key":"c"}`),
			theirs:    hidden(`{"key":"a"},{"key":"c"},{"key":"b"}`),
			want:      hidden(`{"key":"b"},{"key":"a"},{"key":"c"}`),
			conflicts: `start.hidden_fields order | form: start.hidden_fields: both changed the order`,
			taken:     hidden(`{"key":"a"},{"key":"c"},{"key":"b"}`),
		},

		{
			name:   "nodes of both",
			base:   nodes(flow("a") + `,` + flow("b")),
			mine:   nodes(flow("a") + `,` + flow("m") + `,` + flow("b")),
			theirs: nodes(flow("a") + `,` + flow("b") + `,` + flow("t")),
			want:   nodes(flow("a") + `,` + flow("m") + `,` + flow("b") + `,` + flow("t")),
		},
		{
			name:   "behind one neighbour the lesser id is first",
			base:   nodes(flow("a")),
			mine:   nodes(flow("a") + `,` + flow("z") + `,` + flow("b")),
			theirs: nodes(flow("a") + `,` + flow("t")),
			want:   nodes(flow("a") + `,` + flow("t") + `,` + flow("z") + `,` + flow("b")),
		},
		{
			name:   "one order",
			base:   nodes(flow("a") + `,` + flow("b") + `,` + flow("c")),
			mine:   nodes(flow("a") + `,` + flow("m") + `,` + flow("b") + `,` + flow("c")),
			theirs: nodes(flow("c") + `,` + flow("a") + `,` + flow("b")),
			want:   nodes(flow("c") + `,` + flow("a") + `,` + flow("m") + `,` + flow("b")),
		},
		{
			name:      "two orders",
			base:      nodes(flow("a") + `,` + flow("b") + `,` + flow("c")),
			mine:      nodes(flow("b") + `,` + flow("a") + `,` + flow("c")),
			theirs:    nodes(flow("a") + `,` + flow("c") + `,` + flow("t") + `,` + flow("b")),
			want:      nodes(flow("b") + `,` + flow("a") + `,` + flow("c") + `,` + flow("t")),
			conflicts: `nodes order | form: nodes: both changed the order`,
			taken:     nodes(flow("a") + `,` + flow("c") + `,` + flow("t") + `,` + flow("b")),
		},
		{name: "one empty list", base: `{}`, mine: `{"nodes":[]}`, theirs: `{"name":"f"}`, want: `{"nodes":[],"name":"f"}`},
		{name: "no list any more", base: `{"nodes":[]}`, mine: `{"nodes":[],"name":"f"}`, theirs: `{}`, want: `{"name":"f"}`},
		{
			name:      "nodes that are not a list",
			base:      nodes(flow("a")),
			mine:      `{"nodes":3}`,
			theirs:    nodes(flow("b")),
			want:      `{"nodes":3}`,
			conflicts: `nodes changed | form: nodes: both changed it`,
			taken:     nodes(flow("b")),
		},
		{
			name:      "a node removed and changed",
			base:      nodes(flow("a") + `,` + to("b", "$ending")),
			mine:      nodes(flow("a")),
			theirs:    nodes(flow("a") + `,` + to("b", "a")),
			want:      nodes(flow("a") + `,` + to("b", "a")),
			conflicts: `nodes[1] removed | Step b: mine removed it, theirs changed it`,
			taken:     nodes(flow("a") + `,` + to("b", "a")),
		},
		{
			name:      "a node changed and removed, with what it holds",
			base:      nodes(step("b", comp("x")+`,`+comp("y"))),
			mine:      nodes(step("b", comp("x")+`,`+said("y", "1"))),
			theirs:    nodes(``),
			want:      nodes(step("b", comp("x")+`,`+said("y", "1"))),
			conflicts: `nodes[0] removed | Step b: mine changed it, theirs removed it`,
			taken:     nodes(``),
		},
		{
			name:      "both added a node of one id",
			base:      nodes(``),
			mine:      nodes(`{"id":"n","type":"FLOW","alias":"M","config":{"flow_id":"af_1"}}`),
			theirs:    nodes(`{"id":"n","type":"FLOW","alias":"T","config":{"flow_id":"af_1","next_node":"n"}}`),
			want:      nodes(`{"id":"n","type":"FLOW","alias":"M","config":{"flow_id":"af_1","next_node":"n"}}`),
			conflicts: `nodes[0].alias changed | Flow M: alias: mine is "M", theirs "T"`,
			taken:     nodes(`{"id":"n","type":"FLOW","alias":"T","config":{"flow_id":"af_1","next_node":"n"}}`),
		},
		{
			name:      "type and config",
			base:      nodes(step("s", comp("x"))),
			mine:      nodes(flow("s")),
			theirs:    nodes(step("s", said("x", "1")+`,`+comp("y"))),
			want:      nodes(flow("s")),
			conflicts: `nodes[0] type | Flow s: one side changed its type and the other what depends on it`,
			taken:     nodes(step("s", said("x", "1")+`,`+comp("y"))),
		},
		{
			name:      "type and config, mine whole",
			base:      nodes(to("s", "$ending")),
			mine:      nodes(`{"id":"s","type":"FLOW","config":{"flow_id":"af_1","next_node":"s"}}`),
			theirs:    nodes(`{"id":"s","type":"STEP","alias":"A","config":{}}`),
			want:      nodes(`{"id":"s","type":"FLOW","config":{"flow_id":"af_1","next_node":"s"}}`),
			conflicts: `nodes[0] type | Flow s: one side changed its type and the other what depends on it`,
			taken:     nodes(`{"id":"s","type":"STEP","alias":"A","config":{}}`),
		},
		{
			name:      "config and type, mine with its components",
			base:      nodes(step("s", comp("a"))),
			mine:      nodes(`{"id":"s","type":"STEP","config":{"components":[` + comp("a") + `],"next_node":"$ending"}}`),
			theirs:    nodes(flow("s")),
			want:      nodes(`{"id":"s","type":"STEP","config":{"components":[` + comp("a") + `],"next_node":"$ending"}}`),
			conflicts: `nodes[0] type | Step s: one side changed its type and the other what depends on it`,
			taken:     nodes(flow("s")),
		},
		{
			name:   "type and alias",
			base:   nodes(step("s", comp("x"))),
			mine:   nodes(flow("s")),
			theirs: nodes(`{"id":"s","type":"STEP","alias":"A","config":{"components":[` + comp("x") + `]}}`),
			want:   nodes(`{"id":"s","type":"FLOW","config":{"flow_id":"af_1"},"alias":"A"}`),
		},
		{
			name:      "a component that moved into a step of another type stays where it was",
			base:      nodes(step("s", "") + `,` + step("u", comp("x"))),
			mine:      nodes(flow("s") + `,` + step("u", comp("x"))),
			theirs:    nodes(step("s", comp("x")) + `,` + step("u", "")),
			want:      nodes(flow("s") + `,` + step("u", comp("x"))),
			conflicts: `nodes[0] type | Flow s: one side changed its type and the other what depends on it`,
			taken:     nodes(step("s", "") + `,` + step("u", comp("x"))),
		},
		{
			name:      "used by theirs",
			base:      nodes(to("a", "$ending") + `,` + step("b", comp("x"))),
			mine:      nodes(to("a", "$ending")),
			theirs:    nodes(to("a", "b") + `,` + step("b", comp("x"))),
			want:      nodes(to("a", "b") + `,` + step("b", comp("x"))),
			conflicts: `nodes[1] used | Step b: mine removed it, theirs points to it`,
			taken:     nodes(to("a", "b") + `,` + step("b", comp("x"))),
		},
		{
			name:   "used by mine, and what it points to",
			base:   nodes(to("a", "$ending") + `,` + to("b", "c") + `,` + to("c", "d") + `,` + to("d", "b")),
			mine:   nodes(to("a", "b") + `,` + to("b", "c") + `,` + to("c", "d") + `,` + to("d", "b")),
			theirs: nodes(to("a", "$ending")),
			want:   nodes(to("a", "b") + `,` + to("b", "c") + `,` + to("c", "d") + `,` + to("d", "b")),
			conflicts: "nodes[1] used | Step b: mine points to it, theirs removed it\nnodes[2] used | Step c: mine points to it, theirs " +
				"removed it\nnodes[3] used | Step d: mine points to it, theirs removed it",
			taken: nodes(`{"id":"a","type":"STEP","config":{}}`),
		},
		{
			name:   "who points to what it removed has that problem itself",
			base:   nodes(to("a", "b") + `,` + flow("b")),
			mine:   nodes(to("a", "b")),
			theirs: `{"nodes":[` + to("a", "b") + `,` + flow("b") + `],"name":"t"}`,
			want:   `{"nodes":[` + to("a", "b") + `],"name":"t"}`,
		},

		{
			name:   "moved and edited",
			base:   nodes(step("s", comp("a")+`,`+comp("b")) + `,` + other),
			mine:   nodes(step("s", comp("b")) + `,` + step("u", comp("a"))),
			theirs: nodes(step("s", said("a", "1")+`,`+comp("b")) + `,` + other),
			want:   nodes(step("s", comp("b")) + `,` + step("u", said("a", "1"))),
		},
		{
			name:   "reordered and edited",
			base:   nodes(step("s", comp("a")+`,`+comp("b"))),
			mine:   nodes(step("s", comp("b")+`,`+comp("a"))),
			theirs: nodes(step("s", said("a", "1")+`,`+comp("b"))),
			want:   nodes(step("s", comp("b")+`,`+said("a", "1"))),
		},
		{
			name:   "moved out of a step that goes",
			base:   nodes(step("s", comp("a")) + `,` + other),
			mine:   nodes(step("u", comp("a"))),
			theirs: nodes(step("s", said("a", "1")) + `,` + other),
			want:   nodes(step("u", said("a", "1"))),
		},
		{
			name:      "moved to two steps",
			base:      nodes(step("s", comp("a")) + `,` + other + `,` + step("v", comp("z")+`,`+comp("y"))),
			mine:      nodes(step("s", "") + `,` + step("u", comp("a")) + `,` + step("v", comp("z")+`,`+comp("y"))),
			theirs:    nodes(step("s", "") + `,` + other + `,` + step("v", comp("z")+`,`+comp("y")+`,`+said("a", "1"))),
			want:      nodes(step("s", "") + `,` + step("u", said("a", "1")) + `,` + step("v", comp("z")+`,`+comp("y"))),
			conflicts: `nodes[1].config.components[0] moved | Step u: component a: mine moved it to "u", theirs to "v"`,
			taken:     nodes(step("s", "") + `,` + step("u", "") + `,` + step("v", comp("z")+`,`+comp("y")+`,`+said("a", "1"))),
		},
		{
			name:      "two orders of components",
			base:      nodes(step("s", comp("a")+`,`+comp("b")+`,`+comp("c"))),
			mine:      nodes(step("s", comp("c")+`,`+comp("a")+`,`+comp("b"))),
			theirs:    nodes(step("s", comp("b")+`,`+comp("a")+`,`+comp("c"))),
			want:      nodes(step("s", comp("c")+`,`+comp("a")+`,`+comp("b"))),
			conflicts: `nodes[0].config.components order | Step s: components: both changed the order`,
			taken:     nodes(step("s", comp("b")+`,`+comp("a")+`,`+comp("c"))),
		},
		{
			name:      "removed and edited",
			base:      nodes(step("s", comp("a")+`,`+comp("b"))),
			mine:      nodes(step("s", comp("b"))),
			theirs:    nodes(step("s", said("a", "1")+`,`+comp("b"))),
			want:      nodes(step("s", said("a", "1")+`,`+comp("b"))),
			conflicts: `nodes[0].config.components[0] removed | Step s: component a: mine removed it, theirs changed it`,
			taken:     nodes(step("s", said("a", "1")+`,`+comp("b"))),
		},
		{
			name:      "moved and removed",
			base:      nodes(step("s", comp("a")) + `,` + other),
			mine:      nodes(step("s", "") + `,` + step("u", comp("a"))),
			theirs:    nodes(step("s", "") + `,` + other),
			want:      nodes(step("s", "") + `,` + step("u", comp("a"))),
			conflicts: `nodes[1].config.components[0] removed | Step u: component a: mine changed it, theirs removed it`,
			taken:     nodes(step("s", "") + `,` + other),
		},
		{
			name:      "both added one id in two steps",
			base:      nodes(step("s", "") + `,` + other),
			mine:      nodes(step("s", said("a", "m")) + `,` + other),
			theirs:    nodes(step("s", "") + `,` + step("u", said("a", "t"))),
			want:      nodes(step("s", said("a", "m")) + `,` + other),
			conflicts: `nodes[0].config.components[0] added | Step s: component a: both added it, in different steps`,
			taken:     nodes(step("s", "") + `,` + step("u", said("a", "t"))),
		},
		{
			name:      "both added one id in one step",
			base:      nodes(step("s", "")),
			mine:      nodes(step("s", email(`,"label":"M"`))),
			theirs:    nodes(step("s", email(`,"label":"T","hint":"h"`))),
			want:      nodes(step("s", email(`,"label":"M","hint":"h"`))),
			conflicts: `nodes[0].config.components[0].label changed | Step s: component c: label: mine is "M", theirs "T"`,
			taken:     nodes(step("s", email(`,"label":"T","hint":"h"`))),
		},
		{
			name:      "another kind and its config",
			base:      nodes(step("s", email(""))),
			mine:      nodes(step("s", `{"id":"c","category":"FIELD","type":"URL"}`)),
			theirs:    nodes(step("s", email(`,"config":{"placeholder":"p"}`))),
			want:      nodes(step("s", `{"id":"c","category":"FIELD","type":"URL"}`)),
			conflicts: `nodes[0].config.components[0] type | Step s: component c: one side changed its type and the other what depends on it`,
			taken:     nodes(step("s", email(`,"config":{"placeholder":"p"}`))),
		},
		{
			name:   "another kind and a label",
			base:   nodes(step("s", email(""))),
			mine:   nodes(step("s", `{"id":"c","category":"FIELD","type":"URL"}`)),
			theirs: nodes(step("s", email(`,"label":"L"`))),
			want:   nodes(step("s", `{"id":"c","category":"FIELD","type":"URL","label":"L"}`)),
		},
		{
			name:      "another category and a label",
			base:      nodes(step("s", email(""))),
			mine:      nodes(step("s", comp("c"))),
			theirs:    nodes(step("s", email(`,"label":"L"`))),
			want:      nodes(step("s", comp("c"))),
			conflicts: `nodes[0].config.components[0] type | Step s: component c: one side changed its type and the other what depends on it`,
			taken:     nodes(step("s", email(`,"label":"L"`))),
		},
		{
			name:   "a step's own config and its components",
			base:   nodes(`{"id":"s","type":"STEP"}`),
			mine:   nodes(step("s", comp("a"))),
			theirs: nodes(to("s", "$ending")),
			want:   nodes(`{"id":"s","type":"STEP","config":{"components":[` + comp("a") + `],"next_node":"$ending"}}`),
		},
		{
			name:   "a config that goes keeps the components that come",
			base:   nodes(`{"id":"s","type":"STEP","config":{"next_node":"$ending"}}`),
			mine:   nodes(`{"id":"s","type":"STEP"}`),
			theirs: nodes(`{"id":"s","type":"STEP","config":{"next_node":"$ending","components":[` + comp("a") + `]}}`),
			want:   nodes(step("s", comp("a"))),
		},
		{
			name:      "a config changed and removed, and a component that came",
			base:      nodes(to("s", "$ending")),
			mine:      nodes(`{"id":"s","type":"STEP","config":{"next_node":"s","components":[` + comp("a") + `]}}`),
			theirs:    nodes(`{"id":"s","type":"STEP"}`),
			want:      nodes(`{"id":"s","type":"STEP","config":{"next_node":"s","components":[` + comp("a") + `]}}`),
			conflicts: `nodes[0].config removed | Step s: config: mine changed it, theirs removed it`,
			taken:     nodes(step("s", comp("a"))),
		},
		{
			name:      "a config removed and changed, and a component that came",
			base:      nodes(to("s", "$ending")),
			mine:      nodes(`{"id":"s","type":"STEP"}`),
			theirs:    nodes(`{"id":"s","type":"STEP","config":{"next_node":"s","components":[` + comp("a") + `]}}`),
			want:      nodes(`{"id":"s","type":"STEP","config":{"next_node":"s","components":[` + comp("a") + `]}}`),
			conflicts: `nodes[0].config removed | Step s: config: mine removed it, theirs changed it`,
			taken:     nodes(`{"id":"s","type":"STEP","config":{"next_node":"s","components":[` + comp("a") + `]}}`),
		},
		{
			name:      "what a kind that we do not know hides",
			base:      nodes(step("s", `{"id":"c","type":"NEW","config":"s0"}`)),
			mine:      nodes(step("s", `{"id":"c","type":"NEW","config":"s1"}`)),
			theirs:    nodes(step("s", `{"id":"c","type":"NEW","config":"s2"}`)),
			want:      nodes(step("s", `{"id":"c","type":"NEW","config":"s1"}`)),
			conflicts: `nodes[0].config.components[0].config changed | Step s: component c: config: both changed it`,
			taken:     nodes(step("s", `{"id":"c","type":"NEW","config":"s2"}`)),
		},
		{
			name:      "a secret",
			base:      nodes(step("s", `{"id":"c","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":"s0"}}`)),
			mine:      nodes(step("s", `{"id":"c","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":"s1"}}`)),
			theirs:    nodes(step("s", `{"id":"c","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":"s2"}}`)),
			want:      nodes(step("s", `{"id":"c","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":"s1"}}`)),
			conflicts: `nodes[0].config.components[0].config.api_key changed | Step s: component c: api_key: both changed it`,
			taken:     nodes(step("s", `{"id":"c","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":"s2"}}`)),
		},
		{
			name:      "a charge of two types",
			base:      nodes(step("s", pay(`{"type":"ONE_OFF","one_off":{"amount":1,"currency":"EUR"}}`))),
			mine:      nodes(step("s", pay(`{"type":"ONE_OFF","one_off":{"amount":2,"currency":"EUR"}}`))),
			theirs:    nodes(step("s", pay(`{"type":"SUBSCRIPTION","subscription":{}}`))),
			want:      nodes(step("s", pay(`{"type":"ONE_OFF","one_off":{"amount":2,"currency":"EUR"}}`))),
			conflicts: `nodes[0].config.components[0].config.charge changed | Step s: component c: charge: both changed it`,
			taken:     nodes(step("s", pay(`{"type":"SUBSCRIPTION","subscription":{}}`))),
		},

		{
			name:      "components that are not a list on one side",
			base:      nodes(step("s", comp("a")) + `,` + other),
			mine:      nodes(`{"id":"s","type":"STEP","config":{"components":3}},` + other),
			theirs:    nodes(step("s", said("a", "1")) + `,` + other),
			want:      nodes(`{"id":"s","type":"STEP","config":{"components":3}},` + other),
			conflicts: `nodes[0].config changed | Step s: config: both changed it`,
			taken:     nodes(step("s", said("a", "1")) + `,` + other),
		},
		{
			name:      "a component that leaves a step without a list",
			base:      nodes(step("s", comp("a")) + `,` + other),
			mine:      nodes(`{"id":"s","type":"STEP","config":{"components":3}},` + other),
			theirs:    nodes(step("s", "") + `,` + step("u", comp("a"))),
			want:      nodes(`{"id":"s","type":"STEP","config":{"components":3}},` + step("u", comp("a"))),
			conflicts: `nodes[0].config changed | Step s: config: both changed it`,
			taken:     nodes(step("s", "") + `,` + step("u", comp("a"))),
		},
		{
			name:      "elements that are not objects",
			base:      nodes(`3,` + flow("a")),
			mine:      nodes(`4,` + flow("a")),
			theirs:    nodes(`5,` + flow("a")),
			want:      nodes(`4,` + flow("a")),
			conflicts: `nodes[0] changed | Node without properties: mine is 4, theirs 5`,
			taken:     nodes(`5,` + flow("a")),
		},

		{
			name:   "conflicts in document order, reported once",
			base:   nodes(`{"id":"s","type":"STEP","config":{"components":[` + comp("a") + `],"next_node":"s"}},` + flow("x") + `,` + flow("y")),
			mine:   nodes(`{"id":"s","type":"STEP","config":{"components":[` + said("a", "m") + `],"next_node":"x"}},` + flow("x")),
			theirs: nodes(`{"id":"s","type":"STEP","config":{"components":[` + said("a", "t") + `],"next_node":"$ending"}},` + flow("y")),
			want:   nodes(`{"id":"s","type":"STEP","config":{"components":[` + said("a", "m") + `],"next_node":"x"}},` + flow("x")),
			conflicts: "nodes[0].config.components[0].config.text changed | Step s: component a: text: " +
				"mine is \"m\", theirs \"t\"\nnodes[0].config.next_node changed | Step s: next_node: " +
				"mine is \"x\", theirs \"$ending\"\nnodes[1] used | Flow x: mine points to it, theirs removed it",
			taken: nodes(`{"id":"s","type":"STEP","config":{"components":[` + said("a", "t") + `],"next_node":"$ending"}}`),
		},
		{
			name:      "moved to a step that goes, and to another",
			base:      nodes(step("s", comp("a")) + `,` + other + `,` + step("v", "")),
			mine:      nodes(step("s", "") + `,` + step("v", comp("a"))),
			theirs:    nodes(step("s", "") + `,` + step("u", comp("a")) + `,` + step("v", "")),
			want:      nodes(step("s", "") + `,` + step("v", comp("a"))),
			conflicts: `nodes[1].config.components[0] moved | Step v: component a: mine moved it to "v", theirs to "u"`,
		},

		{
			name:   "rules by id",
			base:   router(`{"id":"x","condition":1},{"id":"y","condition":1}`),
			mine:   router(`{"id":"y","condition":1},{"id":"x","condition":1}`),
			theirs: router(`{"id":"x","condition":2,"alias":"X"},{"id":"y","condition":1}`),
			want:   router(`{"id":"y","condition":1},{"id":"x","condition":2,"alias":"X"}`),
		},
		{
			name:   "two conditions, and a rule removed and changed",
			base:   router(`{"id":"x","condition":[1]},{"id":"y","condition":1}`),
			mine:   router(`{"id":"x","condition":[2]},{"id":"y","condition":9}`),
			theirs: router(`{"id":"x","condition":[3]}`),
			want:   router(`{"id":"x","condition":[2]},{"id":"y","condition":9}`),
			conflicts: "nodes[0].config.rules[0].condition changed | Router r: rule x: condition: both changed it\nnodes[0].config.rules[1] " +
				"removed | Router r: rule y: mine changed it, theirs removed it",
			taken: router(`{"id":"x","condition":[3]}`),
		},
		{
			name:      "two orders of rules",
			base:      router(`{"id":"x"},{"id":"y"},{"id":"z"}`),
			mine:      router(`{"id":"y"},{"id":"x"},{"id":"z"}`),
			theirs:    router(`{"id":"x"},{"id":"z"},{"id":"y"}`),
			want:      router(`{"id":"y"},{"id":"x"},{"id":"z"}`),
			conflicts: `nodes[0].config.rules order | Router r: rules: both changed the order`,
			taken:     router(`{"id":"x"},{"id":"z"},{"id":"y"}`),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, mine, theirs := formOf(t, tt.base), formOf(t, tt.mine), formOf(t, tt.theirs)
			got, cs := merge.Forms(base, mine, theirs)
			if want := parse(t, tt.want); !schema.Equal(got.Tree(), want) {
				t.Errorf("merged:\n got %s\nwant %s", schema.Encode(got.Tree()), schema.Encode(want))
			}
			lines := make([]string, len(cs))
			for i, c := range cs {
				layout := ""
				if c.Layout() {
					layout = " layout"
				}
				lines[i] = c.Path.String() + " " + string(c.Kind) + layout + " | " + c.String()
			}
			if s := strings.Join(lines, "\n"); s != tt.conflicts {
				t.Errorf("conflicts:\n got %s\nwant %s", s, tt.conflicts)
			}
			if len(cs) > 0 {
				taken := got
				for _, c := range cs {
					var err error
					if taken, err = c.TakeTheirs(taken); tt.taken == "" && errors.Is(err, schema.ErrNoPlace) {
						return
					} else if err != nil {
						t.Fatal(err)
					}
				}
				if want := parse(t, tt.taken); !schema.Equal(taken.Tree(), want) {
					t.Errorf("theirs taken:\n got %s\nwant %s", schema.Encode(taken.Tree()), schema.Encode(want))
				}
			}
			mergeLaws(t, base, mine, theirs)
		})
	}
}

// TakeTheirs finds the element by its id, wherever other decisions moved it.
func TestTakeAfterOthers(t *testing.T) {
	base := formOf(
		t,
		`{"nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"0"}},{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":0},
{"id":"y","condition":0}]}},{"id":"s","type":"STEP","config":{"components":[{"id":"p","type":"T","n":0},{"id":"q","type":"T","n":0}]}}]}`,
	)
	mine := formOf(t, strings.ReplaceAll(strings.ReplaceAll(string(schema.Encode(base.Tree())), `:0`, `:1`), `"0"`, `"1"`))
	theirs := formOf(
		t,
		`{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"y","condition":2}]}},{"id":"s","type":"STEP","config":{"components":[
{"id":"q","type":"T","n":2}]}}]}`,
	)
	got, cs := merge.Forms(base, mine, theirs)
	if len(cs) != 5 {
		t.Fatalf("conflicts:\n%s", report(cs))
	}
	taken := got
	for _, c := range cs {
		var err error
		if taken, err = c.TakeTheirs(taken); err != nil {
			t.Fatal(err)
		}
	}
	sameForm(t, "all theirs", taken, theirs)
	for _, c := range cs {
		if c.Kind == merge.RemovedAndChanged {
			again, err := c.TakeTheirs(taken)
			if err != nil {
				t.Fatal(err)
			}
			sameForm(t, "theirs again", again, theirs)
		}
	}
	empty := model.New("f")
	for _, c := range cs {
		if c.Rule != "" || c.Component != "" && c.Kind == merge.BothChanged {
			if _, err := c.TakeTheirs(empty); c.Kind == merge.BothChanged && !errors.Is(err, schema.ErrNoPlace) {
				t.Errorf("%v in a form without the element: error %v", c, err)
			}
		}
	}
}

// The orders of a conflict are lists of ids, without elements that have none.
func TestOrderOfConflict(t *testing.T) {
	list := func(ids ...string) *model.Form {
		var l []any
		for _, id := range ids {
			l = append(l, schema.NewObject(schema.Member{Key: "id", Value: id}))
		}
		return model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: l}))
	}
	merged, cs := merge.Forms(list("a", "b", "c", "$"), list("b", "$", "a", "c"), list("a", "c", "b", "$"))
	if len(cs) != 1 {
		t.Fatalf("conflicts:\n%s", report(cs))
	}
	got := string(schema.Encode([]any{cs[0].Base.Tree, cs[0].Mine.Tree, cs[0].Theirs.Tree}))
	if want := `[["a","b","c"],["b","a","c"],["a","c","b"]]`; got != want {
		t.Errorf("orders %s, want %s", got, want)
	}
	// One of them was removed meanwhile.
	less, err := merged.Clear(nodeAt(2))
	if err != nil || merged.Nodes[2].ID != "a" {
		t.Fatalf("%v: %s", err, schema.Encode(merged.Tree()))
	}
	taken, err := cs[0].TakeTheirs(less)
	if err != nil {
		t.Fatal(err)
	}
	sameForm(t, "theirs order of what is left", taken, list("c", "b", "$"))
}

// A component that returns to a step must not also be in another step.
func TestTakeKeepsIDsUnique(t *testing.T) {
	broken, cs := merge.Forms(
		formOf(t, `{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"a","type":"T"}]}},{"id":"u","type":"STEP"}]}`),
		formOf(
			t,
			`{"nodes":[{"id":"s","type":"STEP","config":{"components":3}},{"id":"u","type":"STEP","config":{"components":[
{"id":"a","type":"T"}]}}]}`,
		),
		formOf(
			t,
			`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"a","type":"T"},{"id":"b","type":"T"}]}},{"id":"u","type":"STEP"}]}`,
		),
	)
	if len(cs) != 1 || cs[0].Kind != merge.BothChanged {
		t.Fatalf("conflicts:\n%s", report(cs))
	}
	config, err := cs[0].TakeTheirs(broken)
	if err != nil {
		t.Fatal(err)
	}
	sameForm(
		t,
		"theirs config taken",
		config,
		formOf(
			t,
			`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"b","type":"T"}]}},{"id":"u","type":"STEP","config":{"components":[
{"id":"a","type":"T"}]}}]}`,
		),
	)
	base := formOf(
		t,
		`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"a","type":"T"},{"id":"b","type":"T"}]}},{"id":"u","type":"STEP"}]}`,
	)
	mine := formOf(t, `{"nodes":[{"id":"s","type":"FLOW"},{"id":"u","type":"STEP","config":{"components":[{"id":"a","type":"T"}]}}]}`)
	theirs := formOf(
		t,
		`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"a","type":"T"},{"id":"b","type":"T","n":1}]}},
{"id":"u","type":"STEP"}]}`,
	)
	got, cs := merge.Forms(base, mine, theirs)
	if len(cs) != 1 || cs[0].Kind != merge.TypeChanged {
		t.Fatalf("conflicts:\n%s", report(cs))
	}
	taken, err := cs[0].TakeTheirs(got)
	if err != nil {
		t.Fatal(err)
	}
	sameForm(
		t,
		"theirs taken",
		taken,
		formOf(
			t,
			`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"b","type":"T","n":1}]}},
{"id":"u","type":"STEP","config":{"components":[{"id":"a","type":"T"}]}}]}`,
		),
	)
}

// The result shares every node that the merge did not change.
func TestMergeShares(t *testing.T) {
	base := newAuthor(t, 5, "b").form(8)
	theirs, err := base.Set(nodeAt(3).Key("alias"), "x")
	if err != nil {
		t.Fatal(err)
	}
	mine, err := base.Set(schema.Path{schema.Key("name")}, "g")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := merge.Forms(base, mine, theirs)
	for i, n := range got.Nodes {
		if (n == mine.Nodes[i]) != (i != 3) {
			t.Errorf("node %d is the same: %v", i, n == mine.Nodes[i])
		}
		if n != theirs.Nodes[i] {
			t.Errorf("node %d is not theirs", i)
		}
	}
	if theirs = formtest.Renewed(base, "new"); len(theirs.Nodes) == 0 {
		t.Fatal("no nodes")
	}
	if mine, err = base.Insert(nodeAt(len(base.Nodes)), model.NewNode(model.StepNode, "mine", model.Point{})); err != nil {
		t.Fatal(err)
	}
	if got, _ = merge.Forms(base, mine, theirs); len(got.Nodes) != len(theirs.Nodes)+1 {
		t.Errorf("%d nodes are merged", len(got.Nodes))
	}
	for i, n := range got.Nodes {
		if !slices.Contains(theirs.Nodes, n) && n != mine.Nodes[len(base.Nodes)] {
			t.Errorf("node %d is of no side", i)
		}
	}
	for i, n := range merge.Carry(base, mine, theirs, func(merge.Conflict) bool { return false }).Nodes {
		if !slices.Contains(theirs.Nodes, n) && n != mine.Nodes[len(base.Nodes)] {
			t.Errorf("node %d is of no side when it is carried", i)
		}
	}
	if got = merge.TakeAll(theirs, mine); !slices.Equal(got.Nodes, theirs.Nodes) {
		t.Error("the nodes are not those that are taken")
	}
	if got, _ := merge.Forms(base, mine, base); got.Tree() != mine.Tree() {
		t.Error("a merge with nothing makes another tree")
	}
}

func BenchmarkMerge10000Components(b *testing.B) {
	tree := formtest.Large(1000)
	base := model.FromTree(tree)
	edited := func(from int, text string) *model.Form {
		list := append([]any(nil), tree.List("nodes")...)
		for i := from; i < len(list); i += 2 {
			o := list[i].(*schema.Object)
			config := o.Object("config")
			comps := append([]any(nil), config.List("components")...)
			for j := range comps {
				comps[j] = comps[j].(*schema.Object).With("label", fmt.Sprint(text, i, j))
			}
			list[i] = o.With("config", config.With("components", comps))
		}
		return base.Derive(tree.With("nodes", list))
	}
	mine, theirs := edited(0, "m"), edited(1, "t")
	b.ReportAllocs()
	for b.Loop() {
		if _, cs := merge.Forms(base, mine, theirs); len(cs) > 0 {
			b.Fatal(cs)
		}
	}
}

func BenchmarkChanges10000Components(b *testing.B) {
	tree := formtest.Large(1000)
	base := model.FromTree(tree)
	list := append([]any(nil), tree.List("nodes")...)
	for i, v := range list {
		list[i] = v.(*schema.Object).With("alias", fmt.Sprint("alias ", i))
	}
	now := base.Derive(tree.With("nodes", list))
	b.ReportAllocs()
	for b.Loop() {
		if cs := merge.Changes(base, now); len(cs) != 1000 {
			b.Fatal(len(cs))
		}
	}
}
