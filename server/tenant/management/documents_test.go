package management_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

const dates = `"created_at":"2026-03-01T12:00:00.000Z","updated_at":"2026-03-01T12:00:00.000Z"}`

func TestCreate(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct{ name, path, body, want string }{
		{"name alone", "forms", `{"name":"A"}`, `"name":"A","ending":{"resume_flow":true},`},
		{
			"all, in another order", "forms",
			`{"style":{"css":"a"},"ending":{"coordinates":{"x":1,"y":2}},"start":{"next_node":"$ending"},"nodes":[{"type":"STEP","id":"s"}],` +
				`"translations":{"de":{}},"languages":{"primary":"en"},"messages":{"custom":{"k":"v"}},"name":"A"}`,
			`"name":"A","messages":{"custom":{"k":"v"}},"languages":{"primary":"en"},"translations":{"de":{}},"nodes":[{"type":"STEP","id":"s"}],` +
				`"start":{"next_node":"$ending"},"ending":{"coordinates":{"x":1,"y":2}},"style":{"css":"a"},`,
		},
		{
			"empty things are left out", "forms", `{"name":"A","nodes":[],"messages":{},"style":{},"start":{},"ending":{},"translations":{}}`,
			`"name":"A",`,
		},
		{
			"numbers as written", "forms", `{"name":"A","start":{"coordinates":{"x":1.0,"y":-2e1}}}`,
			`"name":"A","start":{"coordinates":{"x":1.0,"y":-2e1}},"ending":{"resume_flow":true},`,
		},
		{
			"attack 69", "forms", `{"name":"A","translations":{"__proto__":{"constructor":1}}}`,
			`"name":"A","translations":{"__proto__":{"constructor":1}},"ending":{"resume_flow":true},`,
		},
		{"flow", "flows", `{"actions":[{"id":"a"}],"more":1,"name":"F"}`, `"name":"F","actions":[{"id":"a"}],"more":1,`},
		{"flow without actions", "flows", `{"name":"F","actions":[]}`, `"name":"F",`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := f.send(http.MethodPost, "/api/v2/"+tt.path, tt.body)
			if a.StatusCode != http.StatusCreated {
				t.Fatalf("POST = %d %s, want 201", a.StatusCode, a.body)
			}
			m := regexp.MustCompile(`^\{"id":"(a[pf]_[A-Za-z0-9]{22})",`).FindStringSubmatch(a.body)
			if m == nil || (m[1][:3] == "ap_") != (tt.path == "forms") {
				t.Fatalf("no new id in %s", a.body)
			}
			if want := m[0] + tt.want + dates; a.body != want {
				t.Errorf("POST answers\n%s, want\n%s", a.body, want)
			}
			at := "/api/v2/" + tt.path + "/" + m[1]
			if got := a.Header.Get("Location"); got != at {
				t.Errorf("Location = %q, want %q", got, at)
			}
			got := f.send(http.MethodGet, at, "")
			if got.StatusCode != http.StatusOK || got.body != a.body || got.Header.Get("ETag") == "" ||
				got.Header.Get("ETag") != a.Header.Get("ETag") {
				t.Errorf("GET answers %d %s, want what POST answered", got.StatusCode, got.body)
			}
		})
	}
}

