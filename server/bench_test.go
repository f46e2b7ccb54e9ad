package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// patchBudget bounds the cost of a PATCH through the editor's backend, as a multiple of the median of the same PATCH straight to the
// tenant.
const patchBudget = 1.3

// unlimited is a rate that no benchmark reaches: a 429 would be measured
// instead of a PATCH.
const unlimited = 500_000

// warmUp is how many pairs of requests precede the first that counts: they open the connections and fill the caches that a running server
// has filled.
const warmUp = 50

// BenchmarkPatch saves one form again and again, alternately at the tenant with a management token and through the editor's
// backend with a session cookie, over kept connections, with the body of one node, of a common form, and of a large one. With
// one node the fixed cost of a request counts most. Each request moves one node, as a drag does, and is conditional on the
// version before it, as the editor's are. The medians are over all pairs of a run; ratio-p50 must stay within the budget.
func BenchmarkPatch(b *testing.B) {
	s := startBoth(b, time.Now, 1)
	straight := &way{client: &http.Client{}, token: s.managementToken(b)}
	through := &way{client: s.signIn(b), origin: s.editor[0]}
	for _, nodes := range []int{1, 12, 200} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			form := create(b, straight, s.tenant+"/api/v2/forms", nodes)
			straight.target = s.tenant + "/api/v2/forms/" + form.id
			through.target = s.editor[0] + "/bff/api/forms/" + form.id
			b.SetBytes(int64(2 * len(form.body())))
			straight.save, through.save = func() { form.save(b, straight) }, func() { form.save(b, through) }
			compare(b, straight, through, patchBudget)
		})
	}
}

// compare saves alternately on two ways, and reports whether the medians are within the budget.
func compare(b *testing.B, straight, through *way, budget float64) {
	b.Helper()
	for range warmUp {
		straight.save()
		through.save()
	}
	straight.took, through.took = straight.took[:0], through.took[:0]
	// The order changes with each pair: what one request leaves warm or cold for the next must not affect only one of them.
	for pair := 0; b.Loop(); pair++ {
		first, second := straight, through
		if pair%2 == 1 {
			first, second = through, straight
		}
		first.save()
		second.save()
	}
	straight.report(b, "straight")
	through.report(b, "bff")
	ratio := through.at(0.5) / straight.at(0.5)
	b.ReportMetric(ratio, "ratio-p50")
	if ratio > budget {
		b.Logf("over the budget: %.2f of the median straight to the tenant, want at most %.2f", ratio, budget)
	}
}

// way is one route of a PATCH, with the time of each request in milliseconds.
type way struct {
	client        *http.Client
	target        string
	token, origin string
	save          func() // makes one save and records its time
	took          []float64
}

// send makes one request and returns the answer's body and entity tag.
func (w *way) send(b *testing.B, method, target, tag string, body []byte) ([]byte, string) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, target, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if tag != "" {
		req.Header.Set("If-Match", tag)
	}
	if w.token != "" {
		req.Header.Set("Authorization", "Bearer "+w.token)
	} else {
		req.Header.Set("X-CSRF", "1")
		req.Header.Set("Origin", w.origin)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	began := time.Now()
	res, err := w.client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	w.took = append(w.took, float64(time.Since(began).Microseconds())/1000)
	_ = res.Body.Close()
	if err != nil || res.StatusCode >= 300 {
		b.Fatalf("%s %s: %d %s %v", method, target, res.StatusCode, text, err)
	}
	return text, res.Header.Get("ETag")
}

// at returns the time below which a share q of the requests lies.
func (w *way) at(q float64) float64 {
	sorted := slices.Sorted(slices.Values(w.took))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func (w *way) report(b *testing.B, name string) {
	b.Helper()
	b.ReportMetric(w.at(0.5), "p50-"+name+"-ms")
	b.ReportMetric(w.at(0.99), "p99-"+name+"-ms")
}

// moving is a form whose first node is moved by each save.
type moving struct {
	id, tag       string
	before, after []byte // the body on both sides of the number that changes
	x             int
}

// firstX is the initial place of the first node: a number that occurs once in the form's text.
const firstX = 424242

// create makes a form of steps in a row, five components each, at the address of a list of forms.
func create(b *testing.B, w *way, forms string, steps int) *moving {
	b.Helper()
	nodes := make([]any, steps)
	for i := range nodes {
		var parts []any
		for j, kind := range []string{"RICH_TEXT", "TEXT", "EMAIL", "DROPDOWN", "NEXT_BUTTON"} {
			parts = append(parts, model.NewComponent(model.KindOf(kind), model.SpecDialect, fmt.Sprintf("c%d_%d", i, j)))
		}
		next := model.EndingID
		if i+1 < steps {
			next = fmt.Sprintf("n%d", i+1)
		}
		config := schema.NewObject(schema.Member{Key: "components", Value: parts}, schema.Member{Key: "next_node", Value: next})
		at := model.Point{X: 360 * i, Y: 120}
		if i == 0 {
			at.X = firstX
		}
		nodes[i] = model.NewNode(model.StepNode, fmt.Sprintf("n%d", i), at).With("config", config)
	}
	text, tag := w.send(b, http.MethodPost, forms, "",
		schema.Encode(schema.NewObject(schema.Member{Key: "name", Value: "Moving"}, schema.Member{Key: "nodes", Value: nodes})))
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(text, &made); err != nil {
		b.Fatal(err)
	}
	patch := schema.Encode(schema.NewObject(schema.Member{Key: "nodes", Value: nodes}))
	m := &moving{id: made.ID, tag: tag}
	var found bool
	if m.before, m.after, found = bytes.Cut(patch, fmt.Append(nil, firstX)); !found {
		b.Fatalf("no coordinate in %s", patch)
	}
	return m
}

// body is the smallest PATCH of a form whose first node was moved.
func (m *moving) body() []byte {
	return slices.Concat(m.before, fmt.Append(nil, m.x), m.after)
}

func (m *moving) save(b *testing.B, w *way) {
	b.Helper()
	m.x++
	text, tag := w.send(b, http.MethodPatch, w.target, m.tag, m.body())
	if tag == m.tag || !bytes.Contains(text, fmt.Appendf(nil, `"x":%d,`, m.x)) {
		b.Fatalf("the node did not move to %d", m.x)
	}
	m.tag = tag
}

// managementToken asks for a token by client credentials.
func (s *both) managementToken(b *testing.B) string {
	b.Helper()
	w := &way{client: &http.Client{}}
	ask, err := json.Marshal(map[string]string{
		"grant_type": "client_credentials", "audience": s.tenant + "/api/v2/",
		"client_id": s.first.Management.ID, "client_secret": s.first.Management.Secret,
	})
	must(b, err)
	text, _ := w.send(b, http.MethodPost, s.tenant+"/oauth/token", "", ask)
	var got struct {
		Token string `json:"access_token"`
	}
	must(b, json.Unmarshal(text, &got))
	return got.Token
}
