package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/porttest"
	"github.com/formgraph/formgraph/server/signintest"
)

// atForeign starts the editor in front of a foreign tenant.
func atForeign(t *testing.T, folder string, tenant *foreigntest.Tenant, service bool, more ...string) *running {
	t.Helper()
	args := append(tenant.Options(service), more...)
	if service {
		args = append(args, "--allow-email", "ana@team.example")
	}
	if !slices.Contains(args, "--listen") {
		args = append(args, "--listen", "127.0.0.1:0")
	}
	return start(t, folder, args...)
}

// enter signs in at a foreign tenant as its first person.
func (p *person) enter() {
	p.r.t.Helper()
	_, _, page := p.send("GET", p.r.at.Editor+"/bff/login?return_to=/forms", "")
	action, _, ok := signintest.Form(page)
	if !ok {
		p.r.t.Fatalf("no sign-in page: %s", page)
	}
	status, _, page := p.send("POST", p.r.at.Tenant+action, url.Values{"person": {"0"}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded")
	if status != 200 || !strings.Contains(page, "app-wasm-loader") {
		p.r.t.Fatalf("sign-in ended with %d: %s\n%s", status, page, p.r.log)
	}
}

// workOn lists, creates, reads, saves and deletes a form.
func (p *person) workOn(name string) {
	p.r.t.Helper()
	do := func(want int, method, path, body string, headers ...string) (http.Header, string) {
		p.r.t.Helper()
		status, h, text := p.app(method, path, body, headers...)
		if status != want {
			p.r.t.Fatalf("%s %s: %d %s\n%s", method, path, status, text, p.r.log)
		}
		return h, text
	}
	do(200, "GET", "/bff/api/forms", "")
	_, text := do(201, "POST", "/bff/api/forms", `{"name":"`+name+`"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		p.r.t.Fatal(err)
	}
	path := "/bff/api/forms/" + made.ID
	h, _ := do(200, "GET", path, "")
	if _, text = do(200, "PATCH", path, `{"name":"Saved"}`, "If-Match", h.Get("ETag")); !strings.Contains(text, `"Saved"`) {
		p.r.t.Errorf("saved %s", text)
	}
	do(204, "DELETE", path, "")
}

// schemes returns how the calls since the last one presented their tokens, and the distinct tokens.
func schemes(tenant *foreigntest.Tenant, from int) (names, tokens []string) {
	for _, c := range tenant.Calls()[from:] {
		names, tokens = append(names, c.Scheme), append(tokens, c.Token)
	}
	slices.Sort(names)
	slices.Sort(tokens)
	return slices.Compact(names), slices.Compact(tokens)
}

// The main job at a tenant that accepts bound tokens only, with a refresh before each call, and with a service client.
func TestBoundTokensAtATenantThatRequiresThem(t *testing.T) {
	for name, service := range map[string]bool{"person": false, "service client": true} {
		t.Run(name, func(t *testing.T) {
			tenant := foreigntest.Start(t, foreigntest.Traits{DPoP: true, TokenLife: 20 * time.Second, ThinIDTokens: true})
			r := atForeign(t, newData(t), tenant, service)
			p := r.person()
			p.enter()
			for range 5 {
				p.workOn("Bound")
			}
			names, tokens := schemes(tenant, 0)
			if !slices.Equal(names, []string{"DPoP"}) {
				t.Errorf("schemes %q", names)
			}
			if !service && len(tokens) < 5 {
				t.Errorf("%d tokens: none was refreshed", len(tokens))
			}
			stolen := tenant.Calls()[len(tenant.Calls())-1].Token
			for _, scheme := range []string{"Bearer ", "DPoP "} {
				status, h, body := p.send("GET", tenant.URL+"/api/v2/forms", "", "Authorization", scheme+stolen)
				if status != 401 || !strings.Contains(h.Get("WWW-Authenticate"), "invalid_dpop_proof") {
					t.Errorf("%s of a thief: %d %v %s", scheme, status, h, body)
				}
			}
			if status, _, body := p.app("POST", "/bff/logout", ""); status != 200 {
				t.Errorf("sign out: %d %s", status, body)
			}
			if status, _, _ := p.app("GET", "/bff/api/forms", ""); status != 401 {
				t.Errorf("after the sign-out: %d", status)
			}
			for _, secret := range append(tokens, "eyJhbGciOi", foreigntest.Secret) {
				if strings.Contains(r.log.String()+p.answers.String(), secret) {
					t.Errorf("%q is in the log or in an answer", secret)
				}
			}
		})
	}
}

func TestManyCallsBeforeTheFirstNonce(t *testing.T) {
	tenant := foreigntest.Start(t, foreigntest.Traits{DPoP: true})
	p := atForeign(t, newData(t), tenant, false).person()
	p.enter()
	var wait sync.WaitGroup
	statuses := make([]int, 20)
	for i := range statuses {
		// Each has its own record of answers.
		q := &person{r: p.r, client: p.client}
		wait.Go(func() { statuses[i], _, _ = q.app("GET", "/bff/api/forms", "") })
	}
	wait.Wait()
	if !slices.Equal(slices.Compact(statuses), []int{200}) {
		t.Errorf("statuses %v", statuses)
	}
	if _, tokens := schemes(tenant, 0); len(tokens) != 1 {
		t.Errorf("%d tokens: a refused proof led to a refresh", len(tokens))
	}
}

// Sessions continue when the option changes. Those without a key remain without one; those with a key continue without it.
func TestUpstreamDPoPIsTurnedOnAndOff(t *testing.T) {
	tenant := foreigntest.Start(t, foreigntest.Traits{OffersDPoP: true})
	folder := newData(t)
	at := porttest.Address(t)
	r := atForeign(t, folder, tenant, false, "--upstream-dpop", "off", "--listen", at)
	early, late := r.person(), r.person()
	early.enter()
	from := 0
	step := func(p *person, want ...string) {
		t.Helper()
		p.workOn("Turned")
		if got, _ := schemes(tenant, from); !slices.Equal(got, want) {
			t.Errorf("schemes %q, want %q", got, want)
		}
		from = len(tenant.Calls())
	}
	restart := func(option string) {
		t.Helper()
		r.stop()
		r = atForeign(t, folder, tenant, false, "--upstream-dpop", option, "--listen", at)
		early.r, late.r = r, r
	}
	step(early, "Bearer")
	restart("auto")
	step(early, "Bearer")
	late.enter()
	step(late, "DPoP")
	restart("off")
	step(late, "Bearer") // after a refresh
	step(early, "Bearer")
	restart("auto")
	step(late, "Bearer") // until its next refresh
}

func TestServiceClientAtATenantThatOffersBoundTokens(t *testing.T) {
	for option, want := range map[string]string{"auto": "DPoP", "off": "Bearer"} {
		tenant := foreigntest.Start(t, foreigntest.Traits{OffersDPoP: true})
		p := atForeign(t, newData(t), tenant, true, "--upstream-dpop", option).person()
		p.enter()
		p.workOn("By the service")
		if got, _ := schemes(tenant, 0); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: schemes %q", option, got)
		}
	}
}
