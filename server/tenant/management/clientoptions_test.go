package management_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestClientOptions(t *testing.T) {
	f := newAdmin(t)
	const none = `{"oidc_logout":{"backchannel_logout_urls":[]},"require_pushed_authorization_requests":false,` +
		`"require_proof_of_possession":false,"allowed_origins":[],"web_origins":[]}`
	m := f.do(t, "POST", "/clients", `{"name":"A"}`, 201)
	want(t, m, none)
	id, _ := m["client_id"].(string)
	all := `{"oidc_logout":{"backchannel_logout_urls":["https://a.example/bc?x=1"]},"require_pushed_authorization_requests":true,` +
		`"require_proof_of_possession":true,"allowed_origins":["https://a.example","http://localhost:3000"],"web_origins":["http://[::1]:8080"]}`
	second := f.do(t, "POST", "/clients", `{"name":"B",`+all[1:], 201)
	want(t, second, all)
	row, err := f.store.Client(t.Context(), fmt.Sprint(second["client_id"]))
	if err != nil || row.BackchannelURI != "https://a.example/bc?x=1" || !row.RequirePushed || !row.RequireDPoP {
		t.Errorf("kept = %+v, %v", row, err)
	}
	// One after the other, and each leaves the others.
	for _, tt := range []struct{ body, after string }{
		{
			`{"oidc_logout":{"backchannel_logout_urls":["http://localhost:9/bc"]}}`,
			`{"oidc_logout":{"backchannel_logout_urls":["http://localhost:9/bc"]},"require_pushed_authorization_requests":false}`,
		},
		{
			`{"require_pushed_authorization_requests":true}`,
			`{"oidc_logout":{"backchannel_logout_urls":["http://localhost:9/bc"]},"require_pushed_authorization_requests":true,` +
				`"require_proof_of_possession":false}`,
		},
		{
			`{"require_proof_of_possession":true,"name":"C"}`,
			`{"name":"C","require_pushed_authorization_requests":true,"require_proof_of_possession":true}`,
		},
		{`{"oidc_logout":{}}`, `{"oidc_logout":{"backchannel_logout_urls":["http://localhost:9/bc"]}}`},
		{`{"description":"x"}`, `{"oidc_logout":{"backchannel_logout_urls":["http://localhost:9/bc"]},"require_proof_of_possession":true}`},
		{`{"oidc_logout":null}`, `{"oidc_logout":{"backchannel_logout_urls":[]},"require_proof_of_possession":true}`},
		{
			`{"oidc_logout":{"backchannel_logout_urls":["https://b.example/"]}}`,
			`{"oidc_logout":{"backchannel_logout_urls":["https://b.example/"]}}`,
		},
		{
			`{"allowed_origins":["https://a.example"]}`,
			`{"allowed_origins":["https://a.example"],"web_origins":[],"require_proof_of_possession":true}`,
		},
		{`{"web_origins":["https://b.example:8443"],"allowed_origins":[]}`, `{"allowed_origins":[],"web_origins":["https://b.example:8443"]}`},
		{`{"name":"D"}`, `{"allowed_origins":[],"web_origins":["https://b.example:8443"]}`},
		{`{"oidc_logout":{"backchannel_logout_urls":[]},"require_proof_of_possession":false,"require_pushed_authorization_requests":false,` +
			`"web_origins":[]}`, none},
	} {
		want(t, f.do(t, "PATCH", "/clients/"+id, tt.body, 200), tt.after)
		want(t, f.do(t, "GET", "/clients/"+id, "", 200), tt.after)
	}
	want(t, f.do(t, "POST", fmt.Sprint("/clients/", second["client_id"], "/rotate-secret"), "", 200), all)
	list := f.do(t, "GET", "/clients?include_totals=true&per_page=100", "", 200)
	rows, _ := list["clients"].([]any)
	found := false
	for _, r := range rows {
		if row, _ := r.(map[string]any); row["client_id"] == second["client_id"] {
			found = true
			want(t, row, all)
		}
	}
	if !found {
		t.Errorf("the list has no second client: %v", list)
	}
}