func TestRefusedBodies(t *testing.T) {
	f := newFixture(t)
	id := f.create(`{"name":"A","nodes":[{"id":"s","type":"STEP"}],"start":{"next_node":"s"}}`)
	before := f.send(http.MethodGet, "/api/v2/forms/"+id, "").body
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for _, tt := range []struct{ name, method, path, body, want string }{
		{"no name", "POST", "forms", `{}`, "name required"},
		{"id", "POST", "forms", `{"name":"A","id":"ap_x"}`, "id unknown"},
		{"dates", "POST", "forms", `{"name":"A","created_at":"x"}`, "created_at unknown"},
		{"null in POST", "POST", "forms", `{"name":"A","nodes":null}`, "nodes type"},
		{"array", "POST", "forms", `[]`, " type"},
		{"null", "POST", "forms", `null`, " type"},
		{"flow without name", "POST", "flows", `{"actions":[]}`, "name required"},
		{"flow with id", "POST", "flows", `{"name":"F","id":"af_x"}`, "id unknown"},
		{"flow's action", "POST", "flows", `{"name":"F","actions":[1]}`, "actions[0] type"},
		{"long name", "PATCH", "forms/" + id, `{"name":"` + strings.Repeat("x", 151) + `"}`, "name length"},
		{"null name", "PATCH", "forms/" + id, `{"name":null}`, "name type"},
		{"NAME (attack 68)", "PATCH", "forms/" + id, `{"NAME":"x"}`, "NAME unknown"},
		{"id in PATCH", "PATCH", "forms/" + id, `{"id":"` + id + `"}`, "id unknown"},
		{"all problems", "PATCH", "forms/" + id, `{"nodes":[{"id":"a","type":"STEP","alias":""},{"id":"a","type":"FLOW",` +
			`"config":{"flow_id":"af_1","next_node":"gone"}}],"name":1}`, "nodes[0].alias length,nodes[1].id duplicate_id," +
			"nodes[1].config.next_node unknown_node,name type,start.next_node unknown_node"},
		{"node removed that the stored start names", "PATCH", "forms/" + id, `{"nodes":[]}`, "start.next_node unknown_node"},
		{"duplicate key", "PATCH", "forms/" + id, `{"name":"a","name":"b"}`, "name duplicate_key"},
		{"duplicate escaped key", "PATCH", "forms/" + id, `{"na\u006de":"a","name":"b"}`, "name duplicate_key"},
		{"duplicate nested key", "PATCH", "forms/" + id, `{"style":{"css":"a","css":""}}`, "style.css duplicate_key,style.css length"},
		{"two values", "PATCH", "forms/" + id, `{}{}`, " syntax"},
		{"BOM", "PATCH", "forms/" + id, "\ufeff{}", " syntax"},
		{"bad UTF-8", "PATCH", "forms/" + id, "{\"name\":\"\xff\"}", " syntax"},
		{"lone surrogate", "PATCH", "forms/" + id, `{"name":"\ud800"}`, " syntax"},
		{"NaN", "PATCH", "forms/" + id, `{"name":NaN}`, " syntax"},
		{"too deep", "PATCH", "forms/" + id, `{"translations":` + deep + `}`, " limit"},
		{"too many values", "PATCH", "forms/" + id, `{"nodes":[` + strings.Repeat("{},", 200_000) + `{}]}`, " limit"},
		{"null name of a flow", "PATCH", "flows/af_x", `{"name":null}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := f.send(tt.method, "/api/v2/"+tt.path, tt.body)
			if tt.want == "" { // nothing there to change
				if a.StatusCode != http.StatusNotFound {
					t.Errorf("%d %s, want 404", a.StatusCode, a.body)
				}
				return
			}
			e := a.error(t)
			var got []string
			for _, p := range e.Problems {
				got = append(got, p.Path+" "+p.Code)
				if p.Detail == "" {
					t.Errorf("problem at %s has no detail", p.Path)
				}
			}
			if a.StatusCode != http.StatusBadRequest || e.ErrorCode != "invalid_body" || strings.Join(got, ",") != tt.want {
				t.Errorf("%d %s %q, want 400 invalid_body %q", a.StatusCode, e.ErrorCode, strings.Join(got, ","), tt.want)
			}
			if !strings.HasPrefix(e.Message, "Payload validation error: '"+e.Problems[0].Detail+"'") {
				t.Errorf("message = %q, want the first problem", e.Message)
			}
		})
	}
	if after := f.send(http.MethodGet, "/api/v2/forms/"+id, "").body; after != before {
		t.Errorf("a refused body left\n%s, want\n%s", after, before)
	}
	e := f.send(http.MethodPatch, "/api/v2/forms/"+id, `{"name":"`+strings.Repeat("x", 151)+`"}`).error(t)
	if want := "Payload validation error: 'must be at most 150 characters, is 151' on property name"; e.Message != want {
		t.Errorf("message = %q, want %q", e.Message, want)
	}
}

func TestPatch(t *testing.T) {
	f := newFixture(t)
	id := f.create(`{"name":"A","style":{"css":"a"},"languages":{"primary":"en"}}`)
	at := "/api/v2/forms/" + id
	for _, tt := range []struct{ name, body, want, updated string }{
		{
			"value replaces the property whole", `{"languages":{"default":"de"}}`,
			`"name":"A","languages":{"default":"de"},"ending":{"resume_flow":true},"style":{"css":"a"}`, "2026-03-01T12:00:00.001Z",
		},
		{
			"same again", `{"languages":{"default":"de"}}`,
			`"name":"A","languages":{"default":"de"},"ending":{"resume_flow":true},"style":{"css":"a"}`, "2026-03-01T12:00:00.001Z",
		},
		{
			"nothing", `{}`, `"name":"A","languages":{"default":"de"},"ending":{"resume_flow":true},"style":{"css":"a"}`,
			"2026-03-01T12:00:00.001Z",
		},
		{"null removes", `{"style":null,"ending":null}`, `"name":"A","languages":{"default":"de"}`, "2026-03-01T12:00:00.002Z"},
		{"null of what is not there", `{"style":null}`, `"name":"A","languages":{"default":"de"}`, "2026-03-01T12:00:00.002Z"},
		{"empty removes", `{"languages":{}}`, `"name":"A"`, "2026-03-01T12:00:00.003Z"},
		{
			"order", `{"style":{"css":"b"},"messages":{"errors":{"E":"x"}}}`, `"name":"A","messages":{"errors":{"E":"x"}},"style":{"css":"b"}`,
			"2026-03-01T12:00:00.004Z",
		},
		{
			"another spelling of the same", `{"style":{"css":"\u0062"},"name":"A"}`,
			`"name":"A","messages":{"errors":{"E":"x"}},"style":{"css":"b"}`, "2026-03-01T12:00:00.004Z",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := f.send(http.MethodPatch, at, tt.body)
			want := fmt.Sprintf(`{"id":%q,%s,"created_at":"2026-03-01T12:00:00.000Z","updated_at":%q}`, id, tt.want, tt.updated)
			if a.StatusCode != http.StatusOK || a.body != want {
				t.Errorf("PATCH = %d\n%s, want\n%s", a.StatusCode, a.body, want)
			}
			if got := f.send(http.MethodGet, at, ""); got.body != a.body || got.Header.Get("ETag") != a.Header.Get("ETag") {
				t.Errorf("GET answers %s, want what PATCH answered", got.body)
			}
		})
	}
	if n := strings.Count(f.log.String(), `"event":"form_saved"`); n != 4 {
		t.Errorf("the log tells of %d changes, want 4", n)
	}
	if a := f.send(http.MethodPatch, "/api/v2/forms/ap_none", `{"name":"x"}`); a.StatusCode != http.StatusNotFound ||
		a.error(t).ErrorCode != "inexistent_form" {
		t.Errorf("PATCH of nothing = %d %s", a.StatusCode, a.body)
	}
}

// Another spelling of the same value is not a change: the stored one stays.
func TestPatchSameValue(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A","start":{"coordinates":{"x":10,"y":2}}}`)
	before := f.send(http.MethodGet, at, "").body
	if a := f.send(http.MethodPatch, at, `{"start":{"coordinates":{"y":2.0,"x":1e1}}}`); a.body != before {
		t.Errorf("PATCH answers\n%s, want\n%s", a.body, before)
	}
}

func TestPatchFlow(t *testing.T) {
	f := newFixture(t)
	a := f.send(http.MethodPost, "/api/v2/flows", `{"name":"F","actions":[{"id":"a"}],"extra":{"k":1}}`)
	var flow struct{ ID string }
	if err := json.Unmarshal([]byte(a.body), &flow); err != nil {
		t.Fatal(err)
	}
	a = f.send(http.MethodPatch, "/api/v2/flows/"+flow.ID, `{"actions":null,"extra":null}`)
	if want := `{"id":"` + flow.ID + `","name":"F",`; a.StatusCode != http.StatusOK || !strings.HasPrefix(a.body, want+`"created_at"`) {
		t.Errorf("PATCH = %d %s, want %s…", a.StatusCode, a.body, want)
	}
	a = f.send(http.MethodPatch, "/api/v2/flows/"+flow.ID, `{"name":null,"updated_at":"x"}`)
	if e := a.error(t); len(e.Problems) != 2 || e.Problems[0].Path != "name" || e.Problems[1].Path != "updated_at" {
		t.Errorf("PATCH with a bad name = %s, want both problems", a.body)
	}
}

func TestIfMatch(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A"}`)
	tag := f.send(http.MethodGet, at, "").Header.Get("ETag")
	n := 0
	for _, tt := range []struct {
		name, match string
		status      int
	}{
		{"right", "TAG", 200},
		{"right among others", `"x", TAG`, 200},
		{"any", "*", 200},
		{"wrong", `"x"`, 412},
		{"made weak by a proxy", "W/TAG", 200},
		{"with the coding of a proxy", `"x", TAG-gzip`, 200},
		{"not a tag", "TAGx", 412},
		{"empty", " ", 412},
	} {
		n++
		match := strings.ReplaceAll(tt.match, "TAG", tag)
		a := f.send(http.MethodPatch, at, fmt.Sprintf(`{"name":"n%d"}`, n), "If-Match", match)
		if a.StatusCode != tt.status {
			t.Errorf("%s: %d, want %d", tt.name, a.StatusCode, tt.status)
		}
		if tt.status == 412 && a.error(t).ErrorCode != "precondition_failed" {
			t.Errorf("%s: %s", tt.name, a.body)
		}
		now := f.send(http.MethodGet, at, "").Header.Get("ETag")
		if (now != tag) != (tt.status == 200) {
			t.Errorf("%s: the tag went from %s to %s", tt.name, tag, now)
		}
		tag = now
	}
	// A wrong body is reported before the condition.
	if a := f.send(http.MethodPatch, at, `{"name":1}`, "If-Match", `"x"`); a.StatusCode != http.StatusBadRequest {
		t.Errorf("bad body and wrong tag = %d, want 400", a.StatusCode)
	}
}

// Concurrent changes are applied in turn and never mixed.
func TestPatchesAtOnce(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A"}`)
	tag := f.send(http.MethodGet, at, "").Header.Get("ETag")
	var mu sync.Mutex
	dates, statuses := map[string]bool{}, map[int]int{}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			word := fmt.Sprintf("w%d", i)
			a := f.send(http.MethodPatch, at, fmt.Sprintf(`{"name":%q,"style":{"css":%q}}`, word, word))
			var form struct {
				Name    string
				Style   struct{ CSS string }
				Updated string `json:"updated_at"`
			}
			if err := json.Unmarshal([]byte(a.body), &form); err != nil || form.Name != word || form.Style.CSS != word {
				t.Errorf("PATCH %d answers %s", i, a.body)
			}
			one := f.send(http.MethodPatch, at, `{"languages":{"primary":"en"}}`, "If-Match", tag)
			mu.Lock()
			dates[form.Updated] = true
			statuses[one.StatusCode]++
			mu.Unlock()
		})
	}
	wg.Wait()
	if len(dates) != 50 {
		t.Errorf("50 changes have %d dates, want one each", len(dates))
	}
	if statuses[200] != 0 || statuses[412] != 50 {
		t.Errorf("with a stale tag: %v, want 412 each time", statuses)
	}
	var form struct {
		Name  string
		Style struct{ CSS string }
	}
	a := f.send(http.MethodGet, at, "")
	if err := json.Unmarshal([]byte(a.body), &form); err != nil || form.Name != form.Style.CSS {
		t.Errorf("the form mixes two bodies: %s", a.body)
	}
}

