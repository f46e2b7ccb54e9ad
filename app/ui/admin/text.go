package admin

import (
	"errors"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// sentence is an error to read, with when to try again where the server says so.
func sentence(err error) string {
	out := kit.Sentence(err)
	if e, ok := errors.AsType[*client.Error](err); ok && e.RetryAfter > 0 {
		out += " " + fmt.Sprintf("Try again in %d s.", int((e.RetryAfter+time.Second-1)/time.Second))
	}
	return out
}

// quoted is a name within a sentence.
func quoted(name string) string { return "“" + name + "”" }
