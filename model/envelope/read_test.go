package envelope_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, src string
		update    bool
		want      string // problems without offsets, one on each line
	}{
		{name: "flat", src: `{"name":"a"}`},
		{name: "flat without a name", src: `{}`, want: "name: required"},
		{name: "no object", src: `[1]`, want: ": type"},
		{name: "export", src: `{"form":{"name":"a"},"flows":{"a":1},"flows":2}`},
		{name: "export, paths from the form", src: `{"version":"4","form":{"name":""}}`, want: "name: length"},
		{name: "export whose form is not an object", src: `{"form":3}`, want: ": type"},
		{name: "response", src: `{"id":"ap_1","name":"a","created_at":"2026-01-01T00:00:00Z"}`, want: "updated_at: required"},
		{name: "an id alone makes no response", src: `{"id":"ap_1","name":"a"}`, want: "id: unknown"},
		{name: "update", update: true, src: `{"nodes":null,"style":{"css":""}}`, want: "style.css: length"},
		{name: "update, null name", update: true, src: `{"name":null}`, want: "name: type"},
		{name: "update without nodes", update: true, src: `{"start":{"next_node":"x"}}`},
		{name: "update with nodes", update: true, src: `{"nodes":[],"start":{"next_node":"x"}}`, want: "start.next_node: unknown_node"},
		{
			name: "duplicate key in its place",
			src:  `{"nodes":[{"id":"a","id":"b","type":"STEP"}],"name":"","style":{}}`,
			want: "nodes[0].id: duplicate_key\nname: length",
		},
		{name: "syntax alone", src: `{"name":""`, want: ": syntax"},
		{name: "NAME", src: `{"NAME":"a"}`, want: "name: required\nNAME: unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			read := envelope.Read
			if tt.update {
				read = envelope.ReadUpdate
			}
			d, problems, _ := read([]byte(tt.src))
			o, own := envelope.Open([]byte(tt.src))
			if !tt.update && (o.Shape != d.Shape || (o.Form == nil) != (d.Form == nil) || fmt.Sprint(own) != fmt.Sprint(problems)) {
				t.Errorf("Open returns %v", own)
			}
			var lines []string
			for _, p := range problems {
				lines = append(lines, p.Path.String()+": "+string(p.Code))
				if p.Offset < 0 {
					t.Errorf("%v has no offset", p)
				}
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("problems:\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A placeholder is correct in an export that has its flow, and a warning elsewhere.
func TestPlaceholderWarnings(t *testing.T) {
	form := func(ids ...string) string {
		nodes := make([]string, len(ids))
		for i, id := range ids {
			nodes[i] = fmt.Sprintf(`{"id":"n%d","type":"FLOW","config":{"flow_id":%q,"next_node":"n%d"}}`, i, id, i+1)
		}
		return `"name":"f","start":{"next_node":"n0"},"nodes":[` + strings.Join(
			nodes,
			",",
		) + `,{"id":"n` + strconv.Itoa(
			len(ids),
		) + `","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]`
	}
	for _, tt := range []struct{ name, src, want string }{
		{"flat", `{` + form("#FLOW-1#") + `}`, "nodes[0].config.flow_id: is the placeholder #FLOW-1# of an export, " +
			"not a flow of the tenant [flow_id] 1:94"},
		{"present", `{"form":{` + form("#FLOW-1#") + `},"flows":{"#FLOW-1#":{"name":"x"}}}`, ""},
		{"absent", `{"form":{` + form("#FLOW-1#", "#FLOW-9#") + `},
"flows":{"#FLOW-1#":{}}}`, "nodes[1].config.flow_id: #FLOW-9# is not among the export's flows [flow_id] 1:177"},
		{"no flows", `{"form":{` + form("#FLOW-1#") + `}}`, "nodes[0].config.flow_id: #FLOW-1# is not among the export's flows [flow_id] 1:102"},
		{"another shape", `{"form":{` + form("Verify") + `},
"flows":{"Verify":{}}}`, "nodes[0].config.flow_id: should be a flow's id such as af_1a2b3c [flow_id] 1:102"},
	} {
		_, problems, warnings := envelope.Read([]byte(tt.src))
		var lines []string
		for _, w := range warnings {
			line, column := schema.Position([]byte(tt.src), w.Offset)
			lines = append(lines, fmt.Sprintf("%s: %s [%s] %d:%d", w.Path, w.Detail, w.Code, line, column))
		}
		if got := strings.Join(lines, "\n"); got != tt.want || len(problems) > 0 {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.name, problems, got, tt.want)
		}
	}
}

// The corpus holds real forms, which are not part of the project. Every file
// must be valid and keep its value when it is decoded and encoded.
func TestCorpus(t *testing.T) {
	for _, file := range realforms.Files(t) {
		t.Run(file.Name, func(t *testing.T) {
			d, problems, _ := envelope.Read(file.Text)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			tree, _ := schema.Decode(file.Text)
			again, ps := schema.Decode(schema.Encode(tree))
			if len(ps) > 0 || !schema.Equal(tree, again) {
				t.Errorf("another value after encode and decode: %v", ps)
			}
			if d.Form == nil || d.Form.Name == "" {
				t.Errorf("no form was read: %+v", d)
			}
		})
	}
}
