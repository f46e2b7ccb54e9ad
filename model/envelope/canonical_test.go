package envelope_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

func decode(tb testing.TB, src string) *schema.Object {
	tb.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		tb.Fatalf("%s: %v", src, ps)
	}
	return v.(*schema.Object)
}

func compact(tb testing.TB, src string) string {
	tb.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		tb.Fatalf("%s: %v", src, ps)
	}
	return string(schema.Encode(v))
}

func TestCanonical(t *testing.T) {
	step := func(s string) string {
		return `{"nodes":[{"id":"a","type":"STEP","config":{"components":[` + s + `]}}]}`
	}
	tests := []struct {
		name, src string
		update    bool
		want      string
	}{
		{
			name: "order of the table, unknown ones behind as they came",
			src:  `{"zeta":1.0,"style":{},"alpha":{"b":1,"a":2},"name":"f"}`,
			want: `{"name":"f","style":{},"zeta":1.0,"alpha":{"b":1,"a":2}}`,
		},
		{
			name: "a response", src: `{"submitted_at":"e","updated_at":"u","created_at":"c","ending":{},"name":"f","id":"ap_1","embedded_at":"d"}`,
			want: `{"id":"ap_1","name":"f","ending":{},"created_at":"c","updated_at":"u","embedded_at":"d","submitted_at":"e"}`,
		},
		{name: "an id alone makes no response", src: `{"id":"ap_1","name":"f"}`, want: `{"name":"f","id":"ap_1"}`},
		{
			name: "an export", src: `{"x":1,"connections":{"b":1,"a":2.0},"flows":{"b":{"name":"n","id":"i"},"a":1.0},"form":{"style":{},` +
				`"name":"f"},"version":"4"}`,
			want: `{"version":"4","form":{"name":"f","style":{}},"flows":{"b":{"name":"n","id":"i"},"a":1.0},"connections":{"b":1,"a":2.0},"x":1}`,
		},
		{name: "an update", update: true, src: `{"nodes":null,"messages":null,"form":1}`, want: `{"messages":null,"nodes":null,"form":1}`},
		{
			name:   "an update within",
			update: true,
			src:    `{"start":{"coordinates":{"y":1.0,"x":1e2}}}`,
			want:   `{"start":{"coordinates":{"x":100,"y":1}}}`,
		},
		{
			name: "node and pointer", src: `{"nodes":[{"config":{"next_node":"$ending","components":[]},"coordinates":{"y":-2.50,"x":10e-1},` +
				`"type":"STEP","alias":"A","id":"a"}]}`,
			want: `{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":1,"y":-2.50},"alias":"A","config":{"components":[],"next_node":` +
				`"$ending"}}]}`,
		},
		{
			name: "a node of an unknown type as it is",
			src:  `{"nodes":[{"type":"LOOP","id":"a","n":1.0},3,null]}`,
			want: `{"nodes":[{"type":"LOOP","id":"a","n":1.0},3,null]}`,
		},
		{
			name: "a condition as it is", src: `{"nodes":[{"type":"ROUTER","id":"r","config":{"rules":[{"condition":{"operator":"AND","n":` +
				`1.0,"a":[1e2]},"id":"x"}]}}]}`,
			want: `{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"AND","n":1.0,"a":[1e2]}}]}}]}`,
		},
		{
			name: "a component",
			src:  step(`{"config":{"height":2.0,"src":"s"},"type":"IMAGE","category":"BLOCK","id":"c"}`),
			want: step(`{"id":"c","category":"BLOCK","type":"IMAGE","config":{"src":"s","height":2}}`),
		},
		{
			name: "a vendor's name", src: step(`{"type":"GMAPS_ADDRESS","config":{"api_key":"k"},"category":"WIDGET","id":"c"}`),
			want: step(`{"id":"c","category":"WIDGET","type":"GMAPS_ADDRESS","config":{"api_key":"k"}}`),
		},
		{
			name: "a charge", src: step(`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"credentials":{},"charge":{"one_off":` +
				`{"extra":1.0,"currency":"EUR","amount":1e1},"type":"ONE_OFF"}}}`),
			want: step(
				`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"charge":{"type":"ONE_OFF","one_off":{"amount":10,"currency":"EUR",` +
					`"extra":1.0}},"credentials":{}}}`,
			),
		},
		{
			name: "params sorted, schema as it is", src: step(`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"params":{"b":"1","a":` +
				`"2"},"schema":{"type":"string","b":1.0,"a":2}}}`),
			want: step(
				`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"schema":{"type":"string","b":1.0,"a":2},"params":{"a":"2","b":"1"}}}`,
			),
		},
		{
			name: "maps sorted, as it is below a language", src: `{"translations":{"es":{"z":{"y":1.0,"x":2}},"de":{"b":1,"a":2}},"messages":` +
				`{"custom":{"b":"1","B":"2","a":"3"},"errors":{}}}`,
			want: `{"messages":{"errors":{},"custom":{"B":"2","a":"3","b":"1"}},"translations":{"de":{"b":1,"a":2},"es":{"z":{"y":1.0,"x":2}}}}`,
		},
		{
			name: "other types as they are",
			src:  `{"nodes":{"b":1.0,"a":2},"messages":[1.0],"start":3,"name":4.0}`,
			want: `{"name":4,"messages":[1.0],"nodes":{"b":1.0,"a":2},"start":3}`,
		},
		{
			name: "numbers that are not ints",
			src:  `{"start":{"coordinates":{"x":1e400,"y":-0}},"ending":{"coordinates":{"x":123456789012345678901234567890,"y":1.5e0}}}`,
			want: `{"start":{"coordinates":{"x":1e400,"y":0}},"ending":{"coordinates":{"x":123456789012345678901234567890,"y":1.5e0}}}`,
		},
		{name: "no object", src: `[{"style":1.0,"name":2}]`, want: `[{"style":1.0,"name":2}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			canonical := envelope.Canonical
			if tt.update {
				canonical = envelope.CanonicalUpdate
			}
			text, ps := canonical([]byte(tt.src))
			if len(ps) > 0 {
				t.Fatal(ps)
			}
			if got := compact(t, string(text)); got != tt.want {
				t.Errorf("text:\n got %s\nwant %s", got, tt.want)
			}
			if !bytes.HasSuffix(text, []byte("\n")) {
				t.Error("no line break at the end")
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	long := `{"name":"` + strings.Repeat("x", 100) + `","x":[` + strings.Repeat(`[],`, 90000) + `[]]}`
	deep := strings.Repeat("[", 60) + strings.Repeat("0,", 60000) + "0" + strings.Repeat("]", 60)
	for _, tt := range []struct{ name, src, code string }{
		{"syntax", `{"name":`, "syntax"},
		{"a name twice", `{"name":"a","name":"b"}`, "duplicate_key"},
		{"too deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), "limit"},
		{"too long when indented", deep, "limit"},
		{"long enough", long, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, ps := envelope.Canonical([]byte(tt.src))
			if tt.code == "" {
				if len(ps) > 0 || text == nil {
					t.Fatal(ps)
				}
				return
			}
			if text != nil || len(ps) != 1 || string(ps[0].Code) != tt.code || ps[0].Offset < 0 {
				t.Errorf("problems %v, text %.20q, want one %s with an offset", ps, text, tt.code)
			}
		})
	}
}

func TestText(t *testing.T) {
	if text := (envelope.Document{}).Text(); text != nil {
		t.Errorf("a document without a form: %s", text)
	}
	d, _, _ := envelope.Read([]byte(`{"flows":{},"form":{"style":{},"name":"f"},"x":1}`))
	form, err := d.Form.Set(schema.Path{schema.Key("name")}, "g")
	if err != nil {
		t.Fatal(err)
	}
	d.Form = form
	if got, want := compact(t, string(d.Text())), `{"form":{"name":"g","style":{}},"flows":{},"x":1}`; got != want {
		t.Errorf("the form as it is now: %s, want %s", got, want)
	}
	d, _, _ = envelope.Read([]byte(`{"created_at":"c","name":"f","id":"i"}`))
	if got, want := compact(t, string(d.Text())), `{"id":"i","name":"f","created_at":"c"}`; got != want {
		t.Errorf("a response: %s, want %s", got, want)
	}
	d, _, _ = envelope.ReadUpdate([]byte(`{"style":null,"name":"f"}`))
	if got, want := compact(t, string(d.Text())), `{"name":"f","style":null}`; got != want {
		t.Errorf("an update: %s, want %s", got, want)
	}
}

// canonicalLaws checks the laws of the canonical text of any document.
func canonicalLaws(t *testing.T, src []byte) {
	t.Helper()
	for _, update := range []bool{false, true} {
		canonical, read := envelope.Canonical, envelope.Read
		if update {
			canonical, read = envelope.CanonicalUpdate, envelope.ReadUpdate
		}
		tree, decoding := schema.Decode(src)
		text, ps := canonical(src)
		if len(ps) > 0 {
			if text != nil || len(decoding) == 0 && ps[0].Code != schema.CodeLimit {
				t.Fatalf("problems %v with text %q", ps, text)
			}
			continue
		}
		now, ps := schema.Decode(text)
		if len(ps) > 0 || !schema.Equal(tree, now) {
			t.Fatalf("another value: %v\n%s\n%s", ps, src, text)
		}
		again, _ := canonical(text)
		if !bytes.Equal(text, again) {
			t.Fatalf("the canonical text of a canonical text differs:\n%s\n%s", text, again)
		}
		if d, _, _ := read(src); d.Form != nil && !bytes.Equal(d.Text(), text) {
			t.Fatalf("the document has another text:\n%s\n%s", d.Text(), text)
		}
	}
}

func TestCorpusText(t *testing.T) {
	for _, file := range realforms.Files(t) {
		t.Run(file.Name, func(t *testing.T) { canonicalLaws(t, file.Text) })
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add(
		[]byte(
			`{"style":{},"name":"f","nodes":[{"type":"STEP","id":"a","coordinates":{"y":1.0,"x":1e2}}],"translations":{"b":{"z":1,"a":2},"a":{}}}`,
		),
	)
	f.Add(
		[]byte(
			`{"form":{"nodes":[{"type":"STEP","config":{"components":[{"type":"PAYMENT","category":"FIELD","config":{"charge":{"one_off":` +
				`{"amount":1.0},"type":"ONE_OFF"}}}]}}]},"version":1,"flows":{"b":1,"a":2}}`,
		),
	)
	f.Add([]byte(`{"created_at":1,"id":[1.0,-0,1e400],"name":0.10}`))
	f.Fuzz(func(t *testing.T, src []byte) { canonicalLaws(t, src) })
}

func form(tb testing.TB, src string) *model.Form {
	tb.Helper()
	return model.FromTree(decode(tb, src))
}
