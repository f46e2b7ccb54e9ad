package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/upstream"
)

// remoteBudget bounds the cost of a PATCH through the editor's backend to a tenant without ETags, as a multiple of the median of what a
// careful client does there: a GET and a PATCH. A tenant that answers in a millisecond leaves less room than a real one.
const remoteBudget = 1.2

// BenchmarkPatchWithoutETags is BenchmarkPatch at a foreign tenant. Each save through the backend reads the form, compares it and
// changes it; straight to the tenant the same is done without the comparison.
func BenchmarkPatchWithoutETags(b *testing.B) {
	tenant := httptest.NewServer(&plain{folder: b.TempDir()})
	defer tenant.Close()
	transport := upstream.NewTransport()
	defer transport.CloseIdleConnections()
	client, err := upstream.NewClient(upstream.Config{BaseURL: tenant.URL, Transport: transport, Shared: true})
	must(b, err)
	s := startBefore(b, time.Now, 1, remote.NewFlows(remote.NewForms(client, nil), time.Now))
	straight := &way{client: &http.Client{Transport: upstream.NewTransport()}, token: "none"}
	through := &way{client: s.signIn(b), origin: s.editor[0]}
	for _, nodes := range []int{1, 12, 200} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			form := create(b, straight, tenant.URL+"/forms", nodes)
			straight.target = tenant.URL + "/forms/" + form.id
			through.target = s.editor[0] + "/bff/api/forms/" + form.id
			b.SetBytes(int64(2 * len(form.body())))
			straight.save = func() {
				began := len(straight.took)
				straight.send(b, http.MethodGet, straight.target, "", nil)
				form.tag = "none"
				form.save(b, straight)
				straight.took = append(straight.took[:began], straight.took[began]+straight.took[began+1])
			}
			through.save = func() {
				// The editor knows the tag from its last save.
				kept := through.took
				_, form.tag = through.send(b, http.MethodGet, through.target, "", nil)
				through.took = kept
				form.save(b, through)
			}
			compare(b, straight, through, remoteBudget)
		})
	}
}

// plain is a small tenant without ETags. It keeps each form in a file, and acknowledges a change when it is on the disk.
type plain struct {
	folder string
	mu     sync.Mutex
	n      int
}

func (p *plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, err := p.answer(r)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}

func (p *plain) answer(r *http.Request) ([]byte, error) {
	id := path.Base(r.URL.Path)
	file := filepath.Join(p.folder, id)
	form := map[string]any{}
	if r.Method == http.MethodPost {
		p.n++
		id = fmt.Sprint("ap_", p.n)
		file, form["id"] = filepath.Join(p.folder, id), id
	} else if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, &form) != nil || r.Method == http.MethodGet {
		return text, err
	}
	if err := json.NewDecoder(r.Body).Decode(&form); err != nil {
		return nil, err
	}
	form["updated_at"] = time.Now().UTC().Format(time.RFC3339Nano)
	text, err := json.Marshal(form)
	if err != nil {
		return nil, err
	}
	return text, p.write(file, text)
}

// write replaces a file as a whole.
func (p *plain) write(file string, text []byte) error {
	to, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
