package bff

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/web"
)

// Limits of an atlas. A form of 1,000 steps with five components each makes a file of 35 MiB in one language, in less than a second. A file
// of the maximum size takes about two seconds and 300 MiB of memory.
const (
	// maxAtlas bounds the file in bytes.
	maxAtlas = 48 << 20
	// maxAtlasBody bounds the submitted form in bytes: the escapes of a form's JSON may make it three times as long.
	maxAtlasBody = 3*maxBody + 64<<10
	// maxAtlases is the maximum number of files that this process writes at once.
	maxAtlases = 2
	// atlasTime is the timeout of writing a file. It leaves time to send it.
	atlasTime = 20 * time.Second
	// maxFields bounds the fields beside the form in bytes.
	maxFields = 4 << 10
)

// atlasPage shows every screen of a form, which the editor submits as it is under edit.
type atlasPage struct {
	sessions signedIn
	pages    *pages
	style    string // of the screens
	slots    slots
	work     *work
	check    func(*http.Request) *httpx.Problem // whether a page of ours submitted the form
	log      journal
}

// newAtlases returns the slots of atlases. Without a free one, a request is refused at once.
func newAtlases() slots { return newSlots(maxAtlases, 0) }

// serve answers POST /bff/atlas.
func (a *atlasPage) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	text, name, p := a.write(w, r)
	if p != nil {
		a.pages.fail(w, r, p, web.Message{Title: "The screens cannot be shown", Action: "All forms", Href: "/forms"})
		return
	}
	h := w.Header()
	httpx.SetAtlasHeaders(h)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Disposition", "inline")
	if name != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	}
	_, _ = w.Write(text) // #nosec G705 -- package atlas cleans what authors wrote; writing fails only if the client has gone
}

// write returns the file that a request asks for, and the name under which to download it, "" to show it.
func (a *atlasPage) write(w http.ResponseWriter, r *http.Request) (text []byte, name string, p *httpx.Problem) {
	if p = a.check(r); p != nil {
		a.log.refused(r.Context(), "csrf", "method", r.Method)
		return nil, "", p
	}
	ss, p := a.sessions.current(w, r)
	if p != nil {
		return nil, "", p
	}
	if !slices.Contains(a.sessions.access.scopes(ss), readForms) {
		return nil, "", noScope(readForms)
	}
	if p := a.work.begin(r, ss); p != nil {
		return nil, "", p
	}
	fields, p := httpx.ReadForm(w, r, maxAtlasBody)
	if p != nil {
		return nil, "", p
	}
	form, o, name, p := atlasOf(fields)
	if p != nil {
		return nil, "", p
	}
	a.sessions.Touch(r.Context(), ss)
	o.Style, o.MaxBytes = a.style, maxAtlas
	if a.slots.do(r.Context(), func() {
		ctx, cancel := context.WithTimeout(r.Context(), atlasTime)
		defer cancel()
		var err error
		text, err = atlas.Write(ctx, form, o)
		p = atlasFailed(err)
	}) != nil {
		p = busy("The server is writing other atlases. Reload this page in a few seconds.")
	}
	a.work.spend(ss, len(text)/readShare) // writing takes that much less time than reading
	return text, name, p
}

// atlasOf reads what is asked for from the fields of the submitted form.
func atlasOf(fields map[string][]string) (form *model.Form, o atlas.Options, name string, p *httpx.Problem) {
	bad := func(detail string) (*model.Form, atlas.Options, string, *httpx.Problem) {
		return nil, o, "", httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, detail)
	}
	one := map[string]string{}
	for field, values := range fields {
		if !slices.Contains([]string{"form", "languages", "date", "download"}, field) || len(values) != 1 {
			return bad("The fields are form, languages, date and download, each once.")
		}
		if one[field] = values[0]; field != "form" && len(values[0]) > maxFields {
			return bad("The field " + field + " is too long.")
		}
	}
	tree, problems := schema.DecodeGrown([]byte(one["form"]))
	object, ok := tree.(*schema.Object)
	switch {
	case len(problems) > 0:
		return bad("The field form is not valid JSON: it " + problems[0].Detail + ".")
	case !ok || !object.Has("name") && !object.Has("nodes"):
		return bad("The field form must be a form.")
	}
	if l := one["languages"]; l != "" {
		o.Languages = strings.Split(l, ",")
	}
	if o.Date = one["date"]; o.Date != "" {
		if _, err := time.Parse(time.DateOnly, o.Date); err != nil {
			return bad("The field date must be a date such as 2026-01-31.")
		}
	}
	if name = one["download"]; strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl) {
		return bad("The field download must be the name of a file.")
	}
	return model.FromTree(object), o, name, nil
}

// atlasFailed returns the problem for an error of atlas.Write.
func atlasFailed(err error) *httpx.Problem {
	const remedy = " Choose fewer languages, or write it with the command formgraph atlas."
	switch {
	case err == nil:
		return nil
	case errors.Is(err, atlas.ErrLanguage):
		return httpx.NewProblem(http.StatusUnprocessableEntity, httpx.CodeInvalidBody, "The atlas cannot be written: "+err.Error()+".")
	case errors.Is(err, atlas.ErrTooLarge):
		return httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge, "The atlas would be larger than 48 MiB."+remedy)
	case errors.Is(err, context.DeadlineExceeded):
		return httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge, "Writing the atlas takes too long."+remedy)
	}
	return httpx.NewProblem(http.StatusInternalServerError, httpx.CodeInternal, "The atlas cannot be written.")
}
