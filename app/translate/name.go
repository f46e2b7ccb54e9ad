package translate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model/schema"
)

// Name returns the name of the text's component, and what the text is of it with a sign before, as in "E-mail" and ": hint", or "Country" and
// " › Germany" for the label of an option. The part is "" for a text that names the component itself, as that of a button does, and for a
// message, which has only its property. A rich text without a label is named by its first block.
func (r *Row) Name() (of, part string) {
	if r.Component == nil {
		return r.Property, ""
	}
	path := r.text.Path
	of = caption.Component(r.Component)
	if r.Rich() && r.Component.Label == "" {
		of = cmp.Or(caption.FirstBlock(r.Text, maxOption), of)
	}
	last := path[len(path)-1].Key
	config := path[0].Key == "config" && len(path) > 1
	if config {
		if len(path) == 2 && r.Component.Label == "" && slices.Contains(r.Component.Captions(), last) && caption.Excerpt(r.Text, maxOption) == of {
			return of, ""
		}
		path = path[1:]
	}
	for i := range path[:len(path)-1] {
		switch e := path[i]; {
		case e.Index >= 0:
			part += caption.PlaceSign + r.option(len(r.text.Path)-len(path)+i)
		case path[i+1].Index < 0:
			part += caption.PlaceSign + schema.Words(e.Key)
		}
	}
	if last == "label" && part != "" {
		return of, part
	}
	name := cmp.Or(r.text.Row.Label, schema.Words(last))
	if r.Rich() {
		name = "text"
	}
	return of, part + ": " + strings.ToLower(name)
}

// maxOption bounds the characters of a name.
const maxOption = 80

// option returns the name of the option at an index of the text's path: its label, else its value.
func (r *Row) option(at int) string {
	v, _ := schema.Lookup(r.Component.Tree(), r.text.Path[:at+1])
	o, _ := v.(*schema.Object)
	return cmp.Or(caption.Excerpt(o.Text("label"), maxOption), r.text.Key[at].Key)
}