func TestList(t *testing.T) {
	f := newFixture(t)
	list := func(query string) answer { t.Helper(); return f.send(http.MethodGet, "/api/v2/forms"+query, "") }
	if a := list(""); a.body != "[]" {
		t.Errorf("empty list = %s, want []", a.body)
	}
	if a := list("?include_totals=true"); a.body != `{"forms":[],"limit":50,"start":0,"total":0}` {
		t.Errorf("empty list with totals = %s", a.body)
	}
	var ids []string
	for i := range 5 {
		ids = append(ids, f.create(fmt.Sprintf(`{"name":"F%d"}`, i)))
	}
	entry := func(i int) string {
		return fmt.Sprintf(`{"id":%q,"name":"F%d",`, ids[i], i) + dates
	}
	for query, want := range map[string]string{
		"?per_page=2":                                    "[" + entry(0) + "," + entry(1) + "]",
		"?per_page=2&page=2":                             "[" + entry(4) + "]",
		"?per_page=2&page=3":                             "[]",
		"?page=1000&per_page=100":                        "[]",
		"?per_page=1&page=3&include_totals=true":         `{"forms":[` + entry(3) + `],"limit":1,"start":3,"total":5}`,
		"?include_totals=true&page=9":                    `{"forms":[],"limit":50,"start":450,"total":5}`,
		"?per_page=1&hydrate=flow_count&hydrate[]=links": "[" + entry(0) + "]",
		"?per_page=1&include_totals=false":               "[" + entry(0) + "]",
	} {
		if a := list(query); a.StatusCode != http.StatusOK || a.body != want {
			t.Errorf("%s: %d %s, want %s", query, a.StatusCode, a.body, want)
		}
	}
	for _, query := range []string{
		"?page=-1", "?page=1001", "?page=x", "?per_page=0", "?per_page=101", "?include_totals=maybe", "?q=name:x",
		"?per_page=1&from=ap_1",
	} {
		if a := list(query); a.StatusCode != http.StatusBadRequest || a.error(t).ErrorCode != "invalid_query_string" {
			t.Errorf("%s: %d %s, want 400 invalid_query_string", query, a.StatusCode, a.body)
		}
	}
}

