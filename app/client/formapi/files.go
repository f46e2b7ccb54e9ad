package formapi

import (
	"context"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// Kind is a kind of file that the server keeps for the team beside a form.
type Kind string

// The kinds of files.
const (
	Scenarios Kind = "scenarios" // what the form is tested with
	Sources   Kind = "sources"   // of which source each translation was made
	Notes     Kind = "notes"     // what people write beside the nodes
	Settings  Kind = "settings"  // what holds for everybody who edits the form
)

// File returns the file of a form, and its ETag. If there is none yet, the file is empty in the way of its kind.
func File(ctx context.Context, c *client.Client, id string, kind Kind) (file *schema.Object, etag string, err error) {
	file, res, err := c.Do(ctx, client.Request{Method: "GET", Path: addressOf(id, kind)})
	if err != nil {
		return nil, "", err
	}
	return file, etagOf(res), nil
}

// SaveFile replaces the file with the ETag, and returns the ETag of the new one. The status of the error is 412 if the server has another
// file by now, and 400 if the file has faults.
func SaveFile(ctx context.Context, c *client.Client, id string, kind Kind, file *schema.Object, etag string) (string, error) {
	r := client.Request{Method: "PUT", Path: addressOf(id, kind), Body: schema.Encode(file), Header: map[string]string{}}
	match(r, etag)
	_, res, err := c.Do(ctx, r)
	if err != nil {
		return "", err
	}
	return etagOf(res), nil
}

func addressOf(id string, kind Kind) string { return address(id) + "/" + string(kind) }
