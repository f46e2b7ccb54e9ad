package upstream

import (
	"context"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxHold bounds how long one answer about a rate limit counts, whatever it says. Then the tenant is asked again.
	maxHold = time.Minute
	// maxWait bounds the time that a call spends waiting for a rate limit. If it would be longer, the caller gets the 429.
	maxWait = 10 * time.Second
	// backoff is the longest wait after a 429 beyond the time that it names.
	backoff = 500 * time.Millisecond
	// unknownWindow is how long a limit is assumed to last once its announced reset has passed, until an answer says more.
	unknownWindow = time.Second
	// epoch distinguishes seconds since 1970 from seconds from now: no limit lasts 15 years.
	epoch = 500_000_000
)

// quota is what an answer says about the tenant's rate limit.
type quota struct {
	limit, left int           // -1 if not said
	reset       time.Duration // until the limit resets, at most maxHold; 0 if not said or past
	window      int           // the reset as the tenant writes it, if that is a point in time; else 0
	retry       time.Duration // of Retry-After, at most maxHold; 0 if not said or past
}

// wait returns how long the tenant asks to wait, 0 if it does not say.
func (q quota) wait() time.Duration {
	if q.retry > 0 {
		return q.retry
	}
	return q.reset
}

// readQuota reads X-RateLimit-*, RateLimit-* and RateLimit (draft-ietf-httpapi-ratelimit-headers, versions 00 to 11), and Retry-After (RFC
// 9110, section 10.2.3). Points in time are compared with the tenant's own clock, if the answer shows it, else with now.
func readQuota(h http.Header, now time.Time) quota {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	q := quota{limit: -1, left: -1}
	for _, prefix := range []string{"Ratelimit-", "X-Ratelimit-"} {
		// Some send a list whose first item is the value in force.
		if n, ok := firstNumber(h.Get(prefix + "Limit")); ok {
			q.limit = n
		}
		if n, ok := firstNumber(h.Get(prefix + "Remaining")); ok {
			q.left = n
		}
		if n, ok := firstNumber(h.Get(prefix + "Reset")); ok {
			if q.reset = until(n, now); n >= epoch {
				q.window = n
			}
		}
	}
	q.addItems(strings.Join(h.Values("Ratelimit"), ", "))
	if after := h.Get("Retry-After"); after != "" {
		if n, ok := firstNumber(after); ok && n < epoch {
			q.retry = until(n, now)
		} else if at, err := http.ParseTime(after); err == nil {
			q.retry = max(at.Sub(now), 0)
		}
	}
	q.reset, q.retry = min(q.reset, maxHold), min(q.retry, maxHold)
	return q
}

// until returns the time left until n, which is in seconds since 1970 or from now.
func until(n int, now time.Time) time.Duration {
	if n < epoch {
		return time.Duration(n) * time.Second
	}
	return max(time.Unix(int64(n), 0).Sub(now), 0)
}

// parameter is one parameter of the field RateLimit: r and t, or by their names in older drafts.
var parameter = regexp.MustCompile(`(?:^|[;,\s])(r|t|remaining|reset|limit)\s*=\s*(\d{1,9})\b`)

// addItems reads the field RateLimit. Of several policies, it uses the one that leaves the fewest calls, and of those the one that resets
// last.
func (q *quota) addItems(field string) {
	for item := range strings.SplitSeq(field, `,`) {
		left, reset := -1, time.Duration(0)
		for _, m := range parameter.FindAllStringSubmatch(item, -1) {
			n, err := strconv.Atoi(m[2])
			switch {
			case err != nil:
			case m[1] == "r" || m[1] == "remaining":
				left = n
			case m[1] == "limit":
				q.limit = n
			default:
				reset = time.Duration(n) * time.Second
			}
		}
		if left >= 0 && (q.left < 0 || left < q.left) {
			q.left, q.reset = left, reset
		} else if left < 0 || left == q.left {
			q.reset = max(q.reset, reset)
		}
	}
}

// firstNumber returns the number at the start of a field.
func firstNumber(field string) (int, bool) {
	end := strings.IndexFunc(field, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(field)
	}
	n, err := strconv.Atoi(field[:end])
	return n, err == nil
}

