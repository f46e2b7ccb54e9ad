package draft

import (
	"strconv"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model/schema"
)

// Meta is the summary of a draft for a list of drafts.
type Meta struct {
	Form    string // id of the form
	Name    string // of the form, as in the draft
	Changed time.Time
	Changes int // the number of changes, as Editor.ChangeCount counts them
}

// Draft is the unsaved work on a form.
type Draft struct {
	Meta
	ETag string // of Past.Saved, "" if the tenant has none
	Past editor.Past
}

// Part is one record of a draft. The parts of a draft are written and deleted all together or not at all.
type Part struct {
	Name    string
	Content []byte // JSON
}

// Batch is what must be written and deleted to update the parts.
type Batch struct {
	Put    []Part
	Delete []string // names of parts
}

// The names of parts. stepName returns the name of a step's part.
const (
	HeadPart   = "head"   // the summary for a list of drafts, and the position in the history
	originPart = "origin" // the form before the first step
	savedPart  = "saved"  // the saved form, if it is not in the history
)

func stepName(n int) string { return "step-" + strconv.Itoa(n) }

// version is the version of the format of the parts.
const version = 1

// parse reads the JSON text of a part.
func parse(text []byte) (*schema.Object, error) {
	v, ps := schema.Decode(text)
	if o, ok := v.(*schema.Object); ok && len(ps) == 0 {
		return o, nil
	}
	return nil, errMalformed
}

func number(o *schema.Object, key string) (int, error) {
	v, _ := o.Get(key)
	if n, ok := intOf(v); ok {
		return n, nil
	}
	return 0, errMalformed
}
