// Package formapi makes the browser's calls about forms and flows. It is separate from package client because it needs package
// model: the program of the account and administration pages does not include the tables of forms.
//
// Its errors are those of package client. Like a client, the functions are safe for concurrent use.
package formapi

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const (
	formsPath = "/bff/api/forms"
	flowsPath = "/bff/api/flows"
)

// address returns the address of a form. Tenants choose the shapes of ids.
func address(id string) string { return formsPath + "/" + url.PathEscape(id) }

// Summary is a form in the list.
type Summary struct {
	ID, Name             string
	CreatedAt, UpdatedAt time.Time // zero if the tenant does not send them
}

// List returns all forms of the tenant, in its order.
func List(ctx context.Context, c *client.Client) ([]Summary, error) {
	list, err := c.Objects(ctx, formsPath)
	var forms []Summary
	for _, o := range list {
		s := Summary{ID: o.Text("id"), Name: o.Text("name")}
		s.CreatedAt, _ = time.Parse(time.RFC3339, o.Text("created_at"))
		s.UpdatedAt, _ = time.Parse(time.RFC3339, o.Text("updated_at"))
		forms = append(forms, s)
	}
	return forms, err
}

// Read returns a form and its ETag, "" if there is none. A form with
// another id than the one asked for is refused: it must not be saved here.
func Read(ctx context.Context, c *client.Client, id string) (*model.Form, string, error) {
	return exchange(ctx, c, id, client.Request{Method: "GET", Path: address(id)})
}

// Create makes a form of the content of f and returns it with the id that the tenant gave it.
func Create(ctx context.Context, c *client.Client, f *model.Form) (*model.Form, error) {
	g, _, err := exchange(ctx, c, "", client.Request{Method: "POST", Path: formsPath, Body: schema.Encode(f.Tree())})
	return g, err
}

// Save sends a patch of a form that was read with an ETag, and returns the form as it is now, and its ETag. It is refused with code conflict
// when the form has changed since. Without an ETag, because a proxy does not let it through, Save reads the form before and compares.
// automatic says that nobody asked for the save.
func Save(ctx context.Context, c *client.Client, base *model.Form, p model.Patch, etag string, automatic bool) (*model.Form, string, error) {
	r := client.Request{Method: "PATCH", Path: address(base.ID), Body: schema.Encode(p.Tree()), Header: map[string]string{}}
	if etag == "" {
		now, _, err := Read(ctx, c, base.ID)
		if err == nil && !model.Diff(base, now).Empty() {
			err = &client.Error{Code: client.CodeConflict, Detail: "the form was changed meanwhile"}
		}
		if err != nil {
			return nil, "", err
		}
	}
	match(r, etag)
	if automatic {
		r.Header["X-Save"] = "automatic"
	}
	return exchange(ctx, c, base.ID, r)
}

// match lets a request change only what has an ETag, "" for anything. The second header is a copy that proxies leave alone.
func match(r client.Request, etag string) {
	if etag != "" {
		r.Header["If-Match"], r.Header["X-If-Match"] = etag, etag
	}
}

// etagOf returns the ETag of an answer: its copy, which proxies leave alone, or that of a server without copies.
func etagOf(res client.Response) string { return cmp.Or(res.Header("X-ETag"), res.Header("ETag")) }

// Delete removes a form.
func Delete(ctx context.Context, c *client.Client, id string) error {
	_, err := c.Send(ctx, "DELETE", address(id), nil)
	return err
}

// exchange sends a request whose answer is a form, with the given id unless that is "".
func exchange(ctx context.Context, c *client.Client, id string, r client.Request) (*model.Form, string, error) {
	o, res, err := c.Do(ctx, r)
	if err != nil {
		return nil, "", err
	}
	f := model.FromTree(o)
	if f.ID == "" || id != "" && f.ID != id {
		return nil, "", fmt.Errorf("the server answered with the form %q in place of %q", f.ID, id)
	}
	return f, etagOf(res), nil
}

// Flow is a flow of the tenant, as the inspector offers it.
type Flow struct{ ID, Name string }

// Flows returns all flows of the tenant, in its order.
func Flows(ctx context.Context, c *client.Client) ([]Flow, error) {
	list, err := FlowTrees(ctx, c)
	var flows []Flow
	for _, o := range list {
		flows = append(flows, Flow{o.Text("id"), o.Text("name")})
	}
	return flows, err
}

// FlowTrees returns all flows with all properties that the tenant lists.
func FlowTrees(ctx context.Context, c *client.Client) ([]*schema.Object, error) {
	return c.Objects(ctx, flowsPath)
}
