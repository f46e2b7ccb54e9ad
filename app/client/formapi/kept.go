package formapi

import (
	"context"
	"net/url"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// Kept makes a call about what the server keeps beside a form under a name, such as comments: the method, the id, "" for a new one, and the body.
// It returns all of it as it is then. A nil call only reads.
func Kept(ctx context.Context, c *client.Client, form, name string, call *schema.Object) (*schema.Object, error) {
	path := address(form) + "/" + name
	if method := call.Text("method"); method != "" {
		at := path
		if id := call.Text("id"); id != "" {
			at += "/" + url.PathEscape(id)
		}
		if _, err := c.Send(ctx, method, at, call.Object("body")); err != nil {
			return nil, err
		}
	}
	return c.Object(ctx, path)
}
