package transfer

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// maxName is the maximum number of characters in the name of a form, from the table of forms.
const maxName = 150

// CopyPrefix begins the name of a copy.
const CopyPrefix = "Copy of "

// Duplicate returns the content of a copy of a form, with a new name that is cut to fit.
func Duplicate(f *model.Form) (*model.Form, error) {
	return Content(f).Set(schema.Path{schema.Key("name")}, CopyPrefix+schema.Shorten(f.Name, maxName-len(CopyPrefix)))
}
