package bff

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/app/picture"
	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/versions"
	"github.com/formgraph/formgraph/web"
)

// lookPage shows a form to whoever has a link. It reads only what this server keeps: neither a session nor the tenant has a part in it.
type lookPage struct {
	links *formLinks
	pages *pages
	style string // of the screens
	slots chan struct{}
}

const (
	// Limits of requests from one network, per second and at once. A view of the page takes two.
	lookRate, lookBurst = 5, 100
	// maxLooks is the maximum number of forms that this process draws at once for links.
	maxLooks = 2
	// lookTime is the timeout of drawing one.
	lookTime = 20 * time.Second
)

// lookWildcard is the segment that matches a token.
const lookWildcard = "{token}"

// errNoLink means that a token leads nowhere: it was never made, was revoked, has expired, or what it showed is gone. People are not told
// which: that would be an answer about links that they do not have.
var errNoLink = errors.New("there is nothing behind this link")

// seen is what a link shows.
type seen struct {
	link    store.Link
	version store.Version
	form    *model.Form
}

// find returns what the token of a request shows, or errNoLink.
func (l *lookPage) find(r *http.Request) (s seen, err error) {
	id, right := l.links.tokens.id(r.PathValue("token"))
	if !right {
		return s, errNoLink
	}
	s.link, err = l.links.stored.Find(r.Context(), l.links.tokens.tenant, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s, errNoLink
	case err != nil:
		return s, err
	case !l.links.now().Before(s.link.Expires):
		return s, errNoLink
	}
	number := s.link.Version
	if number == 0 {
		number, err = newestVersion(r.Context(), l.links.kept, s.link.Form.Form)
	}
	var tree *schema.Object
	if err == nil {
		s.version, tree, err = l.links.kept.Open(r.Context(), s.link.Form.Form, number)
	}
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, versions.ErrDamaged):
		return s, errNoLink
	case err != nil:
		return s, err
	}
	s.form = model.FromTree(tree).Public()
	return s, nil
}

// newestVersion returns the number of the version of a form that was saved last, or store.ErrNotFound.
func newestVersion(ctx context.Context, kept *versions.Recorder, form string) (int, error) {
	list, _, err := kept.Stored.List(ctx, form, 0, 1)
	if err == nil && len(list) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return 0, err
	}
	return list[0].Number, nil
}

// show finds what a token shows and draws it, a few at a time. It writes every other answer.
func (l *lookPage) show(framed bool, draw func(w http.ResponseWriter, r *http.Request, s seen) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		httpx.SetLookHeaders(w.Header(), framed)
		select {
		case l.slots <- struct{}{}:
			defer func() { <-l.slots }()
		case <-r.Context().Done():
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), lookTime)
		defer cancel()
		r = r.WithContext(ctx)
		s, err := l.find(r)
		if err == nil {
			err = draw(w, r, s)
		}
		if err == nil {
			return
		}
		p, title := l.links.forms.down(r.Context(), "form", err), "The form cannot be shown now"
		switch {
		case errors.Is(err, errNoLink):
			p, title = httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "There is nothing behind this link, or there no longer is. Ask who sent it for another one."),
				"This link does not work"
		case errors.Is(err, atlas.ErrTooLarge):
			p, title = httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge, "The form has more screens than one page can show."), "Too many screens"
		}
		l.pages.fail(w, r, p, web.Message{Title: title})
	}
}

// page draws the page with the graph, and counts that the link was opened.
func (l *lookPage) page(w http.ResponseWriter, r *http.Request, s seen) error {
	if r.Method == http.MethodGet {
		if err := l.links.stored.Count(r.Context(), s.link.Form.Tenant, s.link.ID, l.links.now()); err != nil {
			l.links.forms.log.warn(r.Context(), "count a link", err)
		}
	}
	name := s.form.Name
	if strings.TrimSpace(name) == "" {
		name = "A form without a name"
	}
	return l.pages.site.Look(w, r, web.Look{
		Name: name, Saved: s.version.Saved, Until: s.link.Expires, Fixed: s.link.Version > 0, Steps: steps(s.form), Nodes: len(s.form.Nodes),
		Graph: picture.Themed(s.form), Screens: httpx.LookPath + url.PathEscape(r.PathValue("token")) + "/screens",
	})
}

func steps(f *model.Form) (n int) {
	for _, node := range f.Nodes {
		if node.Type == model.StepNode {
			n++
		}
	}
	return n
}

// screens draws every screen of the form, for the frame of the page.
func (l *lookPage) screens(w http.ResponseWriter, r *http.Request, s seen) error {
	text, err := atlas.Write(r.Context(), s.form, atlas.Options{Style: l.style, MaxBytes: maxAtlas, Date: s.version.Saved.UTC().Format(time.DateOnly)})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text) // package atlas cleans what authors wrote; writing fails only if the client has gone
	return nil
}
