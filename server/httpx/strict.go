package httpx

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/formgraph/formgraph/model/schema"
)

// maxNumber bounds a number in bytes. A float64 needs at most 24, and some readers take time that grows with the square of the length.
const maxNumber = 100

// StrictJSON refuses text that two JSON readers could interpret differently: duplicate names, two values, invalid UTF-8, numbers that do
// not fit a float64 or are very long, and text beyond the limits of a document. It lists every place.
func StrictJSON(body []byte) *Problem {
	if plain(body) {
		return nil
	}
	tree, problems := schema.Decode(body)
	if len(problems) == 0 {
		problems = badNumbers(tree)
	}
	if len(problems) == 0 {
		return nil
	}
	return &Problem{
		Status: http.StatusBadRequest, Code: CodeInvalidBody, Detail: "The body must be one strictly valid JSON value.", Problems: problems,
	}
}

// plain reports whether StrictJSON is certain to accept a body. It builds no tree. For a body in doubt, such as one with exponents or very
// many values, the tree decides and yields the places.
func plain(body []byte) bool {
	return len(body) <= schema.MaxBytes && jsontext.Value(body).IsValid() && moderate(body)
}

// moderate reports whether a valid JSON text is certain to be within the limits of depth, values and numbers.
func moderate(text []byte) bool {
	depth, values := 0, 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > schema.MaxDepth {
				return false
			}
			values++
		case '}', ']':
			depth--
		case ',':
			values++
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			began := i
			for i+1 < len(text) && (text[i+1] == '.' || '0' <= text[i+1] && text[i+1] <= '9') {
				i++
			}
			exponent := i+1 < len(text) && text[i+1]|0x20 == 'e'
			if exponent || i+1-began > maxNumber {
				return false
			}
		}
	}
	return values <= schema.MaxValues
}

// badNumbers lists the numbers in a tree that some readers cannot represent.
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
