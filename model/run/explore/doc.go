// Package explore finds scenarios that together take every way through a form that can be taken, and says why the others cannot.
//
// It searches the states that a run can be in: the node, and what the variables can be that routers compare. A variable has a finite set of
// candidates: what conditions name, values near those, and ordinary answers. A condition restricts the sets; a set of one value for each
// variable is chosen only when a journey is complete. Every scenario is then replayed: only what it really takes counts.
package explore
