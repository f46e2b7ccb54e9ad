package foreigntest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// form is a stored form: its id, its properties, and when it was changed.
type form struct {
	id      string
	content map[string]any
	updated time.Time
}

// api is the management API.
type api struct {
	*setup

	auth *authServer

	mu     sync.Mutex
	forms  []*form
	flows  []map[string]any
	made   int
	window time.Time // the second in which the requests of spent fell
	spent  int
	until  time.Time // until when every request is refused
	saves  int
	calls  []Call
}

func (a *api) register(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/v2/forms", a.route("read:forms", a.listForms))
	mux.HandleFunc("POST /api/v2/forms", a.route("create:forms", a.createForm))
	mux.HandleFunc("GET /api/v2/forms/{id}", a.route("read:forms", a.readForm))
	mux.HandleFunc("PATCH /api/v2/forms/{id}", a.route("update:forms", a.patchForm))
	mux.HandleFunc("DELETE /api/v2/forms/{id}", a.route("delete:forms", a.deleteForm))
	mux.HandleFunc("GET /api/v2/flows", a.route("read:flows", a.listFlows))
}

// status remembers the status of an answer.
type status struct {
	http.ResponseWriter

	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// route wraps a route of the management API: it counts requests and checks the token.
func (a *api) route(scope string, serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s := &status{w, http.StatusOK}
		defer func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			scheme, tok, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			a.calls = append(a.calls, Call{r.Method, r.URL.EscapedPath(), r.Header.Get("If-Match"), scheme, tok, s.code})
		}()
		if !a.within(s) {
			refuse(s, http.StatusTooManyRequests, "Global limit has been reached")
			return
		}
		tok, ok := a.auth.authorized(s, r, "api")
		if !ok || !tok.api {
			refuse(s, http.StatusUnauthorized, "Invalid token")
			return
		}
		if !slices.Contains(strings.Fields(tok.scope), scope) {
			refuse(s, http.StatusForbidden, "Insufficient scope, expected any of: "+scope)
			return
		}
		serve(s, r)
	}
}

// within reports whether a request is within the rate limit.
func (a *api) within(w http.ResponseWriter) bool {
	a.mu.Lock()
	held := time.Until(a.until)
	a.mu.Unlock()
	if held > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(held/time.Second)+1))
		return false
	}
	limit := a.Traits.PerSecond
	if limit == 0 {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now().Truncate(time.Second); !now.Equal(a.window) {
		a.window, a.spent = now, 0
	}
	a.spent++
	if !a.Traits.Quiet {
		h := w.Header()
		h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
		h.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, limit-a.spent)))
		h.Set("X-RateLimit-Reset", strconv.FormatInt(a.window.Add(time.Second).Unix(), 10))
	}
	return a.spent <= limit
}

// find returns a form and its place, or nil. The caller holds the lock.
func (a *api) find(id string) (*form, int) {
	at := slices.IndexFunc(a.forms, func(f *form) bool { return f.id == id })
	if at < 0 {
		return nil, at
	}
	return a.forms[at], at
}

// show returns a form as the API answers it.
func (a *api) show(f *form) map[string]any {
	out := maps.Clone(f.content)
	out["id"], out["updated_at"] = f.id, f.updated.UTC().Format(time.RFC3339Nano)
	out["created_at"] = "2026-01-01T00:00:00.000Z"
	if a.Traits.Extra {
		out["links"] = map[string]any{"sdkSrc": "https://cdn.example/forms.js"}
	}
	return out
}

func (a *api) tell(w http.ResponseWriter, code int, f *form) {
	if a.Traits.ETags {
		w.Header().Set("ETag", tag(f))
	}
	answer(w, code, a.show(f))
}

