package httpx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

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

// plain reports whether StrictJSON is certain to accept a body. It reads tokens and builds no tree, which takes a third of the time. For a
// body in doubt, such as one with exponents or very many tokens, the tree decides and yields the places.
func plain(body []byte) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(body))
	for range schema.MaxValues {
		token, err := d.ReadToken()
		if err != nil {
			_, values := d.StackIndex(0)
			return errors.Is(err, io.EOF) && values == 1 && len(body) <= schema.MaxBytes
		}
		if d.StackDepth() > schema.MaxDepth {
			return false
		}
		if token.Kind() == '0' {
			if text := token.String(); len(text) > maxNumber || strings.ContainsAny(text, "eE") {
				return false
			}
		}
	}
	return false
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
