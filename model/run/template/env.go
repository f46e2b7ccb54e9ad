package template

import (
	"strconv"
	"time"

	"github.com/formgraph/formgraph/model/schema"
)

// Env is what expressions read. A nil function supplies nothing, so that whatever needs it is undefined.
type Env struct {
	// Lookup returns the tree at a path in a namespace, such as fields or vars, and false if there is none. The path is empty for a
	// name without properties, such as remaining_seconds. It must not be changed or kept.
	Lookup func(namespace string, path schema.Path) (any, bool)
	// Translate returns the custom message with a key, in the language of the run, and false if there is none.
	Translate func(key string) (string, bool)
	Now       func() time.Time
	Random    func() float64                     // at least 0, less than 1
	UUID      func() string                      // a random UUID of version 4
	Hash      func(function, text string) string // for the functions md5, sha1, sha256 and sha512
	// Undefined returns the text to show for an undefined expression.
	Undefined func(expression string) string
}

// At returns the value at a path inside a tree, and false if there is none. A property that is a whole number is also an index of an array.
func At(v any, path schema.Path) (any, bool) {
	for _, e := range path {
		switch in := v.(type) {
		case *schema.Object:
			key := e.Key
			if e.Index >= 0 {
				key = strconv.Itoa(e.Index)
			}
			var ok bool
			if v, ok = in.Get(key); !ok {
				return nil, false
			}
		case []any:
			i := e.Index
			if i < 0 {
				n, err := strconv.Atoi(e.Key)
				if err != nil || strconv.Itoa(n) != e.Key {
					return nil, false
				}
				i = n
			}
			if i < 0 || i >= len(in) {
				return nil, false
			}
			v = in[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// absent is the value of an expression that is undefined.
type absent struct{}
