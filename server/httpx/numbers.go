package httpx

import (
	"fmt"
	"math"
	"strconv"

	"github.com/formgraph/formgraph/model/schema"
)

// maxNumber bounds a number in bytes. A float64 is written in 24 at the most, and readers take longer for long
// ones, some by the square of the length.
const maxNumber = 100

// strange reports whether a JSON text may hold a number that readers understand in different ways. It makes no
// tree and takes one pass; the text must be valid.
func strange(src []byte) bool {
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			i = afterString(src, i)
		case c == '-' || '0' <= c && c <= '9':
			began := i
			exponent := false
			for i < len(src) && partOfNumber(src[i]) {
				exponent = exponent || src[i]|0x20 == 'e'
				i++
			}
			if exponent || i-began > maxNumber {
				return true
			}
			i--
		}
	}
	return false
}

// afterString returns the index of the quote that ends the string which begins at i.
func afterString(src []byte, i int) int {
	for i++; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i
}

func partOfNumber(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c|0x20 == 'e'
}

// badNumbers lists the numbers of a tree that not every reader can hold.
func badNumbers(tree any) schema.Problems {
	var ps schema.Problems
	walk(tree, nil, func(at schema.Path, n schema.Number) {
		p := schema.Problem{Path: at, Code: schema.CodeRange, Offset: -1}
		f, err := strconv.ParseFloat(string(n), 64)
		switch {
		case len(n) > maxNumber:
			p.Detail = fmt.Sprintf("must be a number of at most %d characters, has %d", maxNumber, len(n))
		case err != nil || math.IsInf(f, 0):
			p.Detail = "must be a number that fits in 64 bits"
		default:
			return
		}
		ps = append(ps, p)
	})
	return ps
}

func walk(tree any, at schema.Path, visit func(schema.Path, schema.Number)) {
	switch v := tree.(type) {
	case *schema.Object:
		for _, m := range v.Members() {
			walk(m.Value, at.Key(m.Key), visit)
		}
	case []any:
		for i, item := range v {
			walk(item, at.Index(i), visit)
		}
	case schema.Number:
		visit(at, v)
	}
}
