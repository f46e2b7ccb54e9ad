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
	"time"
)

// form is a stored form: its id, its properties, and when it was changed.
type form struct {
	id      string
	content map[string]any
	updated time.Time
}

func (t *Tenant) management(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/v2/forms", t.api("read:forms", t.listForms))
	mux.HandleFunc("POST /api/v2/forms", t.api("create:forms", t.createForm))
	mux.HandleFunc("GET /api/v2/forms/{id}", t.api("read:forms", t.readForm))
	mux.HandleFunc("PATCH /api/v2/forms/{id}", t.api("update:forms", t.patchForm))
	mux.HandleFunc("DELETE /api/v2/forms/{id}", t.api("delete:forms", t.deleteForm))
	mux.HandleFunc("GET /api/v2/flows", t.api("read:flows", t.listFlows))
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

// api wraps a route of the management API: it counts requests and checks the token.
func (t *Tenant) api(scope string, serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s := &status{w, http.StatusOK}
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			scheme, tok, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			t.calls = append(t.calls, Call{r.Method, r.URL.EscapedPath(), r.Header.Get("If-Match"), scheme, tok, s.code})
		}()
		if !t.within(s) {
			refuse(s, http.StatusTooManyRequests, "Global limit has been reached")
			return
		}
		tok, ok := t.authorized(s, r, "api")
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
func (t *Tenant) within(w http.ResponseWriter) bool {
	t.mu.Lock()
	held := time.Until(t.until)
	t.mu.Unlock()
	if held > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(held/time.Second)+1))
		return false
	}
	limit := t.Traits.PerSecond
	if limit == 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now().Truncate(time.Second); !now.Equal(t.window) {
		t.window, t.spent = now, 0
	}
	t.spent++
	if !t.Traits.Quiet {
		h := w.Header()
		h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
		h.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, limit-t.spent)))
		h.Set("X-RateLimit-Reset", strconv.FormatInt(t.window.Add(time.Second).Unix(), 10))
	}
	return t.spent <= limit
}

// find returns a form and its place, or nil. The caller holds the lock.
func (t *Tenant) find(id string) (*form, int) {
	at := slices.IndexFunc(t.forms, func(f *form) bool { return f.id == id })
	if at < 0 {
		return nil, at
	}
	return t.forms[at], at
}

// show returns a form as the API answers it.
func (t *Tenant) show(f *form) map[string]any {
	out := maps.Clone(f.content)
	out["id"], out["updated_at"] = f.id, f.updated.UTC().Format(time.RFC3339Nano)
	out["created_at"] = "2026-01-01T00:00:00.000Z"
	if t.Traits.Extra {
		out["links"] = map[string]any{"sdkSrc": "https://cdn.example/forms.js"}
	}
	return out
}

func (t *Tenant) tell(w http.ResponseWriter, code int, f *form) {
	if t.Traits.ETags {
		w.Header().Set("ETag", tag(f))
	}
	answer(w, code, t.show(f))
}

