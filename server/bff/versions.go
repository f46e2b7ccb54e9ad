package bff

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
)

// formVersions serves the saved versions of forms, which this server keeps. The tenant, which is asked for the form, decides whether a person may
// read its versions. Its answer also shows whether the form was saved elsewhere.
type formVersions struct {
	kept  *versions.Recorder
	forms *forwarder
	rooms *live.Rooms // nil for none
}

// Limits of the requests about versions, in characters.
const (
	maxVersionNote = 2000
	maxVersionName = 120
	// The pages of lists, as at the management API.
	defaultPerPage = 50
	maxPerPage     = 100
	// versionsWait is how long an answer waits for the recording of what this process has saved.
	versionsWait = 5 * time.Second
)

// versionWildcard is the segment that matches the number of a version.
const versionWildcard = "{version}"

// saveHeader is the header in which the editor says that nobody has asked for a save: its value is then "automatic".
const saveHeader = "X-Save"

// routes returns the routes of versions; there are none if nothing is kept.
func (s *formVersions) routes() []route {
	if s.kept == nil {
		return nil
	}
	list := "/bff/api/forms/" + wildcard + "/versions"
	return []route{
		newRoute(list, true, endpoint{http.MethodGet, s.list}),
		newRoute("/bff/api/forms/"+wildcard+"/blame", true, endpoint{http.MethodGet, s.blame}),
		newRoute("/bff/api/changes", true, endpoint{http.MethodGet, s.changes}),
		newRoute(list+"/"+versionWildcard, true, endpoint{http.MethodGet, s.read}, endpoint{http.MethodPatch, s.describe}),
	}
}

// others begins to look up who has edited a form together since it was saved last, if a call saves it: while the tenant saves, that costs no time.
// The returned function waits for their names, in the order of their last edits, but not longer than othersTime: whoever saves does not wait for
// what others share.
func (s *formVersions) others(ctx context.Context, c call, req upstream.Request) func() []string {
	if s.kept == nil || s.rooms == nil || c.event != "form_saved" {
		return func() []string { return nil }
	}
	found := make(chan []string, 1)
	go func() {
		names, _ := s.rooms.Unsaved(ctx, req.Path[1]) // without them, the version has one author
		found <- names
	}()
	return func() []string {
		late := time.NewTimer(othersTime)
		defer late.Stop()
		select {
		case names := <-found:
			return names
		case <-late.C:
		case <-ctx.Done():
		}
		return nil
	}
}

// othersTime is how long a save that the tenant has answered waits for the names of others.
const othersTime = time.Second

// told tells the versions what a successful call has answered. The others have edited the form, too.
func (s *formVersions) told(r *http.Request, c call, ss *sessions.Session, req upstream.Request, res *upstream.Response, others []string) {
	if s.kept == nil || c.resource != "forms" || c.me || c.admin || !success(res) {
		return
	}
	text := func(key string) string { v, _ := ss.Values[key].(string); return v }
	by := versions.Author{Name: text(keyName), ID: text(keySubject)}
	switch c.event {
	case "form_created":
		if id := createdID(res.Body); id != "" {
			s.kept.Saved(url.PathEscape(id), res.Body, by, false)
		}
	case "form_saved":
		by.Name = withOthers(by.Name, others)
		s.kept.Saved(req.Path[1], res.Body, by, r.Header.Get(saveHeader) == "automatic")
	case "form_deleted":
		s.kept.Deleted(req.Path[1])
	case "":
		if len(req.Path) == 2 && !req.Asks {
			s.kept.Seen(req.Path[1], res.Body)
		}
	}
}

// maxOthers is the maximum number of people who are named beside the one who saved.
const maxOthers = 2

// withOthers names whoever saved a form, with those whose edits were saved, too.
func withOthers(name string, names []string) string {
	if name == "" {
		return name
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == name })
	switch n := len(names); {
	case n == 0:
		return name
	case n <= maxOthers:
		return name + with + strings.Join(names, " and ")
	default:
		return name + with + strconv.Itoa(n) + " others"
	}
}

// with is between the name of whoever saved a version and the others.
const with = " with "

// alone returns the name of whoever saved a version, which may name others, too.
func alone(name string) string {
	name, _, _ = strings.Cut(name, with)
	return name
}

