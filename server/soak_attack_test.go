package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/formgraph/formgraph/server/signintest"
	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

// attack is one kind of hostile request, again and again from one address.
type attack struct {
	name string
	v    *visitor
	do   func(ctx context.Context, v *visitor, n int) (status int, err error)
	// eager attacks go on at once after what was accepted, and soakRefused after what was refused, on each of their connections. The others always
	// wait soakAttack. Otherwise they would only use up the processors of the test, which those of a real attacker are not.
	eager   bool
	sent    atomic.Int64
	answers map[int]int // by status
}

// tally is what an attack has done. Its Answers are known after its end.
type tally struct {
	Name    string
	Sent    int64
	Answers map[int]int // by status
}

func talliesOf(attacks []*attack, ended bool) (all []tally) {
	for _, a := range attacks {
		t := tally{Name: a.name, Sent: a.sent.Load()}
		if ended {
			t.Answers = a.answers
		}
		all = append(all, t)
	}
	return all
}

// maxAttack bounds the requests of an attack, however long the test lasts.
const maxAttack = 10_000_000

func (a *attack) run(ctx context.Context) {
	if a.answers == nil {
		a.answers = map[int]int{}
	}
	tick := time.NewTicker(soakAttack)
	defer tick.Stop()
	for n := int(a.sent.Load()); n < maxAttack; n = int(a.sent.Add(1)) {
		status, err := a.do(ctx, a.v, n)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			status = 0 // the connection failed
		}
		a.answers[status]++
		next := tick.C
		if a.eager {
			if status/100 == 2 {
				continue
			}
			next = time.After(soakRefused)
		}
		select {
		case <-ctx.Done():
			return
		case <-next:
		}
	}
}

// attacker is the address that all attacks of one person come from, and nextAttacker that of another one.
const attacker, nextAttacker = "127.0.2.1", "127.0.2.2"

// attacks are what a stranger without an account does, who knows the addresses, the id of a public client, and the
// e-mail addresses of people.
func (s *soak) attacks(people []*resident) []*attack {
	s.t.Helper()
	public := s.publicClient()
	prover := tokenstest.New(s.t)
	token := s.at.Tenant + "/oauth/token"
	form := func(ctx context.Context, v *visitor, to string, values url.Values, headers ...string) (int, error) {
		status, _, err := v.send(ctx, "POST", to, values.Encode(), append(headers, "Content-Type", soakForm)...)
		return status, err
	}
	get := func(ctx context.Context, v *visitor, path string) (int, error) {
		status, _, err := v.send(ctx, "GET", s.at.Editor+path, "")
		return status, err
	}
	all := []*attack{
		{name: "sign-in starts", do: func(ctx context.Context, v *visitor, _ int) (int, error) { return get(ctx, v, "/bff/login") }},
		{name: "callbacks with errors", do: func(ctx context.Context, v *visitor, n int) (int, error) {
			return s.callback(ctx, v, "error=x", n)
		}},
		{name: "callbacks with made-up codes", do: func(ctx context.Context, v *visitor, n int) (int, error) {
			return s.callback(ctx, v, "code=made-up-"+fmt.Sprint(n), n)
		}},
		{name: "logout tokens", do: func(ctx context.Context, v *visitor, n int) (int, error) {
			return form(ctx, v, s.at.Editor+"/bff/backchannel", url.Values{"logout_token": {s.madeUp(n)}})
		}},
		{name: "wrong passwords", do: func(ctx context.Context, v *visitor, n int) (int, error) {
			to, fields, err := v.page(ctx)
			if err != nil {
				return 429, nil //nolint:nilerr // no page is shown to a network that comes too often
			}
			fields.Set("email", people[n%len(people)].email)
			fields.Set("password", fmt.Sprint("wrong ", n))
			return form(ctx, v, to, fields)
		}},
		{name: "pushed requests", do: func(ctx context.Context, v *visitor, _ int) (int, error) {
			return form(ctx, v, s.at.Tenant+"/oauth/par", url.Values{
				"client_id": {public}, "redirect_uri": {"https://spa.example/cb"}, "response_type": {"code"}, "scope": {"openid"},
				"code_challenge": {strings.Repeat("a", 43)}, "code_challenge_method": {"S256"}, "state": {strings.Repeat("s", 2000)},
			})
		}},
		{name: "proofs", do: func(ctx context.Context, v *visitor, _ int) (int, error) {
			return form(ctx, v, token, url.Values{"client_id": {public}, "grant_type": {"refresh_token"}, "refresh_token": {"x"}},
				"DPoP", prover.Proof("POST", token, "", time.Now()))
		}},
		{name: "the editor's client", do: func(ctx context.Context, v *visitor, _ int) (int, error) {
			return form(ctx, v, token, url.Values{
				"client_id": {"formgraph-editor"}, "client_secret": {"x"}, "grant_type": {"authorization_code"},
				"code": {"x"},
			})
		}},
	}
	for _, a := range all {
		a.v = s.visitor(attacker)
	}
	return all
}

// callback begins a sign-in and ends it with what a stranger made up.
func (s *soak) callback(ctx context.Context, v *visitor, answer string, n int) (int, error) {
	if n%50 == 0 { // his browser forgets, so that sign-ins do not pile up in it
		v.client.Jar = signintest.NewJar()
	}
	state := ""
	follow := v.client.CheckRedirect
	v.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		state = r.URL.Query().Get("state")
		return http.ErrUseLastResponse
	}
	status, _, err := v.send(ctx, "GET", s.at.Editor+"/bff/login", "")
	v.client.CheckRedirect = follow
	if err != nil || status != http.StatusFound {
		return status, err
	}
	status, _, err = v.send(ctx, "GET", s.at.Editor+"/bff/callback?"+answer+"&state="+url.QueryEscape(state)+
		"&iss="+url.QueryEscape(s.at.Tenant), "")
	return status, err
}

// madeUp is a logout token by a key that does not exist.
func (s *soak) madeUp(n int) string {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	return part(fmt.Sprintf(`{"alg":"RS256","typ":"logout+jwt","kid":"made-up-%d"}`, n)) + "." +
		part(fmt.Sprintf(`{"iss":%q,"aud":"formgraph-editor","jti":"%d"}`, s.at.Tenant, n)) + "." + part(strings.Repeat("x", 256))
}

// publicClient makes the client whose id the stranger knows.
func (s *soak) publicClient() string {
	s.t.Helper()
	status, text, err := s.visitor("127.0.0.1").send(s.t.Context(), "POST", s.at.Tenant+"/api/v2/clients",
		`{"name":"Spa","app_type":"spa","token_endpoint_auth_method":"none","grant_types":["authorization_code","refresh_token"],`+
			`"callbacks":["https://spa.example/cb"]}`,
		"Authorization", "Bearer "+s.token(), "Content-Type", "application/json")
	if err != nil || status != http.StatusCreated {
		s.t.Fatalf("make client: %d %s %v", status, text, err)
	}
	_, id, _ := strings.Cut(text, `"client_id":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}
