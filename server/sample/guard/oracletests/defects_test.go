package oracletests

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// shown is one request for which a single exception makes the difference.
type shown struct {
	token, proof func(d *draft)
	request      func(q *request)
	mode         mode
	bearer       bool
	path         string // "" means /x
	htu          string // "" means the address of the path
	twice        bool   // the second answers count
	down, turned bool   // the tenant cannot be reached; it has another key since the first request
	want         [2]int // of the guard, of the vendor's
}

// lastBit sets the last bit of a text's base64, which is beyond the bytes that it stands for: 256 and 64 bytes
// leave four bits over.
func lastBit(s string) string {
	return s[:len(s)-1] + map[string]string{"A": "B", "Q": "R", "g": "h", "w": "x"}[s[len(s)-1:]]
}

// Each exception alone: the guard's answer, and the vendor's.
func TestExceptions(t *testing.T) {
	token := func(name string, v any) func(*draft) {
		return func(d *draft) {
			if v == nil {
				delete(d.body, name)
				return
			}
			d.body[name] = v
		}
	}
	header := func(name string, v any) func(*draft) { return func(d *draft) { d.head[name] = v } }
	rows := map[exception][]shown{
		queryCompared: {
			{path: "/x?a=1", htu: "/x", want: [2]int{200, 400}},
			{path: "/x?a=1", htu: "/x?a=1", want: [2]int{200, 200}},
			{htu: "/x?q#f", want: [2]int{200, 400}},
		},
		pathDecoded: {
			{path: "/forms/a%20b", want: [2]int{200, 400}},
			{path: "/forms/a%2Fb", htu: "/forms/a/b", want: [2]int{401, 200}},
			{path: "/forms/a%2Fb", htu: "/forms/a%2Fb", want: [2]int{200, 400}},
		},
		notNormalized: {
			{proof: token("htu", "HTTP://API.Example:80/x"), want: [2]int{200, 400}},
			{htu: "/y/../x", want: [2]int{200, 400}},
			{htu: "/%78", want: [2]int{200, 400}},
		},
		replay:     {{twice: true, want: [2]int{401, 200}}},
		privateKey: {{proof: func(d *draft) { d.jwk()["d"] = encode(must(keys().senders[0].Bytes())) }, want: [2]int{401, 200}}},
		otherAlgorithms: {
			{
				token: token("cnf", object{"jkt": thumbprintOf(keys().small)}),
				proof: func(d *draft) { by("RS256", func() any { return keys().small })(d) }, want: [2]int{401, 200},
			},
			{
				token: token("cnf", object{"jkt": thumbprintOf(keys().p384)}),
				proof: func(d *draft) { by("ES384", func() any { return keys().p384 })(d) }, want: [2]int{401, 200},
			},
			{
				token: token("cnf", object{"jkt": thumbprintOf(keys().ed)}),
				proof: func(d *draft) { by("EdDSA", func() any { return keys().ed })(d) }, want: [2]int{401, 200},
			},
		},
		noExpiry: {{bearer: true, token: token("exp", nil), want: [2]int{401, 200}}},
		badConfirmation: {
			{bearer: true, token: token("cnf", object{"x5t#S256": "x"}), want: [2]int{401, 200}},
			{bearer: true, token: token("cnf", "x"), want: [2]int{401, 200}},
			{bearer: true, token: token("cnf", object{"jkt": "abc"}), want: [2]int{401, 401}},
		},
		keyRotation: {
			{bearer: true, turned: true, token: func(d *draft) { d.head["kid"], d.key = "k3", keys().rsa["k3"] }, want: [2]int{200, 401}},
			{bearer: true, turned: true, token: func(d *draft) { d.head["kid"], d.key = "k2", keys().rsa["k2"] }, want: [2]int{401, 200}},
		},
		keysUnreachable: {{bearer: true, down: true, want: [2]int{503, 401}}},
		badRequest: {
			{mode: required, bearer: true, want: [2]int{401, 400}},
			{mode: disabled, want: [2]int{401, 400}},
			{request: func(q *request) { q.auth = []string{"Basic YTpi"} }, want: [2]int{401, 400}},
			{request: func(q *request) { q.proofs = nil }, want: [2]int{401, 400}},
			{request: func(q *request) { q.proofs = append(q.proofs, q.proofs[0]) }, want: [2]int{401, 400}},
			{proof: token("htm", "POST"), want: [2]int{401, 400}},
		},
		wholeSeconds:  {{proof: func(d *draft) { d.body["iat"] = float64(time.Now().Unix()) + .5 }, want: [2]int{200, 400}}},
		proofsCounted: {{mode: disabled, bearer: true, request: func(q *request) { q.proofs = []string{"a", "b"} }, want: [2]int{200, 400}}},
		emptyProof:    {{bearer: true, request: func(q *request) { q.proofs = []string{""} }, want: [2]int{400, 200}}},
		tokenFirst:    {{bearer: true, token: token("aud", "x"), request: func(q *request) { q.proofs = []string{"a"} }, want: [2]int{400, 401}}},
		hostBelieved: {
			{
				proof:   token("htu", "http://evil.example/x"),
				request: func(q *request) { q.host = "evil.example" }, want: [2]int{401, 200},
			},
		},
		whitespace: {
			{
				bearer:  true,
				request: func(q *request) { q.auth[0] = strings.Replace(q.auth[0], " ", "\t", 1) }, want: [2]int{401, 200},
			},
		},
		spelling: {
			{bearer: true, token: func(d *draft) { d.rewrite = func(s string) string { return s + "==" } }, want: [2]int{401, 200}},
			{bearer: true, token: func(d *draft) { d.rewrite = lastBit }, want: [2]int{401, 200}},
			{proof: func(d *draft) { d.rewrite = lastBit }, want: [2]int{401, 200}},
		},
		laxJSON: {
			{bearer: true, token: reshape(`{`, `{"aud":"https://other.example",`), want: [2]int{401, 200}},
			{bearer: true, token: reshape(`{`, `{"q":"`+"\xff"+`",`), want: [2]int{401, 200}},
			{proof: reshape(`{`, `{"htm":"DELETE",`), want: [2]int{401, 200}},
		},
		textTimes: {{bearer: true, token: token("nbf", "1"), want: [2]int{401, 200}}},
		size: {
			{bearer: true, token: token("pad", strings.Repeat("a", 9000)), want: [2]int{401, 200}},
			{proof: token("jti", strings.Repeat("a", 257)), want: [2]int{401, 200}},
		},
		critical: {
			{bearer: true, token: header("crit", []string{"x"}), want: [2]int{401, 200}},
			{proof: header("crit", []string{"x"}), want: [2]int{401, 200}},
		},
		typeUnread: {{bearer: true, token: header("typ", "logout+jwt"), want: [2]int{401, 200}}},
		noSubject:  {{bearer: true, token: token("sub", nil), want: [2]int{401, 200}}},
		proofUntimed: {
			{proof: token("exp", 1), want: [2]int{401, 200}},
			{proof: func(d *draft) { d.body["nbf"] = time.Now().Unix() + 100 }, want: [2]int{401, 200}},
		},
		scopeUnread: {{bearer: true, token: token("scope", []string{"a"}), want: [2]int{401, 200}}},
	}
	for e := range exceptions {
		if len(rows[e]) == 0 && e != reflected {
			t.Errorf("exception %d is not shown: %s", e+1, text[e].vendors)
		}
		for i, row := range rows[e] {
			synctest.Test(t, func(t *testing.T) {
				ours, vendors := row.send(t)
				if ours.status != row.want[0] || vendors.status != row.want[1] {
					t.Errorf("exception %d, row %d: %d and %d, want %v: %s", e+1, i, ours.status, vendors.status, row.want, text[e].vendors)
				}
			})
		}
	}
	// The input breaks out of the vendor's quotes; our answer does not repeat it.
	synctest.Test(t, func(t *testing.T) {
		row := shown{proof: token("htm", `", realm="evil`)}
		ours, vendors := row.send(t)
		if c := strings.Join(vendors.header.Values("WWW-Authenticate"), "\n"); !strings.Contains(c, `evil`) {
			t.Errorf("exception %d: the vendor answers %s", reflected+1, c)
		}
		if c := ours.header.Get("WWW-Authenticate"); c != `DPoP error="invalid_dpop_proof", `+
			`error_description="The proof is not accepted: htm does not match.", algs="ES256"` {
			t.Errorf("exception %d: %s", reflected+1, c)
		}
	})
}