// may reports whether the person of a request may read its form, and waits until what this process knows of the form is recorded. If not, may
// writes the answer.
func (s *formVersions) may(w http.ResponseWriter, r *http.Request, ss *sessions.Session) bool {
	if _, ok := s.forms.reads(w, r, ss, r.PathValue("id")); !ok {
		return false
	}
	if err := s.recorded(r); err != nil {
		s.failed(r, err).Write(w, r)
		return false
	}
	return true
}

// recorded waits until what this process knows of the form of a request is recorded.
func (s *formVersions) recorded(r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), versionsWait)
	defer cancel()
	return s.kept.Wait(ctx, r.PathValue("id"))
}

// list answers GET with the versions of a form, newest first.
func (s *formVersions) list(w http.ResponseWriter, r *http.Request) {
	ss, p := s.forms.sessions.current(w, r)
	var page versionPage
	if p == nil {
		page, p = readPage(r)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	s.forms.sessions.Touch(r.Context(), ss)
	if !s.may(w, r, ss) {
		return
	}
	list, total, err := s.page(r.Context(), r.PathValue("id"), page)
	if err != nil {
		s.failed(r, err).Write(w, r)
		return
	}
	all := make([]any, len(list))
	for i, v := range list {
		all[i] = versionTree(v)
	}
	if !page.totals {
		sendTree(w, http.StatusOK, all)
		return
	}
	sendTree(w, http.StatusOK, schema.NewObject(
		schema.Member{Key: "start", Value: schema.IntNumber(page.start)}, schema.Member{Key: "limit", Value: schema.IntNumber(page.limit)},
		schema.Member{Key: "total", Value: schema.IntNumber(total)}, schema.Member{Key: "versions", Value: all},
	))
}

// page returns a page of a list, and how many versions the list has.
func (s *formVersions) page(ctx context.Context, form string, page versionPage) ([]store.Version, int, error) {
	if !page.named {
		return s.kept.Stored.List(ctx, form, page.start, page.limit)
	}
	list, err := s.kept.Stored.Named(ctx, form)
	from := min(page.start, len(list))
	return list[from:min(from+page.limit, len(list))], len(list), err
}

// versionPage is a page of a list.
type versionPage struct {
	start, limit  int
	totals, named bool
}

func readPage(r *http.Request) (versionPage, *httpx.Problem) {
	given, p := forwardQuery(r, versionQuery, nil)
	if p != nil {
		return versionPage{}, p
	}
	page := versionPage{limit: defaultPerPage}
	if v := given.Get("per_page"); v != "" {
		if page.limit, _ = strconv.Atoi(v); page.limit < 1 || page.limit > maxPerPage {
			return page, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "per_page must be a number from 1 to "+strconv.Itoa(maxPerPage)+".")
		}
	}
	if v := given.Get("page"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			return page, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "page must be a number.")
		}
		page.start = n * page.limit
	}
	for name, on := range map[string]*bool{"include_totals": &page.totals, "named": &page.named} {
		switch given.Get(name) {
		case "", "false":
		case "true":
			*on = true
		default:
			return page, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, name+" must be true or false.")
		}
	}
	return page, nil
}

// versionQuery lists the parameters of the list of versions.
var versionQuery = append([]string{"named"}, listQuery...)

// versionTree returns a version as it is answered, without its form.
func versionTree(v store.Version) *schema.Object {
	tree := schema.NewObject(
		schema.Member{Key: "version", Value: schema.IntNumber(v.Number)}, schema.Member{Key: "saved_at", Value: momentText(v.Saved)},
		schema.Member{Key: "author", Value: v.Author}, schema.Member{Key: "summary", Value: v.Summary},
		schema.Member{Key: "note", Value: v.Note}, schema.Member{Key: "name", Value: v.Name},
	)
	if v.Automatic {
		tree = tree.With("automatic", true)
	}
	return tree
}

// numberOf returns the number in the path of a request, 0 if it cannot be one.
func numberOf(r *http.Request) int {
	text := r.PathValue("version")
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0
	}
	return int(n)
}

