package bff_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/store"
)

// picky is a store of messages that refuses those of some topics, each with an error of its own.
type picky struct {
	store.Messages

	refuse map[string]error

	mu    sync.Mutex
	tried map[string]int
	told  []string
	left  int // of those
}

func (p *picky) Publish(_ context.Context, m store.Message, _ time.Time) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried[m.Topic]++
	if err := p.refuse[m.Topic]; err != nil {
		return 0, fmt.Errorf("publish message: %w", err)
	}
	e := told{data: string(m.Data)}
	p.told = append(p.told, m.Topic+" "+e.member("page"))
	if e.member("left") == "true" {
		p.left++
	}
	return int64(len(p.told)), nil
}

// An event that the store refuses for good is dropped at once, and one that may be stored later is tried again and keeps back the later events of its
// form. The events of other forms wait for neither.
func TestAnEventThatCannotBeStoredHoldsUpNoOther(t *testing.T) {
	for _, x := range []struct {
		err   error
		tries int
	}{
		{store.ErrMessage, 3}, {errors.New("the database refused a value"), 3}, // once for each event
		{store.ErrUnavailable, 61}, {store.ErrFull, 61}, {store.ErrReadOnly, 61}, // each second for the life of the three
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &picky{refuse: map[string]error{"form/bad": x.err}, tried: map[string]int{}}
			e, stop := running(t, p)
			for _, page := range []string{"1", "2", "3"} {
				e.Left("bad", page)
				e.Left("good", page)
			}
			synctest.Wait()
			p.mu.Lock()
			if want := []string{"form/good 1", "form/good 2", "form/good 3"}; !slices.Equal(p.told, want) {
				t.Errorf("%v: at once %q are published, want %q", x.err, p.told, want)
			}
			p.mu.Unlock()
			<-time.After(2 * time.Minute)
			p.mu.Lock()
			if n := p.tried["form/bad"]; n < x.tries || n > x.tries+2 {
				t.Errorf("%v: the bad form was tried %d times, want %d", x.err, n, x.tries)
			}
			p.mu.Unlock()
			stop()
		})
	}
}

// running runs new events in a bubble until stop is called.
func running(t *testing.T, m store.Messages) (e *bff.Events, stop func()) {
	t.Helper()
	e = bff.NewEvents(bff.EventsConfig{Messages: m, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { e.Run(ctx) })
	return e, func() { cancel(); run.Wait() }
}

// slow is a store of messages that takes a time to publish one, and fails if it has an error. It keeps what is published until that is forgotten.
type slow struct {
	store.Messages

	takes time.Duration
	err   error

	mu    sync.Mutex
	tries int
	kept  []string
}

func (s *slow) Publish(ctx context.Context, m store.Message, _ time.Time) (int64, error) {
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries++
	if s.err != nil {
		return 0, s.err
	}
	s.kept = append(s.kept, m.Topic+" "+told{data: string(m.Data)}.member("page"))
	return int64(s.tries), nil
}

func (s *slow) ForgetMessages(_ context.Context, topic string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(k string) bool { return strings.HasPrefix(k, topic+" ") })
	return nil
}

// Of a deleted form, nothing is left of an event that was just being published, and it is not tried again. What is told later stays.
func TestEventsOfADeletedFormAreForgotten(t *testing.T) {
	for name, x := range map[string]struct {
		err   error
		tries int
		kept  []string
	}{
		"published": {nil, 2, []string{"form/gone 2"}},
		"failed":    {store.ErrUnavailable, 1, nil}, // the later event is tried after that
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &slow{takes: 2 * time.Second, err: x.err}
			e, stop := running(t, s)
			e.Left("gone", "1")
			time.Sleep(time.Second)
			if err := e.Forget(t.Context(), "gone"); err != nil {
				t.Fatal(err)
			}
			if x.err == nil {
				e.Left("gone", "2")
			}
			time.Sleep(10 * time.Second)
			stop()
			if !slices.Equal(s.kept, x.kept) || s.tries != x.tries {
				t.Errorf("%s: after %d tries, %q are kept, want %d and %q", name, s.tries, s.kept, x.tries, x.kept)
			}
		})
	}
}

// A shutdown waits for the attempts that are under way, and then tries for a few seconds. An attempt that waits for others does not begin meanwhile.
func TestPublishingEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{takes: time.Hour} // each attempt takes until its timeout
		e, stop := running(t, s)
		for form := range 20 {
			e.Left(fmt.Sprint(form), "1")
		}
		synctest.Wait()
		began := time.Now()
		stop()
		if took, most := time.Since(began), 3*5*time.Second; took > most {
			t.Errorf("it took %v, want at most %v", took, most)
		}
	})
}

