package bff

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/upstream"
)

// A change counts as much as its body or its form, whether it is done, refused or given up, and a read an eighth. A conflict counts only its body.
func TestWorkOfCalls(t *testing.T) {
	const size = 1 << 20
	now := time.Now()
	form := []string{"forms", "ap_1"}
	body, none := make([]byte, size), []byte("{}")
	read := call{method: http.MethodGet, resource: "forms", scope: readForms}
	save := call{method: http.MethodPatch, resource: "forms", event: "form_saved"}
	for name, x := range map[string]struct {
		c    call
		body []byte
		path []string
		res  *upstream.Response
		most int // of such calls at once
	}{
		"a large save":                         {save, body, form, &upstream.Response{Status: 200, Body: none}, workBurst / size},
		"a small save of a large form":         {save, none, form, &upstream.Response{Status: 200, Body: body}, workBurst / size},
		"a change of a large form is refused":  {save, none, form, &upstream.Response{Status: 400}, workBurst / size},
		"a change of a large form is given up": {save, none, form, nil, workBurst / size},
		"a conflict":                           {save, body, form, &upstream.Response{Status: 412}, workBurst / size},
		"a small conflict":                     {save, none, form, &upstream.Response{Status: 412}, workBurst / len(none)},
		"a new form": {
			call{method: http.MethodPost, resource: "forms", event: "form_created"}, body, form[:1], &upstream.Response{Status: 201}, workBurst / size,
		},
		"a read": {read, nil, form, &upstream.Response{Status: 200, Body: body}, workBurst / size * readShare},
	} {
		w := newWork(ratelimit.Counting{Now: func() time.Time { return now }}, nil)
		ss := sessions.NewSession(nil, "")
		ss.ID = "s"
		w.sizes.Put("ap_1", size)
		n := 0
		for n <= 2*workBurst/size*readShare {
			r := httptest.NewRequestWithContext(t.Context(), x.c.method, "/", bytes.NewReader(x.body))
			if w.begin(r, ss) != nil {
				break
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Fatal(err)
			}
			w.called(ss, x.c, upstream.Request{Path: x.path, Body: x.body}, x.res)
			n++
		}
		if most := min(x.most, 2*workBurst/size*readShare); n < most || n > most+1 {
			t.Errorf("%s: %d at once, want %d", name, n, most)
		}
	}
}

// A drawing for a link counts its bytes, and one that failed the most that it may have been. Whoever leaves soon pays little.
func TestDrawingCost(t *testing.T) {
	late, left := fmt.Errorf("draw: %w", context.DeadlineExceeded), fmt.Errorf("draw: %w", context.Canceled)
	for name, x := range map[string]struct {
		err  error
		took time.Duration
		want int
	}{
		"drawn":               {nil, time.Hour, 1000},
		"too large":           {atlas.ErrTooLarge, 0, maxAtlas},
		"too slow":            {late, lookTime, maxAtlas},
		"the reader has left": {left, largestTime / 4, maxAtlas / 4},
		"it had left before":  {left, 0, 0},
		"it left late":        {left, lookTime, maxAtlas},
	} {
		if got := drawingCost(1000, x.err, x.took); got != x.want {
			t.Errorf("%s: %d, want %d", name, got, x.want)
		}
	}
}
