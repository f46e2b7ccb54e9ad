package live

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// Entry is one change of the shared form.
type Entry struct {
	// Number is the number of the form that the entry makes: it applies to the form of the number before.
	Number int
	// Page and Serial identify the entry: a page numbers its entries from 1. A page that did not see the answer to an entry recognizes it by
	// them.
	Page   string
	Serial int
	// Name is the name of the person, for people; "" if it is not known.
	Name string
	// ETag is the version of the saved form that the form of this number contains, "" if it is not known.
	ETag string
	// Saved is the number of the form that was saved as the version ETag, 0 for none.
	Saved int
	// Digest is that of the shared form of this number as whoever keeps the entries has it, "" if it is not told; see Digest.
	Digest string
	Edits  []schema.Edit
}

// ErrEntry is returned for a tree that is not an entry.
var ErrEntry = errors.New("not an entry")

// Tree returns the entry as an object that ReadEntry reads.
func (e Entry) Tree() *schema.Object {
	members := []schema.Member{
		{Key: "number", Value: schema.IntNumber(e.Number)}, {Key: "page", Value: e.Page}, {Key: "serial", Value: schema.IntNumber(e.Serial)},
	}
	if e.Name != "" {
		members = append(members, schema.Member{Key: "name", Value: e.Name})
	}
	if e.ETag != "" {
		members = append(members, schema.Member{Key: "etag", Value: e.ETag})
	}
	if e.Saved > 0 {
		members = append(members, schema.Member{Key: "saved", Value: schema.IntNumber(e.Saved)})
	}
	if e.Digest != "" {
		members = append(members, schema.Member{Key: "digest", Value: e.Digest})
	}
	return schema.NewObject(append(members, schema.Member{Key: "edits", Value: schema.EncodeEdits(e.Edits)})...)
}

// Does reports whether an entry makes the same form of the same number as another one, whoever offered it.
func (e Entry) Does(as Entry) bool {
	return e.Number == as.Number && e.ETag == as.ETag && e.Saved == as.Saved && slices.EqualFunc(e.Edits, as.Edits, func(a, b schema.Edit) bool {
		return a.Cleared == b.Cleared && a.Inserted == b.Inserted && a.Path.Equal(b.Path) && schema.Equal(a.Value, b.Value)
	})
}

// ReadEntry returns the entry in a tree. The error wraps ErrEntry.
func ReadEntry(v any) (Entry, error) {
	o, ok := v.(*schema.Object)
	if !ok {
		return Entry{}, fmt.Errorf("%w: it is not an object", ErrEntry)
	}
	e := Entry{Page: o.Text("page"), Name: o.Text("name"), ETag: o.Text("etag"), Digest: o.Text("digest")}
	for _, n := range []struct {
		key string
		to  *int
	}{{"number", &e.Number}, {"serial", &e.Serial}, {"saved", &e.Saved}} {
		v, there := o.Get(n.key)
		if !there {
			continue
		}
		number, _ := v.(schema.Number)
		i, ok := number.Int()
		if !ok || i < 0 || i > math.MaxInt32 {
			return Entry{}, fmt.Errorf("%w: %s must be an integer from 0 to %d", ErrEntry, n.key, math.MaxInt32)
		}
		*n.to = i
	}
	edits, err := schema.DecodeEdits(o.List("edits"))
	if err != nil {
		return Entry{}, fmt.Errorf("%w: edits: %w", ErrEntry, err)
	}
	e.Edits = edits
	return e, nil
}
