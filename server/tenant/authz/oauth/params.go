package oauth

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

// maxBody bounds the body of a request in bytes. The largest valid one holds an ID token and a few words.
const maxBody = 64 << 10

// Params are the parameters of a request, each at most once. Several resources are joined by spaces, which a URI cannot
// contain.
type Params map[string]string

// ReadBody reads the parameters of a POST body: form-urlencoded by RFC 6749, section 4, or JSON, which the vendor's API
// accepts too. It refuses parameters in the address, since addresses end up in logs.
func ReadBody(w http.ResponseWriter, r *http.Request) (Params, *Error) {
	if r.URL.RawQuery != "" {
		return nil, InvalidRequest("parameters belong in the body")
	}
	mt, opts, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if cs := opts["charset"]; err != nil || (cs != "" && !strings.EqualFold(cs, "utf-8")) {
		mt = ""
	}
	if mt != "application/json" && mt != "application/x-www-form-urlencoded" {
		return nil, NewError(http.StatusUnsupportedMediaType, "invalid_request",
			"the body must be application/json or application/x-www-form-urlencoded")
	}
	b, e := readAll(w, r)
	if e != nil {
		return nil, e
	}
	if mt == "application/json" {
		return jsonParams(b)
	}
	return FormParams(string(b))
}

// readAll reads a body of at most maxBody bytes.
func readAll(w http.ResponseWriter, r *http.Request) ([]byte, *Error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		return b, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, NewError(http.StatusRequestEntityTooLarge, "invalid_request", "the body is too large")
	}
	return nil, InvalidRequest("the body ended early")
}

// jsonParams reads a JSON object. Booleans become words, since clients send offline_access as a boolean, and null is absent.
// Objects and lists are refused, except the objects of passkeys, which stay JSON text, and resources.
func jsonParams(b []byte) (Params, *Error) {
	tree, problems := schema.Decode(b)
	if len(problems) > 0 {
		if problems[0].Code == schema.CodeDuplicateKey {
			return nil, InvalidRequest("a parameter is repeated")
		}
		return nil, InvalidRequest("the body is not valid JSON")
	}
	o, ok := tree.(*schema.Object)
	if !ok {
		return nil, InvalidRequest("the body must be a JSON object")
	}
	p := make(Params, o.Len())
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
			if m.Key != "authn_response" && m.Key != ProfileKey {
				return nil, InvalidRequest("a parameter is not a string")
			}
			p[m.Key] = string(schema.Encode(v))
		case []any:
			if m.Key != resourceKey {
				return nil, InvalidRequest("a parameter is not a string")
			}
			p[m.Key] = oneResource(v)
		default:
			return nil, InvalidRequest("a parameter is not a string")
		}
	}
	return p, nil
}

// oneResource joins a list of resources; see Params.
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

// FormParams reads key=value pairs, of a body or of an address.
func FormParams(s string) (Params, *Error) {
	vs, err := url.ParseQuery(s)
	if err != nil {
		return nil, InvalidRequest("the parameters are not form-urlencoded")
	}
	p := make(Params, len(vs))
	for k, v := range vs {
		if k == resourceKey { // it may be repeated; Target refuses the space that joins two
			v = []string{strings.Join(v, " ")}
		}
		if len(v) > 1 {
			return nil, InvalidRequest("a parameter is repeated")
		}
		if !utf8.ValidString(k) || !utf8.ValidString(v[0]) {
			return nil, InvalidRequest("a parameter is not UTF-8")
		}
		p[k] = v[0]
	}
	return p, nil
}

// Encode returns the parameters in a form that survives a round trip through a page unchanged: sorted, and escaped so that no template and
// no browser has anything left to escape.
func (p Params) Encode() string {
	vs := make(url.Values, len(p))
	for k, v := range p {
		vs.Set(k, v)
	}
	return vs.Encode()
}

// ReadPage reads the form that a page sends.
func ReadPage(w http.ResponseWriter, r *http.Request) (Params, *Error) {
	if mt, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mt != "application/x-www-form-urlencoded" {
		return nil, NewError(http.StatusUnsupportedMediaType, "invalid_request", "the page was not sent as a form")
	}
	b, e := readAll(w, r)
	if e != nil {
		return nil, e
	}
	return FormParams(string(b))
}

// ProfileKey is the parameter with the profile of a sign-up.
const ProfileKey = "user_profile"

// IsDigest reports whether s has the shape of 32 bytes in unpadded base64url.
func IsDigest(s string) bool {
	if len(s) != 43 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}
