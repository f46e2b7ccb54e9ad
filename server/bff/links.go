package bff

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/versions"
)

// formLinks serves the links to look at forms to the people who may change them. A link shows a saved version that this server keeps, so
// people who follow it need no token, and the tenant is not asked.
type formLinks struct {
	stored store.Links
	kept   *versions.Recorder
	tokens linkTokens
	public string // the editor's address, without a trailing slash
	forms  *forwarder
	now    func() time.Time
	random io.Reader
	limit  *ratelimit.Limiter // of changes, by person
}

// Limits of links.
const (
	maxLinks     = 20 // to a form
	maxLinkLabel = 120
	maxLinkLife  = 366 * 24 * time.Hour
	minLinkLife  = time.Minute
	maxLinkBody  = 4 << 10
	// A person may make linkBurst changes at once, and then linkRate per second.
	linkRate, linkBurst = 1, 30
)

// linkWildcard is the segment that matches the ID of a link.
const linkWildcard = "{link}"

// routes returns the routes of links; there are none if no versions are kept, or if there is no key.
func (s *formLinks) routes() []route {
	if s.kept == nil || len(s.tokens.keys) == 0 {
		return nil
	}
	list := "/bff/api/forms/" + wildcard + "/links"
	return []route{
		newRoute(list, true, endpoint{http.MethodGet, s.list}, endpoint{http.MethodPost, s.add}),
		newRoute(list+"/"+linkWildcard, true, endpoint{http.MethodDelete, s.remove}),
	}
}

// linkTokens makes and checks the tokens of links: the ID of a link and its code, which is derived from the ID with a key. Making a token takes a
// key, so the rows of the database alone open no form.
type linkTokens struct {
	keys   [][]byte // the newest first; all are accepted
	tenant string
}

// linkCodeBytes is the size of a code in a token, beside an ID of keptIDBytes. Their texts have no unused bits, so each token has only one
// text.
const linkCodeBytes = 24

func (t linkTokens) code(key []byte, id string) string {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte("look\x00" + t.tenant + "\x00" + id)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:linkCodeBytes])
}

// token returns the token of a link.
func (t linkTokens) token(id string) string { return id + t.code(t.keys[0], id) }

// id returns the ID of the link in a token, and whether its code is right.
func (t linkTokens) id(token string) (string, bool) {
	if len(token) != base64.RawURLEncoding.EncodedLen(keptIDBytes)+base64.RawURLEncoding.EncodedLen(linkCodeBytes) {
		return "", false
	}
	id, code := token[:httpx.LookID], token[httpx.LookID:]
	right := false
	for _, key := range t.keys {
		right = hmac.Equal([]byte(t.code(key, id)), []byte(code)) || right
	}
	return id, right
}

// may returns the session of a person who may change the form of a request, and so make links to it. If not, may writes the answer.
func (s *formLinks) may(w http.ResponseWriter, r *http.Request) (*sessions.Session, bool) {
	ss, ok := s.forms.person(w, r)
	if !ok || s.refused(w, r, ss, s.forms.holds(r, ss, r.PathValue("id"), updateForms)) {
		return nil, false
	}
	_, p := s.forms.ask(r, ss, r.PathValue("id"), readForms)
	return ss, !s.refused(w, r, ss, p)
}

// refused answers with a problem, nil for none, and reports whether there was one.
func (s *formLinks) refused(w http.ResponseWriter, r *http.Request, ss *sessions.Session, p *httpx.Problem) bool {
	if p == nil {
		return false
	}
	if p.Status == http.StatusForbidden && r.Method != http.MethodGet {
		entry := entryOf(r, ss, "link_refused", "")
		entry.Outcome, entry.Status = audit.Refused, p.Status
		s.forms.log.audit(r, entry)
	}
	s.forms.refuse(w, r, p)
	return true
}

// list answers GET with the links to a form, newest first.
func (s *formLinks) list(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.may(w, r); !ok {
		return
	}
	all, err := s.stored.List(r.Context(), r.PathValue("id"))
	if err != nil {
		s.forms.down(r.Context(), "links", err).Write(w, r)
		return
	}
	list := make([]any, len(all))
	for i, l := range all {
		list[i] = s.tree(l)
	}
	sendTree(w, http.StatusOK, schema.NewObject(schema.Member{Key: "links", Value: list}, schema.Member{Key: "most", Value: schema.IntNumber(maxLinks)}))
}

// tree returns a link as it is answered.
func (s *formLinks) tree(l store.Link) *schema.Object {
	members := []schema.Member{
		{Key: "id", Value: l.ID},
		{Key: "url", Value: s.public + httpx.LookPath + s.tokens.token(l.ID)},
		{Key: "label", Value: l.Label},
		{Key: "created_by", Value: personTree(l.Author)},
		{Key: "created_at", Value: momentText(l.Created)},
		{Key: "expires_at", Value: momentText(l.Expires)},
		{Key: "times", Value: schema.IntNumber(l.Times)},
	}
	if l.Version > 0 {
		members = append(members, schema.Member{Key: "version", Value: schema.IntNumber(l.Version)})
	}
	if !l.Opened.IsZero() {
		members = append(members, schema.Member{Key: "opened_at", Value: momentText(l.Opened)})
	}
	if !s.now().Before(l.Expires) {
		members = append(members, schema.Member{Key: "expired", Value: true})
	}
	return schema.NewObject(members...)
}

