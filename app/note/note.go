// Package note holds the notes that people put beside the nodes of a form on the canvas. They are not a part of the form: the server keeps them
// in a file of its own.
package note

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Limits of a file of notes.
const (
	MaxNotes = 200   // in a file
	MaxText  = 2_000 // characters (code points) of a text
)

// Note is a text at a place of the canvas, for the people who edit the form. Respondents never see it.
type Note struct {
	ID   string // unique in the file
	Text string
	At   model.Point // its upper left corner, in form units
}

// List is the notes of a form, in the order in which they were made. It is immutable.
type List []Note

// version is the only version of the format of the file.
const version = "1"

var (
	noteTable = schema.Table{
		{Name: "id", Spec: schema.String{Min: 1, Max: 64}, Required: true},
		{Name: "text", Spec: schema.String{Min: 1, Max: MaxText}, Required: true},
		{Name: "coordinates", Spec: schema.Table{
			{Name: "x", Spec: coordinate, Required: true},
			{Name: "y", Spec: coordinate, Required: true},
		}, Required: true},
	}
	coordinate = schema.Numeric{Min: "-999999", Max: "999999", Integer: true} // as of a node
	fileTable  = schema.Table{
		{Name: "version", Spec: schema.Numeric{Min: version, Max: version, Integer: true}, Required: true},
		{Name: "notes", Spec: schema.List{Item: noteTable}, Required: true},
	}
)

// Read returns the notes of a file, or its problems.
func Read(body []byte) (List, schema.Problems) {
	tree, problems := schema.Decode(body)
	if len(problems) == 0 {
		problems = schema.Check(fileTable, tree)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	list, path := Of(tree.(*schema.Object)), schema.Path{schema.Key("notes")}
	if len(list) > MaxNotes {
		return nil, schema.Problems{{Path: path, Code: schema.CodeLimit, Detail: "must have at most " + strconv.Itoa(MaxNotes) + " notes", Offset: -1}}
	}
	for i, n := range list {
		if list[:i].index(n.ID) >= 0 {
			problems = append(problems, schema.Problem{
				Path: path.Index(i).Key("id"), Code: schema.CodeDuplicateID, Detail: "is the id of an earlier note", Offset: -1,
			})
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return list, nil
}

// Of returns the notes of a valid file, such as one from the server.
func Of(file *schema.Object) (list List) {
	for _, v := range file.List("notes") {
		if o, ok := v.(*schema.Object); ok {
			at := o.Object("coordinates")
			x, _ := at.Int("x")
			y, _ := at.Int("y")
			list = append(list, Note{o.Text("id"), o.Text("text"), model.Point{X: x, Y: y}})
		}
	}
	return list
}

// File returns the file of the notes.
func (l List) File() *schema.Object {
	all := make([]any, len(l))
	for i, n := range l {
		all[i] = schema.NewObject(
			schema.Member{Key: "id", Value: n.ID}, schema.Member{Key: "text", Value: n.Text},
			schema.Member{Key: "coordinates", Value: n.At.Tree()},
		)
	}
	return schema.NewObject(schema.Member{Key: "version", Value: schema.Number(version)}, schema.Member{Key: "notes", Value: all})
}

// Get returns the note with an id.
func (l List) Get(id string) (Note, bool) {
	if i := l.index(id); i >= 0 {
		return l[i], true
	}
	return Note{}, false
}

func (l List) index(id string) int {
	return slices.IndexFunc(l, func(n Note) bool { return n.ID == id })
}

// Change adds, changes or deletes a note.
type Change struct {
	Note
	Gone bool // the note is deleted
}

// With returns the notes after a change. A note that the list does not have is added at its end, unless the change deletes it.
func (l List) With(c Change) List {
	i := l.index(c.ID)
	switch {
	case i < 0 && c.Gone:
		return l
	case i < 0:
		return append(slices.Clip(l), c.Note)
	case c.Gone:
		return slices.Delete(slices.Clone(l), i, i+1)
	}
	l = slices.Clone(l)
	l[i] = c.Note
	return l
}
