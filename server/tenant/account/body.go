package account

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// maxBody bounds a body in bytes. The largest honest one is a passkey with its attestation.
const maxBody = 64 << 10

// read reads a JSON object of a table.
func read(c *call, table schema.Table) (*schema.Object, *apiError) {
	mt, opts, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if cs := opts["charset"]; err != nil || mt != "application/json" || (cs != "" && !strings.EqualFold(cs, "utf-8")) || c.r.Header.Get("Content-Encoding") != "" {
		return nil, &apiError{status: http.StatusUnsupportedMediaType, code: "unsupported_media_type", title: "Unsupported Media Type", detail: "The body must be application/json in UTF-8"}
	}
	b, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.r.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, &apiError{status: http.StatusRequestEntityTooLarge, code: "payload_too_large", title: "Payload Too Large", detail: "The body is too large"}
		}
		return nil, invalidBody("The body ended early")
	}
	tree, ps := schema.Decode(b)
	if len(ps) == 0 {
		ps = schema.Check(table, tree)
	}
	if len(ps) > 0 {
		return nil, invalidPayload(ps)
	}
	o, _ := tree.(*schema.Object) // a Table takes nothing else
	return o, nil
}
