package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
)

// page edits the form together with others.
type page struct {
	*member

	form, name string
	serial     int
	number     int            // of the shared form that the page has
	tree       *schema.Object // the shared form
	all        []*page        // that edit the form
	refused    error          // why the last stream did not begin; of follow

	mu    sync.Mutex
	room  string
	begun map[int]time.Time // when entries were offered, by their serial
}

func (p *page) path() string { return "/bff/api/forms/" + p.form + "/live" }

// join opens the room of the form, or joins it. The stream of the page is open.
func (p *page) join() {
	p.s.t.Helper()
	status, _, text := p.get("live read", p.path())
	if objectOf(text).Has("closed") {
		_, header, form := p.get("read form", "/bff/api/forms/"+p.form)
		body := schema.NewObject(schema.Member{Key: "saved", Value: objectOf(form)}, schema.Member{Key: "etag", Value: header.Get("ETag")})
		status, _, text = p.call("live read", http.MethodPost, p.path(), string(schema.Encode(body)), "X-Tab", p.name)
	}
	part := objectOf(text)
	p.mu.Lock()
	p.room = part.Text("room")
	p.mu.Unlock()
	if status != http.StatusOK || p.room == "" {
		p.s.t.Fatalf("the room of page %s: %d %.300s", p.name, status, text)
	}
	p.take(part)
}

// take takes an answer about the room, and reports whether the entry that was offered was accepted.
func (p *page) take(part *schema.Object) (accepted bool) {
	if part.Text("room") != p.room {
		p.complain("the room was closed: %.200s", schema.Encode(part))
		return false
	}
	if form := part.Object("form"); form != nil {
		v, _ := part.Get("number")
		number, _ := v.(schema.Number)
		p.number, _ = number.Int()
		p.tree = form
	}
	for _, v := range part.List("entries") {
		if err := p.apply(v); err != nil {
			p.complain("entry after %d: %v", p.number, err)
			return false
		}
	}
	if err := p.see(p.tree); err != nil {
		p.complain("the shared form of number %d: %v", p.number, err)
	}
	return part.Has("accepted")
}

func (p *page) apply(v any) error {
	e, err := live.ReadEntry(v)
	if err != nil || e.Number <= p.number {
		return err
	}
	if e.Number != p.number+1 {
		return fmt.Errorf("the next entry is %d", e.Number)
	}
	tree, err := schema.Patch(p.tree, e.Edits)
	if err != nil {
		return err
	}
	if e.Digest != "" && e.Digest != live.Digest(tree) {
		return errors.New("the copy of the page differs from the shared form")
	}
	p.tree, p.number = tree, e.Number
	return nil
}

// catchUp takes what the page misses, and reports whether it was answered.
func (p *page) catchUp() bool {
	status, _, text := p.get("live read", fmt.Sprintf("%s?room=%s&after=%d", p.path(), p.room, p.number))
	if status != http.StatusOK {
		return false
	}
	p.take(objectOf(text))
	return true
}

// mostOffers is how often a page offers an edit before it gives up.
const mostOffers = 40

// share offers an entry until it is accepted, and reports whether it was. edits returns the edits of the form as it is then.
func (p *page) share(edits func() []schema.Edit, etag string, saved int) bool {
	for range mostOffers {
		p.serial++
		p.mu.Lock()
		p.begun[p.serial] = time.Now()
		p.mu.Unlock()
		e := live.Entry{Number: p.number + 1, Page: p.name, Serial: p.serial, ETag: etag, Saved: saved, Edits: edits()}
		body := schema.NewObject(schema.Member{Key: "room", Value: p.room}, schema.Member{Key: "entry", Value: e.Tree()})
		status, _, text := p.call("live entry", http.MethodPost, p.path(), string(schema.Encode(body)), "X-Tab", p.name)
		if status != http.StatusOK {
			p.catchUp()
			return false
		}
		if p.take(objectOf(text)) {
			return true
		}
		p.overtaken++
		if p.s.t.Failed() {
			return false
		}
	}
	return false
}

var hiddenFields = schema.Path{schema.Key("start"), schema.Key("hidden_fields")}

// edit adds a token to the list of the shared form.
func (p *page) edit() bool {
	edits := func() []schema.Edit {
		p.may = append(p.may, p.next())
		return p.change(p.may[len(p.may)-1])
	}
	return p.share(edits, "", 0)
}

// change returns the edits after which the person's own tokens are those of a list: the new one is inserted at the end, and old ones are removed.
func (p *page) change(list []string) []schema.Edit {
	keys := tokensOf(p.tree)
	edits := []schema.Edit{{
		Path: hiddenFields.Index(len(keys)), Value: schema.NewObject(schema.Member{Key: "key", Value: list[len(list)-1]}), Inserted: true,
	}}
	for i, key := range slices.Backward(keys) {
		if strings.HasPrefix(key, p.prefix) && !slices.Contains(list, key) {
			edits = append(edits, schema.Edit{Path: hiddenFields.Index(i), Cleared: true})
		}
	}
	return edits
}

// saveShared saves the shared form as pages do: a newer version is read first, and everybody is told of the new one.
func (p *page) saveShared() bool {
	for range mostOffers {
		status, header, _ := p.get("read form", "/bff/api/forms/"+p.form)
		// What others have saved is in the shared form of now.
		if status != http.StatusOK || !p.catchUp() {
			return false
		}
		start, _ := p.tree.Get("start")
		nodes, _ := p.tree.Get("nodes")
		number := p.number
		status, header, name := p.patch(p.form, header.Get("ETag"), schema.Member{Key: "start", Value: start}, schema.Member{Key: "nodes", Value: nodes})
		if status == http.StatusOK {
			edits := func() []schema.Edit { return []schema.Edit{{Path: schema.Path{schema.Key("name")}, Value: name}} }
			return p.share(edits, header.Get("ETag"), number)
		}
		if status != http.StatusPreconditionFailed || p.s.t.Failed() {
			return false
		}
	}
	return false
}

func (p *page) round(n int) {
	p.edit()
	p.call("presence", http.MethodPost, "/bff/api/forms/"+p.form+"/presence", fmt.Sprintf(`{"node":"n%d"}`, n%12), "X-Tab", p.name)
	if n%kindsOfRounds%3 == 0 {
		p.saveShared()
	}
	p.besides(n, p.form)
}

// follow keeps the stream of the page open, and measures how long the edits of others take to arrive. It calls opened at the first time.
func (p *page) follow(ctx context.Context, opened func()) {
	for ctx.Err() == nil {
		p.mu.Lock()
		room := p.room
		p.mu.Unlock()
		lines, err := (&typist{resident: p.resident, form: p.form, page: p.name, room: room}).open(ctx)
		if err == nil {
			opened()
			p.read(lines)
		}
		if ctx.Err() == nil {
			p.refused = err
			p.watch.refuse(p.watch.phase.Load(), "stream", 0)
			<-time.After(100 * time.Millisecond)
		}
	}
}

func (p *page) read(lines *bufio.Scanner) {
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || !strings.Contains(data, `"entry":`) {
			continue
		}
		var told struct {
			Entry struct {
				Page   string
				Serial int
			}
		}
		if json.Unmarshal([]byte(data), &told) != nil {
			continue
		}
		for _, o := range p.all {
			if o.name == told.Entry.Page && o != p {
				o.mu.Lock()
				began, ok := o.begun[told.Entry.Serial]
				o.mu.Unlock()
				if ok {
					p.watch.add(p.watch.phase.Load(), "edit arrives", time.Since(began))
				}
			}
		}
	}
}
