package formapi

import (
	"context"
	"net/url"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// Picture is a form as a picture: paths of SVG by the kinds of its nodes, and that of its edges.
type Picture struct {
	Nodes []schema.Member // the values are texts
	Edges string
}

func pictureOf(o *schema.Object) Picture {
	return Picture{o.Object("nodes").Members(), o.Text("edges")}
}

// Overview is what the list of forms shows of a form.
type Overview struct {
	Picture
	Problems, Warnings int
	Unchecked          bool // there are too many rules or references to check them all, so there may be more warnings
	Languages          []string
	Flows              []string // their ids, once for each place that names one, except those that a warning is about
	Coverage           int      // in percent, -1 if the form has no scenarios
	Mentions           int      // comments for the person, who has not read them
}

// ReadOverview returns what the list shows of a form.
func ReadOverview(ctx context.Context, c *client.Client, id string) (Overview, error) {
	o, _, err := c.Do(ctx, client.Request{Method: "GET", Path: address(id) + "/overview"})
	if err != nil {
		return Overview{}, err
	}
	of := Overview{Picture: pictureOf(o), Coverage: -1}
	of.Problems, _ = o.Int("problems")
	of.Warnings, _ = o.Int("warnings")
	of.Mentions, _ = o.Int("mentions")
	unchecked, _ := o.Get("unchecked")
	of.Unchecked = unchecked == true
	if n, ok := o.Int("coverage"); ok {
		of.Coverage = n
	}
	of.Languages, of.Flows = texts(o.List("languages")), texts(o.List("flows"))
	return of, nil
}

// texts returns the texts of a list.
func texts(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i], _ = v.(string)
	}
	return out
}

// Template is a form to begin with.
type Template struct {
	ID, Name, About string
	Picture
}

const templatesPath = "/bff/templates"

// Templates returns the forms to begin with.
func Templates(ctx context.Context, c *client.Client) ([]Template, error) {
	list, err := c.Objects(ctx, templatesPath)
	var templates []Template
	for _, o := range list {
		templates = append(templates, Template{o.Text("id"), o.Text("name"), o.Text("about"), pictureOf(o)})
	}
	return templates, err
}

// ReadTemplate returns the text of a template, an export, and its scenarios.
func ReadTemplate(ctx context.Context, c *client.Client, id string) (file string, scenarios *schema.Object, err error) {
	o, _, err := c.Do(ctx, client.Request{Method: "GET", Path: templatesPath + "/" + url.PathEscape(id)})
	if err != nil {
		return "", nil, err
	}
	return string(schema.Encode(o.Object("file"))), o.Object("scenarios"), nil
}
