package bff

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
)

const (
	// orphansTime is how often the tenant is asked which forms it has: what is kept beside one that is gone is deleted within a minute.
	orphansTime = 25 * time.Second
	// orphansPause is the shortest pause, which applies when somebody finds that a form is gone.
	orphansPause = 3 * time.Second
	// orphansLimit is the timeout of asking.
	orphansLimit = 20 * time.Second
	// keptPage is how many forms are looked at together.
	keptPage = 500
	// Each time, the list of forms takes at most maxListCalls calls, and the forms that are not in it maxDoubts.
	maxListCalls, maxDoubts = 20, 50
)

// OrphansConfig configures Orphans. Versions, Rooms, Events and Missing may be nil.
type OrphansConfig struct {
	Kept     store.Team
	Versions *versions.Recorder
	Rooms    *live.Rooms
	Events   *Events
	Log      *slog.Logger
	// Missing returns which of some forms the tenant lacks; nil if it must be asked with the token of somebody.
	Missing func(ctx context.Context, forms []string) ([]string, error)
}

// Orphans deletes what is kept beside forms that the tenant no longer has, however they were deleted. It is safe for concurrent use.
type Orphans struct {
	OrphansConfig

	ask  func(ctx context.Context, forms []string) ([]string, error)
	wake chan struct{}
}

// NewOrphans returns Orphans, which look for forms that are gone while their Run method is running.
func NewOrphans(c OrphansConfig) *Orphans {
	return &Orphans{OrphansConfig: c, ask: c.Missing, wake: make(chan struct{}, 1)}
}

// begin makes the Orphans ask the tenant with the tokens of a forwarder if they must. It comes before Run.
func (o *Orphans) begin(f *forwarder) {
	if o.Missing == nil {
		o.ask = f.missing
	}
}

// suspect makes Run look soon: somebody found that a form is gone.
func (o *Orphans) suspect() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Run deletes orphans until its context ends.
func (o *Orphans) Run(ctx context.Context) {
	tick := time.NewTicker(orphansTime)
	defer tick.Stop()
	for {
		if err := o.Sweep(ctx); err != nil && ctx.Err() == nil {
			o.Log.WarnContext(ctx, "look for forms that are gone", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(orphansPause):
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-o.wake:
		}
	}
}

// errNobody means that the server has no token with which it may ask the tenant.
var errNobody = errors.New("nobody is signed in who may change forms")

// Sweep deletes what is kept beside forms that are gone. Where the tokens of people are needed, it does nothing while nobody is signed in.
func (o *Orphans) Sweep(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, orphansLimit)
	defer cancel()
	for after := ""; ; {
		forms, err := o.Kept.Kept(ctx, after, keptPage)
		if err != nil || len(forms) == 0 {
			return err
		}
		gone, err := o.ask(ctx, forms)
		if errors.Is(err, errNobody) || errors.Is(err, session.ErrExpired) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, form := range gone {
			if err := o.forget(ctx, form); err != nil {
				return err
			}
			o.Log.InfoContext(ctx, "the tenant no longer has a form; what was kept beside it is deleted", "form", form)
			if o.Events != nil {
				o.tell(form)
			}
		}
		if len(forms) < keptPage {
			return nil
		}
		after = forms[len(forms)-1]
	}
}

// forget deletes what is kept beside a form that the tenant has deleted.
func (o *Orphans) forget(ctx context.Context, form string) error {
	if o.Versions != nil {
		o.Versions.Deleted(form)
	}
	var err error
	if o.Rooms != nil {
		err = o.Rooms.Close(ctx, form)
	}
	return errors.Join(err, o.Kept.Forget(ctx, form), o.Events.forget(ctx, form))
}

// tell tells open editors that a form is gone.
func (o *Orphans) tell(form string) {
	if data, err := json.Marshal(savedJSON{Form: formID(form)}); err == nil {
		o.Events.tell(form, eventDeleted, data)
	}
}

// witness is what lets the server ask the tenant in the name of a person who uses the editor: the cookie of the last one who could change forms.
type witness struct {
	mu     sync.Mutex
	cookie *http.Request
}

