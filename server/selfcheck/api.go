package selfcheck

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/servicetoken"
	"github.com/formgraph/formgraph/server/upstream"
)

// pageSize is that of the list of forms that is read.
const pageSize = "10"

// needsPerson is the result of a check of the API that needs a token, or nil if there is one.
func (r *run) needsPerson() *Result {
	switch {
	case !r.service():
		return &Result{Status: Skip, Detail: "needs a signed-in person: their token calls the management API"}
	case r.tokens == nil:
		return &Result{Status: Skip, Detail: "needs the token of the service client"}
	}
	return nil
}

// get calls the management API. It returns the result if the call failed.
func (r *run) get(ctx context.Context, scope string, q upstream.Request) (*upstream.Response, *Result) {
	if r.api == nil {
		client, err := upstream.NewClient(upstream.Config{BaseURL: r.Options.Remote.ManagementURL, Transport: r.clocks, Now: r.Now})
		if err != nil {
			return nil, new(failed(err, "Check --management-url."))
		}
		r.api = client
	}
	q.Method = http.MethodGet
	res, err := r.api.Do(ctx, q, r.tokens)
	if err != nil {
		return nil, new(failed(issuer.Quiet(err), "Check --management-url, which is "+r.Options.Remote.ManagementURL+"."))
	}
	if res.OK() {
		return res, nil
	}
	out := Result{Status: Fail, Detail: fmt.Sprintf("the management API answered %d", res.Status)}
	switch res.Status {
	case http.StatusUnauthorized:
		out.Detail += ": it refuses the token"
		out.Remedy = "--audience, which is " + r.Options.Remote.Audience + ", must be that of the API at " + r.Options.Remote.ManagementURL + "."
	case http.StatusForbidden:
		out.Detail += ": the token may not " + scope
		out.Remedy = "Grant " + scope + " to the client " + r.Options.Remote.Service.ClientID + " at the tenant."
	case http.StatusNotFound:
		out.Remedy = "Check --management-url, which is " + r.Options.Remote.ManagementURL + "."
	case http.StatusTooManyRequests:
		out.Status, out.Remedy = Warn, "The tenant limits the number of requests. Try again later."
	}
	return nil, &out
}

// list reads the first page of the forms, and opens a form.
func (r *run) list(ctx context.Context) Result {
	if p := r.needsPerson(); p != nil {
		return *p
	}
	res, fault := r.get(ctx, servicetoken.ReadForms, upstream.Request{
		Path: []string{"forms"}, Query: url.Values{"page": {"0"}, "per_page": {pageSize}}, Summaries: true,
	})
	if fault != nil {
		return *fault
	}
	forms, ok := items(res.Body)
	if !ok {
		return Result{
			Status: Fail, Detail: "the answer of the management API is not a list",
			Remedy: "Check --management-url, which is " + r.Options.Remote.ManagementURL + ".",
		}
	}
	detail := count(len(forms), "form") + " on the first page"
	if limit := res.Header.Get("X-Ratelimit-Limit"); limit != "" {
		detail += ", rate limit " + short(limit) + " with " + short(res.Header.Get("X-Ratelimit-Remaining")) + " left"
	}
	if len(forms) == 0 {
		return Result{Status: OK, Detail: detail}
	}
	id, _ := forms[0]["id"].(string)
	if res, fault = r.get(ctx, servicetoken.ReadForms, upstream.Request{Path: []string{"forms", url.PathEscape(id)}}); fault != nil {
		fault.Detail = detail + "; opening a form: " + fault.Detail
		return *fault
	}
	if res.Header.Get("Etag") == "" {
		return Result{Status: OK, Detail: detail + "; the first one opens, without an ETag: the server makes its own"}
	}
	return Result{Status: OK, Detail: detail + "; the first one opens, with an ETag"}
}

// items returns the objects of a list, in an array or in an object around one.
func items(body []byte) (out []map[string]any, ok bool) {
	if json.Unmarshal(body, &out) == nil {
		return out, true
	}
	var around map[string]json.RawMessage
	if json.Unmarshal(body, &around) != nil {
		return nil, false
	}
	for _, member := range around {
		if json.Unmarshal(member, &out) == nil && out != nil {
			return out, true
		}
	}
	return nil, false
}

// flows reads the names of the flows, without which the editor shows their IDs.
func (r *run) flows(ctx context.Context) Result {
	if p := r.needsPerson(); p != nil {
		return *p
	}
	const scope = "read:flows"
	const remedy = "The editor shows the IDs of flows instead of their names. Grant " + scope + " at the tenant to change that."
	if !r.tokens.Holds(scope) {
		return Result{Status: Warn, Detail: "the token lacks " + scope, Remedy: remedy}
	}
	res, fault := r.get(ctx, scope, upstream.Request{Path: []string{"flows"}, Summaries: true})
	if fault != nil {
		fault.Status = Warn
		if fault.Remedy == "" {
			fault.Remedy = remedy
		}
		return *fault
	}
	flows, ok := items(res.Body)
	if !ok {
		return Result{Status: Warn, Detail: "the answer of the management API is not a list", Remedy: remedy}
	}
	return Result{Status: OK, Detail: count(len(flows), "flow") + " on the first page"}
}