func TestDelete(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A"}`)
	if a := f.send(http.MethodDelete, at, ""); a.StatusCode != http.StatusNoContent || a.body != "" {
		t.Errorf("DELETE = %d %s, want 204", a.StatusCode, a.body)
	}
	for _, m := range []string{http.MethodGet, http.MethodDelete} {
		if a := f.send(m, at, ""); a.StatusCode != http.StatusNotFound || a.error(t).ErrorCode != "inexistent_form" {
			t.Errorf("%s afterwards = %d %s, want 404", m, a.StatusCode, a.body)
		}
	}
}

// Bodies of other media types or over the limit are refused.
func TestMediaTypesAndSizes(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A"}`)
	for _, tt := range []struct {
		name, body string
		header     []string
		status     int
	}{
		{"charset", `{}`, []string{"Content-Type", "application/json; charset=UTF-8"}, 200},
		{"identity", `{}`, []string{"Content-Encoding", "identity"}, 200},
		{"text", `{}`, []string{"Content-Type", "text/plain"}, 415},
		{"multipart", `{}`, []string{"Content-Type", "multipart/form-data; boundary=x"}, 415},
		{"utf-16", `{}`, []string{"Content-Type", "application/json; charset=utf-16"}, 415},
		{"merge patch", `{}`, []string{"Content-Type", "application/merge-patch+json"}, 415},
		{"no type", `{}`, []string{"Content-Type", ""}, 415},
		{"malformed type", `{}`, []string{"Content-Type", "application/json; charset"}, 415},
		{"compressed", `{}`, []string{"Content-Encoding", "gzip"}, 415},
		{"4 MiB", `{"style":{"css":"a"}}` + strings.Repeat(" ", schema.MaxBytes-21), nil, 200},
		{"4 MiB and one", `{"style":{"css":"a"}}` + strings.Repeat(" ", schema.MaxBytes-20), nil, 413},
	} {
		a := f.send(http.MethodPatch, at, tt.body, tt.header...)
		if a.StatusCode != tt.status {
			t.Errorf("%s: %d %.200s, want %d", tt.name, a.StatusCode, a.body, tt.status)
		}
		if tt.status != 200 {
			a.error(t)
		}
		if tt.status == 413 && a.Header.Get("Connection") != "close" {
			t.Errorf("%s: the connection stays open", tt.name)
		}
	}
}