// saw remembers whoever sends a request, and reports whether there was nobody before.
func (w *witness) saw(r *http.Request, cookie string) (first bool) {
	c, err := r.Cookie(cookie)
	if err != nil {
		return false
	}
	seen := &http.Request{URL: &url.URL{}, Header: http.Header{}}
	seen.AddCookie(c)
	w.mu.Lock()
	defer w.mu.Unlock()
	first, w.cookie = w.cookie == nil, seen
	return first
}

// person returns the session of the last person, or errNobody if it has ended.
func (w *witness) person(ctx context.Context, s signedIn) (*sessions.Session, error) {
	w.mu.Lock()
	cookie := w.cookie
	w.mu.Unlock()
	if cookie == nil {
		return nil, errNobody
	}
	ss, err := s.New(cookie.WithContext(ctx), s.CookieName())
	if err == nil && (ss.IsNew || s.access.admit(ss) != nil) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if err = errNobody; w.cookie == cookie {
			w.cookie = nil
		}
	}
	return ss, err
}

// noticed acts on what an answer says about the forms that there are.
func (f *forwarder) noticed(r *http.Request, c call, ss *sessions.Session, res *upstream.Response) {
	switch {
	case c.resource != "forms" || c.me || c.admin:
	case res.Status == http.StatusNotFound || res.Status == http.StatusGone:
		f.orphans.suspect()
	case success(res) && slices.Contains(f.sessions.access.scopes(ss), updateForms):
		if f.witness.saw(r, f.sessions.CookieName()) {
			f.orphans.suspect() // forms may have gone while there was nobody to ask for
		}
	}
}

// asking returns the tokens with which the server asks on its own behalf, or errNobody.
func (f *forwarder) asking(ctx context.Context) (upstream.TokenSource, error) {
	if own := f.sessions.access.own(); own != nil {
		return own, nil
	}
	ss, err := f.witness.person(ctx, f.sessions)
	if err != nil {
		return nil, err
	}
	tokens, p := f.sessions.access.tokens(ss, call{method: http.MethodGet, resource: "forms", scope: readForms})
	if p != nil {
		return nil, errNobody
	}
	return tokens, nil
}

// missing returns which of some forms the tenant lacks: they are neither in its list nor found by their IDs. It asks with the token of the server,
// or of somebody who is signed in and may change forms.
func (f *forwarder) missing(ctx context.Context, forms []string) ([]string, error) {
	tokens, err := f.asking(ctx)
	if err != nil {
		return nil, err
	}
	left, err := f.unlisted(ctx, tokens, forms)
	if err != nil {
		return nil, err
	}
	// Where the list is longer than what is read of it, forms that are there remain, and must not hide those that are gone.
	rand.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] }) //nolint:gosec // no secret
	var gone []string
	for _, form := range left[:min(len(left), maxDoubts)] {
		res, err := f.management.Do(ctx, upstream.Request{Method: http.MethodGet, Path: []string{"forms", form}}, tokens)
		if err != nil {
			return gone, err
		}
		if res.Status == http.StatusNotFound || res.Status == http.StatusGone {
			gone = append(gone, form)
		}
	}
	return gone, nil
}

// errList means that the tenant does not answer with the list of its forms.
var errList = errors.New("the tenant does not list its forms")

// unlisted returns which of some forms are not in the tenant's list.
func (f *forwarder) unlisted(ctx context.Context, tokens upstream.TokenSource, forms []string) ([]string, error) {
	left := slices.Clone(forms)
	known := map[string]bool{}
	for page := range maxListCalls {
		res, err := f.management.Do(ctx, upstream.Request{
			Method: http.MethodGet, Path: []string{"forms"}, Summaries: true,
			Query: url.Values{"page": {strconv.Itoa(page)}, "per_page": {strconv.Itoa(maxPerPage)}},
		}, tokens)
		if err != nil {
			return nil, err
		}
		listed, ok := listedForms(res.Body)
		if !success(res) || !ok {
			return nil, errList
		}
		before := len(known)
		for _, id := range listed {
			known[url.PathEscape(id)] = true
		}
		left = slices.DeleteFunc(left, func(form string) bool { return known[form] })
		if len(left) == 0 || len(known) == before { // some tenants answer every page with the first
			break
		}
	}
	return left, nil
}