// send makes the request and sends it to both.
func (s *shown) send(t *testing.T) (ours, vendors *answer) {
	t.Helper()
	at := &tenant{published: []string{"k1", "k2"}, down: s.down}
	both := newSides(t, at)
	if s.turned {
		warm := (&shown{bearer: true, mode: s.mode}).make()
		warm.send(both.ours[s.mode])
		warm.send(both.vendors[s.mode])
		at.published = []string{"k1", "k3"}
		time.Sleep(31 * time.Second)
		// A token with the new key makes the guard fetch keys.
		next := (&shown{bearer: true, mode: s.mode, token: func(d *draft) { d.head["kid"], d.key = "k3", keys().rsa["k3"] }}).make()
		if a := next.send(both.ours[s.mode]); a.status != http.StatusOK {
			t.Errorf("the new key: %d", a.status)
		}
	}
	q := s.make()
	ours, vendors = q.send(both.ours[s.mode]), q.send(both.vendors[s.mode])
	if s.twice {
		ours, vendors = q.send(both.ours[s.mode]), q.send(both.vendors[s.mode])
	}
	return ours, vendors
}

// make returns the request.
func (s *shown) make() *request {
	path, htu := s.path, s.htu
	if path == "" {
		path = "/x"
	}
	if htu == "" {
		htu = path
	}
	d := goodToken("k1")
	sender := keys().senders[0]
	if !s.bearer {
		d.body["cnf"] = object{"jkt": thumbprintOf(sender)}
	}
	if s.token != nil {
		s.token(d)
	}
	token := d.sign()
	q := &request{mode: s.mode, method: http.MethodGet, host: host, target: must(url.ParseRequestURI(path)), auth: []string{"Bearer " + token}}
	if !s.bearer {
		p := goodProof(token, http.MethodGet, "http://"+host+htu, sender, "j")
		if s.proof != nil {
			s.proof(p)
		}
		q.auth, q.proofs = []string{"DPoP " + token}, []string{p.sign()}
	}
	if s.request != nil {
		s.request(q)
	}
	return q
}
