package live

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// A stream that told nothing was kept back: the page asks for ones that end. One that fell silent later is opened again as it was, and the
// end of one that was asked for is no failure.
func TestSilentStreams(t *testing.T) {
	for streams, want := range map[string]struct {
		once   string
		failed bool
	}{
		"silent":                   {"1", false},
		"hello silent":             {"", false},
		"end":                      {"", true},
		"hello end":                {"", true},
		"silent, hello end":        {"1", false},
		"silent, end":              {"1", true},
		"silent, end, hello end":   {"1", false},
		"hello end, hello":         {"", false},
		"hello silent, hello end":  {"", true},
		"silent, hello saved end":  {"1", false},
		"hello silent, silent":     {"1", false},
		"silent, hello end, hello": {"1", false},
	} {
		w, _ := uitest.Workspace(t, `{"id":"ap_1","name":"A"}`)
		w.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) { return uitest.Answer(200, `{}`), nil }))
		l := &Listener{Workspace: w, Lost: func(app.Context) {}, Heard: func(app.Context, client.FormEvent) {}}
		uitest.Play(t, func(ctx app.Context) {
			for stream := range strings.SplitSeq(streams, ", ") {
				l.heard = false
				for kind := range strings.FieldsSeq(stream) {
					switch kind {
					case "silent":
						l.take(ctx, "", "", kind)
					case "end":
						l.take(ctx, "", "", "")
					default:
						l.take(ctx, kind, "7", "{}")
					}
				}
			}
		})
		if failed := !l.failed.IsZero(); l.once != want.once || failed != want.failed {
			t.Errorf("%s: once %q, failed %v", streams, l.once, failed)
		}
	}
}
