package bff

import (
	"context"
	"errors"
	"net/http"
	"sync"
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
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
)

// overviews tell the list of forms what is in each of them.
type overviews struct {
	forms     *forwarder
	scenarios store.Files
	slots     slots        // of forms that are not large
	turns     *httpx.Turns // of the others
	known     *knownOverviews
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
	scenarios, err := o.scenariosOf(r.Context(), r.PathValue("id"))
	key := overviewKey{r.PathValue("id"), res.Header.Get("ETag"), scenarios.Updated}
	answer, ok := o.known.get(key)
	if !ok {
		p := o.forms.work.wait(r, ss)
		if p != nil {
			p.Write(w, r)
			return
		}
		o.forms.work.spend(ss, len(res.Body))
		if answer, p = o.make(r.Context(), res.Body, scenarios.Body); p != nil {
			p.Write(w, r)
			return
		}
		if err == nil && r.Context().Err() == nil {
			o.known.put(key, answer)
		}
	}
	if n := o.forms.comments.unseen(r, ss); n > 0 {
		answer = answer.With("mentions", schema.IntNumber(n))
	}
	sendTree(w, http.StatusOK, answer)
}

// make returns what is in a form and in the file of its scenarios, nil for none.
func (o *overviews) make(ctx context.Context, body, scenarios []byte) (answer *schema.Object, p *httpx.Problem) {
	work := func() {
		tree, problems := schema.DecodeGrown(body)
		form, ok := tree.(*schema.Object)
		if len(problems) > 0 || !ok {
			p = httpx.NewProblem(http.StatusBadGateway, httpx.CodeUnavailable, "The tenant answered with something that is not a form.")
			return
		}
		answer = overview(form)
		n, all := warnings(ctx, model.FromTree(form))
		if answer = answer.With("warnings", schema.IntNumber(n)); !all {
			answer = answer.With("unchecked", true)
		}
		if percent, ok := coverage(ctx, scenarios, form); ok {
			answer = answer.With("coverage", schema.IntNumber(percent))
		}
	}
	if len(body) >= httpx.LargeBody {
		if refused := o.turns.Do(ctx, len(body), work); refused != nil {
			p = refused
		}
	} else if o.slots.do(ctx, work) != nil {
		p = busy("The server is reading other forms for the list. Try again in a few seconds.")
	}
	return answer, p
}

// overviewKey names what an overview is made of: a form by its ETag, and its scenarios by their date.
type overviewKey struct {
	form, etag string
	scenarios  time.Time
}

// maxKnownOverviews bounds the overviews that a process remembers. Most are a few kilobytes long.
const maxKnownOverviews = 200

// knownOverviews remembers the overviews that were made last, so that many readers of a list do not cost more than one. It is safe for concurrent
// use.
type knownOverviews struct {
	mu sync.Mutex
	of *recent.Map[overviewKey, *schema.Object]
}

func newKnownOverviews() *knownOverviews {
	return &knownOverviews{of: recent.New[overviewKey, *schema.Object](maxKnownOverviews)}
}

func (k *knownOverviews) get(key overviewKey) (*schema.Object, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of.Get(key)
}

// put remembers an overview, unless the tenant gave no ETag.
func (k *knownOverviews) put(key overviewKey, answer *schema.Object) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key.etag != "" {
		k.of.Put(key, answer)
	}
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

// warnings returns how many warnings the editor lists for a form: about the form, about references to fields, and about rules. If there are too
// many rules or references to check them all, all is false, and n leaves out what is wrong with the others.
func warnings(ctx context.Context, f *model.Form) (n int, all bool) {
	flaws, every := rules.FormUntil(ctx, f)
	lost, followed := scope.Analyze(f).FindingsUntil(ctx)
	return len(flow.Warnings(f)) + len(lost) + len(flaws), every && followed
}

// scenariosOf returns the file of the scenarios of a form. It has no Body if there is none, or if it cannot be read.
func (o *overviews) scenariosOf(ctx context.Context, id string) (store.Document, error) {
	d, err := o.scenarios.Get(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return store.Document{}, nil
	case err != nil && !errors.Is(err, context.Canceled):
		o.forms.log.fail(ctx, "scenarios", err)
	}
	return d, err
}

// coverage returns how many percent of the edges that can be taken the scenarios of a form take. ok is false if it has no scenarios, or if
// that takes too long.
func coverage(ctx context.Context, scenarios []byte, tree *schema.Object) (percent int, ok bool) {
	file, problems := scenario.Read(scenarios)
	if len(problems) > 0 || len(file.Scenarios) == 0 {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, coverageTime)
	defer cancel()
	p := run.NewProgram(model.FromTree(tree))
	results, err := suite.Replay(ctx, p, file)
	if err != nil {
		return 0, false
	}
	c, err := suite.Cover(ctx, p, results, nil)
	if err != nil {
		return 0, false
	}
	return int(c.Percent()), true
}
