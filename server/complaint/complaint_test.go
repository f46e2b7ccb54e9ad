package complaint_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/complaint"
)

// Bodies as real services and validators write them.
func TestRead(t *testing.T) {
	const m = "must be a text"
	for _, x := range []struct{ name, body, words, problems string }{
		{
			"our own", `{"statusCode":400,"error":"Bad Request","message":"Payload validation error","errorCode":"invalid_body",` +
				`"problems":[{"path":"nodes[3].config.components[2].config.text","code":"length","detail":"must be short"},` +
				`{"path":"translations[\"pt-BR\"].components[\"0\"]","code":"unknown","detail":"is not"},{"path":"","code":"limit","` +
				`detail":"is too large"}]}`,
			"Payload validation error",
			`nodes[3].config.components[2].config.text|length|must be short; translations["pt-BR"].components["0"]|unknown|is not` +
				`; |limit|is too large`,
		},
		{
			"the vendor, a format",
			`{"statusCode":400,"error":"Bad Request","message":"Payload validation error: 'Object didn't pass validation for ` +
				`format forms-custom-identifier: a b' on property nodes[0].id (The id of the node).","errorCode":"invalid_body"}`,
			"Payload validation error: 'Object didn't pass validation for format forms-custom-identifier: a b' on property nodes[" +
				"0].id (The id of the node).",
			`nodes[0].id|value|=`,
		},
		{
			"the vendor, a missing property",
			`{"message":"Payload validation error: 'Missing required property: name'.","errorCode":"invalid_body"}`,
			"Payload validation error: 'Missing required property: name'.", `name|required|=`,
		},
		{
			"the vendor, one too many",
			`{"message":"Payload validation error: 'Additional properties not allowed: visible' on property nodes[0].config."}`,
			"Payload validation error: 'Additional properties not allowed: visible' on property nodes[0].config.",
			`nodes[0].config.visible|unknown|=`,
		},
		{
			"the vendor, pointers", `{"statusCode":400,"error":"Bad Request","message":"Some nodes point to unknown node IDs."}`,
			"Some nodes point to unknown node IDs.", ``,
		},
		{
			"hono and zod",
			`{"success":false,"error":{"issues":[{"code":"invalid_type","path":["nodes",0,"type"],"message":"` + m + `"}],"name":"ZodError"}}`,
			m, `nodes[0].type|invalid_type|` + m,
		},
		{
			"zod 4",
			`{"success":false,"error":{"name":"ZodError","message":"[\n {\"code\":\"custom\",\"path\":[\"nodes\",1],\"message\":\"` + m + `\"}]"}}`,
			m, `nodes[1]|custom|` + m,
		},
		{
			"zod, flat", `{"error":{"formErrors":[],"fieldErrors":{"nodes":["` + m + `"],"name":["a","b"]}}}`, "a",
			`name|value|a; name|value|b; nodes|value|` + m,
		},
		{
			"RFC 9457", `{"type":"about:blank","title":"Bad Request","status":400,"detail":"2 faults","errors":[{"detail":"` + m +
				`","pointer":"#/nodes/0/config/a~1b"},{"detail":"b","pointer":"/style"}]}`, "2 faults",
			`nodes[0].config["a/b"]|value|` + m + `; style|value|b`,
		},
		{
			"ajv", `{"errors":[{"instancePath":"/nodes/0/config","keyword":"required","message":"must have required property 'x'"}]}`,
			"must have required property 'x'", `nodes[0].config|required|must have required property 'x'`,
		},
		{"ajv before 8", `{"errors":[{"dataPath":".nodes[0].config['a b']","message":"` + m + `"}]}`, m, `nodes[0].config["a b"]|value|` + m},
		{
			"fastify",
			`{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"body.nodes[0].config should have requ` +
				`ired property 'x'"}`,
			"body.nodes[0].config should have required property 'x'", `nodes[0].config.x|required|=`,
		},
		{
			"fastify 4", `{"error":"Bad Request","message":"body/nodes/0/type must be string"}`, "body/nodes/0/type must be string",
			`nodes[0].type|value|=`,
		},
		{
			"nest", `{"statusCode":400,"message":["nodes.0.type ` + m + `","name ` + m + `"],"error":"Bad Request"}`, "nodes.0.type " + m,
			`nodes[0].type|value|nodes.0.type ` + m + `; |value|name ` + m,
		},
		{
			"celebrate and joi", `{"message":"Validation failed","details":[{"message":"` + m + `","path":["nodes",0],"type":"any.required"}]}`, m,
			`nodes[0]|any.required|` + m,
		},
		{
			"FastAPI", `{"detail":[{"loc":["body","nodes",0,"type"],"msg":"` + m + `","type":"value_error.missing"}]}`, m,
			`nodes[0].type|value_error.missing|` + m,
		},
		{
			"Rails and Laravel", `{"message":"The given data was invalid.","errors":{"nodes.0.type":["a","b"],"name":"c"}}`,
			"The given data was invalid.", `name|value|c; nodes[0].type|value|a; nodes[0].type|value|b`,
		},
		{"JSON:API", `{"errors":[{"title":"t","detail":"` + m + `","source":{"pointer":"/data/nodes/0"}}]}`, m, `nodes[0]|value|` + m},
		{"express-validator", `{"errors":[{"msg":"` + m + `","param":"nodes[0].id","location":"body"}]}`, m, `|value|` + m},
		{"Google", `{"error":{"code":400,"message":"Invalid","status":"INVALID_ARGUMENT","details":[{"fieldViolations":[]}]}}`, "Invalid", ``},
		{"OAuth", `{"error":"invalid_request","error_description":"nothing of the kind"}`, "nothing of the kind", ``},
		{"words only", `{"error":"Error in nodes.0.config"}`, "Error in nodes.0.config", `nodes[0].config|value|=`},
		{"JSONPath", `{"message":"invalid","errors":[{"path":"$.nodes[0].id","message":"` + m + `"}]}`, "invalid", `nodes[0].id|value|` + m},
		{"texts", `{"errors":["nodes[2] is bad","no"]}`, "nodes[2] is bad", `nodes[2]|value|nodes[2] is bad; |value|no`},
		{"nothing", `{}`, "", ""},
		{"only the status", `{"title":"Unprocessable Entity","status":422}`, "", ""},
		{"another shape", `["x",1,null]`, "x", `|value|x`},
		{"a number", `12`, "", ""},
		{"not JSON", `{"`, "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			got := complaint.Read([]byte(x.body), "")
			var list []string
			for _, p := range got.Problems {
				if p.Detail == got.Words && strings.HasSuffix(x.problems, "|=") {
					p.Detail = "="
				}
				list = append(list, p.Path+"|"+p.Code+"|"+p.Detail)
			}
			if d := cmp.Diff(x.words, got.Words); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(x.problems, strings.Join(list, "; ")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestReadText(t *testing.T) {
	got := complaint.Read(nil, "Error in\r\nnodes.0.config:\x1b[31m \u202ebad\u202c <b>")
	want := complaint.Complaint{
		Words:    "Error in nodes.0.config: [31m bad <b>",
		Problems: []complaint.Problem{{Path: "nodes[0].config", Code: "value", Detail: "Error in nodes.0.config: [31m bad <b>"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = complaint.Read(nil, "A pointer in nodes[1].config leads to an unknown node")
	if len(got.Problems) != 1 || got.Problems[0].Code != "unknown_node" {
		t.Errorf("got %+v", got)
	}
}

// Neither the number nor the length of what a tenant says is passed on as it is.
func TestBounds(t *testing.T) {
	long := strings.Repeat("ü", 3000)
	many := strings.TrimSuffix(strings.Repeat(`{"message":"`+long+`","path":["`+long+`",1e9]},`, 300), ",")
	for _, body := range []string{
		`{"message":"` + long + `","errors":[` + many + `]}`, `{"message":["` + long + `"]}`,
		strings.Repeat(`{"error":`, 500) + `{"message":"x"}` + strings.Repeat("}", 500), strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		`{"message":"x","errors":[{"message":"m","path":[` + strings.Repeat(`"a",`, 500) + `"b"]}]}`,
	} {
		check(t, complaint.Read([]byte(body), ""))
	}
	if got := complaint.Read([]byte(`{"message":"`+strings.Repeat("x", 3<<20)+`"}`), ""); got.Words != "" {
		t.Error("a huge body was read")
	}
}

func check(t *testing.T, c complaint.Complaint) {
	t.Helper()
	texts := []string{c.Words}
	for _, p := range c.Problems {
		texts = append(texts, p.Path, p.Code, p.Detail)
		if _, err := schema.ParsePath(p.Path); err != nil {
			t.Error(err)
		}
	}
	for _, text := range texts {
		if len(text) > 500 || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("got %d bytes %q", len(text), text[:min(len(text), 40)])
		}
	}
	if len(c.Problems) > 200 {
		t.Errorf("%d problems", len(c.Problems))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"errors":[{"path":["a",1],"message":"m"}]}`, "")
	f.Add(`{"message":"body.nodes[0].config should have required property 'x'"}`, "")
	f.Add(`{"errors":{"/a~1b":["x"],"a['b'].c":"y"}}`, "on property nodes[\"a\\u0000\"]")
	f.Fuzz(func(t *testing.T, body, text string) {
		c := complaint.Read([]byte(body), text)
		check(t, c)
		if _, err := json.Marshal(c); err != nil {
			t.Error(fmt.Errorf("encode: %w", err))
		}
	})
}
