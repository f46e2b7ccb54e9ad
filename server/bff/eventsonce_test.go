package bff_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
)

// A proxy that keeps a stream back passes on one that ends. It ends with the first events, those since the last one that the browser has
// seen among them, or after the time of a beat.
func TestStreamsThatEndByThemselves(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	s, hello := b.hears("form=ap_1&once=1")
	save := func(tab string) {
		t.Helper()
		if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-Tab", tab); g.status != 200 {
			t.Fatal(g.body)
		}
	}
	ends := func(s *streamed, tab string) (last int64) {
		t.Helper()
		first, next := s.next(), s.next()
		if first.kind != "saved" || first.member("tab") != tab || next.kind != "" {
			t.Errorf("the stream tells %+v and %+v, want the save of %s and the end", first, next, tab)
		}
		return first.id
	}
	save("1")
	if at := ends(s, "1"); at <= hello.id {
		t.Errorf("the save is event %d, after %d", at, hello.id)
	} else {
		other, _ := b.hears("form=ap_1")
		save("2")
		other.next()
		s, _ = b.hears(fmt.Sprint("form=ap_1&once=1&after=", at))
		ends(s, "2")
	}
	w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
	b.signIn()
	s, _ = b.hears("form=ap_1&once=1")
	if e := s.next(); e.kind != "" {
		t.Errorf("a stream without events goes on with %+v", e)
	}
	if len(s.beats) > 0 {
		t.Error("it has a beat")
	}
}
