package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/upstream"
)

// remoteBudget bounds the cost of a PATCH through the editor's backend to a tenant without ETags, as a multiple of the median of what a
// careful client does there: a GET and a PATCH.
const remoteBudget = 1.2

// BenchmarkPatchWithoutETags is BenchmarkPatch at a tenant of another make. Each save through the backend reads the form, compares it and
// changes it; straight to the tenant the same is done without the comparison.
func BenchmarkPatchWithoutETags(b *testing.B) {
	tenant := httptest.NewServer(&plain{forms: map[string]map[string]any{}})
	defer tenant.Close()
	transport := upstream.NewTransport()
	defer transport.CloseIdleConnections()
	client, err := upstream.NewClient(upstream.Config{BaseURL: tenant.URL, Transport: transport, Shared: true})
	must(b, err)
	s := startBefore(b, time.Now, 1, remote.NewFlows(remote.NewForms(client), time.Now))
	straight := &way{client: &http.Client{Transport: upstream.NewTransport()}, token: "none"}
	through := &way{client: s.signIn(b), origin: s.editor[0]}
	for _, nodes := range []int{1, 12, 200} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			form := create(b, straight, tenant.URL+"/forms", nodes)
			straight.target = tenant.URL + "/forms/" + form.id
			through.target = s.editor[0] + "/bff/api/forms/" + form.id
			plainly := func() {
				began := len(straight.took)
				straight.send(b, http.MethodGet, straight.target, "", nil)
				form.tag = "none"
				form.save(b, straight)
				straight.took = append(straight.took[:began], straight.took[began]+straight.took[began+1])
			}
			carefully := func() {
				// The editor knows the tag from its last save.
				kept := through.took
				_, form.tag = through.send(b, http.MethodGet, through.target, "", nil)
				through.took = kept
				form.save(b, through)
			}
			for range warmUp {
				plainly()
				carefully()
			}
			straight.took, through.took = straight.took[:0], through.took[:0]
			b.SetBytes(int64(2 * len(form.body())))
			for pair := 0; b.Loop(); pair++ {
				if pair%2 == 1 {
					carefully()
					plainly()
				} else {
					plainly()
					carefully()
				}
			}
			straight.report(b, "straight")
			through.report(b, "bff")
			ratio := through.at(0.5) / straight.at(0.5)
			b.ReportMetric(ratio, "ratio-p50")
			if ratio > remoteBudget {
				b.Logf("over the budget: %.2f of the median of GET and PATCH straight to the tenant, want at most %.2f", ratio, remoteBudget)
			}
		})
	}
}

// plain is a small tenant without ETags that keeps forms as trees.
type plain struct {
	mu    sync.Mutex
	forms map[string]map[string]any
	n     int
}

func (p *plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var patch map[string]any
	if r.Method != http.MethodGet {
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, &patch) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	p.n++
	id := r.URL.Path[len("/forms"):]
	if r.Method == http.MethodPost {
		id = fmt.Sprint("/ap_", p.n)
		p.forms[id] = map[string]any{"id": id[1:]}
	}
	form, ok := p.forms[id]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	for name, value := range patch {
		form[name] = value
	}
	if patch != nil {
		form["updated_at"] = time.Now().UTC().Format(time.RFC3339Nano)
	}
	text, err := json.Marshal(form)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}
