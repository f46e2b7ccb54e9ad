package management_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

const formType = "application/x-www-form-urlencoded"

// A form-urlencoded body means the same as the equivalent JSON body.
func TestFormBody(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct{ name, form, json string }{
		{"text", "name=A%20B+C", `{"name":"A B C"}`},
		{"text that looks like JSON", `name=123`, `{"name":"123"}`},
		{
			"JSON text", `name=A&nodes=[{"id":"s","type":"STEP"}]&style={"css":"1"}`,
			`{"name":"A","nodes":[{"id":"s","type":"STEP"}],"style":{"css":"1"}}`,
		},
		{
			"brackets", "name=A&nodes[0][id]=12&nodes[0][type]=STEP&nodes[0][coordinates][x]=-5&nodes[0][coordinates][y]=1.0&start[next_node]=12",
			`{"name":"A","nodes":[{"id":"12","type":"STEP","coordinates":{"x":-5,"y":1.0}}],"start":{"next_node":"12"}}`,
		},
		{"escaped brackets", "name=A&style%5Bcss%5D=a%3Db%26c", `{"name":"A","style":{"css":"a=b&c"}}`},
		{
			"out of order", "name=A&start[hidden_fields][1][key]=b&start[hidden_fields][0][key]=a",
			`{"name":"A","start":{"hidden_fields":[{"key":"a"},{"key":"b"}]}}`,
		},
		{"true", "name=A&ending[resume_flow]=true", `{"name":"A","ending":{"resume_flow":true}}`},
		{
			"a component", "name=A&nodes[0][id]=s&nodes[0][type]=STEP" +
				"&nodes[0][config][components][0][id]=f&nodes[0][config][components][0][category]=FIELD&nodes[0][config][components][0][type]=FILE" +
				"&nodes[0][config][components][0][required]=true&nodes[0][config][components][0][config][maxSize]=2048" +
				"&nodes[0][config][components][0][config][extensions][]=.pdf&nodes[0][config][components][0][config][extensions][]=.txt" +
				"&nodes[0][config][components][0][config][storage][type]=MANAGED&nodes[0][config][components][0][config][storage][n]=1",
			`{"name":"A","nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"f","category":"FIELD","type":"FILE","required":true,` +
				`"config":{"maxSize":2048,"extensions":[".pdf",".txt"],"storage":{"type":"MANAGED","n":"1"}}}]}}]}`,
		},
		{
			"type after config", "name=A&nodes[0][config][flow_id]=12&nodes[0][id]=s&nodes[0][type]=FLOW",
			`{"name":"A","nodes":[{"id":"s","type":"FLOW","config":{"flow_id":"12"}}]}`,
		},
		{
			"a condition", `name=A&nodes[0][id]=r&nodes[0][type]=ROUTER&nodes[0][config][rules][0][id]=u` +
				`&nodes[0][config][rules][0][condition][operator]=AND&nodes[0][config][rules][0][condition][operands][0][operator]=EQ` +
				`&nodes[0][config][rules][0][condition][operands][0][operands][]={{fields.a}}` +
				`&nodes[0][config][rules][0][condition][operands][0][operands][]="1"`,
			`{"name":"A","nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"u","condition":{"operator":"AND",` +
				`"operands":[{"operator":"EQ","operands":["{{fields.a}}","1"]}]}}]}}]}`,
		},
		{
			"a charge", "name=A&nodes[0][id]=s&nodes[0][type]=STEP&nodes[0][config][components][0][id]=p" +
				"&nodes[0][config][components][0][category]=FIELD" +
				"&nodes[0][config][components][0][type]=PAYMENT&nodes[0][config][components][0][config][provider]=STRIPE" +
				"&nodes[0][config][components][0][config][charge][type]=ONE_OFF&nodes[0][config][components][0][config][charge][one_off][amount]=12" +
				"&nodes[0][config][components][0][config][charge][one_off][currency]=EUR" +
				"&nodes[0][config][components][0][config][credentials][public_key]=1" +
				"&nodes[0][config][components][0][config][credentials][private_key]=2",
			`{"name":"A","nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"p","category":"FIELD","type":"PAYMENT",` +
				`"config":{"provider":"STRIPE",` +
				`"charge":{"type":"ONE_OFF","one_off":{"amount":"12","currency":"EUR"}},"credentials":{"public_key":"1","private_key":"2"}}}]}}]}`,
		},
		{
			"maps with numbers as keys", "name=A&messages[custom][0]=x&translations[0][k]=1",
			`{"name":"A","messages":{"custom":{"0":"x"}},"translations":{"0":{"k":"1"}}}`,
		},
		{
			"texts below an open object", "name=A&translations[de][components][y][label]=2026&translations[de][components][y][hint]=true" +
				`&translations[de][components][z][label]=null&translations[de][components][z][hint]={"a":1}`,
			`{"name":"A","translations":{"de":{"components":{"y":{"label":"2026","hint":"true"},"z":{"label":"null","hint":"{\"a\":1}"}}}}}`,
		},
		{
			"names below an open object", "name=A&translations[de][messages][custom][0]=x&translations[fr][messages][custom][404]=y",
			`{"name":"A","translations":{"de":{"messages":{"custom":{"0":"x"}}},"fr":{"messages":{"custom":{"404":"y"}}}}}`,
		},
		{
			"arrays below an open object", "name=A&translations[de][list][]=1&translations[de][list][]=b",
			`{"name":"A","translations":{"de":{"list":["1","b"]}}}`,
		},
		{
			"an open object as JSON text", `name=A&translations[de]={"components":{"y":{"label":7}}}`,
			`{"name":"A","translations":{"de":{"components":{"y":{"label":7}}}}}`,
		},
		{
			"a schema and parameters", "name=A&nodes[0][id]=s&nodes[0][type]=STEP&nodes[0][config][components][0][id]=c" +
				"&nodes[0][config][components][0][category]=FIELD&nodes[0][config][components][0][type]=CUSTOM" +
				"&nodes[0][config][components][0][config][code]=1&nodes[0][config][components][0][config][schema][type]=number" +
				"&nodes[0][config][components][0][config][schema][const]=5&nodes[0][config][components][0][config][params][0]=true",
			`{"name":"A","nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"CUSTOM",` +
				`"config":{"code":"1","schema":{"type":"number","const":"5"},"params":{"0":"true"}}}]}}]}`,
		},
		{"empty pairs", "&&name=A&&", `{"name":"A"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := f.send(http.MethodPost, "/api/v2/forms", tt.form, "Content-Type", formType)
			want := f.send(http.MethodPost, "/api/v2/forms", tt.json)
			if got.StatusCode != http.StatusCreated || want.StatusCode != http.StatusCreated {
				t.Fatalf("form %d %s, JSON %d %s, want 201", got.StatusCode, got.body, want.StatusCode, want.body)
			}
			if g, w := withoutID(t, got.body), withoutID(t, want.body); !schema.Equal(g, w) {
				t.Errorf("form gives\n%s, JSON gives\n%s", schema.Encode(g), schema.Encode(w))
			}
		})
	}
}

func withoutID(t *testing.T, body string) *schema.Object {
	t.Helper()
	tree, ps := schema.Decode([]byte(body))
	o, ok := tree.(*schema.Object)
	if len(ps) > 0 || !ok {
		t.Fatalf("%v in %s", ps, body)
	}
	return o.Without("id")
}

func TestFormBodyPatch(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A","style":{"css":"a"}}`)
	a := f.send(http.MethodPatch, at, "style=null&languages[primary]=en", "Content-Type", formType)
	if a.StatusCode != http.StatusOK || strings.Contains(a.body, "style") || !strings.Contains(a.body, `"primary":"en"`) {
		t.Errorf("PATCH = %d %s", a.StatusCode, a.body)
	}
}

// Anything that is not a form-urlencoded body is refused, including too many keys and too deep ones.
func TestFormBodyRefused(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A"}`)
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "messages[custom][k%d]=v&", i)
	}
	for _, tt := range []struct{ name, body, want string }{
		{"unknown", "x=1", "x unknown"},
		{"null name stays a text", "name=null&x=1", "x unknown"},
		{"no JSON", "nodes=hello", "nodes type"},
		{
			"text in place of a number", "nodes[0][id]=s&nodes[0][type]=STEP&nodes[0][coordinates][x]=a&nodes[0][coordinates][y]=1",
			"nodes[0].coordinates.x type",
		},
		{"unknown type", "nodes[0][id]=s&nodes[0][type]=X&nodes[0][config][a]=1", "nodes[0].type enum"},
		{"dangling pointer", "start[next_node]=gone", "start.next_node unknown_node"},
		{"twice", "name=a&name=b", "name duplicate_key"},
		{"twice in brackets", "style[css]=a&style[css]=b", "style.css duplicate_key"},
		{"text and brackets", "style=a&style[css]=b", " syntax"},
		{"brackets and text", "style[css]=a&style=b", "style duplicate_key"},
		{"gap", "nodes[0][id]=a&nodes[2][id]=b", " syntax"},
		{"huge index", "nodes[99999999999999999999][id]=a", " syntax"},
		{"negative index", "nodes[-1][id]=a", " syntax"},
		{"leading zero", "nodes[00][id]=a", " syntax"},
		{"no head", "[a]=1", " syntax"},
		{"empty key", "=1", " syntax"},
		{"open bracket", "style[css=1", " syntax"},
		{"bracket in bracket", "style[[css]]=1", " syntax"},
		{"text after bracket", "style[css]x=1", " syntax"},
		{"empty in the middle", "nodes[][id]=1", " syntax"},
		{"bad escape", "name=%zz", " syntax"},
		{"bad UTF-8", "name=%ff", " syntax"},
		{"deep brackets", "translations" + strings.Repeat("[a]", 33) + "=1", " limit"},
		{
			"brackets and JSON too deep", "nodes[0][type]=ROUTER&nodes[0][config][rules][0][condition]" + strings.Repeat("[a]", 26) + "=" +
				strings.Repeat("[", 40) + strings.Repeat("]", 40),
			" limit",
		},
		{"many keys", many.String(), " limit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := f.send(http.MethodPatch, at, tt.body, "Content-Type", formType)
			e := a.error(t)
			var got []string
			for _, p := range e.Problems {
				got = append(got, p.Path+" "+p.Code)
			}
			if a.StatusCode != http.StatusBadRequest || strings.Join(got, ",") != tt.want {
				t.Errorf("%d %q, want 400 %q", a.StatusCode, strings.Join(got, ","), tt.want)
			}
		})
	}
}