// budget is what is left of a tenant's rate limit, which all people share. Reads wait while nothing is left, first come, first served. A
// change does not wait: people wait for it, and a 429 of it costs nothing. The zero value is not usable; make one with newBudget.
type budget struct {
	turn chan struct{} // holds the read whose turn it is; those that wait for it are served in order

	mu     sync.Mutex
	limit  int // calls until the next reset; 0 while unknown
	left   int // -1 while unknown
	reset  time.Time
	window int // of the last answer
	flying int // calls without an answer yet
	sent   int // calls so far
	// stop is the value of sent when an answer said that nothing is left, 0 if none does. The success of a later call refutes it.
	stop int
}

func newBudget() *budget { return &budget{turn: make(chan struct{}, 1), left: -1} }

// enter waits until a read may be sent, and counts it. It does not wait longer than most: then it returns the time that is missing, which
// is not zero.
func (b *budget) enter(ctx context.Context, c *Client, most time.Duration) (call int, missing time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	select {
	case b.turn <- struct{}{}:
	default:
		select {
		case b.turn <- struct{}{}:
		case <-ctx.Done():
			return 0, max(b.held(c.now()), time.Second), ctx.Err()
		}
	}
	defer func() { <-b.turn }()
	// An answer that arrives meanwhile may put the reset off.
	for d := b.held(c.now()); d > 0; d = b.held(c.now()) {
		if d > most {
			return 0, d, nil
		}
		if err := c.waited(ctx, "held", d); err != nil {
			return 0, max(b.held(c.now()), time.Second), err
		}
		most -= d
	}
	return b.begin(c.now()), 0, nil
}

// begin counts a call that is about to be sent, and returns its number.
func (b *budget) begin(now time.Time) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == 0 && !now.Before(b.reset) {
		// The reset has passed. What it allows may be known, when the next one comes is not. If it is not known, one read asks.
		b.left, b.reset, b.window = max(b.limit, 1), now.Add(unknownWindow), 0
		if b.limit > 0 {
			b.stop = 0
		}
	}
	if b.left > 0 {
		b.left--
	}
	b.flying++
	b.sent++
	return b.sent
}

// held returns how long reads are held from now on.
func (b *budget) held(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left != 0 {
		return 0
	}
	return max(b.reset.Sub(now), 0)
}

// end takes over what the answer of a call says; q is the zero value and status 0 if there is none. Calls without an answer may not be
// counted in it yet. If answers arrive out of order, the one that leaves the fewest calls counts.
func (b *budget) end(call int, q quota, status int, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flying--
	if q.limit > 0 {
		b.limit = q.limit
	}
	if b.stop > 0 && call > b.stop && status/100 == 2 {
		b.left, b.window, b.stop = -1, 0, 0
	}
	refused := status == http.StatusTooManyRequests
	switch {
	case status == 0, refused && q.wait() == 0, !refused && q.left < 0:
		return
	case refused:
		b.left = 0
	case q.window != 0 && q.window == b.window:
		b.left = min(max(q.left-b.flying, 0), b.left)
	default:
		b.left = max(q.left-b.flying, 0)
	}
	wait := q.reset
	if refused {
		wait = q.wait()
	}
	b.reset, b.window = now.Add(wait), q.window
	if b.left == 0 {
		b.stop = b.sent
	}
	if wait == maxHold {
		b.limit = 0 // the reset may be later, and what is allowed until then is not known
	}
}

// Retries are what calls may do about answers of 429, together: repeat one call once, and wait for ten seconds. The zero value has not been
// used. It is not safe for concurrent use.
type Retries struct {
	used  bool
	spent time.Duration
}

// next returns how long to wait before a call is made again, or false if it is not. said is the time that the tenant asks for, 0 if it
// does not. The rest is random, so that callers refused together do not come back together.
func (r *Retries) next(said time.Duration) (time.Duration, bool) {
	left := maxWait - r.spent
	if r.used || said > left {
		return 0, false
	}
	d := min(said+rand.N(backoff), left) //nolint:gosec // spreads calls; nothing depends on its secrecy
	r.used, r.spent = true, r.spent+d
	return d, true
}
