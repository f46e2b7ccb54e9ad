package model

import (
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
)

// The spec names these formats and does not show them ("Identifier format
// patterns: not shown beyond their names"). What they accept is our choice,
// here and nowhere else; the contract, section 3, repeats it.
var (
	formID = &schema.Format{
		Name: "form-id", Detail: "must be ap_ and letters or digits", Pattern: `^ap_[A-Za-z0-9]{1,27}$`,
		Check: func(s string) bool { return prefixed(s, "ap_") },
	}
	identifier = &schema.Format{
		Name: "forms-custom-identifier", Detail: "must be letters, digits, _ or - only", Pattern: `^[A-Za-z0-9_-]+$`,
		Check: isIdentifier,
	}
	pointer = &schema.Format{
		Name: "node-pointer", Detail: "must be a node's id or $ending", Pattern: `^(\$ending|[A-Za-z0-9_-]+)$`,
		Check: func(s string) bool { return s == EndingID || isIdentifier(s) },
	}
	hexColor = &schema.Format{
		Name: "forms-hex-color", Detail: "must be a colour such as #1f7a4d", Pattern: `^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`,
		Check: func(s string) bool { return (len(s) == 4 || len(s) == 7) && s[0] == '#' && only(s[1:], isHex) },
	}
	urlHTTPS = &schema.Format{
		Name: "forms-url-https", Detail: "must be an https:// address",
		Check: func(s string) bool {
			u, err := url.Parse(s)
			return err == nil && strings.EqualFold(u.Scheme, "https") && u.Hostname() != ""
		},
	}
	fileExtension = &schema.Format{
		Name: "forms-file-extension", Detail: "must be a file extension such as .pdf", Pattern: `^\.?[A-Za-z0-9]+$`,
		Check: func(s string) bool { s = strings.TrimPrefix(s, "."); return s != "" && only(s, isAlnum) },
	}
	dateTime = &schema.Format{
		Name: "date-time", Detail: "must be a date and time with a zone such as 2026-01-31T12:00:00Z",
		Check: isDateTime,
	}
	date = &schema.Format{
		Name: "date", Detail: "must be a date such as 2026-01-31",
		Check: func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil },
	}
)

// isDateTime tells whether s is a date and time of RFC 3339, section 5.6. Beside
// those time.Parse lets a comma through before the fraction.
func isDateTime(s string) bool {
	_, err := time.Parse(time.RFC3339Nano, s)
	return err == nil && !strings.Contains(s, ",")
}

// ValidFlowID tells whether s has the shape of a flow id, or of the placeholder
// that an export has in its place. The format flow-id refuses nothing: files of
// real clients carry flow names, so another shape is a warning.
func ValidFlowID(s string) bool {
	if rest, ok := strings.CutPrefix(s, "#FLOW-"); ok {
		n, ok := strings.CutSuffix(rest, "#")
		return ok && n != "" && only(n, func(c byte) bool { return '0' <= c && c <= '9' })
	}
	return prefixed(s, "af_")
}

// ValidIdentifier tells whether s may be the id of a node, rule or component.
func ValidIdentifier(s string) bool { return isIdentifier(s) }

func prefixed(s, prefix string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && rest != "" && len(rest) <= 27 && only(rest, isAlnum)
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '_' && c != '-' {
			return false
		}
	}
	return s != ""
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func only(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}
