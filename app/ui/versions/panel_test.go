package versions

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

const listed = `{"start":0,"limit":100,"total":2,"versions":[
	{"version":7,"saved_at":"2026-01-02T12:00:00Z","author":"Ana","summary":"Label of E-mail changed","note":"Asked for by the shop","name":""},
	{"version":6,"saved_at":"2026-01-01T12:00:00Z","author":"","summary":"Step Contact added","note":"","name":""}]}`

// The list is read when it is in view, and again when the form has been saved.
func TestVersionsAreListed(t *testing.T) {
	reads := 0
	answer := uitest.Answer(200, listed)
	w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[]}`)
	w.Client = client.New(uitest.Server(func(r client.Request) (client.Response, error) {
		if !strings.HasPrefix(r.Path, "/bff/api/forms/ap_test/versions?") {
			t.Errorf("asks for %s", r.Path)
		}
		reads++
		return answer, nil
	}))
	p := &Panel{Workspace: w}
	shown := func() string { return app.HTMLString(p.Draw(time.Date(2026, 1, 2, 12, 3, 0, 0, time.UTC))) }
	uitest.Play(t,
		func(ctx app.Context) {
			p.Follow(ctx, `"1"`)
			if reads != 0 {
				t.Error("the list is read while another tab is open")
			}
			p.Panels.ShowTab(workspace.History)
			p.Follow(ctx, `"1"`)
			p.Follow(ctx, `"1"`)
		},
		func(ctx app.Context) {
			if reads != 2 {
				t.Errorf("%d reads, want one at once and one later", reads)
			}
			for _, part := range []string{"Ana", "Label of E-mail changed", "Asked for by the shop", "Saved elsewhere", "Step Contact added", `data-arg="7"`, `data-testid="versions"`} {
				if !strings.Contains(shown(), part) {
					t.Errorf("the list lacks %s: %s", part, shown())
				}
			}
			answer = uitest.Answer(503, `{"code":"store","detail":"the versions are away"}`)
			p.Follow(ctx, `"2"`)
		},
		func(app.Context) {
			if got := shown(); reads != 4 || !strings.Contains(got, "The versions are away.") || !strings.Contains(got, "Ana") {
				t.Errorf("after a failure, %d reads: %s", reads, got)
			}
		})
}
