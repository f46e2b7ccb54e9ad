package message

import "github.com/formgraph/formgraph/model/schema"

// File is the kind of the form of a file.
const File = "file"

// Choice is a form to compare with. The editor's program knows the kinds and how to read their forms; the worker only offers them.
type Choice struct {
	Kind, ID string // say which form it is
	Name     string
	Group    string // the name of the choices among which it is listed, "" for none
	After    bool   // it is the form after the changes, else the one before them
}

// This is the kind of the form under edit, which only the worker needs.
const This = "this"

// Is reports whether two choices are of the same form on the same side, whatever it is called.
func (c *Choice) Is(of *Choice) bool {
	return c != nil && of != nil && c.Kind == of.Kind && c.ID == of.ID && c.After == of.After
}

// The kinds of choices that are earlier states of the form under edit.
const (
	Saved   = "saved"   // the last saved version
	Version = "version" // an earlier saved version
	Before  = "before"  // the form before an import
)

// Earlier reports whether the form is an earlier state of the form under edit, and not another form.
func (c *Choice) Earlier() bool { return c.Kind == Saved || c.Kind == Version || c.Kind == Before }

func (c *Choice) tree() *schema.Object {
	if c == nil {
		return nil
	}
	var t tree
	t.text("kind", c.Kind)
	t.text("id", c.ID)
	t.text("name", c.Name)
	t.text("group", c.Group)
	t.flag("after", c.After)
	return schema.NewObject(t...)
}

func choiceOf(o *schema.Object) *Choice {
	if o == nil {
		return nil
	}
	return &Choice{Kind: o.Text("kind"), ID: o.Text("id"), Name: o.Text("name"), Group: o.Text("group"), After: flagged(o, "after")}
}
