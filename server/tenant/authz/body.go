package authz

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// maxBody bounds the body of a request in bytes. The largest honest one holds an ID token and a few words.
const maxBody = 64 << 10

// params are the parameters of a request, each at most once. Several resources are joined by spaces, which a URI
// cannot contain.
type params map[string]string

// readBody reads the parameters of a POST body: JSON as the spec has it, section Authorization
// endpoints, or form-urlencoded as RFC 6749, section 4 has it. Parameters in the address are refused,
// since addresses end in logs.
func readBody(w http.ResponseWriter, r *http.Request) (params, *Error) {
	if r.URL.RawQuery != "" {
		return nil, invalidRequest("parameters belong in the body")
	}
	mt, opts, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if cs := opts["charset"]; err != nil || (cs != "" && !strings.EqualFold(cs, "utf-8")) {
		mt = ""
	}
	if mt != "application/json" && mt != "application/x-www-form-urlencoded" {
		return nil, newError(http.StatusUnsupportedMediaType, "invalid_request", "the body must be application/json or application/x-www-form-urlencoded")
	}
	b, e := readAll(w, r)
	if e != nil {
		return nil, e
	}
	if mt == "application/json" {
		return jsonParams(b)
	}
	return formParams(string(b))
}

// readAll reads a body of at most maxBody bytes.
func readAll(w http.ResponseWriter, r *http.Request) ([]byte, *Error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		return b, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, newError(http.StatusRequestEntityTooLarge, "invalid_request", "the body is too large")
	}
	return nil, invalidRequest("the body ended early")
}

// jsonParams reads a JSON object. true and false become words, since the spec sends offline_access as
// a boolean; null is absent; containers are refused, but
// for the objects of passkeys, which are kept as their JSON text.
func jsonParams(b []byte) (params, *Error) {
	tree, problems := schema.Decode(b)
	if len(problems) > 0 {
		if problems[0].Code == schema.CodeDuplicateKey {
			return nil, invalidRequest("a parameter is repeated")
		}
		return nil, invalidRequest("the body is not JSON")
	}
	o, ok := tree.(*schema.Object)
	if !ok {
		return nil, invalidRequest("the body must be a JSON object")
	}
	p := make(params, o.Len())
	for _, m := range o.Members() {
		switch v := m.Value.(type) {
		case nil:
		case string:
			p[m.Key] = v
		case bool:
			p[m.Key] = "false"
			if v {
				p[m.Key] = "true"
			}
		case schema.Number:
			p[m.Key] = string(v)
		case *schema.Object:
			// An authenticator's answer and the profile of a sign-up are objects. Their readers check them.
			if m.Key != "authn_response" && m.Key != profileKey {
				return nil, invalidRequest("a parameter is not a string")
			}
			p[m.Key] = string(schema.Encode(v))
		case []any:
			if m.Key != resourceKey {
				return nil, invalidRequest("a parameter is not a string")
			}
			p[m.Key] = oneResource(v)
		default:
			return nil, invalidRequest("a parameter is not a string")
		}
	}
	return p, nil
}

// oneResource joins a list of resources; see params.
func oneResource(list []any) string {
	words := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			s = " " // not a URI
		}
		words[i] = s
	}
	return strings.Join(words, " ")
}

// formParams reads key=value pairs, of a body or of an address.
func formParams(s string) (params, *Error) {
	vs, err := url.ParseQuery(s)
	if err != nil {
		return nil, invalidRequest("the parameters are not form-urlencoded")
	}
	p := make(params, len(vs))
	for k, v := range vs {
		if k == resourceKey { // it may be repeated; target refuses the space that then stands in it
			v = []string{strings.Join(v, " ")}
		}
		if len(v) > 1 {
			return nil, invalidRequest("a parameter is repeated")
		}
		if !utf8.ValidString(k) || !utf8.ValidString(v[0]) {
			return nil, invalidRequest("a parameter is not UTF-8")
		}
		p[k] = v[0]
	}
	return p, nil
}

// encode returns the parameters in the one spelling that stays the same on its way through a page
// and back: sorted, and escaped so that no template and no browser has anything left to escape.
func (p params) encode() string {
	vs := make(url.Values, len(p))
	for k, v := range p {
		vs.Set(k, v)
	}
	return vs.Encode()
}
