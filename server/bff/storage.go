package bff

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/upstream"
)

// Remedies for administrators when the database refuses changes.
const (
	remedyFull     = "Free space on the disk of the database. No restart is needed."
	remedyReadOnly = "Make the disk and the files of the database writable. No restart is needed."
)

// storageRefusal returns the problem for a response that reports that the tenant cannot access its data at present, and nil for any other
// response. The tenant has logged the cause.
func storageRefusal(c call, res *upstream.Response) *httpx.Problem {
	if res.Status != http.StatusServiceUnavailable {
		return nil
	}
	var said accountProblem
	code := errorCode(res.Body)
	if c.me && json.Unmarshal(res.Body, &said) == nil {
		code = said.Type[strings.LastIndex(said.Type, ":")+1:]
	}
	p := &httpx.Problem{
		Status: res.Status, Code: httpx.CodeUnavailable, RetryAfter: max(res.RetryAfter, retryLater),
	}
	outcome := upstream.ErrNotSaved
	switch code {
	case "storage_full":
		p.Detail = "The tenant cannot store changes: its disk is full."
		p.Remedy = remedyFull
	case "storage_read_only":
		p.Detail = "The tenant cannot store changes: its database is read-only."
		p.Remedy = remedyReadOnly
	case "service_unavailable":
		p.Detail, outcome = "The tenant cannot reach its data right now.", nil
		p.Remedy = "Check the database and its disk. The log names the cause."
	default:
		return nil
	}
	c.addOutcome(p, outcome)
	return p
}
