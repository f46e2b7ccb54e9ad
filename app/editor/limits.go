package editor

import (
	"fmt"

	"github.com/formgraph/formgraph/model/schema"
)

// WithinLimits returns an error if a form exceeds the limits of a document and so
// cannot be saved. Bytes are counted without escapes, so the text has at least as many.
func WithinLimits(tree *schema.Object) error {
	var z size
	z.add(tree, 1)
	switch {
	case z.depth > schema.MaxDepth:
		return fmt.Errorf("too large: the form would be nested %d deep, at most %d", z.depth, schema.MaxDepth)
	case z.values > schema.MaxValues:
		return fmt.Errorf("too large: the form would hold %d values, at most %d", z.values, schema.MaxValues)
	case z.bytes > schema.MaxBytes:
		return fmt.Errorf("too large: the form would be of %d bytes, at most %d", z.bytes, schema.MaxBytes)
	}
	return nil
}

type size struct{ values, bytes, depth int }

// add counts a value; depth is its depth if it is a container.
func (z *size) add(v any, depth int) {
	z.values++
	switch v := v.(type) {
	case string:
		z.bytes += len(v) + 2
	case schema.Number:
		z.bytes += len(v)
	case []any:
		z.depth = max(z.depth, depth)
		z.bytes += 1 + max(1, len(v)) // brackets and commas
		for _, item := range v {
			z.add(item, depth+1)
		}
	case *schema.Object:
		z.depth = max(z.depth, depth)
		z.bytes += 1 + max(1, v.Len())
		for _, m := range v.Members() {
			z.bytes += len(m.Key) + 3
			z.add(m.Value, depth+1)
		}
	default: // null, true, or false, which is longer
		z.bytes += 4
	}
}
