package selfcheck_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/server/selfcheck"
)

func TestRunnerRunsOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		r := selfcheck.NewRunner(func() []selfcheck.Check {
			runs++
			return []selfcheck.Check{{Name: "slow", Run: func(context.Context) selfcheck.Result {
				<-time.After(2 * time.Second)
				return selfcheck.Result{Status: selfcheck.OK}
			}}}
		}, time.Now)
		ask := func() {
			found, at, err := r.Results(t.Context())
			if err != nil || len(found) != 1 || found[0].Name != "slow" || found[0].Milliseconds != 2000 || at.IsZero() {
				t.Errorf("got %+v, %v, %v", found, at, err)
			}
		}
		var all sync.WaitGroup
		for range 5 {
			all.Go(ask)
		}
		all.Wait()
		<-time.After(9 * time.Second)
		ask()
		if runs != 1 {
			t.Errorf("%d runs for all", runs)
		}
		<-time.After(time.Second)
		if ask(); runs != 2 {
			t.Errorf("%d runs after ten seconds", runs)
		}
		<-time.After(time.Minute)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, _, err := r.Results(gone); err == nil {
			t.Error("a caller that has left must get its error")
		}
		synctest.Wait()
		<-time.After(3 * time.Second)
		if ask(); runs != 3 {
			t.Errorf("%d runs: one that its caller left must be of use to the next", runs)
		}
	})
}

func TestRunIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := selfcheck.Check{Name: "hangs", Run: func(ctx context.Context) selfcheck.Result {
			<-ctx.Done()
			return selfcheck.Result{Status: selfcheck.Fail, Detail: "no answer"}
		}}
		began := time.Now()
		found := selfcheck.Run(t.Context(), []selfcheck.Check{hangs, hangs, hangs, hangs, hangs, hangs}, time.Now, nil)
		if took := time.Since(began); took > selfcheck.MaxTime || len(found) != 6 || found[5].Status != selfcheck.Skip || selfcheck.Passed(found) {
			t.Errorf("%v: %+v", took, found)
		}
	})
}

func TestInterruptedCheckIsNotAFault(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	checks := []selfcheck.Check{
		{Name: "one", Run: func(ctx context.Context) selfcheck.Result {
			interrupt()
			return selfcheck.Result{Status: selfcheck.Fail, Detail: ctx.Err().Error()}
		}},
		{Name: "two", Run: func(context.Context) selfcheck.Result {
			t.Error("a check ran after the interruption")
			return selfcheck.Result{}
		}},
	}
	for _, r := range selfcheck.Run(ctx, checks, time.Now, nil) {
		if r.Status != selfcheck.Skip || r.Name == "" {
			t.Errorf("got %+v", r)
		}
	}
}
