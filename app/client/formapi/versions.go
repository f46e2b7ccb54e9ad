package formapi

import (
	"context"
	"fmt"
	"strconv"
	"strings"
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
	// Automatic reports that nobody asked for the save.
	Automatic bool
}

// VersionsPage is the maximum number of versions in a part of a list.
const VersionsPage = 100

// Versions returns a part of the versions of a form, the newest first, and how many there are. Parts are numbered from 0. If named is set,
// there are only those with a name or a note.
func Versions(ctx context.Context, c *client.Client, id string, part int, named bool) (list []Version, total int, err error) {
	o, err := c.Object(ctx, address(id)+"/versions?include_totals=true&per_page="+strconv.Itoa(VersionsPage)+"&page="+strconv.Itoa(part)+
		"&named="+strconv.FormatBool(named))
	if err != nil {
		return nil, 0, err
	}
	for _, item := range o.List("versions") {
		v, _ := item.(*schema.Object)
		list = append(list, versionOf(v))
	}
	total, _ = o.Int("total")
	return list, total, nil
}

func versionOf(v *schema.Object) Version {
	of := Version{Author: v.Text("author"), Summary: v.Text("summary"), Note: v.Text("note"), Name: v.Text("name"), Automatic: v.Has("automatic")}
	of.Number, _ = v.Int("version")
	of.SavedAt = timeOf(v, "saved_at")
	return of
}

func timeOf(o *schema.Object, key string) time.Time {
	at, _ := time.Parse(time.RFC3339, o.Text(key))
	return at
}

// Describe gives a version a name and a note; an empty text removes one. It returns the version as it is now.
func Describe(ctx context.Context, c *client.Client, id string, number int, name, note string) (Version, error) {
	o, err := c.Send(ctx, "PATCH", address(id)+"/versions/"+strconv.Itoa(number), schema.NewObject(
		schema.Member{Key: "name", Value: name}, schema.Member{Key: "note", Value: note}))
	return versionOf(o), err
}

// Blame tells which version changed each element of a form last.
type Blame struct {
	versions map[int]*Version
	gone     map[int]bool
	tree     *schema.Object
}

// ReadBlame reads who changed the elements of a form last.
func ReadBlame(ctx context.Context, c *client.Client, id string) (Blame, error) {
	o, err := c.Object(ctx, address(id)+"/blame")
	b := Blame{versions: map[int]*Version{}, gone: map[int]bool{}, tree: o}
	for _, item := range o.List("versions") {
		v, _ := item.(*schema.Object)
		of := versionOf(v)
		b.versions[of.Number] = &of
		kept, _ := v.Get("kept")
		b.gone[of.Number] = kept != true
	}
	return b, err
}

// Of returns the version that changed an element last, nil if that is unknown, and whether it can still be opened. The element is a rule of the
// node, a component, or the node, whichever is given.
func (b *Blame) Of(node, component, rule string) (v *Version, kept bool) {
	of, id := b.tree.Object("nodes"), node
	switch {
	case rule != "":
		of, id = b.tree.Object("rules").Object(node), rule
	case component != "":
		of, id = b.tree.Object("components"), component
	}
	n, _ := of.Int(id)
	return b.versions[n], !b.gone[n]
}

// Newest returns who saved the newest version, "" if that is not known.
func (b *Blame) Newest() string {
	n, _ := b.tree.Int("version")
	if v := b.versions[n]; v != nil {
		return v.Author
	}
	return ""
}

// LastChange is the newest version of a form in a list.
type LastChange struct {
	Author   string // as in Version
	AuthorID string // subject, "" if it is unknown
	SavedAt  time.Time
}

// LastChanges returns the newest versions of the tenant's forms by their ids. Forms that were never saved here are not among them.
func LastChanges(ctx context.Context, c *client.Client) (map[string]LastChange, error) {
	list, err := c.Objects(ctx, "/bff/api/changes")
	last := map[string]LastChange{}
	for _, o := range list {
		if o.Has("version") {
			last[o.Text("id")] = LastChange{o.Text("author"), o.Text("author_id"), timeOf(o, "saved_at")}
		}
	}
	return last, err
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

// FirstAuthor returns the name of the person who saved a version, without those who edited with them.
func FirstAuthor(author string) string {
	first, _, _ := strings.Cut(author, with)
	return first
}

// with separates the name of whoever saved a version from those who edited with them, as the server writes it.
const with = " with "

// Authors returns the names of the people who made a version, as a list in words: "Ana, Ben and Cy".
func Authors(author string) string {
	first, others, several := strings.Cut(author, with)
	switch {
	case !several:
		return author
	case strings.Contains(others, " and "):
		return first + ", " + others
	}
	return first + " and " + others
}