// What people look at fills a part of the queue only. A page that leaves then still replaces that it came, and is told for as long as any event.
func TestPagesLeaveAFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &picky{refuse: map[string]error{"form/full": store.ErrUnavailable}, tried: map[string]int{}}
		e, stop := running(t, p)
		defer stop()
		for page := range 501 {
			e.Came(store.Presence{Form: "full", Page: fmt.Sprint(page)})
		}
		time.Sleep(50*time.Second + time.Millisecond)
		for page := range 501 {
			e.Left("full", fmt.Sprint(page))
		}
		time.Sleep(50 * time.Second)
		p.mu.Lock()
		p.refuse = nil
		p.mu.Unlock()
		time.Sleep(time.Minute)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.left != 500 || len(p.told) != 500 {
			t.Errorf("%d events are told, %d of them that a page left, want 500", len(p.told), p.left)
		}
	})
}

// A name of any length is told, shortened.
func TestLongNamesAreTold(t *testing.T) {
	w := newWorld(t)
	w.claims = map[string]any{"name": strings.Repeat("<", 12_000)}
	b, other := w.browser(), w.browser()
	b.signIn()
	other.signIn()
	w.publishing()
	s, _ := b.hears("form=ap_1&page=me")
	for kind, act := range map[string]func() got{
		"saved": func() got { return other.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`) },
		"settings": func() got {
			tag := other.app("GET", "/bff/api/forms/ap_1/settings", "").header.Get("ETag")
			return other.app("PUT", "/bff/api/forms/ap_1/settings", `{"save_as_you_go":true}`, "If-Match", tag)
		},
		"presence": func() got { _, g := other.open("form=ap_1&page=other"); return g },
		"comment":  func() got { return other.app("POST", "/bff/api/forms/ap_1/comments", `{"text":"x"}`) },
	} {
		if g := act(); g.status > 299 {
			t.Errorf("%s: %d %s", kind, g.status, g.body)
			continue
		}
		next := func() told {
			lost := false
			waittest.Until(t, kind+" is told or lost", func() bool {
				lost = strings.Contains(w.log.String(), "event is not published")
				return lost || len(s.events) > 0
			})
			if lost {
				t.Fatalf("%s: an event was not published", kind)
			}
			return s.next()
		}
		e := next()
		for e.kind == "presence" && e.member("page") == "me" {
			e = next()
		}
		var name string
		if e.kind == kind {
			name = e.member("name")
		}
		if len(name) < 100 || len(name) > 1000 {
			t.Errorf("%s: told %s %.200s", kind, e.kind, e.data)
		}
	}
}

// forgetful is a store of messages that has forgotten some when it is read.
type forgetful struct {
	store.Messages

	mu     sync.Mutex
	missed bool
}

func (f *forgetful) ReadMessages(ctx context.Context, topic string, after int64, limit int) ([]store.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.missed {
		return []store.Message{{Topic: topic, Number: after + 1}}, nil
	}
	return f.Messages.ReadMessages(ctx, topic, after, limit)
}

// A browser that comes back after messages of its form were forgotten for lack of room learns that it has missed some. So does one whose
// stream was too slow: the stream ends, and the browser connects again. Streams of other forms go on.
func TestStreamsLearnWhatWasForgotten(t *testing.T) {
	w := newWorld(t)
	f := &forgetful{Messages: w.db}
	w.restarted(bff.EventsConfig{Messages: f})
	b := w.browser()
	b.signIn()
	at := map[string]int64{}
	for _, form := range []string{"ap_1", "ap_2"} {
		s, hello := b.hears("form=" + form)
		at[form] = hello.id
		s.close()
	}
	data, err := json.Marshal(strings.Repeat("x", store.MaxData-2))
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Move(time.Second)
	for range store.MaxTopicMessages/store.MaxData + 1 {
		if _, err := w.db.Publish(t.Context(), store.Message{Topic: "form/ap_1", Kind: "presence", Data: data}, w.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for form, want := range map[string]string{"ap_1": "true", "ap_2": ""} {
		s, hello := b.hears(fmt.Sprint("form=", form, "&after=", at[form]))
		if got := hello.member("missed"); got != want {
			t.Errorf("%s: missed %q, want %q", form, got, want)
		}
		s.close()
	}
	s, hello := b.hears("form=ap_2")
	f.mu.Lock()
	f.missed = true
	f.mu.Unlock()
	if _, err := w.db.Publish(t.Context(), store.Message{Topic: "form/ap_2", Kind: "saved", Data: []byte(`{}`)}, w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if e := s.next(); e.kind != "" {
		t.Errorf("a stream that has missed something tells %+v, want its end", e)
	}
	if _, again := b.hears(fmt.Sprint("form=ap_2&after=", hello.id)); again.member("missed") != "true" {
		t.Errorf("told %+v, want missed", again)
	}
}
