package management

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// readBody reads a body of either content type into a tree; table tells form-urlencoded ones which values
// are strings. Problems that leave no tree to judge are
// an error at once; the others, repeated keys, are returned to be reported with the rest.
func readBody(c *call, table schema.Spec) (any, schema.Problems, *apiError) {
	mt, opts, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if cs := opts["charset"]; err != nil || (cs != "" && !strings.EqualFold(cs, "utf-8")) {
		return nil, nil, mediaType()
	}
	if enc := c.r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, nil, mediaType()
	}
	if mt != "application/json" && mt != "application/x-www-form-urlencoded" {
		return nil, nil, mediaType()
	}
	// What says that it is too large need not be read.
	if c.r.ContentLength > schema.MaxBytes {
		return nil, nil, tooLarge()
	}
	b, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.r.Body, schema.MaxBytes))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, nil, tooLarge()
		}
		return nil, nil, &apiError{status: http.StatusBadRequest, code: "invalid_body", message: "The body ended early"}
	}
	var tree any
	var ps schema.Problems
	if mt == "application/json" {
		tree, ps = schema.Decode(b)
	} else {
		tree, ps = decodeForm(string(b), table)
	}
	if tree == nil && len(ps) > 0 {
		return nil, nil, invalidBody(ps)
	}
	return tree, ps, nil
}
