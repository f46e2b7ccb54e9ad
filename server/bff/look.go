package bff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/formgraph/formgraph/app/picture"
	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/versions"
	"github.com/formgraph/formgraph/web"
)

// lookPage shows a form to whoever has a link. It reads only what this server keeps: neither a session nor the tenant has a part in it.
type lookPage struct {
	links *formLinks
	pages *pages
	style string // of the screens
	slots slots
	turns *httpx.Turns
	drawn drawings
	drew  *ratelimit.Volume // bytes, by network
}

const (
	// Limits of requests from one network, per second and at once. A view of the page takes two.
	lookRate, lookBurst = 5, 100
	// What is drawn for one, in bytes per second and at once: a few of the largest documents, and then one every half a minute.
	lookVolume, lookVolumeBurst = 1 << 20, 128 << 20
	// maxLooks is the maximum number of forms that this process draws at once for links.
	maxLooks = 2
	// lookWait is how long a request waits for all that it needs before it draws, and lookTime is the timeout of drawing. They leave time to send
	// the answer.
	lookWait, lookTime = 30 * time.Second, 20 * time.Second
	// largestTime is about how long the largest drawing takes.
	largestTime = 2 * time.Second
)

// lookWildcard is the segment that matches a token.
const lookWildcard = "{token}"

// errNoLink means that a token leads nowhere: it was never made, was revoked, has expired, or what it showed is gone. People are not told
// which: that would be an answer about links that they do not have.
var errNoLink = errors.New("there is nothing behind this link")

// find returns the link of a request, which shows a certain version from then on, or errNoLink.
func (l *lookPage) find(r *http.Request) (link store.Link, fixed bool, err error) {
	id, right := l.links.tokens.id(r.PathValue("token"))
	if !right {
		return link, false, errNoLink
	}
	link, err = l.links.stored.Find(r.Context(), id)
	if err == nil && !l.links.now().Before(link.Expires) {
		err = errNoLink
	}
	if err == nil {
		err = l.there(r.Context(), link.Form)
	}
	if fixed = link.Version > 0; err == nil && !fixed {
		link.Version, err = newestVersion(r.Context(), l.links.kept, link.Form)
	}
	return link, fixed, gone(err)
}

// there returns errNoLink if the tenant no longer has a form, as far as it says so without anybody's token.
func (l *lookPage) there(ctx context.Context, form string) error {
	missing := l.links.forms.orphans.Missing
	if missing == nil {
		return nil
	}
	gone, err := missing(ctx, []string{form})
	if len(gone) > 0 {
		err = errNoLink
	}
	return err
}

// gone returns errNoLink if an error means that what a link showed is gone.
func gone(err error) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, versions.ErrDamaged) {
		return errNoLink
	}
	return err
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

// seen is what a link shows.
type seen struct {
	link    store.Link
	fixed   bool // to this version
	version store.Version
	form    *model.Form
}

// show answers with what a token shows as draw draws it, a few at a time. What is sent is drawn once for all who read it at the same time, and
// no slot is held meanwhile.
func (l *lookPage) show(framed bool, draw func(r *http.Request, s seen) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		httpx.SetLookHeaders(w.Header(), framed)
		link, fixed, err := l.find(r)
		if err != nil {
			l.failed(w, r, err)
			return
		}
		key := drawingKey{link.ID, link.Version, framed}
		text, ok := l.drawn.take(key)
		if !ok {
			if wait := l.drew.Wait(r.Context(), clientip.Network(r)); wait > 0 {
				l.owing(w, r, wait)
				return
			}
			text, err = l.draw(r, seen{link: link, fixed: fixed}, key, draw)
		}
		if err != nil {
			l.failed(w, r, err)
			return
		}
		defer l.drawn.leave(key)
		if !framed && r.Method == http.MethodGet {
			if err := l.links.stored.Count(r.Context(), link.ID, l.links.now()); err != nil {
				l.links.forms.log.warn(r.Context(), "count a link", err)
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text) // #nosec G705 -- package atlas and the templates clean what authors wrote; writing fails only if the client has gone
	}
}

// draw draws what a link shows, which is then taken. It holds a slot while it reads the text, and again while it draws. In between it waits for its
// turn if the form is large, so that small ones are drawn meanwhile.
func (l *lookPage) draw(r *http.Request, s seen, key drawingKey, draw func(r *http.Request, s seen) ([]byte, error)) (text []byte, err error) {
	waiting, cancel := context.WithTimeout(r.Context(), lookWait)
	defer cancel()
	var stored []byte
	busy := l.slots.do(waiting, func() {
		s.version, stored, err = l.links.kept.Text(waiting, s.link.Form, s.link.Version)
	})
	if busy == nil && err == nil {
		work := func() {
			text, err = l.drawn.taken(key, func() ([]byte, error) { return l.spent(r, s, stored, draw) })
		}
		if l.turns.Do(waiting, len(stored), func() { busy = l.slots.do(waiting, work) }) != nil {
			busy = errBusy
		}
	}
	if busy != nil {
		return nil, cmp.Or(r.Context().Err(), errBusy)
	}
	return text, gone(err)
}