// add answers POST, which makes a link.
func (s *formLinks) add(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.may(w, r)
	if !ok {
		return
	}
	l, p := s.asked(w, r)
	if p == nil {
		p = tooOften(r, s.limit, who(ss).ID, "You are making links too fast. Wait a moment and try again.")
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	l.Form, l.Author = r.PathValue("id"), who(ss)
	var err error
	if l.ID, err = newKeptID(s.random); err == nil {
		err = s.stored.Add(r.Context(), l, maxLinks, s.now())
	}
	entry := entryOf(r, ss, "link_created", l.ID)
	entry.Outcome, entry.Status = audit.Answered, http.StatusCreated
	switch {
	case errors.Is(err, store.ErrTooMany):
		p = httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooMany,
			"This form has "+strconv.Itoa(maxLinks)+" links, which is the maximum. Revoke one first.")
	case err != nil:
		p = s.forms.down(r.Context(), "links", err)
		entry.Outcome = audit.Failed
	}
	if s.forms.done(w, r, entry, p) {
		sendTree(w, http.StatusCreated, s.tree(l))
	}
}

// asked returns the link that a request asks for, without its ID.
func (s *formLinks) asked(w http.ResponseWriter, r *http.Request) (l store.Link, p *httpx.Problem) {
	detail := "The body must have expires_at, a date from a minute to a year from now, and may have label, a line of up to " +
		strconv.Itoa(maxLinkLabel) + " characters, and either version, the number of a version, or fixed, true, for the newest one as it is."
	given, p := readObject(w, r, maxLinkBody, detail)
	if p != nil {
		return l, p
	}
	bad := httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, detail)
	l.Created = s.now().UTC().Truncate(store.Resolution)
	for _, m := range given.Members() {
		text, isText := m.Value.(string)
		ok := false
		switch m.Key {
		case "label":
			l.Label = strings.TrimSpace(text)
			ok = isText && utf8.RuneCountInString(l.Label) <= maxLinkLabel && !strings.ContainsFunc(l.Label, unicode.IsControl)
		case "expires_at":
			var err error
			l.Expires, err = time.Parse(time.RFC3339, text)
			ok = err == nil
		case "version":
			l.Version, ok = given.Int("version")
			ok = ok && l.Version > 0 && !given.Has("fixed")
		case "fixed":
			ok = m.Value == true
		}
		if !ok {
			return l, bad
		}
	}
	l.Expires = l.Expires.UTC().Truncate(store.Resolution)
	if life := l.Expires.Sub(l.Created); life < minLinkLife || life > maxLinkLife {
		return l, bad
	}
	number, p := s.version(r, l.Version)
	if given.Has("fixed") {
		l.Version = number
	}
	return l, p
}

// version returns the number of a version of the form of a request, which is the newest one for number 0, or the problem if there is none.
func (s *formLinks) version(r *http.Request, number int) (int, *httpx.Problem) {
	v := &formVersions{kept: s.kept, forms: s.forms}
	err := v.recorded(r)
	switch {
	case err != nil:
	case number > 0:
		_, err = s.kept.Stored.Chain(r.Context(), r.PathValue("id"), number)
	default:
		number, err = newestVersion(r.Context(), s.kept, r.PathValue("id"))
	}
	if err != nil {
		return 0, v.failed(r, err)
	}
	return number, nil
}

// remove answers DELETE, which revokes a link: its author may, and whoever may change the form, also when the form is gone.
func (s *formLinks) remove(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok {
		return
	}
	l, err := s.stored.Find(r.Context(), r.PathValue("link"))
	own := err == nil && l.Form == r.PathValue("id") && l.Author.ID == who(ss).ID
	if !own && s.refused(w, r, ss, s.forms.holds(r, ss, r.PathValue("id"), updateForms)) {
		return
	}
	err = s.stored.Remove(r.Context(), r.PathValue("id"), r.PathValue("link"))
	entry := entryOf(r, ss, "link_revoked", schema.Shorten(r.PathValue("link"), httpx.LookID))
	entry.Outcome, entry.Status = audit.Answered, http.StatusNoContent
	var p *httpx.Problem
	switch {
	case errors.Is(err, store.ErrNotFound):
		p = httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "There is no such link. It may have been revoked already.")
	case err != nil:
		p = s.forms.down(r.Context(), "links", err)
		entry.Outcome = audit.Failed
	}
	if s.forms.done(w, r, entry, p) {
		w.WriteHeader(http.StatusNoContent)
	}
}
