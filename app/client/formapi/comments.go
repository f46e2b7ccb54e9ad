package formapi

import (
	"context"
	"net/url"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// Comment makes a call about a comment on a form: its method, the comment, "" for a new one, and the body. It returns all comments as they are
// then. A nil call only reads them.
func Comment(ctx context.Context, c *client.Client, form string, call *schema.Object) (*schema.Object, error) {
	path := address(form) + "/comments"
	if method := call.Text("method"); method != "" {
		at := path
		if id := call.Text("comment"); id != "" {
			at += "/" + url.PathEscape(id)
		}
		if _, err := c.Send(ctx, method, at, call.Object("body")); err != nil {
			return nil, err
		}
	}
	return c.Object(ctx, path)
}
