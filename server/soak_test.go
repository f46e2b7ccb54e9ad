package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/signintest"
)

// soakTime is how long the test lasts: FORMGRAPH_SOAK, which `make soak` can set. Two rounds of everybody end first, and with -short only
// they do.
func soakTime(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("FORMGRAPH_SOAK")
	if text == "" {
		return sizetest.Of(0, time.Nanosecond, 30*time.Second)
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > 12*time.Hour {
		t.Fatalf("FORMGRAPH_SOAK is %q, want a time from 1s to 12h", text)
	}
	return d
}

const (
	soakPace    = time.Second            // between two rounds of a person
	soakAttack  = 20 * time.Millisecond  // between two requests of each kind of attack
	soakRefused = 100 * time.Millisecond // after a refusal of an eager one
)

// TestHostileTraffic starts the server as a process and lets people at different addresses sign in, refresh and save,
// first alone and then while a stranger at one address tries to shut them out. None of them may be refused. It prints how much
// longer they wait.
func TestHostileTraffic(t *testing.T) {
	total := soakTime(t)
	s := startProcess(t)
	people := s.people(sizetest.Of(0, 5, 20))
	for _, p := range people {
		p.form = p.newForm()
	}
	quiet := s.measure(people, total/4)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	attacks := s.attacks(people)
	for _, a := range attacks {
		wg.Go(func() { a.run(ctx) })
	}
	loud := s.measure(people, total-total/4)
	cancel()
	wg.Wait()
	t.Logf("%-8s %8s %12s %12s %8s %12s %12s %8s", "step", "rounds", "p50 alone", "p50 attack", "ratio", "p95 alone", "p95 attack", "ratio")
	for _, step := range soakSteps {
		a, b := quiet[step], loud[step]
		if len(a) == 0 || len(b) == 0 {
			t.Fatalf("no one got to %s", step)
		}
		t.Logf("%-8s %8d %12v %12v %8.2f %12v %12v %8.2f", step, len(b), at(a, 50), at(b, 50), ratio(a, b, 50), at(a, 95), at(b, 95),
			ratio(a, b, 95))
	}
	tellAttacks(t, talliesOf(attacks, true))
}

// tellAttacks prints what attacks have done. Each must have done something.
func tellAttacks(t *testing.T, attacks []tally) {
	t.Helper()
	for _, a := range attacks {
		t.Logf("attack %-28s %6d requests, answers %v", a.Name, a.Sent, a.Answers)
		if a.Sent == 0 {
			t.Errorf("the attack %s did nothing", a.Name)
		}
	}
}

var soakSteps = []string{"sign-in", "refresh", "save"}

// latencies are how long each step took, by its name.
type latencies map[string][]time.Duration

func at(all []time.Duration, percent int) time.Duration {
	slices.Sort(all)
	return all[len(all)*percent/100].Round(100 * time.Microsecond)
}

func ratio(a, b []time.Duration, percent int) float64 {
	return float64(at(b, percent)) / float64(at(a, percent))
}

// soak is a server process on loopback.
type soak struct {
	t     testing.TB
	at    addresses
	first firstStart
}

func startProcess(tb testing.TB, args ...string) *soak {
	tb.Helper()
	c := launch(tb, newData(tb), append([]string{"--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0"}, args...)...)
	tb.Cleanup(func() { must(tb, c.drain()) })
	return &soak{t: tb, at: c.at, first: c.first(tb)}
}

// visitor is a browser, or a program, on an address of its own.
type visitor struct {
	s      *soak
	client *http.Client
}

func (s *soak) visitor(address string) *visitor {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: waittest.Limit(10 * time.Second)}
	return &visitor{s, &http.Client{
		Jar: signintest.NewJar(), Timeout: waittest.Limit(30 * time.Second),
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, to string) (net.Conn, error) {
			_, port, err := net.SplitHostPort(to)
			if err != nil {
				return nil, err
			}
			return dialer.DialContext(ctx, "tcp4", "127.0.0.1:"+port)
		}},
	}}
}