func TestClientOptionsRefused(t *testing.T) {
	f := newAdmin(t)
	for body, path := range map[string]string{
		`{"oidc_logout":{"backchannel_logout_urls":["https://a/","https://b/"]}}`:            "oidc_logout.backchannel_logout_urls[1]",
		`{"oidc_logout":{"backchannel_logout_urls":["http://a.example/"]}}`:                  "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["https://169.254.169.254/latest"]}}`:     "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["https://[::ffff:169.254.169.254]/x"]}}`: "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["http://0.0.0.0/"]}}`:                    "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["https://[::ffff:0.0.0.0]/"]}}`:          "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["https://u@a/"]}}`:                       "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["https://a/#x"]}}`:                       "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["/bc"]}}`:                                "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_urls":["app:bc"]}}`:                             "oidc_logout.backchannel_logout_urls[0]",
		`{"oidc_logout":{"backchannel_logout_initiators":{}}}`:                               "oidc_logout.backchannel_logout_initiators",

		`{"allowed_origins":null}`:                         "allowed_origins",
		`{"web_origins":"https://a"}`:                      "web_origins",
		`{"web_origins":[""]}`:                             "web_origins[0]",
		`{"allowed_origins":["*"]}`:                        "allowed_origins[0]",
		`{"allowed_origins":["null"]}`:                     "allowed_origins[0]",
		`{"allowed_origins":["https://a","https://*.b"]}`:  "allowed_origins[1]",
		`{"allowed_origins":["https://a/"]}`:               "allowed_origins[0]",
		`{"allowed_origins":["https://a?x"]}`:              "allowed_origins[0]",
		`{"allowed_origins":["https://a#x"]}`:              "allowed_origins[0]",
		`{"allowed_origins":["https://u@a"]}`:              "allowed_origins[0]",
		`{"allowed_origins":["https://A"]}`:                "allowed_origins[0]",
		`{"allowed_origins":["https://a:443"]}`:            "allowed_origins[0]",
		`{"allowed_origins":["https://a:"]}`:               "allowed_origins[0]",
		`{"allowed_origins":["https://a:x"]}`:              "allowed_origins[0]",
		`{"allowed_origins":["http://a"]}`:                 "allowed_origins[0]",
		`{"allowed_origins":["http://localhost:80"]}`:      "allowed_origins[0]",
		`{"allowed_origins":["http://localhost.evil.de"]}`: "allowed_origins[0]",
		`{"allowed_origins":["app://a"]}`:                  "allowed_origins[0]",
		`{"allowed_origins":["//a"]}`:                      "allowed_origins[0]",
		`{"allowed_origins":["a.example"]}`:                "allowed_origins[0]",
		`{"allowed_origins":["https://ä.example"]}`:        "allowed_origins[0]",

		`{"require_proof_of_possession":1}`:              "require_proof_of_possession",
		`{"require_pushed_authorization_requests":null}`: "require_pushed_authorization_requests",
	} {
		for _, call := range []string{"PATCH /clients/local", "POST /clients"} {
			method, at, _ := strings.Cut(call, " ")
			sent := body
			if method == "POST" {
				sent = `{"name":"A",` + body[1:]
			}
			a := f.send(method, "/api/v2"+at, sent)
			if e := a.error(t); a.StatusCode != http.StatusBadRequest || len(e.Problems) != 1 || e.Problems[0].Path != path {
				t.Errorf("%s %s = %d %s, want a problem at %s", call, sent, a.StatusCode, a.body, path)
			}
		}
	}
	a := f.send(http.MethodPatch, "/api/v2/clients/reserved", `{"require_proof_of_possession":true}`)
	if a.StatusCode != http.StatusBadRequest || a.error(t).ErrorCode != "operation_not_supported" {
		t.Errorf("the tenant's own client = %d %s", a.StatusCode, a.body)
	}
	for _, id := range []string{"local", "reserved"} {
		if got, err := f.store.Client(t.Context(), id); err != nil || got.BackchannelURI != "" || got.RequirePushed || got.RequireDPoP {
			t.Errorf("%s = %+v, %v, want no options", id, got, err)
		}
	}
}
