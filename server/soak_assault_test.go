package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/formgraph/formgraph/server/childtest"
)

// asAssault is set in the environment of the process of the hostile two.
const asAssault = "FORMGRAPH_TEST_AS_ASSAULT"

// assault is what the hostile editor and viewer do. They are a process of their own with the lowest priority: their machines would not be that of the
// server and of those who wait for it, so they may use what these two leave of the processors.
type assault struct {
	*soak
	assaultBrief

	editor, viewer *visitor
	attacks        []*attack
	target         atomic.Pointer[string] // the form that is attacked
}

// assaultBrief is what the hostile two know.
type assaultBrief struct {
	Address string
	Mallory []*http.Cookie // of the editor
	Victor  []*http.Cookie // of the viewer
	Own     []string       // three forms of the editor
	Pages   []string       // the names of others' pages
}

// assaultOrder starts the attacks on a form, ends them, or asks what they have done.
type assaultOrder struct {
	Target string
	Stop   bool
}

// assail is the process of the hostile two. It follows orders until in ends.
func assail(in io.Reader, out io.Writer) error {
	orders, answers := json.NewDecoder(in), json.NewEncoder(out)
	var b assaultBrief
	if err := orders.Decode(&b); err != nil {
		return err
	}
	s := newAssault(b)
	stop := func() {}
	defer func() { stop() }()
	for running := false; ; {
		var o assaultOrder
		if err := orders.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if o.Stop {
			stop()
			stop, running = func() {}, false
		}
		if o.Target != "" {
			s.target.Store(&o.Target)
			stop, running = s.attack(), true
		}
		if err := answers.Encode(talliesOf(s.attacks, !running)); err != nil {
			return err
		}
	}
}

func newAssault(b assaultBrief) *assault {
	s := &assault{soak: &soak{at: addresses{Editor: b.Address}}, assaultBrief: b}
	here, _ := url.Parse(b.Address) // it was parsed before
	signedIn := func(address string, cookies []*http.Cookie) *visitor {
		v := s.visitor(address)
		v.client.Jar.SetCookies(here, cookies)
		return v
	}
	s.editor, s.viewer = signedIn(attacker, b.Mallory), signedIn(nextAttacker, b.Victor)
	s.attacks = append(s.editorAttacks(b.Own[0], b.Own[1], b.Own[2]), s.viewerAttacks()...)
	return s
}

// attack starts the attacks. The returned function ends them.
func (s *assault) attack() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for _, a := range s.attacks {
		wg.Go(func() { a.run(ctx) })
	}
	return func() { cancel(); wg.Wait() }
}

// assailants is the process of an assault.
type assailants struct {
	t       testing.TB
	orders  *json.Encoder
	answers *json.Decoder
	all     []tally
}

// assailants starts the process of the hostile two. It attacks nothing yet.
func (s *siege) assailants() *assailants {
	s.t.Helper()
	here, err := url.Parse(s.at.Editor)
	must(s.t, err)
	b := assaultBrief{
		Address: s.at.Editor, Mallory: s.editor.client.Jar.Cookies(here), Victor: s.viewer.client.Jar.Cookies(here),
		Own: []string{s.editor.newForm(), s.editor.newForm(), s.editor.newForm()},
	}
	for _, p := range s.pages {
		b.Pages = append(b.Pages, p.name)
	}
	c := exec.CommandContext(context.WithoutCancel(s.t.Context()), "nice", "-n", "19", self(s.t))
	c.Env = append(os.Environ(), asAssault+"=1")
	c.Stderr = os.Stderr
	childtest.Tie(c, syscall.SIGKILL)
	in, err := c.StdinPipe()
	must(s.t, err)
	out, err := c.StdoutPipe()
	must(s.t, err)
	must(s.t, c.Start())
	s.t.Cleanup(func() {
		_ = in.Close() // the process ends then
		if err := c.Wait(); err != nil {
			s.t.Errorf("the process of the attacks: %v", err)
		}
	})
	f := &assailants{t: s.t, orders: json.NewEncoder(in), answers: json.NewDecoder(out)}
	must(s.t, f.orders.Encode(b))
	return f
}

func (f *assailants) order(o assaultOrder) {
	f.t.Helper()
	must(f.t, f.orders.Encode(o))
	must(f.t, f.answers.Decode(&f.all))
}

// sent returns how many requests were sent.
func (f *assailants) sent() (n int64) {
	f.order(assaultOrder{})
	for _, a := range f.all {
		n += a.Sent
	}
	return n
}
