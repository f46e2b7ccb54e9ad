// Package remote wraps the client of a tenant that is not ours and adds what the embedded tenant does itself. That is an entity tag for
// each form, If-Match, and the outcome of a change whose answer was lost. It also caches the list of flows for a minute.
//
// Each part wraps a Caller and is one, so parts can be combined. The package does not know who is signed in. All that it knows of a form is
// that it is a JSON object with an id and a name.
package remote

import (
	"context"

	"github.com/formgraph/formgraph/server/upstream"
)

// Caller makes a call to the management API, as upstream.Client does. It is safe for concurrent use.
type Caller interface {
	Do(ctx context.Context, r upstream.Request, tokens upstream.TokenSource) (*upstream.Response, error)
}
