package rules

// work bounds what a check does. A unit is about a look at the verdict on a comparison, some 5 nanoseconds.
type work struct {
	left    int
	since   int         // what was done since ended was asked
	ended   func() bool // whether the check is to end early
	stopped bool        // it said so
}

const (
	// maxWork bounds the check of a form, and maxRouter that of a single router, so that one router does not take the work for all.
	maxWork, maxRouter = 40_000_000, 10_000_000
	// askEvery is how many units are done before ended is asked again: less than a millisecond.
	askEvery = 50_000
)

// spend takes units, and reports whether the check may go on.
func (w *work) spend(units int) bool {
	if w.since += units; w.since >= askEvery {
		w.since = 0
		w.stopped = w.stopped || w.ended()
	}
	w.left -= units
	return w.left > 0 && !w.stopped
}

// over reports whether the check must end.
func (w *work) over() bool { return w.left <= 0 || w.stopped }

// part takes the work for a router.
func (w *work) part() *work {
	return &work{left: min(w.left, maxRouter), ended: w.ended, stopped: w.stopped}
}

// done takes from the work what the check of a router has done.
func (w *work) done(of *work) {
	w.left -= min(w.left, maxRouter) - of.left
	w.stopped = of.stopped
}
