package formapi

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Version is a saved version of a form.
type Version struct {
	Number  int
	SavedAt time.Time
	Author  string // who saved it, "" if that is unknown: it was saved elsewhere
	Summary string // what it changed
	Note    string
	Name    string
}

// maxVersions is the maximum number of versions in a list.
const maxVersions = 100

// Versions returns the newest versions of a form, the newest first.
func Versions(ctx context.Context, c *client.Client, id string) ([]Version, error) {
	o, err := c.Object(ctx, address(id)+"/versions?include_totals=true&per_page="+strconv.Itoa(maxVersions))
	if err != nil {
		return nil, err
	}
	var list []Version
	for _, item := range o.List("versions") {
		v, _ := item.(*schema.Object)
		of := Version{Author: v.Text("author"), Summary: v.Text("summary"), Note: v.Text("note"), Name: v.Text("name")}
		of.Number, _ = v.Int("version")
		of.SavedAt, _ = time.Parse(time.RFC3339, v.Text("saved_at"))
		list = append(list, of)
	}
	return list, nil
}

// ReadVersion returns a form as a version of it has it. number is that of the version, as text.
func ReadVersion(ctx context.Context, c *client.Client, id, number string) (*model.Form, error) {
	o, err := c.Object(ctx, address(id)+"/versions/"+number)
	if err != nil {
		return nil, err
	}
	form := o.Object("form")
	if form == nil {
		return nil, fmt.Errorf("the answer has no form: version %s", number)
	}
	return model.FromTree(form), nil
}
