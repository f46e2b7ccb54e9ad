package management

import (
	"net/url"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/hosts"
)

// optional returns a table whose rows may all be absent: the body of a PATCH.
func optional(t schema.Table) schema.Table {
	out := make(schema.Table, len(t))
	for i, row := range t {
		row.Required = false
		out[i] = row
	}
	return out
}

// strs converts an array of strings that has been checked.
func strs(list []any) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// flag returns a boolean that has been checked, or otherwise if it is absent.
func flag(o *schema.Object, key string, otherwise bool) bool {
	v, ok := o.Get(key)
	if b, isBool := v.(bool); ok && isBool {
		return b
	}
	return otherwise
}

// some returns list, or an empty list if it is nil, so that answers never contain null.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// addressFormat is an address to which a browser may be sent: absolute, without a fragment (RFC 6749, section 3.1.2), user or wildcard.
// Applications may use their own schemes, but not those that run or display their content.
func addressFormat() *schema.Format {
	return &schema.Format{
		Name: "redirect-uri", Detail: "must be an absolute address without a fragment, user name or wildcard",
		Check: func(s string) bool {
			u, err := url.Parse(s)
			if err != nil || u.Scheme == "" || u.Fragment != "" || u.User != nil || strings.ContainsAny(s, "#*\\ ") {
				return false
			}
			switch strings.ToLower(u.Scheme) {
			case "javascript", "data", "vbscript", "file", "blob", "about", "view-source", "filesystem":
				return false
			case "http", "https":
				return u.Host != "" && hosts.Plain(u.Host)
			}
			return true
		},
	}
}

// scopeFormat is one scope token that is not reserved for identity. RFC 6749, section 3.3.
func scopeFormat(reserved func(string) bool) *schema.Format {
	return &schema.Format{
		Name: "scope", Detail: "must be one word of visible ASCII without quotes and backslashes, and not an identity scope",
		Check: func(s string) bool {
			for i := range len(s) {
				if b := s[i]; b < 0x21 || b > 0x7e || b == '"' || b == '\\' {
					return false
				}
			}
			return !reserved(s)
		},
	}
}

// emailFormat is lenient: only a message shows whether an address works.
func emailFormat() *schema.Format {
	return &schema.Format{Name: "email", Detail: "must be an e-mail address", Check: func(s string) bool {
		local, host, ok := strings.Cut(s, "@")
		return ok && local != "" && host != "" && !strings.ContainsAny(s, " \t\r\n<>\"\\,;:()[]") && !strings.Contains(host, "@")
	}}
}
