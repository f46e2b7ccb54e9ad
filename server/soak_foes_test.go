package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const (
	foeNodes  = 12_000  // of a form that is saved with other ids each time
	foeRules  = 5_000   // of a router
	foeShape  = 3_000   // nodes, components or rules of a form that is looked at
	foeAtlas  = 2_000   // components of a form of which an atlas is asked for
	foeEdits  = 19_999  // of an entry that makes many edits
	foeValue  = 900_000 // bytes of a value that an entry sets
	foeFile   = 3 << 20 // bytes of a file of scenarios
	foeHolds  = 5 * time.Second
	foeSocket = 4 << 10 // bytes that the socket of somebody takes who does not read
	foeSlow   = 3       // sockets of each kind that are not read
	foeReads  = 64 << 10
	foeEvents = "/bff/events?form="
)

// aimed returns an address below that of the form that is attacked.
func (s *assault) aimed(more string) string { return "/bff/api/forms/" + *s.target.Load() + more }

// hit sends a request as the editor's pages do. It returns the beginning of the answer.
func hit(ctx context.Context, v *visitor, method, path, body string, headers ...string) (status int, text string, err error) {
	status, _, text, err = hitFor(ctx, v, method, path, body, headers...)
	return status, text, err
}

// hitFor is hit with the header of the answer.
func hitFor(ctx context.Context, v *visitor, method, path, body string, headers ...string) (status int, h http.Header, text string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, v.s.at.Editor+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, "", err
	}
	asPage(req, v, headers...)
	res, err := v.client.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer func() { _ = res.Body.Close() }()
	begin, err := io.ReadAll(io.LimitReader(res.Body, foeReads))
	if err == nil {
		_, err = io.Copy(io.Discard, res.Body)
	}
	return res.StatusCode, res.Header, string(begin), err
}

func asPage(req *http.Request, v *visitor, headers ...string) {
	headers = append([]string{"X-CSRF", "1", "Origin", v.s.at.Editor, "Content-Type", "application/json"}, headers...)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
}

// deaf sends a request, of which promised more bytes never come, reads only the status of the answer, and keeps the connection open.
func deaf(ctx context.Context, v *visitor, method, path, body string, promised int, headers ...string) (status int, err error) {
	to, err := url.Parse(v.s.at.Editor)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, method, v.s.at.Editor+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	asPage(req, v, headers...)
	for _, c := range v.client.Jar.Cookies(to) {
		req.AddCookie(c)
	}
	ctx, cancel := context.WithTimeout(ctx, foeHolds)
	defer cancel()
	var head strings.Builder
	_, _ = fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n", method, path, to.Host, len(body)+promised)
	_ = req.Header.Write(&head) // it never fails
	conn, err := v.client.Transport.(*http.Transport).DialContext(ctx, "tcp", to.Host)
	if err != nil {
		return 0, err
	}
	defer conn.Close() //nolint:errcheck // it was not read either
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	_ = conn.(*net.TCPConn).SetReadBuffer(foeSocket) // a hint
	if _, err = io.WriteString(conn, head.String()+"\r\n"+body); err != nil {
		return 0, err
	}
	line := make([]byte, len("HTTP/1.1 200"))
	if _, err = io.ReadFull(conn, line); err != nil && promised > 0 {
		return http.StatusContinue, nil //nolint:nilerr // the server waits for the rest, as it should
	}
	if err != nil {
		return 0, err
	}
	<-ctx.Done()
	return strconv.Atoi(string(line[len(line)-3:]))
}

// renewedTexts returns the JSON texts of a form whose ids are other ones in each.
func renewedTexts(shape string, n int) (texts []string) {
	f := formtest.Worst(shape, n)
	for _, prefix := range []string{"a_", "b_", "c_"} {
		texts = append(texts, string(schema.Encode(formtest.Renewed(f, prefix).Tree())))
	}
	return texts
}

func textOf(f *model.Form) string { return string(schema.Encode(f.Tree())) }

// foe makes attacks of one of the two.
type foe struct {
	*assault

	v   *visitor
	all []*attack
}

// act is a kind of attack: it makes the n-th request, or some.
type act func(ctx context.Context, v *visitor, n int) (int, error)

func (f *foe) add(name string, do act) {
	f.all = append(f.all, &attack{name: name, v: f.v, do: do, eager: true})
}

// once adds a single request; path is computed anew each time, as the target changes.
func (f *foe) once(name, method string, path func(n int) string, body func(n int) string, headers ...string) {
	f.add(name, func(ctx context.Context, v *visitor, n int) (int, error) {
		status, _, err := hit(ctx, v, method, path(n), body(n), headers...)
		return status, err
	})
}

// nothing and what always returns are bodies that are the same each time.
func nothing(int) string { return "" }

func always(text string) func(int) string { return func(int) string { return text } }

// aim returns a path of the form that is attacked.
func (s *assault) aim(more string) func(int) string { return func(int) string { return s.aimed(more) } }

