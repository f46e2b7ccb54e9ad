package selfcheck

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limits of the difference between the tenant's clock and ours. Sign-ins fail when it reaches a minute.
const (
	clockWarns = 30 * time.Second
	clockFails = time.Minute
)

// clocks passes on calls and notes the difference of the clocks, by the header Date of the answers.
type clocks struct {
	next http.RoundTripper
	now  func() time.Time

	mu    sync.Mutex
	heard bool
	apart time.Duration // of the tenant's clock; the largest difference counts
	host  string
}

// RoundTrip implements http.RoundTripper.
func (c *clocks) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := c.now()
	res, err := c.next.RoundTrip(r)
	if err != nil {
		return res, err
	}
	date, bad := http.ParseTime(res.Header.Get("Date"))
	if bad != nil {
		return res, nil
	}
	// A cache keeps the date at which it received the answer: RFC 9111, section 5.1.
	if age, err := strconv.ParseUint(res.Header.Get("Age"), 10, 31); err == nil {
		date = date.Add(time.Duration(age) * time.Second)
	}
	received := c.now()
	apart := date.Add(time.Second / 2).Sub(sent.Add(received.Sub(sent) / 2)) // a date has no fractions
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.heard || apart.Abs() > c.apart.Abs() {
		c.heard, c.apart, c.host = true, apart, r.URL.Host
	}
	return res, nil
}

// clock judges the dates of all answers so far.
func (r *run) clock(context.Context) Result {
	r.clocks.mu.Lock()
	defer r.clocks.mu.Unlock()
	if !r.clocks.heard {
		return Result{Status: Skip, Detail: "no answer of the tenant has a date"}
	}
	apart := r.clocks.apart.Round(time.Second)
	way := "ahead of"
	if apart < 0 {
		way = "behind"
	}
	out := Result{Status: OK, Detail: "at most " + apart.Abs().String() + " apart"}
	if apart.Abs() <= clockWarns {
		return out
	}
	out.Detail = fmt.Sprintf("the clock of %s is %s %s that of this server", r.clocks.host, apart.Abs(), way)
	out.Remedy = "Set both clocks by NTP. Sign-ins fail if they differ by a minute or more."
	if out.Status = Warn; apart.Abs() >= clockFails {
		out.Status = Fail
	}
	return out
}
