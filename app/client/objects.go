package client

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Object reads one object, at a path that begins with /bff/.
func (c *Client) Object(ctx context.Context, path string) (*schema.Object, error) {
	o, _, err := c.Do(ctx, Request{Method: "GET", Path: path})
	return o, err
}

// pageSize is how many entries Objects asks for at a time, the maximum of the tenant's API.
const pageSize = 100

// maxPages bounds Objects: a tenant whose pages never end must not keep the browser busy forever.
const maxPages = 100

// limitUnit divides the limits that tenants put on a page. A first page that is shorter than asked for, but a multiple of it long, may be
// such a limit rather than the end of the list.
const limitUnit = 10

// Objects reads a list page by page until one is not full or brings nothing new, as from a tenant that has no pages; the path may have a
// query. A page is an array, or an object with the array and perhaps the total. Objects returns no more than 10,000 entries, and none when
// a page fails.
func (c *Client) Objects(ctx context.Context, path string) ([]*schema.Object, error) {
	var all []*schema.Object
	seen := map[string]bool{}
	size := pageSize
	for page := range maxPages {
		list, total, err := c.page(ctx, path, page)
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, o := range list {
			if id := identity(o); !seen[id] {
				seen[id] = true
				all = append(all, o)
			}
		}
		if page == 0 && (len(list)%limitUnit == 0 || total > len(list)) {
			size = min(size, len(list))
		}
		if len(list) < size || len(all) == before || total > 0 && len(all) >= total {
			break
		}
	}
	return all, nil
}

// identity returns a key that is unique among the entries of a list.
func identity(o *schema.Object) string {
	if id := o.Text("id"); id != "" {
		return id
	}
	return string(schema.Encode(o))
}

// Part is a part of a list.
type Part struct {
	Rows  []*schema.Object
	Total int    // number of rows in the whole list, or of those that match a search; 0 in parts after the first
	Next  string // cursor of the next part, "" at the end
}

// Find reads a part of a list of the administration: at most size rows that contain the words of search. from is the
// Next of the previous part, "" for the beginning. The path may have a query.
func (c *Client) Find(ctx context.Context, path, search, from string, size int) (Part, error) {
	query := "per_page=" // also counts the rows
	if from != "" {
		query = "from=" + url.QueryEscape(from) + "&take="
	}
	query += strconv.Itoa(size) + "&include_totals=true"
	if words := strings.Join(strings.Fields(search), " "); words != "" {
		query += "&q=" + url.QueryEscape(words)
	}
	o, _, err := c.Do(ctx, Request{Method: "GET", Path: withQuery(path, query)})
	if err != nil {
		return Part{}, err
	}
	part := Part{Next: o.Text("next")}
	for _, m := range o.Members() {
		switch v := m.Value.(type) {
		case []any:
			if part.Rows, err = objects(path, v); err != nil {
				return Part{}, err
			}
		case schema.Number:
			if m.Key == "total" {
				part.Total, _ = strconv.Atoi(string(v))
			}
		}
	}
	return part, nil
}

// page reads one page of a list, counted from 0, and the number of entries in the whole list, 0 if the response does not state it.
func (c *Client) page(ctx context.Context, path string, page int) ([]*schema.Object, int, error) {
	query := "per_page=" + strconv.Itoa(pageSize) + "&page=" + strconv.Itoa(page)
	v, _, err := c.value(ctx, Request{Method: "GET", Path: withQuery(path, query)})
	if err != nil {
		return nil, 0, err
	}
	total := 0
	if o, ok := v.(*schema.Object); ok {
		for _, m := range o.Members() {
			if list, ok := m.Value.([]any); ok {
				v = list
			}
		}
		n, _ := o.Get("total")
		if n, ok := n.(schema.Number); ok {
			total, _ = n.Int()
		}
	}
	list, err := objects(path, v)
	return list, total, err
}

// Send makes a change by POST, PATCH or DELETE; a nil body sends none. It returns the object of the answer, nil if there
// is none. What the server writes after a DELETE is ignored: some write text.
func (c *Client) Send(ctx context.Context, method, path string, body *schema.Object) (*schema.Object, error) {
	r := Request{Method: method, Path: path}
	if body != nil {
		r.Body = schema.Encode(body)
	}
	res, err := c.exchange(ctx, r)
	if err != nil || len(res.Body) == 0 || method == "DELETE" {
		return nil, err
	}
	v, ps := schema.Decode(res.Body)
	if len(ps) > 0 {
		return nil, fmt.Errorf("%s %s: read the answer: %w", method, path, ps)
	}
	o, _ := v.(*schema.Object)
	return o, nil
}

// withQuery adds parameters to a path, which may have a query.
func withQuery(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
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
