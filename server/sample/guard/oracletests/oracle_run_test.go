package oracletests

import (
	"flag"
	"fmt"
	random "math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var (
	requests = flag.Int("requests", 20_000, "how many random requests are sent to the guard and to the vendor's")
	seed     = flag.Uint64("seed", 1, "what the random requests are made from")
)

// The sizes of a run. A round has its own guards, with empty memories and no keys.
const (
	runRequests   = 10_000
	roundRequests = 500
)

// tally counts what was seen.
type tally struct {
	mu                                  sync.Mutex
	sent, passed, refused, ours, vendor int // ours: only the guard lets them pass
	by                                  [exceptions]int
}

// The guard lets pass exactly what the oracle lets pass, and where the vendor's middleware decides or answers differently, an exception
// explains it. Every exception is needed.
func TestOracle(t *testing.T) {
	keys()
	var seen tally
	t.Run("runs", func(t *testing.T) {
		for i := range (*requests + runRequests - 1) / runRequests {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { run(t, &seen, uint64(i)) })
			})
		}
	})
	t.Logf("%d requests: %d pass, %d are refused by both; %d pass here only, %d at the vendor's only",
		seen.sent, seen.passed, seen.refused, seen.ours, seen.vendor)
	for e := range exceptions {
		t.Logf("%7d  %2d %s", seen.by[e], e+1, text[e].vendors)
		if seen.by[e] == 0 {
			t.Errorf("exception %d explains nothing: %s", e+1, text[e].vendors)
		}
	}
}

// run sends the requests of one pool, in rounds. The clock is that of the bubble, which does not advance by itself.
func run(t *testing.T, seen *tally, number uint64) {
	t.Helper()
	r := random.New(random.NewPCG(*seed, number))
	p := newPool(r)
	var counted tally
	o := newOracle()
	for round := range runRequests / roundRequests {
		at := &tenant{published: []string{"k1", "k2"}, down: round%10 == 9}
		s := newSides(t, at)
		o.used, o.published, o.cached = map[string]bool{}, at.published, at.published
		turn := -1
		if round%5 == 1 {
			turn = roundRequests / 4
		}
		for i := range roundRequests {
			if i == turn { // k2 goes, k3 comes
				at.published = []string{"k1", "k3"}
				o.published = at.published
				time.Sleep(31 * time.Second)
			}
			if i == turn || i == 0 && !at.down { // the keys are fetched
				for m := range modes {
					compare(t, &counted, o, s, p.good(at.published[1], m), at.down)
				}
			}
			compare(t, &counted, o, s, p.request(), at.down)
		}
		time.Sleep(time.Second)
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	seen.sent, seen.passed, seen.refused = seen.sent+counted.sent, seen.passed+counted.passed, seen.refused+counted.refused
	seen.ours, seen.vendor = seen.ours+counted.ours, seen.vendor+counted.vendor
	for e := range exceptions {
		seen.by[e] += counted.by[e]
	}
}

// compare sends a request to both sides and judges the answers.
func compare(t *testing.T, c *tally, o *oracle, s *sides, q *request, down bool) {
	t.Helper()
	ours, vendors := q.send(s.ours[q.mode]), q.send(s.vendors[q.mode])
	c.sent++
	want, proof := o.accepts(q, 0)
	theirs, _ := o.accepts(q, all)
	if down {
		want, theirs = false, false
	}
	if want && proof != "" {
		defer func() { o.used[proof] = true }()
	}
	if ours.passed() != want {
		t.Errorf("the guard answers %d, the oracle says %v: %s", ours.status, want, q)
	}
	if vendors.passed() != theirs {
		t.Errorf("the vendor answers %d, with all exceptions it is %v: %s %s", vendors.status, theirs, q, vendors.body.String())
	}
	if !fixed(q, ours, down) {
		t.Errorf("the guard answers %d %q: %s", ours.status, ours.header["Www-Authenticate"], q)
	}
	var why set
	switch {
	case ours.passed() && vendors.passed():
		c.passed++
		return
	case ours.passed() != vendors.passed():
		why = o.because(q)
		if why == 0 {
			t.Errorf("nothing explains %d here and %d at the vendor's: %s", ours.status, vendors.status, q)
		}
		c.vendor++
		if ours.passed() {
			c.vendor--
			c.ours++
			if still, _ := o.accepts(q, known); still {
				t.Errorf("no known defect explains that only the guard lets pass: %s", q)
			}
		}
	default:
		c.refused++
	}
	if !ours.passed() && !vendors.passed() {
		more, explained := q.unlike(ours, vendors, down)
		if !explained {
			t.Errorf("nothing explains %d here and %d at the vendor's: %s %s", ours.status, vendors.status, q, vendors.body.String())
		}
		why |= more
	}
	why.each(func(e exception) { c.by[e]++ })
}

// reason is the reason in a challenge: words that need no escapes.
var reason = regexp.MustCompile(`, error_description="The (access token|proof) is not accepted: [-A-Za-z0-9 ,_+]+\."`)

// fixed reports whether an answer is one of the guard's few answers and is allowed for the request: a refusal is 401, except for a request
// that is malformed whatever its content, and for a tenant without keys.
func fixed(q *request, a *answer, down bool) bool {
	bare := map[mode]string{
		allowed:  `Bearer realm="api", DPoP algs="ES256"`,
		disabled: `Bearer realm="api"`,
		required: `DPoP algs="ES256"`,
	}[q.mode]
	c := a.header.Get("WWW-Authenticate")
	if a.status == http.StatusUnauthorized && c != bare {
		if !reason.MatchString(c) {
			return false
		}
		c = reason.ReplaceAllString(c, "")
	}
	switch a.status {
	case http.StatusOK:
		return c == ""
	case http.StatusUnauthorized:
		return c == bare || c == `DPoP error="invalid_dpop_proof", algs="ES256"` ||
			c == `DPoP error="invalid_token", algs="ES256"` || c == `Bearer realm="api", error="invalid_token"`
	case http.StatusBadRequest:
		return c == bare && (len(q.auth) > 1 || q.mode == allowed && len(q.proofs) > 0)
	case http.StatusServiceUnavailable:
		return c == "" && down
	}
	return false
}

// String describes the request for people, with the content of its token and proof.
func (q *request) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mode %d %s %s at %s\n", q.mode, q.method, q.target, q.host)
	show := func(what, s string) {
		_, jws, _ := strings.Cut(s, " ")
		if what == "proof" {
			jws = s
		}
		d, _, _ := split(strings.TrimSpace(jws))
		fmt.Fprintf(&b, "\t%s %.40q head %.300v body %.400v\n", what, s, fmt.Sprint(d.head), fmt.Sprint(d.body))
	}
	for _, a := range q.auth {
		show("auth", a)
	}
	for _, p := range q.proofs {
		show("proof", p)
	}
	return b.String()
}