// A form of exactly 4 MiB is within the limits, whatever the server adds to it, and can be changed afterwards.
func TestLargestFormIsTaken(t *testing.T) {
	f := newFixture(t)
	largest := func(n int) string {
		text := `{"name":"A","translations":{"de":{"x":""}}}`
		return strings.Replace(text, `""`, `"`+strings.Repeat("x", n-len(text))+`"`, 1)
	}
	if a := f.send(http.MethodPost, "/api/v2/forms", largest(schema.MaxBytes+1)); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("POST of 4 MiB and one = %d, want 413", a.StatusCode)
	}
	a := f.send(http.MethodPost, "/api/v2/forms", largest(schema.MaxBytes))
	if a.StatusCode != http.StatusCreated {
		t.Fatalf("POST of 4 MiB = %d %.200s, want 201", a.StatusCode, a.body)
	}
	at := a.Header.Get("Location")
	if a := f.send(http.MethodPatch, at, largest(schema.MaxBytes)); a.StatusCode != http.StatusOK {
		t.Errorf("PATCH with 4 MiB = %d %.200s, want 200", a.StatusCode, a.body)
	}
	if a := f.send(http.MethodPatch, at, `{"name":"B"}`); a.StatusCode != http.StatusOK {
		t.Errorf("PATCH of the largest form = %d %.200s, want 200", a.StatusCode, a.body)
	}
	many := `{"name":"A","translations":{"de":{"x":[` + strings.Repeat("1,", schema.MaxValues-6) + `1]}}}`
	if a := f.send(http.MethodPost, "/api/v2/forms", many); a.StatusCode != http.StatusCreated {
		t.Errorf("POST of as many values as may be = %d %.200s, want 201", a.StatusCode, a.body)
	}
}

