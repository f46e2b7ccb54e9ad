package upstream

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/formgraph/formgraph/server/observe"
)

// Observed returns a RoundTripper that sends requests with next and reports them to f. If f is nil, it returns next.
func Observed(f observe.Func, next http.RoundTripper) http.RoundTripper {
	if f == nil {
		return next
	}
	return observed{f, next}
}

type observed struct {
	observe observe.Func
	next    http.RoundTripper
}

// RoundTrip implements http.RoundTripper. The request keeps its context, so that an observer cannot add anything to what is sent.
func (o observed) RoundTrip(r *http.Request) (*http.Response, error) {
	_, end := o.observe.Begin(r.Context(), observe.Call, r.Method)
	res, err := o.next.RoundTrip(r)
	end(outcomeOf(res, err))
	return res, err
}

func outcomeOf(res *http.Response, err error) string {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case err != nil:
		return "unreachable"
	case res.StatusCode == http.StatusTooManyRequests:
		return "429"
	}
	return strconv.Itoa(res.StatusCode/100) + "xx"
}
