package client

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Object reads one object, at a path that begins with /bff/.
func (c *Client) Object(ctx context.Context, path string) (*schema.Object, error) {
	o, _, err := c.object(ctx, Request{Method: "GET", Path: path})
	return o, err
}

// Objects reads a list page by page until one is not full; the path may have a query.
func (c *Client) Objects(ctx context.Context, path string) ([]*schema.Object, error) {
	return pages(ctx, c, path, func(o *schema.Object) *schema.Object { return o })
}

// Page reads one page of a list, counted from 0, of at most size entries.
func (c *Client) Page(ctx context.Context, path string, page, size int) ([]*schema.Object, error) {
	v, _, err := c.value(ctx, Request{Method: "GET", Path: paged(path, page, size)})
	if err != nil {
		return nil, err
	}
	return objects(path, v)
}

// Send makes a change by POST, PATCH or DELETE; body nil sends none. It returns what was answered, nil
// for nothing.
func (c *Client) Send(ctx context.Context, method, path string, body *schema.Object) (*schema.Object, error) {
	r := Request{Method: method, Path: path}
	if body != nil {
		r.Body = schema.Encode(body)
	}
	res, err := c.do(ctx, r)
	if err != nil || len(res.Body) == 0 {
		return nil, err
	}
	v, ps := schema.Decode(res.Body)
	if len(ps) > 0 {
		return nil, fmt.Errorf("%s %s: read the answer: %w", method, path, ps)
	}
	o, _ := v.(*schema.Object)
	return o, nil
}

func paged(path string, page, size int) string {
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	return path + mark + "per_page=" + strconv.Itoa(size) + "&page=" + strconv.Itoa(page)
}

func objects(path string, v any) ([]*schema.Object, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("GET %s: the answer is not a JSON array", path)
	}
	var all []*schema.Object
	for _, item := range list {
		if o, ok := item.(*schema.Object); ok {
			all = append(all, o)
		}
	}
	return all, nil
}