// cycle returns texts in turns.
func cycle(texts []string) func(int) string {
	return func(n int) string { return texts[n%len(texts)] }
}

func (s *assault) editorAttacks(large, routers, shapes string) []*attack {
	f := &foe{assault: s, v: s.editor}
	types := renewedTexts("types", foeNodes)
	f.once("editor: saves with new ids", http.MethodPatch, func(int) string { return "/bff/api/forms/" + large }, cycle(types))
	f.once("editor: saves of 5,000 rules", http.MethodPatch, func(int) string { return "/bff/api/forms/" + routers },
		cycle(append(renewedTexts("router", foeRules), renewedTexts("pairs", foeRules)...)))
	var worst []string
	for _, shape := range formtest.Shapes {
		worst = append(worst, textOf(formtest.Worst(shape, foeShape)))
	}
	f.add("editor: overviews of the worst", func(ctx context.Context, v *visitor, n int) (int, error) {
		if status, _, err := hit(ctx, v, http.MethodPatch, "/bff/api/forms/"+shapes, worst[n%len(worst)]); err != nil || status != http.StatusOK {
			return status, err
		}
		status, _, err := hit(ctx, v, http.MethodGet, "/bff/api/forms/"+shapes+"/overview", "")
		return status, err
	})
	f.once("editor: overviews of rules", http.MethodGet, func(int) string { return "/bff/api/forms/" + routers + "/overview" }, nothing)
	f.once("editor: saves of what others need", http.MethodPatch, s.aim(""), func(n int) string {
		return fmt.Sprintf(`{"messages":{"custom":{"flood":"%d"}}}`, n)
	})
	f.once("editor: saves of old versions", http.MethodPatch, s.aim(""), always(`{"name":"Old"}`), "If-Match", `"old"`)
	f.add("editor: large entries", s.rival("mallory-1", func(n int) string {
		return fmt.Sprintf(`[{"at":"messages.large","to":%q}]`, strings.Repeat("x", n%2*foeValue))
	}))
	var many strings.Builder
	many.WriteString(`[{"at":"messages.list","to":[]}`)
	for i := range foeEdits {
		_, _ = fmt.Fprintf(&many, `,{"at":"messages.list[%d]","in":"x"}`, i)
	}
	f.add("editor: entries of 20,000 edits", s.rival("mallory-2", always(many.String()+"]")))
	f.add("editor: small entries", s.rival("mallory-3", func(n int) string { return fmt.Sprintf(`[{"at":"messages.small","to":"%d"}]`, n) }))
	f.add("editor: streams", s.stream("mallory-4"))
	f.once("editor: presence", http.MethodPost, s.aim("/presence"), func(n int) string {
		return fmt.Sprintf(`{"node":"%d %s"}`, n, strings.Repeat("x", 16_000))
	}, "X-Tab", "mallory-4")
	f.add("editor: comments", s.comment(strings.Repeat("y", 4_000)))
	f.add("editor: links", s.link(large))
	f.add("editor: scenarios", s.fill(large))
	f.add("editor: forms", func(ctx context.Context, v *visitor, n int) (int, error) {
		status, text, err := hit(ctx, v, http.MethodPost, "/bff/api/forms", types[n%len(types)])
		if err != nil || status != http.StatusCreated {
			return status, err
		}
		status, _, err = hit(ctx, v, http.MethodDelete, "/bff/api/forms/"+idIn(text), "")
		return status, err
	})
	s.deafEditor(f, large, textOf(formtest.Worst("step", foeAtlas)))
	return f.all
}

// idIn returns the first ID in an answer.
func idIn(text string) string {
	_, after, _ := strings.Cut(text, `"id":"`)
	id, _, _ := strings.Cut(after, `"`)
	return id
}

// deafEditor adds what does not read its answers.
func (s *assault) deafEditor(f *foe, form, text string) {
	screens := url.Values{"form": {text}}.Encode()
	var look sync.Map // the link of each
	for i := range foeSlow {
		f.add("editor: unread atlas", func(ctx context.Context, v *visitor, _ int) (int, error) {
			return deaf(ctx, v, http.MethodPost, "/bff/atlas", screens, 0, "Content-Type", soakForm, "Sec-Fetch-Site", "same-origin")
		})
		f.add("editor: unread link", func(ctx context.Context, v *visitor, _ int) (int, error) {
			link, ok := look.Load(i)
			if !ok {
				status, text, err := newLink(ctx, v, form)
				if err != nil || status != http.StatusCreated {
					return status, err
				}
				_, after, _ := strings.Cut(text, `"url":"`+v.s.at.Editor)
				link, _, _ = strings.Cut(after, `"`)
				look.Store(i, link)
			}
			return deaf(ctx, v, http.MethodGet, fmt.Sprint(link, "/screens"), "", 0)
		})
	}
}

func newLink(ctx context.Context, v *visitor, form string) (status int, text string, err error) {
	return hit(ctx, v, http.MethodPost, "/bff/api/forms/"+form+"/links", fmt.Sprintf(`{"expires_at":%q}`,
		time.Now().Add(time.Hour).UTC().Format(time.RFC3339)))
}

