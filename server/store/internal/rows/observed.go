package rows

import (
	"context"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// Observed reports the work of an engine. Its reporting methods may be called on nil; they report nothing on nil or before Set.
type Observed struct{ f observe.Func }

// Set sets the observer. No other method may run at the same time.
func (o *Observed) Set(f observe.Func) { o.f = f }

// Statement reports that a statement begins; the function it returns reports that it ends. action is a fixed name that contains no values.
func (o *Observed) Statement(ctx context.Context, action string) func(error) {
	return o.begin(ctx, observe.Statement, action)
}

// Transaction reports that a transaction begins to wait for its turn; the function it returns reports that it ends.
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