// spent draws a form, and counts it for the network of the request.
func (l *lookPage) spent(r *http.Request, s seen, stored []byte, draw func(r *http.Request, s seen) ([]byte, error)) ([]byte, error) {
	ctx, cancel := context.WithTimeout(r.Context(), lookTime)
	defer cancel()
	began := l.links.now()
	tree, err := versions.Tree(stored)
	if err != nil {
		return nil, err
	}
	s.form = model.FromTree(tree).Public()
	text, err := draw(r.WithContext(ctx), s)
	l.drew.Spend(clientip.Network(r), drawingCost(len(text), err, l.links.now().Sub(began)))
	return text, err
}

// drawingCost returns what a drawing of some bytes counts. One that failed counts as the largest one, since nobody knows what was drawn. If the
// reader has left meanwhile, it counts by its time.
func drawingCost(size int, err error, took time.Duration) int {
	switch {
	case err == nil:
		return size
	case errors.Is(err, context.Canceled):
		return int(min(took.Seconds()/largestTime.Seconds(), 1) * maxAtlas)
	}
	return maxAtlas
}

// notNow is the title of the page that says that a link shows nothing for a while.
const notNow = "The form cannot be shown now"

// owing answers a network for which more was drawn than it may have at once.
func (l *lookPage) owing(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	p := busy(fmt.Sprintf("The server has drawn much for your network. Reload this page in %.0f seconds.", math.Ceil(wait.Seconds())))
	p.RetryAfter = wait
	l.pages.fail(w, r, p, web.Message{Title: notNow})
}

// failed answers with why nothing is shown.
func (l *lookPage) failed(w http.ResponseWriter, r *http.Request, err error) {
	title := notNow
	var p *httpx.Problem
	switch {
	case errors.Is(err, errBusy):
		p = busy("The server is drawing other forms. Reload this page in a few seconds.")
	case errors.Is(err, errNoLink):
		p, title = httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound,
			"There is nothing behind this link, or there no longer is. Ask who sent it for another one."),
			"This link does not work"
	case errors.Is(err, atlas.ErrTooLarge):
		p, title = httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge,
			"The form has more screens than one page can show."), "Too many screens"
	default:
		p = l.links.forms.down(r.Context(), "form", err)
	}
	l.pages.fail(w, r, p, web.Message{Title: title})
}

// page draws the page with the graph.
func (l *lookPage) page(r *http.Request, s seen) ([]byte, error) {
	name := s.form.Name
	if strings.TrimSpace(name) == "" {
		name = "A form without a name"
	}
	drawn, err := picture.Themed(r.Context(), s.form)
	if err != nil {
		return nil, err
	}
	return l.pages.site.Look(web.Look{
		Name: name, Saved: s.version.Saved, Until: s.link.Expires, Fixed: s.fixed, Steps: steps(s.form), Nodes: len(s.form.Nodes),
		Graph: drawn, Screens: httpx.LookPath + url.PathEscape(r.PathValue("token")) + "/screens",
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
func (l *lookPage) screens(r *http.Request, s seen) ([]byte, error) {
	return atlas.Write(r.Context(), s.form, atlas.Options{Style: l.style, MaxBytes: maxAtlas, Date: s.version.Saved.UTC().Format(time.DateOnly)})
}

// drawings are what is being sent to those who follow links. All who read the same at the same time share it, so the memory does not grow with
// the number of slow readers. It is safe for concurrent use.
type drawings struct {
	mu sync.Mutex
	of map[drawingKey]*drawing
}

// drawingKey is what is drawn: a version as a link shows it, on the page or as screens.
type drawingKey struct {
	link    string
	version int
	screens bool
}

type drawing struct {
	text    []byte
	readers int
}

// take returns a drawing that is being sent, if there is one. The caller must leave it.
func (d *drawings) take(key drawingKey) (text []byte, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of, ok := d.of[key]
	if !ok {
		return nil, false
	}
	of.readers++
	return of.text, true
}

// put adds a drawing and takes it. If there is one already, put takes that.
func (d *drawings) put(key drawingKey, text []byte) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[drawingKey]*drawing{}
	}
	if d.of[key] == nil {
		d.of[key] = &drawing{text: text}
	}
	d.of[key].readers++
	return d.of[key].text
}

// taken takes a drawing. If there is none, it makes and puts one.
func (d *drawings) taken(key drawingKey, made func() ([]byte, error)) ([]byte, error) {
	if text, ok := d.take(key); ok {
		return text, nil
	}
	text, err := made()
	if err != nil {
		return nil, err
	}
	return d.put(key, text), nil
}

// leave forgets a drawing when its last reader has left.
func (d *drawings) leave(key drawingKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of[key].readers--; d.of[key].readers == 0 {
		delete(d.of, key)
	}
}
