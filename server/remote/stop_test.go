package remote_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/upstream"
)

// refusing is a tenant that answers 429 after some calls.
type refusing struct {
	served  int // calls before the first refusal
	headers http.Header
	calls   []string
	refused int
}

func (r *refusing) RoundTrip(q *http.Request) (*http.Response, error) {
	r.calls = append(r.calls, q.Method)
	res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}}
	if len(r.calls) > r.served {
		r.refused++
		res.StatusCode, res.Header = 429, r.headers.Clone()
	}
	res.Body = io.NopCloser(strings.NewReader(`{"id":"ap_1","name":"A"}`))
	return res, nil
}

// One save makes at most two requests to a tenant that says stop, its reads and the change counted together. It is then answered with what the
// tenant said.
func TestASaveAsksARefusingTenantTwiceAtMost(t *testing.T) {
	current := tag(t, remote.NewForms(fixed(200, `{"id":"ap_1","name":"A"}`), nil))
	for _, headers := range []http.Header{
		{},
		{"Retry-After": {"1"}},
		{"Retry-After": {"86400"}},
		{"X-Ratelimit-Reset": {"soon"}},
		{"X-Ratelimit-Reset": {"900000000"}},
		{"X-Ratelimit-Reset": {"99999999999999"}, "X-Ratelimit-Remaining": {"0"}},
		{"Ratelimit": {`"a";r=0;t=5`}},
	} {
		for served := range 3 {
			for _, method := range []string{http.MethodPatch, http.MethodDelete} {
				for _, ifMatch := range []string{"", current, `"v1"`, "*"} {
					for _, shared := range []bool{true, false} {
						name := fmt.Sprint(method, " If-Match ", ifMatch, " after ", served, " calls, shared ", shared, ", ", headers)
						synctest.Test(t, func(t *testing.T) {
							tenant := &refusing{served: served, headers: headers}
							c, err := upstream.NewClient(upstream.Config{BaseURL: "http://tenant.example", Transport: tenant, Shared: shared})
							if err != nil {
								t.Fatal(err)
							}
							res, err := remote.NewForms(c, nil).Do(t.Context(), request(method, ifMatch, `{}`), tokens("a"))
							if err != nil || (res.Status == 429) != (tenant.refused > 0) || tenant.refused > 2 {
								t.Errorf("%s: %+v, %v after %v, of which %d are refused", name, res, err, tenant.calls, tenant.refused)
							}
							if reads := ifMatch != `"v1"`; served == 0 && reads && slices.Contains(tenant.calls, method) {
								t.Errorf("%s: %v: the change is sent although its read was refused", name, tenant.calls)
							}
						})
					}
				}
			}
		}
	}
}

// A change whose read this server holds back is sent if no condition needs the read, and its success ends the hold.
func TestAChangeEndsAHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tenant := &refusing{headers: http.Header{"Retry-After": {"50"}}}
		c, err := upstream.NewClient(upstream.Config{BaseURL: "http://tenant.example", Transport: tenant, Shared: true})
		if err != nil {
			t.Fatal(err)
		}
		forms := remote.NewForms(c, nil)
		if res := do(t, forms, request("GET", "", "")); res.Status != 429 {
			t.Fatalf("the first read: %d", res.Status)
		}
		tenant.served = 9
		for _, x := range []struct {
			request upstream.Request
			status  int
		}{{request("GET", "", ""), 429}, {request("PATCH", "", `{}`), 200}, {request("GET", "", ""), 200}} {
			if res := do(t, forms, x.request); res.Status != x.status {
				t.Errorf("%s: %d, want %d", x.request.Method, res.Status, x.status)
			}
		}
		if want := []string{"GET", "PATCH", "GET"}; !slices.Equal(tenant.calls, want) {
			t.Errorf("calls %v, want %v", tenant.calls, want)
		}
	})
}