func tag(f *form) string {
	text, _ := json.Marshal(f.content)
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

func (a *api) listForms(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	var rows []any
	for _, f := range a.forms {
		row := a.show(f)
		if a.Traits.List != "whole" {
			row = map[string]any{"id": f.id, "name": f.content["name"], "created_at": row["created_at"], "updated_at": row["updated_at"]}
		}
		rows = append(rows, row)
	}
	a.mu.Unlock()
	a.list(w, r, "forms", rows)
}

func (a *api) listFlows(w http.ResponseWriter, r *http.Request) {
	var rows []any
	for _, f := range a.flows {
		rows = append(rows, f)
	}
	a.list(w, r, "flows", rows)
}

func (a *api) list(w http.ResponseWriter, r *http.Request, name string, rows []any) {
	total := len(rows)
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, err := strconv.Atoi(r.URL.Query().Get("per_page"))
	if err != nil || size < 1 || size > 100 {
		size = 50
	}
	if a.Traits.IgnoresPages {
		page = 0
	}
	start := min(page*size, total)
	rows = append([]any{}, rows[start:min(start+size, total)]...)
	if a.Traits.List == "totals" {
		answer(w, http.StatusOK, map[string]any{name: rows, "start": start, "limit": size, "total": total})
		return
	}
	answer(w, http.StatusOK, rows)
}

func (a *api) createForm(w http.ResponseWriter, r *http.Request) {
	content, ok := a.body(w, r)
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.add(content)
	a.tell(w, http.StatusCreated, f)
}

// add stores a new form. The caller holds the lock.
func (a *api) add(content map[string]any) *form {
	a.made++
	id := fmt.Sprintf("ap_other%d", a.made)
	if a.Traits.OddIDs {
		id = fmt.Sprintf("form|65f%d.2", a.made)
	}
	f := &form{id: id, content: a.taken(content)}
	a.touch(f)
	a.forms = append(a.forms, f)
	return f
}

// touch sets a later date of change.
func (a *api) touch(f *form) {
	now := time.Now().Truncate(time.Millisecond)
	if !now.After(f.updated) {
		now = f.updated.Add(time.Millisecond)
	}
	f.updated = now
}

func (a *api) readForm(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, _ := a.find(r.PathValue("id")); f != nil {
		a.tell(w, http.StatusOK, f)
		return
	}
	notFound(w)
}

func notFound(w http.ResponseWriter) { refuse(w, http.StatusNotFound, "Form not found") }

// refuse answers with an error and no code.
func refuse(w http.ResponseWriter, status int, words string) {
	answer(w, status, map[string]any{"statusCode": status, "error": http.StatusText(status), "message": words})
}

func (a *api) patchForm(w http.ResponseWriter, r *http.Request) {
	patch, ok := a.body(w, r)
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	f, _ := a.find(r.PathValue("id"))
	if f == nil {
		notFound(w)
		return
	}
	if match := r.Header.Get("If-Match"); a.Traits.ETags && match != "" && match != tag(f) {
		refuse(w, http.StatusPreconditionFailed, "Precondition failed")
		return
	}
	a.saves++
	if a.Traits.LosesAnswers && a.saves%5 == 0 {
		panic(http.ErrAbortHandler)
	}
	next := maps.Clone(f.content)
	for name, v := range patch {
		if v == nil {
			delete(next, name)
		} else {
			next[name] = v
		}
	}
	if a.Traits.Strict {
		if issues := faults(patch, next); len(issues) > 0 {
			answer(w, http.StatusBadRequest, map[string]any{
				"success": false, "error": map[string]any{"name": "ValidationError", "issues": issues},
			})
			return
		}
	}
	f.content = a.taken(next)
	a.touch(f)
	if a.Traits.LosesAnswers && a.saves%3 == 0 {
		panic(http.ErrAbortHandler)
	}
	a.tell(w, http.StatusOK, f)
}

func (a *api) deleteForm(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, at := a.find(r.PathValue("id"))
	if f == nil {
		notFound(w)
		return
	}
	a.forms = slices.Delete(a.forms, at, at+1)
	if a.Traits.TextDelete {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "OK")
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// body reads an object.
func (a *api) body(w http.ResponseWriter, r *http.Request) (map[string]any, bool) {
	var content map[string]any
	d := json.NewDecoder(io.LimitReader(r.Body, 8<<20))
	d.UseNumber()
	if err := d.Decode(&content); err != nil || content == nil {
		refuse(w, http.StatusBadRequest, "Payload validation error: 'Expected type object but found type other'")
		return nil, false
	}
	return content, true
}

// issue is a fault in the style of a validation library.
type issue struct {
	Code    string `json:"code"`
	Path    []any  `json:"path"`
	Message string `json:"message"`
}

// faults checks a patch and the form after it.
func faults(patch, form map[string]any) (out []issue) {
	_, nodes := patch["nodes"]
	_, start := patch["start"]
	_, ending := patch["ending"]
	if (nodes || start || ending) && (!nodes || !start && form["start"] != nil || !ending && form["ending"] != nil) {
		out = append(out, issue{"custom", []any{}, "Nodes, start and ending must be changed together"})
	}
	ids := map[string]bool{"$ending": true}
	list, _ := form["nodes"].([]any)
	for _, n := range list {
		node, _ := n.(map[string]any)
		id, _ := node["id"].(string)
		ids[id] = true
	}
	walk(form, nil, func(path []any, v any) {
		name, _ := path[len(path)-1].(string)
		if to, ok := v.(string); ok && name == "next_node" && !ids[to] {
			out = append(out, issue{"custom", slices.Clone(path), "Some nodes point to unknown node IDs"})
		}
	})
	return out
}

// walk visits every value below v.
func walk(v any, path []any, visit func(path []any, v any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			below := append(slices.Clone(path), name)
			visit(below, v[name])
			walk(v[name], below, visit)
		}
	case []any:
		for i, item := range v {
			below := append(slices.Clone(path), i)
			visit(below, item)
			walk(item, below, visit)
		}
	}
}

// taken returns content as the tenant stores it. It shares nothing with the argument.
func (a *api) taken(content map[string]any) map[string]any {
	text, _ := json.Marshal(content)
	var out map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&out)
	for _, name := range []string{"id", "created_at", "updated_at", "links"} {
		delete(out, name)
	}
	if a.Traits.Extra {
		out["social_connections"] = []any{}
	}
	walk(out, nil, func(path []any, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			return
		}
		if _, component := o["category"]; component {
			if _, there := o["visible"]; a.Traits.Extra && !there {
				o["visible"] = true
			}
			if a.Traits.Drops {
				delete(o, "hint")
			}
		}
		if alias, ok := o["alias"].(string); ok && a.Traits.Drops {
			o["alias"] = alias[:int(math.Min(20, float64(len(alias))))]
		}
	})
	return out
}

// Calls returns the calls of the API so far.
func (a *api) Calls() []Call {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Call(nil), a.calls...)
}

// Add stores a form, JSON text, and returns its id.
func (a *api) Add(text string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.add(decoded(text)).id
}

// Hold makes the API refuse every request for some time.
func (a *api) Hold(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.until = time.Now().Add(d)
}

// Change changes a form behind the editor's back.
func (a *api) Change(id string, change func(content map[string]any)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, _ := a.find(id); f != nil {
		change(f.content)
		a.touch(f)
	}
}

// Remove deletes a form behind the editor's back.
func (a *api) Remove(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, at := a.find(id); at >= 0 {
		a.forms = slices.Delete(a.forms, at, at+1)
	}
}

// Form returns a copy of the content of a form, nil if there is none.
func (a *api) Form(id string) map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, _ := a.find(id)
	if f == nil {
		return nil
	}
	text, _ := json.Marshal(f.content)
	return decoded(string(text))
}

// IDs returns the ids of all forms.
func (a *api) IDs() (ids []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.forms {
		ids = append(ids, f.id)
	}
	return ids
}

func decoded(text string) (out map[string]any) {
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		panic(err)
	}
	return out
}