// Patches that are each within the limits must not add up to a form that cannot be read again.
func TestGrowsNoFurther(t *testing.T) {
	f := newFixture(t)
	at := "/api/v2/forms/" + f.create(`{"name":"A"}`)
	big := strings.Repeat("x", 3<<20)
	if a := f.send(http.MethodPatch, at, `{"translations":{"de":{"x":"`+big+`"}}}`); a.StatusCode != http.StatusOK {
		t.Fatalf("first PATCH = %d", a.StatusCode)
	}
	nodes := `{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"u","condition":"` + big + `"}]}}]}`
	if a := f.send(http.MethodPatch, at, nodes); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("second PATCH = %d, want 413", a.StatusCode)
	}
	if a := f.send(http.MethodPatch, at, `{"translations":{"de":{"x":[`+strings.Repeat("1,", 150_000)+`1]}}}`); a.StatusCode != http.StatusOK {
		t.Fatalf("third PATCH = %d", a.StatusCode)
	}
	nodes = `{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"u","condition":[` + strings.Repeat("1,", 150_000) + `1]}]}}]}`
	if a := f.send(http.MethodPatch, at, nodes); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("PATCH to too many values = %d, want 413", a.StatusCode)
	}
	if a := f.send(http.MethodPatch, at, `{"translations":null}`); a.StatusCode != http.StatusOK {
		t.Errorf("last PATCH = %d %.200s, want 200", a.StatusCode, a.body)
	}
}

