package transfer

import (
	"fmt"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// maxName is the maximum number of characters in the name of a form, from the table of forms.
const maxName = 150

// Duplicate returns the content of a copy of a form, with a new name that is cut to fit.
func Duplicate(f *model.Form) (*model.Form, error) {
	const name = "Copy of %s"
	room := maxName - len([]rune(fmt.Sprintf(name, "")))
	return Content(f).Set(schema.Path{schema.Key("name")}, fmt.Sprintf(name, schema.Shorten(f.Name, room)))
}
