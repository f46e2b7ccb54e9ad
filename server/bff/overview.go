package bff

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/run/suite"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
)

// overviews tell the list of forms what is in each of them.
type overviews struct {
	forms     *forwarder
	scenarios store.Documents
	slots     chan struct{}
}

// Limits of an overview. The coverage of most forms is known in milliseconds.
const (
	coverageTime = 500 * time.Millisecond
	maxOverviews = 2
	// The size of a picture, in CSS pixels.
	pictureWidth, pictureHeight = 88, 48
)

// read answers GET /bff/api/forms/{id}/overview.
func (o *overviews) read(w http.ResponseWriter, r *http.Request) {
	ss, ok := o.forms.person(w, r)
	if !ok {
		return
	}
	c := call{method: http.MethodGet, resource: "forms", scope: readForms}
	res := o.forms.exchange(w, r, c, ss, upstream.Request{Method: c.method, Path: []string{c.resource, r.PathValue("id")}})
	if res == nil {
		return
	}
	if !success(res) {
		o.forms.refusal(r, c, res).Write(w, r)
		return
	}
	tree, problems := schema.DecodeGrown(res.Body)
	form, ok := tree.(*schema.Object)
	if len(problems) > 0 || !ok {
		httpx.NewProblem(http.StatusBadGateway, httpx.CodeUnavailable, "The tenant answered with something that is not a form.").Write(w, r)
		return
	}
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
	case <-r.Context().Done():
		return
	}
	answer := overview(form)
	answer = answer.With("warnings", schema.IntNumber(warnings(r.Context(), model.FromTree(form))))
	if percent, ok := o.coverage(r.Context(), r.PathValue("id"), form); ok {
		answer = answer.With("coverage", schema.IntNumber(percent))
	}
	if n := o.forms.comments.unseen(r, ss); n > 0 {
		answer = answer.With("mentions", schema.IntNumber(n))
	}
	sendTree(w, http.StatusOK, answer)
}

// overview returns the overview of a form, without the number of warnings.
func overview(tree *schema.Object) *schema.Object {
	f := model.FromTree(tree)
	picture := graph.New(f).Thumbnail(pictureWidth, pictureHeight)
	var nodes []schema.Member
	for _, kind := range []string{"step", "flow", "router", "start", "ending", "other"} {
		if d := picture.Nodes[kind]; d != "" {
			nodes = append(nodes, schema.Member{Key: kind, Value: d})
		}
	}
	var languages []any
	for _, l := range f.Languages() {
		languages = append(languages, l)
	}
	var flows []any
	for _, ref := range f.Flows() {
		if ref.ID != "" && !f.Odd(ref) {
			flows = append(flows, ref.ID)
		}
	}
	return schema.NewObject(
		schema.Member{Key: "nodes", Value: schema.NewObject(nodes...)},
		schema.Member{Key: "edges", Value: picture.Edges},
		schema.Member{Key: "problems", Value: schema.IntNumber(len(model.CheckGraph(f)) + len(model.CheckResponse(tree)))},
		schema.Member{Key: "languages", Value: languages},
		schema.Member{Key: "flows", Value: flows},
	)
}

// warnings returns how many warnings the editor lists for a form: about the form, about references to fields, and about rules. If time runs out, it
// leaves out the rules of some routers.
func warnings(ctx context.Context, f *model.Form) int {
	ctx, cancel := context.WithTimeout(ctx, coverageTime)
	defer cancel()
	flaws, _ := rules.FormUntil(ctx, f)
	return len(flow.Warnings(f)) + len(scope.Analyze(f).Findings()) + len(flaws)
}

// coverage returns how many percent of the edges that can be taken the scenarios of a form take. ok is false if it has no scenarios, or if
// that takes too long.
func (o *overviews) coverage(ctx context.Context, id string, tree *schema.Object) (percent int, ok bool) {
	d, err := o.scenarios.Get(ctx, id)
	if err != nil {
		if !errors.Is(err, store.ErrNotFound) && !errors.Is(err, context.Canceled) {
			o.forms.log.fail(ctx, "scenarios", err)
		}
		return 0, false
	}
	file, problems := scenario.Read(d.Body)
	if len(problems) > 0 || len(file.Scenarios) == 0 {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, coverageTime)
	defer cancel()
	p := run.NewProgram(model.FromTree(tree))
	c, err := suite.Cover(ctx, p, suite.Replay(p, file), nil)
	if err != nil {
		return 0, false
	}
	return int(c.Percent()), true
}