// exchange sends a request and returns the answer at the end of all redirects.
func (v *visitor) exchange(ctx context.Context, method, to, body string, headers ...string) (int, http.Header, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(body))
	if err != nil {
		return 0, nil, "", err
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := v.client.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	return res.StatusCode, res.Header, string(text), err
}

// send is exchange without the header of the answer.
func (v *visitor) send(ctx context.Context, method, to, body string, headers ...string) (int, string, error) {
	status, _, text, err := v.exchange(ctx, method, to, body, headers...)
	return status, text, err
}

func (v *visitor) app(ctx context.Context, method, path, body string, want int) (string, error) {
	status, text, err := v.send(ctx, method, v.s.at.Editor+path, body, "X-CSRF", "1", "Origin", v.s.at.Editor, "Content-Type",
		"application/json")
	if err == nil && status != want {
		err = fmt.Errorf("%s %s is answered %d, not %d: %.300s", method, path, status, want, text)
	}
	return text, err
}

// resident is one of the people.
type resident struct {
	*visitor

	email, form string
	rounds      int
}

const soakPassword = "correct horse battery staple"

// people makes n people, each with a browser in which they signed in by password.
func (s *soak) people(n int) []*resident {
	s.t.Helper()
	call := s.manager()
	var roles []struct{ ID, Name string }
	call("GET", "/roles", "", &roles)
	editor := slices.IndexFunc(roles, func(r struct{ ID, Name string }) bool { return r.Name == "Editor" })
	if editor < 0 {
		s.t.Fatalf("there is no role Editor among %v", roles)
	}
	var all []*resident
	for i := range n {
		all = append(all, s.resident(call, fmt.Sprintf("127.0.1.%d", i+1), fmt.Sprintf("P%d", i), roles[editor].ID))
	}
	return all
}

// manage makes a request of the management API, and fails the test unless it succeeds.
type manage func(method, path, body string, into any)

func (s *soak) manager() manage {
	s.t.Helper()
	admin, token := s.visitor("127.0.0.1"), s.token()
	return func(method, path, body string, into any) {
		s.t.Helper()
		status, text, err := admin.send(s.t.Context(), method, s.at.Tenant+"/api/v2"+path, body, "Authorization", "Bearer "+token, "Content-Type",
			"application/json")
		if err != nil || status >= 300 {
			s.t.Fatalf("%s %s: %d %s %v", method, path, status, text, err)
		}
		if into != nil {
			must(s.t, json.Unmarshal([]byte(text), into))
		}
	}
}

// resident makes a person with a role, who signs in at an address.
func (s *soak) resident(call manage, address, name, role string) *resident {
	s.t.Helper()
	p := &resident{visitor: s.visitor(address), email: strings.ToLower(name) + "@example.com"}
	var user struct {
		ID string `json:"user_id"`
	}
	call("POST", "/users", fmt.Sprintf(`{"email":%q,"name":%q,"password":%q,"connection":"Username-Password-Authentication"}`,
		p.email, name, soakPassword), &user)
	call("POST", "/users/"+user.ID+"/roles", `{"roles":["`+role+`"]}`, nil)
	must(s.t, p.signIn(s.t.Context(), soakPassword))
	return p
}

// newForm creates a form and returns its ID.
func (p *resident) newForm() string {
	p.s.t.Helper()
	text, err := p.app(p.s.t.Context(), "POST", "/bff/api/forms", `{"name":"Soak"}`, http.StatusCreated)
	must(p.s.t, err)
	var form struct{ ID string }
	must(p.s.t, json.Unmarshal([]byte(text), &form))
	return form.ID
}

