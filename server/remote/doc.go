// Package remote stands in front of the client of a foreign tenant, and adds what the embedded tenant has by itself: an entity tag
// for each form, If-Match, and an answer to a change whose own answer was lost. It also remembers the list of flows for a minute.
//
// Its parts call on through a Caller and can be put in front of each other. The package does not know who is signed in, and of a form only
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
