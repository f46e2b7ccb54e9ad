package kit_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/schema"
)

// listing is a page with a list on a fake server, which has numbered rows and answers a search for "slow" late.
type listing struct {
	kit.List
	calls kit.Calls
	asked []string // q and from of each request
	done  int
	fail  error
}

func newListing(total int) *listing {
	p := &listing{List: kit.List{Path: "/bff/api/admin/users", ID: "user_id", Size: 3}}
	p.calls = kit.Calls{Life: kit.NewLife(), Done: func(app.Context, error) { p.done++ }}
	p.calls.Client = client.New(uitest.Server(func(r client.Request) (client.Response, error) {
		u, err := url.Parse(r.Path)
		if err != nil {
			return client.Response{}, err
		}
		q, from := u.Query().Get("q"), u.Query().Get("from")
		p.asked = append(p.asked, q+"/"+from)
		if strings.Contains(q, "slow") {
			<-time.After(10 * time.Second)
		}
		if p.fail != nil {
			return client.Response{}, p.fail
		}
		first := 0
		if from != "" {
			_, _ = fmt.Sscan(from, &first)
		}
		var rows []string
		for i := first; i < min(first+3, total); i++ {
			rows = append(rows, fmt.Sprintf(`{"user_id":"%s%d"}`, q, i))
		}
		next := ""
		if first+3 < total {
			next = fmt.Sprintf(`,"next":"%d"`, first+3)
		}
		return uitest.Answer(200, fmt.Sprintf(`{"users":[%s],"total":%d%s}`, strings.Join(rows, ","), total, next)), nil
	}))
	return p
}

func (p *listing) ids() string {
	var out []string
	for _, o := range p.Rows {
		out = append(out, o.Text("user_id"))
	}
	return strings.Join(out, " ")
}

// want returns a step that compares the displayed rows.
func (p *listing) want(t *testing.T, ids string, total int, more bool) func(app.Context) {
	t.Helper()
	return func(app.Context) {
		t.Helper()
		if p.ids() != ids || p.Total != total || p.More() != more || p.Loading {
			t.Errorf("shown are %q of %d, more %t, loading %t; want %q of %d, more %t", p.ids(), p.Total, p.More(), p.Loading, ids, total, more)
		}
	}
}

func TestListIsReadInParts(t *testing.T) {
	p := newListing(5)
	if p.Begun() {
		t.Error("a list begins by itself")
	}
	uitest.Play(t,
		func(ctx app.Context) { p.Load(ctx, p.calls) }, p.want(t, "0 1 2", 5, true),
		func(ctx app.Context) { p.Continue(ctx, p.calls); p.Continue(ctx, p.calls) }, p.want(t, "0 1 2 3 4", 5, false),
		func(ctx app.Context) { p.Continue(ctx, p.calls) },
		func(ctx app.Context) { p.Load(ctx, p.calls) }, p.want(t, "0 1 2", 5, true),
	)
	if got := strings.Join(p.asked, " "); got != "/ /3 /" {
		t.Errorf("asked for %q", got)
	}
}

// Input causes a single request, once it pauses.
func TestSearchWaitsForAPause(t *testing.T) {
	p := newListing(2)
	uitest.Play(t, func(ctx app.Context) {
		for _, typed := range []string{"a", "an", "ana"} {
			p.Search(ctx, p.calls, typed)
		}
		if len(p.asked) > 0 || !p.Loading || p.Query != "ana" {
			t.Errorf("asked for %q at once", p.asked)
		}
	}, p.want(t, "ana0 ana1", 2, false))
	if got := strings.Join(p.asked, " "); got != "ana/" {
		t.Errorf("asked for %q", got)
	}
}

// An answer that arrives after the answer to a later request is dropped, whatever the result of that request.
func TestOnlyTheLatestAnswerIsShown(t *testing.T) {
	p := newListing(1)
	uitest.Play(t, func(ctx app.Context) {
		p.Query = "slow"
		p.Load(ctx, p.calls)
		p.Search(ctx, p.calls, "quick")
	}, p.want(t, "quick0", 1, false))
	if p.done != 1 {
		t.Errorf("%d answers were accepted", p.done)
	}
}

// Rows stay when they cannot be read again, but are not shown as the result of another search.
func TestFailedRequestsOfAList(t *testing.T) {
	p := newListing(5)
	uitest.Play(t,
		func(ctx app.Context) { p.Load(ctx, p.calls) },
		func(ctx app.Context) { p.fail = errors.New("x"); p.Load(ctx, p.calls) }, p.want(t, "0 1 2", 5, true),
		func(ctx app.Context) { p.Continue(ctx, p.calls) }, p.want(t, "0 1 2", 5, true),
		func(app.Context) {
			if p.Err == nil {
				t.Error("no error")
			}
		},
		func(ctx app.Context) { p.fail = nil; p.Continue(ctx, p.calls) }, p.want(t, "0 1 2 3 4", 5, false),
		func(ctx app.Context) { p.fail = errors.New("x"); p.Search(ctx, p.calls, "b") }, p.want(t, "", 0, false),
		func(ctx app.Context) { p.fail = nil; p.Load(ctx, p.calls) }, p.want(t, "b0 b1 b2", 5, true),
	)
	if p.Err != nil {
		t.Errorf("after a success: %v", p.Err)
	}
}

// A list on a page that was left ignores answers.
func TestLeftListIgnoresAnswers(t *testing.T) {
	p := newListing(5)
	uitest.Play(t, func(ctx app.Context) {
		p.Load(ctx, p.calls)
		p.calls.Life.End()
	})
	if p.done != 0 || p.ids() != "" {
		t.Errorf("it shows %q", p.ids())
	}
}

// A row that was added appears only once after its part is read, and changed rows keep their position.
func TestRowsOfAListChange(t *testing.T) {
	p := newListing(5)
	row := func(id string) *schema.Object { return schema.NewObject(schema.Member{Key: "user_id", Value: id}) }
	uitest.Play(t,
		func(ctx app.Context) { p.Load(ctx, p.calls) },
		func(app.Context) { p.Add(row("4")); p.Add(row("4")) }, p.want(t, "4 0 1 2", 6, true),
		func(ctx app.Context) { p.Continue(ctx, p.calls) }, p.want(t, "4 0 1 2 3", 6, false),
		func(app.Context) {
			changed := row("1").With("name", "x")
			p.Put(changed)
			p.Put(row("elsewhere"))
			if p.Rows[2] != changed {
				t.Error("a changed row is not in its place")
			}
			p.Remove("0")
			p.Remove("elsewhere")
		}, p.want(t, "4 1 2 3", 5, false),
	)
}

func TestWaysAreDescribed(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for want, w := range map[string]kit.Way{
		"Passkey – Added 1 hour ago · never used":        {Kind: "passkey", Added: now.Add(-time.Hour)},
		"Laptop – Added 1 hour ago · last used just now": {Kind: "passkey", Name: "Laptop", Added: now.Add(-time.Hour), Used: now},
		"phone – ": {Kind: "phone"},
	} {
		if got := w.Title() + " – " + w.Story(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSentenceSaysWhenToTryAgain(t *testing.T) {
	err := fmt.Errorf("later: %w", &client.Error{Detail: "too many requests", RetryAfter: 1500 * time.Millisecond})
	if got := kit.Sentence(err); got != "Later: too many requests. Try again in 2 s." {
		t.Error(got)
	}
	if got := kit.Sentence(context.Canceled); got != "Context canceled." {
		t.Error(got)
	}
}