func (s *soak) token() string {
	s.t.Helper()
	body, err := json.Marshal(map[string]string{
		"grant_type": "client_credentials", "client_id": s.first.Management.ID, "client_secret": s.first.Management.Secret,
		"audience": s.at.Tenant + "/api/v2/",
	})
	must(s.t, err)
	status, text, err := s.visitor("127.0.0.1").send(s.t.Context(), "POST", s.at.Tenant+"/oauth/token", string(body), "Content-Type",
		"application/json")
	var got struct {
		Token string `json:"access_token"`
	}
	if err != nil || status != http.StatusOK || json.Unmarshal([]byte(text), &got) != nil {
		s.t.Fatalf("token: %d %s %v", status, text, err)
	}
	return got.Token
}

// signIn goes the way of a browser, by the tenant's page where it is shown.
func (v *visitor) page(ctx context.Context) (to string, fields url.Values, err error) {
	_, text, err := v.send(ctx, "GET", v.s.at.Editor+"/bff/login", "", "Accept", "text/html")
	if err != nil {
		return "", nil, err
	}
	action, fields, ok := signintest.Form(text)
	if !ok {
		return "", nil, fmt.Errorf("there is no sign-in page: %.300s", text)
	}
	return v.s.at.Tenant + action, fields, nil
}

const soakForm = "application/x-www-form-urlencoded"

func (p *resident) signIn(ctx context.Context, password string) error {
	to, fields, err := p.page(ctx)
	if err != nil {
		return err
	}
	fields.Set("email", p.email)
	fields.Set("password", password)
	status, text, err := p.send(ctx, "POST", to, fields.Encode(), "Content-Type", soakForm, "Accept", "text/html")
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the sign-in of %s ends with %d: %.600s", p.email, status, text)
	}
	return err
}

// round signs in anew, by password in every tenth round, gets the account's token by a refresh, and saves.
func (p *resident) round(ctx context.Context, took func(step string, d time.Duration)) error {
	p.rounds++
	timed := func(step string, do func() error) error {
		from := time.Now()
		if err := do(); err != nil {
			return fmt.Errorf("%s, round %d of %s: %w", step, p.rounds, p.email, err)
		}
		took(step, time.Since(from))
		return nil
	}
	if p.rounds%10 == 0 {
		// A browser that was never here before, so that the page asks for the password.
		p.client.Jar = signintest.NewJar()
		if err := p.signIn(ctx, soakPassword); err != nil {
			return err
		}
	}
	return errors.Join(
		timed("sign-in", func() error {
			status, text, err := p.send(ctx, "GET", p.s.at.Editor+"/bff/login", "", "Accept", "text/html")
			if err == nil && (status != http.StatusOK || asksToSignIn(text)) {
				err = fmt.Errorf("the sign-in ends with %d: %.600s", status, text)
			}
			return err
		}),
		timed("refresh", func() error {
			_, err := p.app(ctx, "GET", "/bff/api/me/sessions", "", http.StatusOK)
			return err
		}),
		timed("save", func() error {
			_, err := p.app(ctx, "PATCH", "/bff/api/forms/"+p.form, fmt.Sprintf(`{"name":"Soak %d"}`, p.rounds), http.StatusOK)
			return err
		}),
	)
}

// measure lets all people make rounds for a time, and at least two.
func (s *soak) measure(people []*resident, d time.Duration) latencies {
	s.t.Helper()
	out := latencies{}
	var mu sync.Mutex
	took := func(step string, d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		out[step] = append(out[step], d)
	}
	end := time.Now().Add(d)
	var wg sync.WaitGroup
	for i, p := range people {
		wg.Go(func() {
			tick := time.NewTicker(soakPace)
			defer tick.Stop()
			// They do not all come at once.
			first := time.After(time.Duration(i) * soakPace / time.Duration(len(people)))
			for n := 0; n < 2 || time.Now().Before(end); n++ {
				select {
				case <-first:
				case <-tick.C:
				case <-s.t.Context().Done():
					return
				}
				if err := p.round(s.t.Context(), took); err != nil {
					s.t.Errorf("a person is refused: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	return out
}
