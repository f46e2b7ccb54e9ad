package formapi

import (
	"context"
	"net/url"
	"strconv"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
)

// Share makes a request about the form that people edit together.
func Share(ctx context.Context, c *client.Client, id string, q together.Request) (together.Part, error) {
	r := client.Request{Method: "POST", Path: address(id) + "/live"}
	switch q.Want {
	case together.Read:
		r.Method = "GET"
		if q.Room != "" {
			r.Path += "?room=" + url.QueryEscape(q.Room) + "&after=" + strconv.Itoa(q.Number)
		}
	case together.Open:
		r.Body = schema.Encode(schema.NewObject(schema.Member{Key: "saved", Value: live.Content(q.Saved.Tree())},
			schema.Member{Key: "etag", Value: q.ETag}, schema.Member{Key: "instead", Value: q.Room}))
	case together.Tell:
		r.Body = schema.Encode(schema.NewObject(schema.Member{Key: "room", Value: q.Room}, schema.Member{Key: "entry", Value: q.Entry.Tree()}))
	case together.Nothing:
	}
	o, _, err := c.Do(ctx, r)
	if err != nil {
		return together.Part{}, err
	}
	return together.ReadPart(o)
}

// Show shows others what this page does, as together.Shows has it.
func Show(ctx context.Context, c *client.Client, id string, shows *schema.Object) error {
	_, err := c.Send(ctx, "POST", address(id)+"/presence", shows)
	return err
}
