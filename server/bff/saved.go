package bff

import (
	"encoding/json"
	"net/http"
	"regexp"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/upstream"
)

// Kinds of events about a form.
const (
	eventSaved   = "saved"
	eventDeleted = "deleted"
)

// tabHeader is the header in which the editor names the tab of the browser that saves, so that this tab can ignore its own events.
const tabHeader = "X-Tab"

// tabPattern is the shape of the name of a tab.
var tabPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// savedJSON is the data of an event about a form.
type savedJSON struct {
	Form      string `json:"form"`
	ETag      string `json:"etag,omitempty"`
	UpdatedAt string `json:"updated_at,omitempty"`
	// Name and Subject are the person who saved, and Tab is their tab.
	Name    string `json:"name,omitempty"`
	Subject string `json:"sub,omitempty"`
	Tab     string `json:"tab,omitempty"`
}

// tabOf returns the tab that a request names, "" for none.
func tabOf(r *http.Request) (string, *httpx.Problem) {
	given := r.Header.Values(tabHeader)
	if len(given) == 0 {
		return "", nil
	}
	if len(given) > 1 || !tabPattern.MatchString(given[0]) {
		return "", httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "The header "+tabHeader+" must be 1 to 64 letters, digits, _ or -.")
	}
	return given[0], nil
}

// ownTab returns the tab that a request names unless it is the page of another session: that page would take the event for its own.
func (f *forwarder) ownTab(r *http.Request, ss *sessions.Session, tab string) string {
	if tab == "" || f.together == nil || f.together.Check(r.Context(), r.PathValue("id"), tab, ownerOf(ss)) == nil {
		return tab
	}
	return ""
}

// eventOf returns the kind of the event that a successful call causes, "" for none.
func (c call) eventOf() string {
	switch c.event {
	case "form_saved":
		return eventSaved
	case "form_deleted":
		return eventDeleted
	default:
		return ""
	}
}

// publish tells open editors about a successful change of a form.
func (f *forwarder) publish(r *http.Request, c call, ss *sessions.Session, tab string, res *upstream.Response) {
	kind := c.eventOf()
	if kind == "" || f.events == nil || !success(res) {
		return
	}
	id, by := r.PathValue("id"), who(ss)
	e := savedJSON{
		Form: formID(id), ETag: res.Header.Get("ETag"), UpdatedAt: updatedAt(res.Body), Name: by.Name, Subject: by.ID, Tab: f.ownTab(r, ss, tab),
	}
	if len(e.ETag) > maxIfMatch {
		e.ETag = "" // no condition can name it
	}
	data, err := json.Marshal(e)
	if err != nil {
		f.log.fail(r.Context(), "write event", err)
		return
	}
	f.events.tell(id, kind, data)
}

// updatedPattern matches the date of a form if it is the last member of the answer, which ends with the form's closing brace.
var updatedPattern = regexp.MustCompile(`"updated_at":\s?"([0-9T:.Z+-]{20,40})"\s?}\s*$`)

// updatedAt returns the date of the form in the tenant's answer if that is easily found, as at the embedded tenant. The answer may be large,
// and the date is only a convenience.
func updatedAt(body []byte) string {
	const end = 100
	found := updatedPattern.FindSubmatch(body[max(0, len(body)-end):])
	if found == nil {
		return ""
	}
	return string(found[1])
}
