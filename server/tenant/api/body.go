package api

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/password"
)

// FormDecoder decodes a form-urlencoded body to the tree of the equivalent JSON body. table determines which values are strings.
type FormDecoder func(body string, table schema.Spec) (any, schema.Problems)

// Body reads the body of a call into a tree; table is for form-urlencoded bodies. Problems that leave no tree to check are returned as an
// error. The others, repeated keys, are returned as problems, to be reported with those of the tree.
func (c *Call) Body(table schema.Spec) (any, schema.Problems, *Error) {
	mt, opts, err := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	charset, coding := opts["charset"], c.Request.Header.Get("Content-Encoding")
	switch {
	case err != nil,
		mt != "application/json" && (c.api.Form == nil || mt != "application/x-www-form-urlencoded"),
		charset != "" && !strings.EqualFold(charset, "utf-8"),
		coding != "" && !strings.EqualFold(coding, "identity"):
		return nil, nil, &Error{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Message: c.api.Errors.Media}
	}
	if c.Request.ContentLength > c.api.MaxBody { // too large: no need to read it
		return nil, nil, c.TooLarge()
	}
	b, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.Request.Body, c.api.MaxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, nil, c.TooLarge()
		}
		return nil, nil, &Error{Status: http.StatusBadRequest, Code: "invalid_body", Message: "The body ended early"}
	}
	var tree any
	var ps schema.Problems
	if mt == "application/json" {
		tree, ps = schema.Decode(b)
	} else {
		tree, ps = c.api.Form(string(b), table)
	}
	if tree == nil && len(ps) > 0 {
		return nil, nil, InvalidBody(ps...)
	}
	return tree, ps, nil
}

// TooLarge returns the error for a body that exceeds the bounds of the API.
func (c *Call) TooLarge() *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: "payload_too_large", Message: c.api.Errors.TooLarge}
}

// Fields reads a body that must be an object of table. more, which may be nil, checks rules that a table cannot express. All problems are
// reported together.
func (c *Call) Fields(table schema.Table, more func(*schema.Object) schema.Problems) (*schema.Object, *Error) {
	tree, ps, e := c.Body(table)
	if e != nil {
		return nil, e
	}
	ps = append(ps, schema.Check(table, tree)...)
	o, _ := tree.(*schema.Object)
	if len(ps) == 0 && more != nil {
		ps = more(o)
	}
	if len(ps) > 0 {
		schema.Sort(tree, ps)
		return nil, InvalidBody(ps...)
	}
	return o, nil
}

// Fault returns a problem with a member of a body.
func Fault(code schema.Code, detail string, at ...schema.Elem) schema.Problem {
	return schema.Problem{Path: at, Code: code, Detail: detail, Offset: -1}
}

// PasswordRow returns the table row of a member with a newly chosen password. It checks the number of characters; PasswordBytes checks the
// rest.
func PasswordRow(name string) schema.Row {
	return schema.Row{Name: name, Spec: schema.String{Min: password.Min, Max: password.Max, Secret: true}}
}

// PasswordBytes returns the check of the number of bytes of such a member, for Fields.
func PasswordBytes(name string) func(*schema.Object) schema.Problems {
	return func(o *schema.Object) schema.Problems {
		if err := password.CheckMax(o.Text(name)); err != nil {
			return schema.Problems{Fault(schema.CodeLength, err.Error(), schema.Key(name))}
		}
		return nil
	}
}
