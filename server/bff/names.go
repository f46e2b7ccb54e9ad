package bff

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
)

// misspelt refuses a form with a property whose name differs from a known one only in case, such as NAME: some parsers treat it as the
// known property and others do not. Names that are entirely unknown are left to the tenant.
func misspelt(body []byte, check func(tree any) schema.Problems) *httpx.Problem {
	if !upperName(body) {
		return nil // nearly every form; no tree is built
	}
	tree, _ := schema.Decode(body)
	var ps schema.Problems
	for _, p := range check(tree) {
		if p.Code != schema.CodeUnknown || len(p.Path) == 0 {
			continue
		}
		name := p.Path[len(p.Path)-1].Key
		if lower := strings.ToLower(name); lower != name && propertyNames()[lower] {
			p.Detail = "must be written " + lower
			ps = append(ps, p)
		}
	}
	if len(ps) == 0 {
		return nil
	}
	return &httpx.Problem{
		Status: http.StatusBadRequest, Code: httpx.CodeInvalidBody, Problems: ps,
		Detail: "A property's name has the wrong case.",
	}
}

// upperName reports whether a name in a valid JSON text contains an upper-case letter or an escape.
func upperName(src []byte) bool {
	for i := 0; i < len(src); i++ {
		if src[i] != '"' {
			continue
		}
		began := i + 1
		for i++; i < len(src) && src[i] != '"'; i++ {
			if src[i] == '\\' {
				i++
			}
		}
		next := i + 1
		for next < len(src) && isSpace(src[next]) {
			next++
		}
		if next < len(src) && src[next] == ':' && slices.ContainsFunc(src[began:i], upperOrEscape) {
			return true
		}
	}
	return false
}

// isSpace reports whether a byte is white space of JSON.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func upperOrEscape(c byte) bool { return 'A' <= c && c <= 'Z' || c == '\\' }

// propertyNames returns the names of all properties that a form may have anywhere.
var propertyNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case *schema.Object:
			for _, m := range v.Object("properties").Members() {
				names[m.Key] = true
			}
			for _, m := range v.Members() {
				collect(m.Value)
			}
		case []any:
			for _, item := range v {
				collect(item)
			}
		}
	}
	collect(model.PatchSchema())
	return names
})