func FuzzFormBody(f *testing.F) {
	fx := newFixture(f)
	at := "/api/v2/forms/" + fx.create(`{"name":"A","nodes":[{"id":"s","type":"STEP"}],"start":{"next_node":"s"}}`)
	for _, s := range []string{
		"name=A&nodes[0][id]=s&nodes[0][type]=STEP", `nodes=[{"id":"a"}]&style=null`, "a[b][c][]=1&a[b][c][]=2", "x[0]=1&x[1][y]=2",
		"%5B%5D=&[=]", "name", "=", "a[]=1&a[0]=2",
		"nodes[0][config][components][0][config][default_value]=" + url.QueryEscape(`{"a":[1,null]}`),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPatch, at, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+fx.all)
		r.Header.Set("Content-Type", formType)
		w := httptest.NewRecorder()
		fx.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("answer is %d %s", w.Code, w.Body)
		}
		if w.Code != http.StatusOK {
			return
		}
		// An accepted form can be read again.
		if _, ps := schema.Decode(w.Body.Bytes()); len(ps) > 0 {
			t.Errorf("answer is not a document: %v", ps)
		}
	})
}

// A flow has any members: one that is sent whole is JSON text as everywhere, and what is below one in brackets is texts.
func TestFormBodyOfAFlow(t *testing.T) {
	f := newFixture(t)
	got := f.send(http.MethodPost, "/api/v2/flows", `name=F&actions[0][type]=HTTP&actions[0][params][retries]=3&x={"a":1}&y[0]=2`,
		"Content-Type", formType)
	const want = `{"name":"F","actions":[{"type":"HTTP","params":{"retries":"3"}}],"x":{"a":1},"y":{"0":"2"}}`
	tree, _ := schema.Decode([]byte(want))
	if o := withoutID(t, got.body).Without("created_at").Without("updated_at"); !schema.Equal(o, tree) {
		t.Errorf("%d %s, want %s", got.StatusCode, got.body, want)
	}
}