func tag(f *form) string {
	text, _ := json.Marshal(f.content)
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

func (t *Tenant) listForms(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	var rows []any
	for _, f := range t.forms {
		row := t.show(f)
		if t.Traits.List != "whole" {
			row = map[string]any{"id": f.id, "name": f.content["name"], "created_at": row["created_at"], "updated_at": row["updated_at"]}
		}
		rows = append(rows, row)
	}
	t.mu.Unlock()
	t.list(w, r, "forms", rows)
}

func (t *Tenant) listFlows(w http.ResponseWriter, r *http.Request) {
	var rows []any
	for _, f := range t.flows {
		rows = append(rows, f)
	}
	t.list(w, r, "flows", rows)
}

func (t *Tenant) list(w http.ResponseWriter, r *http.Request, name string, rows []any) {
	total := len(rows)
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, err := strconv.Atoi(r.URL.Query().Get("per_page"))
	if err != nil || size < 1 || size > 100 {
		size = 50
	}
	if t.Traits.IgnoresPages {
		page = 0
	}
	start := min(page*size, total)
	rows = append([]any{}, rows[start:min(start+size, total)]...)
	if t.Traits.List == "totals" {
		answer(w, http.StatusOK, map[string]any{name: rows, "start": start, "limit": size, "total": total})
		return
	}
	answer(w, http.StatusOK, rows)
}

func (t *Tenant) createForm(w http.ResponseWriter, r *http.Request) {
	content, ok := t.body(w, r)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.add(content)
	t.tell(w, http.StatusCreated, f)
}

// add stores a new form. The caller holds the lock.
func (t *Tenant) add(content map[string]any) *form {
	t.made++
	id := fmt.Sprintf("ap_other%d", t.made)
	if t.Traits.OddIDs {
		id = fmt.Sprintf("form|65f%d.2", t.made)
	}
	f := &form{id: id, content: t.taken(content)}
	t.touch(f)
	t.forms = append(t.forms, f)
	return f
}

// touch sets a later date of change.
func (t *Tenant) touch(f *form) {
	now := time.Now().Truncate(time.Millisecond)
	if !now.After(f.updated) {
		now = f.updated.Add(time.Millisecond)
	}
	f.updated = now
}

func (t *Tenant) readForm(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f, _ := t.find(r.PathValue("id")); f != nil {
		t.tell(w, http.StatusOK, f)
		return
	}
	notFound(w)
}

func notFound(w http.ResponseWriter) { refuse(w, http.StatusNotFound, "Form not found") }

// refuse answers with an error and no code.
func refuse(w http.ResponseWriter, status int, words string) {
	answer(w, status, map[string]any{"statusCode": status, "error": http.StatusText(status), "message": words})
}

func (t *Tenant) patchForm(w http.ResponseWriter, r *http.Request) {
	patch, ok := t.body(w, r)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f, _ := t.find(r.PathValue("id"))
	if f == nil {
		notFound(w)
		return
	}
	if match := r.Header.Get("If-Match"); t.Traits.ETags && match != "" && match != tag(f) {
		refuse(w, http.StatusPreconditionFailed, "Precondition failed")
		return
	}
	t.saves++
	if t.Traits.LosesAnswers && t.saves%5 == 0 {
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
	if t.Traits.Strict {
		if issues := faults(patch, next); len(issues) > 0 {
			answer(w, http.StatusBadRequest, map[string]any{
				"success": false, "error": map[string]any{"name": "ValidationError", "issues": issues},
			})
			return
		}
	}
	f.content = t.taken(next)
	t.touch(f)
	if t.Traits.LosesAnswers && t.saves%3 == 0 {
		panic(http.ErrAbortHandler)
	}
	t.tell(w, http.StatusOK, f)
}

func (t *Tenant) deleteForm(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, at := t.find(r.PathValue("id"))
	if f == nil {
		notFound(w)
		return
	}
	t.forms = slices.Delete(t.forms, at, at+1)
	if t.Traits.TextDelete {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "OK")
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// body reads an object.
func (t *Tenant) body(w http.ResponseWriter, r *http.Request) (map[string]any, bool) {
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
func (t *Tenant) taken(content map[string]any) map[string]any {
	text, _ := json.Marshal(content)
	var out map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&out)
	for _, name := range []string{"id", "created_at", "updated_at", "links"} {
		delete(out, name)
	}
	if t.Traits.Extra {
		out["social_connections"] = []any{}
	}
	walk(out, nil, func(path []any, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			return
		}
		if _, component := o["category"]; component {
			if _, there := o["visible"]; t.Traits.Extra && !there {
				o["visible"] = true
			}
			if t.Traits.Drops {
				delete(o, "hint")
			}
		}
		if alias, ok := o["alias"].(string); ok && t.Traits.Drops {
			o["alias"] = alias[:int(math.Min(20, float64(len(alias))))]
		}
	})
	return out
}

// Add stores a form, JSON text, and returns its id.
func (t *Tenant) Add(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.add(decoded(text)).id
}

// Hold makes the API refuse every request for some time.
func (t *Tenant) Hold(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = time.Now().Add(d)
}

// Change changes a form behind the editor's back.
func (t *Tenant) Change(id string, change func(content map[string]any)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f, _ := t.find(id); f != nil {
		change(f.content)
		t.touch(f)
	}
}

// Remove deletes a form behind the editor's back.
func (t *Tenant) Remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, at := t.find(id); at >= 0 {
		t.forms = slices.Delete(t.forms, at, at+1)
	}
}

// Form returns a copy of the content of a form, nil if there is none.
func (t *Tenant) Form(id string) map[string]any {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, _ := t.find(id)
	if f == nil {
		return nil
	}
	text, _ := json.Marshal(f.content)
	return decoded(string(text))
}

// IDs returns the ids of all forms.
func (t *Tenant) IDs() (ids []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.forms {
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