// read answers GET with a version and its form.
func (s *formVersions) read(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok || !s.may(w, r, ss) {
		return
	}
	v, text, err := s.kept.Text(r.Context(), r.PathValue("id"), numberOf(r))
	var p *httpx.Problem
	var answer []byte
	if err == nil {
		p = s.forms.work.turns.Do(r.Context(), len(text), func() { answer, err = versionAnswer(r.PathValue("id"), v, text) })
	}
	if err != nil {
		p = s.failed(r, err)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	s.forms.work.spend(ss, len(answer))
	httpx.WriteEncoded(w, http.StatusOK, answer)
}

// versionAnswer returns a version as it is answered, with its form.
func versionAnswer(id string, v store.Version, text []byte) ([]byte, error) {
	content, err := versions.Tree(text)
	if err != nil {
		return nil, err
	}
	form := schema.NewObject(append([]schema.Member{{Key: "id", Value: formID(id)}}, content.Members()...)...)
	return schema.Encode(versionTree(v).With("form", form)), nil
}

// describe answers PATCH, which changes the note and the name of a version.
func (s *formVersions) describe(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok {
		return
	}
	entry := entryOf(r, ss, "version_noted", r.PathValue("version"))
	var change func(*store.Version) error
	p := s.forms.holds(r, ss, r.PathValue("id"), updateForms)
	if p == nil {
		change, p = s.asked(w, r)
	}
	if p != nil {
		if entry.Outcome, entry.Status = audit.Refused, p.Status; p.Status == http.StatusForbidden {
			s.forms.log.audit(r, entry)
		}
		s.forms.refuse(w, r, p)
		return
	}
	if !s.may(w, r, ss) {
		return
	}
	v, err := s.kept.Describe(r.Context(), r.PathValue("id"), numberOf(r), change)
	entry.Outcome, entry.Status = audit.Answered, http.StatusOK
	if err != nil {
		if p = s.failed(r, err); p.Status != http.StatusNotFound {
			entry.Outcome = audit.Failed
		}
	}
	if s.forms.done(w, r, entry, p) {
		sendTree(w, http.StatusOK, versionTree(v))
	}
}

// asked returns the change of a version that a request asks for.
func (s *formVersions) asked(w http.ResponseWriter, r *http.Request) (func(*store.Version) error, *httpx.Problem) {
	const detail = "The body must be an object with note, name or both."
	given, p := readObject(w, r, maxVersionBody, detail)
	if p == nil && given.Len() == 0 {
		p = httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, detail)
	}
	if p != nil {
		return nil, p
	}
	set := map[string]*string{}
	for _, m := range given.Members() {
		text, isText := m.Value.(string)
		text = strings.TrimSpace(text)
		most, known := map[string]int{"note": maxVersionNote, "name": maxVersionName}[m.Key]
		control := func(c rune) bool { return unicode.IsControl(c) && (m.Key == "name" || c != '\n' && c != '\t') }
		if !known || !isText || utf8.RuneCountInString(text) > most || strings.ContainsFunc(text, control) {
			return nil, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, "The body may have note, a text of up to "+
				strconv.Itoa(maxVersionNote)+" characters, and name, a line of up to "+strconv.Itoa(maxVersionName)+" characters.")
		}
		set[m.Key] = &text
	}
	return func(v *store.Version) error {
		if note := set["note"]; note != nil {
			v.Note = *note
		}
		if name := set["name"]; name != nil {
			v.Name = *name
		}
		return nil
	}, nil
}

// maxVersionBody bounds the body of a change of a version in bytes.
const maxVersionBody = 32 << 10

// failed returns the problem for an error of the store.
func (s *formVersions) failed(r *http.Request, err error) *httpx.Problem {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "There is no such version. It may have been removed because of its age.")
	case errors.Is(err, versions.ErrTooManyNamed):
		return httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooMany,
			"Versions with a name or a note are always kept, so a form may have 1,000 of them, of 32 MiB in all. Clear those of another version first.")
	case errors.Is(err, versions.ErrDamaged):
		s.forms.log.fail(r.Context(), "versions", err)
		return httpx.NewProblem(http.StatusInternalServerError, httpx.CodeInternal, "This version cannot be read.")
	}
	return s.forms.down(r.Context(), "versions", err)
}
