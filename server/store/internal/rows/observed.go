package rows

import (
	"context"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// Observed reports the work of an engine. Its methods may be called on nil, and report nothing then or before Set.
type Observed struct{ f observe.Func }

// Set sets who is told. No other method may run at the same time.
func (o *Observed) Set(f observe.Func) { o.f = f }

// Statement reports that a statement begins, and its result that it ends. action is one of the program's, without values.
func (o *Observed) Statement(ctx context.Context, action string) func(error) {
	return o.begin(ctx, observe.Statement, action)
}

// Transaction reports that a transaction begins to wait for its turn, and its result that it ends.
func (o *Observed) Transaction(ctx context.Context) func(error) {
	return o.begin(ctx, observe.Transaction, "")
}

func (o *Observed) begin(ctx context.Context, k observe.Kind, detail string) func(error) {
	if o == nil || o.f == nil {
		return nothing
	}
	_, end := o.f(ctx, k, detail)
	return func(err error) { end(store.Outcome(err)) }
}

func nothing(error) {}
