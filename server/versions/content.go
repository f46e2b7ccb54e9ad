package versions

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// content is what an author saves: a form without its id, its dates, and what a tenant computes.
type content struct {
	tree  *schema.Object
	text  []byte
	hash  []byte
	saved time.Time // the date of its last change, zero if the tenant sends none
}

// errForm means that an answer is not a form.
var errForm = errors.New("not a form")

// computed reports whether a property of an answer is not content. Some tenants compute the last two for each answer.
func computed(key string) bool {
	return model.ResponseOnly(key) || key == "links" || key == "flow_count"
}

// readContent reads the content of a form in an answer of the tenant.
func readContent(body []byte) (content, error) {
	tree, problems := schema.DecodeGrown(body)
	form, ok := tree.(*schema.Object)
	switch {
	case len(problems) > 0:
		return content{}, fmt.Errorf("%w: %w", errForm, problems[0])
	case !ok || !form.Has("name"):
		return content{}, errForm
	}
	var c content
	if at, err := time.Parse(time.RFC3339, form.Text("updated_at")); err == nil {
		c.saved = at.UTC().Truncate(store.Resolution)
	}
	var members []schema.Member
	for _, m := range form.Members() {
		if !computed(m.Key) {
			members = append(members, m)
		}
	}
	c.tree = schema.NewObject(members...)
	c.text = schema.Encode(c.tree)
	sum := sha256.Sum256(appendSorted(make([]byte, 0, len(c.text)), c.tree))
	c.hash = sum[:]
	return c, nil
}

// appendSorted appends a text that is the same for trees that differ only in the order of members: a tenant may answer a save in another
// order than a read.
func appendSorted(b []byte, v any) []byte {
	switch v := v.(type) {
	case *schema.Object:
		var few [16]schema.Member // most objects have no more
		members := append(few[:0], v.Members()...)
		slices.SortFunc(members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
		b = append(b, '{')
		for _, m := range members {
			b = appendSorted(append(appendText(b, m.Key), ':'), m.Value)
			b = append(b, ',')
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for _, e := range v {
			b = append(appendSorted(b, e), ',')
		}
		return append(b, ']')
	case string:
		return appendText(b, v)
	case schema.Number:
		return append(b, v...)
	}
	return append(b, schema.Encode(v)...)
}

// appendText appends the length of a text and the text, which differs from any other value.
func appendText(b []byte, s string) []byte {
	b = strconv.AppendInt(append(b, '"'), int64(len(s)), 10)
	return append(append(b, '"'), s...)
}