// link makes and revokes links.
func (s *assault) link(form string) act {
	return func(ctx context.Context, v *visitor, _ int) (int, error) {
		status, text, err := newLink(ctx, v, form)
		if err != nil || status != http.StatusCreated {
			return status, err
		}
		status, _, err = hit(ctx, v, http.MethodDelete, "/bff/api/forms/"+form+"/links/"+idIn(text), "")
		return status, err
	}
}

// comment writes comments up to the limit, and then deletes one for each new one.
func (s *assault) comment(text string) act {
	form, last := "", ""
	return func(ctx context.Context, v *visitor, n int) (int, error) {
		if path := s.aimed("/comments"); path != form {
			form, last = path, ""
		}
		status, answer, err := hit(ctx, v, http.MethodPost, form, fmt.Sprintf(`{"text":"%d %s"}`, n%10, text[6:]))
		if status == http.StatusCreated {
			last = idIn(answer)
		}
		if status == http.StatusConflict && last != "" {
			status, _, err = hit(ctx, v, http.MethodDelete, form+"/"+last, "")
			last = ""
		}
		return status, err
	}
}

// fill replaces the scenarios of a form by the largest file.
func (s *assault) fill(form string) act {
	path := "/bff/api/forms/" + form + "/scenarios"
	name := strings.Repeat("z", 200)
	texts := make([]string, 2)
	for i := range texts {
		var b strings.Builder
		_, _ = fmt.Fprintf(&b, `{"version":1,"scenarios":[{"name":"first %d","steps":[],"expect":["n0"]}`, i)
		for n := 0; b.Len() < foeFile; n++ {
			_, _ = fmt.Fprintf(&b, `,{"name":"%s %d","steps":[],"expect":["n0"]}`, name, n)
		}
		texts[i] = b.String() + "]}"
	}
	return func(ctx context.Context, v *visitor, n int) (int, error) {
		status, header, _, err := hitFor(ctx, v, http.MethodGet, path, "")
		if err != nil || status != http.StatusOK {
			return status, err
		}
		status, _, err = hit(ctx, v, http.MethodPut, path, texts[n%2], "If-Match", header.Get("ETag"))
		return status, err
	}
}

// stream opens a stream of a page and leaves.
func (s *assault) stream(page string) act {
	return func(ctx context.Context, v *visitor, _ int) (int, error) {
		return openStream(ctx, v, *s.target.Load(), page)
	}
}

// openStream opens a stream, and leaves after a moment.
func openStream(ctx context.Context, v *visitor, form, page string) (int, error) {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.s.at.Editor+foeEvents+form+"&page="+page, http.NoBody)
	if err != nil {
		return 0, err
	}
	res, err := v.client.Do(req)
	if err != nil {
		return 0, err
	}
	if res.StatusCode == http.StatusOK {
		select {
		case <-ctx.Done():
		case <-time.After(soakAttack):
		}
	}
	return res.StatusCode, res.Body.Close()
}

// rival offers entries to the room of a form, which it opens if there is none.
func (s *assault) rival(page string, edits func(n int) string) act {
	form, room, number, serial := "", "", 0, 0
	return func(ctx context.Context, v *visitor, n int) (int, error) {
		path := s.aimed("/live")
		if path != form || room == "" {
			form = path
			status, text, err := s.enterRoom(ctx, v, page)
			if room, number = placeIn(text); err != nil || room == "" {
				return status, err
			}
		}
		serial++
		status, text, err := hit(ctx, v, http.MethodPost, path, fmt.Sprintf(`{"room":%q,"entry":{"number":%d,"serial":%d,"edits":%s}}`,
			room, number+1, serial, edits(n)), "X-Tab", page)
		if status == http.StatusOK {
			room, number = placeIn(text)
		}
		return status, err
	}
}

// enterRoom joins the room of the form that is attacked, or opens it.
func (s *assault) enterRoom(ctx context.Context, v *visitor, page string) (status int, text string, err error) {
	status, text, err = hit(ctx, v, http.MethodGet, s.aimed("/live"), "")
	if err != nil || !strings.Contains(text, `"closed":true`) {
		return status, text, err
	}
	_, header, form, err := hitFor(ctx, v, http.MethodGet, s.aimed(""), "")
	if err != nil {
		return 0, "", err
	}
	return hit(ctx, v, http.MethodPost, s.aimed("/live"), fmt.Sprintf(`{"saved":%s,"etag":%q}`, form, header.Get("ETag")), "X-Tab", page)
}

// placeIn returns the room and the number in an answer about a room, with which it begins.
func placeIn(text string) (room string, number int) {
	begin, _, found := strings.Cut(text, `,"etag"`)
	var part struct {
		Room   string
		Number int
	}
	if !found || json.Unmarshal([]byte(begin+"}"), &part) != nil {
		return "", 0
	}
	return part.Room, part.Number
}