// The audit log names who changed what, and contains nothing of the content or the token.
func TestAudit(t *testing.T) {
	f := newFixture(t)
	id := f.create(`{"name":"secret name"}`)
	before := f.send(http.MethodGet, "/api/v2/forms/"+id, "").Header.Get("ETag")
	after := f.send(http.MethodPatch, "/api/v2/forms/"+id, `{"name":"secret too"}`).Header.Get("ETag")
	f.send(http.MethodDelete, "/api/v2/forms/"+id, "")
	log := f.log.String()
	if want := fmt.Sprintf(`"before":%q,"after":%q,"outcome":"done"`, before, after); !strings.Contains(log, want) {
		t.Errorf("log lacks %s:\n%s", want, log)
	}
	for _, want := range []string{`"form_created"`, `"form_deleted"`, `"id":"` + id, `"client_id":"global"`, `"sub":"u"`} {
		if !strings.Contains(log, want) {
			t.Errorf("log lacks %s:\n%s", want, log)
		}
	}
	if strings.Contains(log, "secret ") || strings.Contains(log, f.all) {
		t.Errorf("log holds content or token:\n%s", log)
	}
}

// The list of vault connections is empty on every page. Any other path below /flows is answered by 400.
func TestVaultConnections(t *testing.T) {
	f := newFixture(t)
	const path = "/api/v2/flows/vault/connections"
	if a := f.send(http.MethodGet, path+"?page=3&per_page=50&include_totals=true",
		""); a.body != `{"connections":[],"limit":50,"start":150,"total":0}` {
		t.Errorf("with totals: %d %s", a.StatusCode, a.body)
	}
	if a := f.send(http.MethodGet, path, ""); a.body != `[]` {
		t.Errorf("without: %d %s", a.StatusCode, a.body)
	}
	for target, want := range map[string]int{
		"/api/v2/flows/af_1/connections": http.StatusBadRequest, "/api/v2/flows/vault/others": http.StatusBadRequest,
		path + "?page=x": http.StatusBadRequest,
	} {
		if a := f.send(http.MethodGet, target, ""); a.StatusCode != want {
			t.Errorf("%s: %d %s, want %d", target, a.StatusCode, a.body, want)
		}
	}
	if a := f.send(http.MethodPost, path, `{}`); a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d, want 405", a.StatusCode)
	}
}

// A filter that does not exist must not be answered with all rows.
func TestFiltersRefused(t *testing.T) {
	f := newAdmin(t)
	for _, target := range []string{
		"/users?q=email:%22a%22", "/users?search_engine=v3&q=blocked:true&page=0", "/roles?name_filter=Admin", "/clients?app_type=spa",
		"/clients?is_first_party=true",
		"/resource-servers?identifiers=https://a/", "/logs?q=type:f", "/logs?from=log_1&take=10", "/roles/rol_a/users?from=x", "/flows?q=x",
	} {
		a := f.send(http.MethodGet, "/api/v2"+target, "")
		if a.StatusCode != http.StatusBadRequest || a.error(t).ErrorCode != "invalid_query_string" {
			t.Errorf("%s = %d %s, want 400", target, a.StatusCode, a.body)
		}
	}
	for _, target := range []string{
		"/users?sort=email:1&fields=email", "/clients?is_global=false&fields=name&include_fields=true",
		"/users?q=",
	} {
		if a := f.send(http.MethodGet, "/api/v2"+target, ""); a.StatusCode != http.StatusOK {
			t.Errorf("%s = %d %s, want it ignored", target, a.StatusCode, a.body)
		}
	}
}
