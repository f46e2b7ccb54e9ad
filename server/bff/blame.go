package bff

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
)

// blame answers GET with the versions that changed the elements of a form last.
func (s *formVersions) blame(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok || !s.may(w, r, ss) {
		return
	}
	var b *versions.Blame
	var err error
	form := r.PathValue("id")
	if p := s.forms.work.turns.Do(r.Context(), s.forms.work.sizeOf(form), func() { b, err = s.kept.Blame(r.Context(), form) }); p != nil {
		p.Write(w, r)
		return
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, versions.ErrDamaged) {
		b, err = &versions.Blame{Complete: true}, nil // nothing is known of the form as it is
	}
	if err != nil {
		s.failed(r, err).Write(w, r)
		return
	}
	t := blameTree{seen: map[int]bool{}}
	nodes, components := t.numbers(b.Nodes), t.numbers(b.Components)
	var rules []schema.Member
	for router, of := range b.Rules {
		rules = append(rules, schema.Member{Key: router, Value: t.numbers(of)})
	}
	answer := schema.Encode(schema.NewObject(
		schema.Member{Key: "version", Value: schema.IntNumber(b.Newest)}, schema.Member{Key: "complete", Value: b.Complete},
		schema.Member{Key: "versions", Value: t.versions}, schema.Member{Key: "nodes", Value: nodes},
		schema.Member{Key: "components", Value: components}, schema.Member{Key: "rules", Value: schema.NewObject(rules...)},
	))
	s.forms.work.spend(ss, len(answer))
	httpx.WriteEncoded(w, http.StatusOK, answer)
}

// blameTree collects the versions that an answer names.
type blameTree struct {
	versions []any
	seen     map[int]bool
}

// numbers returns the numbers of the versions that changed elements, by the ids of these.
func (t *blameTree) numbers(of map[string]*versions.Change) *schema.Object {
	var members []schema.Member
	for id, c := range of {
		members = append(members, schema.Member{Key: id, Value: schema.IntNumber(c.Number)})
		if t.seen[c.Number] {
			continue
		}
		t.seen[c.Number] = true
		t.versions = append(t.versions, schema.NewObject(
			schema.Member{Key: "version", Value: schema.IntNumber(c.Number)}, schema.Member{Key: "saved_at", Value: momentText(c.Saved)},
			schema.Member{Key: "author", Value: c.By.Name}, schema.Member{Key: "name", Value: c.Name}, schema.Member{Key: "kept", Value: c.Kept},
		))
	}
	return schema.NewObject(members...)
}

// changes answers GET with the newest versions of the forms on a page of the tenant's list, which decides what the person may see.
func (s *formVersions) changes(w http.ResponseWriter, r *http.Request) {
	c := call{method: http.MethodGet, resource: "forms", scope: readForms, query: listQuery}
	ss, p := s.forms.sessions.current(w, r)
	var req upstream.Request
	if p == nil {
		req, p = s.forms.request(w, r, c)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	s.forms.sessions.Touch(r.Context(), ss)
	res := s.forms.exchange(w, r, c, ss, req)
	if res == nil {
		return
	}
	if !success(res) {
		s.forms.refusal(r, c, res).Write(w, r)
		return
	}
	listed, ok := listedForms(res.Body)
	if !ok {
		httpx.NewProblem(http.StatusBadGateway, httpx.CodeUnavailable, "The tenant answered with something that is not a list of forms.").Write(w, r)
		return
	}
	keys := make([]string, len(listed))
	for i, id := range listed {
		keys[i] = url.PathEscape(id)
	}
	s.recordedAll(r.Context(), keys)
	newest, err := s.kept.Stored.Newest(r.Context(), keys)
	if err != nil {
		s.failed(r, err).Write(w, r)
		return
	}
	known := make(map[string]store.Version, len(newest))
	for _, v := range newest {
		known[v.Form] = v
	}
	all := make([]any, len(listed))
	for i, id := range listed {
		o := schema.NewObject(schema.Member{Key: "id", Value: id})
		if v, ok := known[keys[i]]; ok {
			o = o.With("version", schema.IntNumber(v.Number)).With("saved_at", momentText(v.Saved)).With("author", v.Author)
			if v.AuthorID != "" {
				o = o.With("author_id", v.AuthorID)
			}
		}
		all[i] = o
	}
	sendTree(w, http.StatusOK, all)
}

// recordedAll waits until everything that this process has saved of the forms is recorded, for versionsWait at most.
func (s *formVersions) recordedAll(ctx context.Context, keys []string) {
	ctx, cancel := context.WithTimeout(ctx, versionsWait)
	defer cancel()
	for _, key := range keys {
		if s.kept.Wait(ctx, key) != nil {
			return
		}
	}
}

// maxListed bounds the forms of a page that are looked up; tenants send at most 100.
const maxListed = 1000

// listedForms returns the ids of the forms in a tenant's list, which is an array or an object with one.
func listedForms(body []byte) (ids []string, ok bool) {
	tree, problems := schema.DecodeGrown(body)
	if len(problems) > 0 {
		return nil, false
	}
	list, ok := tree.([]any)
	if o, isObject := tree.(*schema.Object); isObject {
		for _, m := range o.Members() {
			if inner, isList := m.Value.([]any); isList {
				list, ok = inner, true
			}
		}
	}
	for _, v := range list[:min(len(list), maxListed)] {
		if o, _ := v.(*schema.Object); o.Text("id") != "" {
			ids = append(ids, o.Text("id"))
		}
	}
	return ids, ok
}
