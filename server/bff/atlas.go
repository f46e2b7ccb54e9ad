package bff

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model"
	answers "github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/web"
)

const atlasPath = "/bff/atlas"

// Limits of screen atlases. One of maxAtlas has about 20 MiB, takes one or two seconds, and needs 100 MiB while it is written.
const (
	maxAtlas   = 20_000  // components times languages
	maxAtlases = 2       // that are written at once
	maxPosted  = 9 << 19 // bytes of a request: a form and what is around it
)

// atlasPage writes the screen atlas of the form that a page of the editor posts, with its unsaved changes. The browser's programs do not
// contain what it needs.
type atlasPage struct {
	write    func(*model.Form) ([]byte, error)
	sessions signedIn
	pages    *pages
	gate     *httpx.Gate
	log      journal
	slots    chan struct{}
}

// serve answers POST /bff/atlas, which is a submitted form, so that a browser shows the answer as a page. It changes nothing.
func (a *atlasPage) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	text, name, p := a.answer(w, r)
	if p != nil {
		a.refuse(w, r, p)
		return
	}
	httpx.SetAtlasHeaders(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.PostFormValue("download") != "" {
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	}
	if _, err := w.Write(text); err != nil { //nolint:gosec // the file has a policy, and so has the response
		a.log.warn(r.Context(), "write atlas", err)
	}
}

// answer returns the file and its name, or the problem to answer with.
func (a *atlasPage) answer(w http.ResponseWriter, r *http.Request) (text []byte, name string, p *httpx.Problem) {
	if a.gate.OtherSite(r) {
		a.log.refused(r.Context(), "csrf", "method", r.Method)
		return nil, "", httpx.NewProblem(http.StatusForbidden, httpx.CodeCSRF, "No other site may use this address.")
	}
	if _, p = a.sessions.current(w, r); p != nil {
		return nil, "", p
	}
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	default:
		return nil, "", &httpx.Problem{
			Status: http.StatusServiceUnavailable, Code: httpx.CodeRateLimited, RetryAfter: retryLater,
			Detail: "Other people are creating a screen atlas right now. Try again in a few seconds.",
		}
	}
	form, p := posted(w, r)
	if p != nil {
		return nil, "", p
	}
	text, err := a.write(form)
	if err != nil {
		a.log.fail(r.Context(), "write atlas", err)
		return nil, "", httpx.NewProblem(http.StatusInternalServerError, httpx.CodeInternal, "The screen atlas could not be written.")
	}
	return text, atlasName(form.Name), nil
}

// posted returns the form of a request.
func posted(w http.ResponseWriter, r *http.Request) (*model.Form, *httpx.Problem) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPosted)
	if err := r.ParseMultipartForm(maxPosted); err != nil { //nolint:gosec // the body is limited
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge, "The form is too large.")
		}
		return nil, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, "The request must be multipart/form-data.")
	}
	v, problems := schema.Decode([]byte(r.PostFormValue("form")))
	tree, ok := v.(*schema.Object)
	if len(problems) > 0 || !ok {
		return nil, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, "The field form must be a form as JSON.")
	}
	form := model.FromTree(tree)
	components, languages := 0, len(answers.Languages(form))
	for _, n := range form.Nodes {
		if step, ok := n.Config.(*model.Step); ok {
			components += max(1, len(step.Components))
		}
	}
	if components*languages > maxAtlas {
		return nil, &httpx.Problem{
			Status: http.StatusRequestEntityTooLarge, Code: httpx.CodeTooLarge,
			Detail: fmt.Sprintf("The form has %d components in %d languages. A screen atlas shows up to %d components, times languages.",
				components, languages, maxAtlas),
			Remedy: "Export the form, and run formgraph atlas, which can also show some of the languages only.",
		}
	}
	return form, nil
}

// atlasName returns the name of the file.
func atlasName(form string) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, strings.ToLower(form))
	return cmp.Or(strings.Trim(safe, "-"), "form") + ".atlas.html"
}

// refuse answers with a problem, as a page if a browser shows it.
func (a *atlasPage) refuse(w http.ResponseWriter, r *http.Request, p *httpx.Problem) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		p.Write(w, r)
		return
	}
	a.pages.show(w, r, p, web.Message{Title: "No screen atlas", Action: "All forms", Href: "/forms"})
}
