package versions

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/recent"
)

// Limits of what waits to be recorded.
const (
	// maxWaiting and maxBytes bound what waits, and maxShare what waits of one form.
	maxWaiting = 10_000
	maxBytes   = 64 << 20
	maxShare   = maxBytes / 4
	// taskCost is what a task costs its author beside its bytes, and maxAuthors is of how many authors it is remembered what they have had.
	taskCost, maxAuthors = 16 << 10, 1000
)

// queue has the tasks that wait: those of a form in order, and the forms in turn, so that many saves of one hold up no other. Forms that somebody
// waits for come first. Of several authors, the one comes first who has had the least, in bytes, so that nobody holds up others with many forms.
type queue struct {
	lines   map[string]*line
	had     *recent.Map[string, int] // by author; nobody counts as having had less than whoever came last
	clock   int
	turn    []*line // those with tasks, the next first
	waiting int
	size    int // of the bodies
	waiters int // how many wait for something to be recorded
}

// line has the tasks of a form.
type line struct {
	tasks   []*task
	size    int
	waiters int
	doing   bool      // the first task is being done
	rests   time.Time // the first task is not tried again before
}

func newQueue() queue {
	return queue{lines: map[string]*line{}, had: recent.New[string, int](maxAuthors)}
}

// least returns what the author of a task has had.
func (q *queue) least(t *task) int {
	had, _ := q.had.Get(t.by.ID)
	return max(had, q.clock)
}

// add adds a task, or reports that there is no room for it.
func (q *queue) add(t *task) bool {
	l := q.lines[t.form]
	if l == nil {
		l = &line{}
	}
	n := len(t.body)
	if q.waiting >= maxWaiting || q.size+n > maxBytes || l.size+n > maxShare {
		return false
	}
	if len(l.tasks) == 0 {
		q.lines[t.form] = l
		q.turn = append(q.turn, l)
	}
	l.tasks = append(l.tasks, t)
	l.size, q.size, q.waiting = l.size+n, q.size+n, q.waiting+1
	return true
}

// next returns the task to do now, of those that takes accepts. It returns nil and how soon to ask again if all rest, and nil and 0 if there is none.
func (q *queue) next(now time.Time, takes func(*task) bool) (t *task, again time.Duration) {
	var awaited bool
	var had int
	for _, l := range q.turn {
		if !takes(l.tasks[0]) {
			continue
		}
		if wait := l.rests.Sub(now); wait > 0 {
			if again == 0 || wait < again {
				again = wait
			}
			continue
		}
		first := l.tasks[0]
		of, some := q.least(first), l.waiters > 0
		if t == nil || some && !awaited || some == awaited && of < had {
			t, awaited, had = first, some, of
		}
	}
	if t != nil {
		again = 0
		q.lines[t.form].doing = true
	}
	return t, again
}

// end removes the first task of a form, whose turn comes again after the others.
func (q *queue) end(t *task) {
	l := q.lines[t.form]
	l.tasks[0], l.doing = nil, false
	l.tasks = l.tasks[1:]
	n := len(t.body)
	q.clock = q.least(t)
	q.had.Put(t.by.ID, q.clock+n+taskCost)
	l.size, q.size, q.waiting = l.size-n, q.size-n, q.waiting-1
	at := slices.Index(q.turn, l)
	q.turn = slices.Delete(q.turn, at, at+1)
	if len(l.tasks) == 0 {
		delete(q.lines, t.form)
		return
	}
	q.turn = append(q.turn, l)
}

// drop removes the tasks of a form except the one that is being done, and returns them.
func (q *queue) drop(form string) []*task {
	l := q.lines[form]
	if l == nil {
		return nil
	}
	var left, gone []*task
	for i, t := range l.tasks {
		if i == 0 && l.doing {
			left = append(left, t)
			continue
		}
		gone = append(gone, t)
		n := len(t.body)
		l.size, q.size, q.waiting = l.size-n, q.size-n, q.waiting-1
	}
	if l.tasks = left; len(left) == 0 {
		delete(q.lines, form)
		at := slices.Index(q.turn, l)
		q.turn = slices.Delete(q.turn, at, at+1)
	}
	return gone
}

// rest delays the next attempt of a task.
func (q *queue) rest(t *task, until time.Time) {
	l := q.lines[t.form]
	l.rests, l.doing = until, false
}
