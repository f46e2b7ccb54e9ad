package selfcheck

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Status is the outcome of a check.
type Status string

// The outcomes.
const (
	OK   Status = "ok"
	Warn Status = "warn" // it works, but not as well as it could
	Fail Status = "fail"
	Skip Status = "skip" // it was not tried
)

const (
	// MaxTime bounds a run as a whole.
	MaxTime = 60 * time.Second
	// eachTime bounds a check.
	eachTime = 15 * time.Second
	// keepTime is how long a Runner keeps its results.
	keepTime = 10 * time.Second
)

// Result is what a check found.
type Result struct {
	// Name is the name of the check, which is stable.
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Detail says what was found, without a final period.
	Detail string `json:"detail"`
	// Remedy says what to do, in sentences; "" when there is nothing.
	Remedy string `json:"remedy,omitempty"`
	// Milliseconds is how long the check took.
	Milliseconds int64 `json:"ms"`
}

// Check is one check. Run returns a Result without a name and time.
type Check struct {
	Name string
	Run  func(ctx context.Context) Result
}

// Run runs checks one after the other, as later ones use what earlier ones found, for at most MaxTime. It passes each result to done as
// soon as it is there, if done is not nil. When ctx ends, the rest is skipped.
func Run(ctx context.Context, checks []Check, now func() time.Time, done func(Result)) []Result {
	return RunWithin(ctx, MaxTime, eachTime, checks, now, done)
}

// RunWithin is Run with other bounds of the time of all checks and of each.
func RunWithin(
	ctx context.Context, whole, one time.Duration, checks []Check, now func() time.Time, done func(Result),
) []Result {
	ctx, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	out := make([]Result, 0, len(checks))
	for _, c := range checks {
		interrupted := Result{Status: Skip, Detail: "the run was interrupted"}
		r := interrupted
		switch began := now(); {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			r.Detail = "there was no time left"
		case ctx.Err() == nil:
			each, end := context.WithTimeout(ctx, one)
			r = c.Run(each)
			end()
			if r.Milliseconds = max(0, now().Sub(began).Milliseconds()); errors.Is(ctx.Err(), context.Canceled) {
				r = interrupted // its fault may be that
			}
		}
		r.Name = c.Name
		if out = append(out, r); done != nil {
			done(r)
		}
	}
	return out
}

// Passed reports whether no check failed.
func Passed(results []Result) bool {
	return !slices.ContainsFunc(results, func(r Result) bool { return r.Status == Fail })
}

// Clean reports whether no check failed or warned.
func Clean(results []Result) bool {
	return Passed(results) && !slices.ContainsFunc(results, func(r Result) bool { return r.Status == Warn })
}

// Runner runs checks for many callers: one run at a time for all, whose results it keeps for ten seconds. It is safe for concurrent use.
type Runner struct {
	checks func() []Check
	now    func() time.Time
	flight singleflight.Group

	mu   sync.Mutex
	kept []Result
	at   time.Time
}

// NewRunner returns a Runner. checks returns the checks of a new run.
func NewRunner(checks func() []Check, now func() time.Time) *Runner {
	return &Runner{checks: checks, now: now}
}

// Results returns the results of the latest run and when it ended, after a new run if they are too old. A run continues if its caller
// leaves. The only error is that of ctx.
func (r *Runner) Results(ctx context.Context) ([]Result, time.Time, error) {
	ch := r.flight.DoChan("", func() (any, error) {
		r.mu.Lock()
		fresh := r.kept != nil && r.now().Sub(r.at) < keepTime
		r.mu.Unlock()
		if fresh {
			return nil, nil //nolint:nilnil // the results are in r
		}
		found := Run(context.WithoutCancel(ctx), r.checks(), r.now, nil)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.kept, r.at = found, r.now()
		return nil, nil //nolint:nilnil // the results are in r
	})
	select {
	case <-ctx.Done():
		return nil, time.Time{}, ctx.Err()
	case <-ch:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.kept), r.at, nil
}
