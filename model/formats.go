package model

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// The formats of the management API are public only by name. What they accept is our choice, which is made only here; REFERENCE.md
// documents it.
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
		Check: isHTTPS,
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

// isDateTime reports whether s is a date and time of RFC 3339, section 5.6. It accepts
// second 60 only where a leap second can be: at the end of June or December in UTC.
// time.Parse does not fit: it accepts hours of one digit, offsets of 24 hours and a
// comma before the fraction, but no lower case and no leap second.
func isDateTime(s string) bool {
	if len(s) < len("2006-01-02T15:04:05Z") || s[10]|0x20 != 't' || s[13] != ':' || s[16] != ':' {
		return false
	}
	day, err := time.Parse(time.DateOnly, s[:10])
	hour, minute, second := twoDigits(s[11:13], 23), twoDigits(s[14:16], 59), twoDigits(s[17:19], 60)
	zone := s[19:]
	if digits, ok := strings.CutPrefix(zone, "."); ok {
		if zone = strings.TrimLeft(digits, "0123456789"); len(zone) == len(digits) {
			return false
		}
	}
	offset, ok := zoneMinutes(zone)
	if err != nil || !ok || hour < 0 || minute < 0 || second < 0 {
		return false
	}
	utc := day.Add(time.Duration(hour*60+minute-offset) * time.Minute)
	last := utc.Month() == time.June && utc.Day() == 30 || utc.Month() == time.December && utc.Day() == 31
	return second < 60 || last && utc.Hour() == 23 && utc.Minute() == 59
}

// zoneMinutes returns by how many minutes an RFC 3339 time-offset is ahead of UTC.
func zoneMinutes(s string) (int, bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != len("+00:00") || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	hour, minute := twoDigits(s[1:3], 23), twoDigits(s[4:6], 59)
	ahead := hour*60 + minute
	if s[0] == '-' {
		ahead = -ahead
	}
	return ahead, hour >= 0 && minute >= 0
}

// twoDigits parses the two digits of s, and returns -1 if they are not a number from 0 to high.
func twoDigits(s string, high int) int {
	if !only(s, isDigit) {
		return -1
	}
	if n := int(s[0]-'0')*10 + int(s[1]-'0'); n <= high {
		return n
	}
	return -1
}

// isHTTPS reports whether s is an https URL with a valid host and port.
// url.Parse alone accepts "<" or "]" in a host, and any number as a port.
func isHTTPS(s string) bool {
	u, err := url.Parse(s)
	if err != nil || !strings.EqualFold(u.Scheme, "https") || u.Hostname() == "" {
		return false
	}
	if p := u.Port(); p != "" {
		if _, err := strconv.ParseUint(p, 10, 16); err != nil {
			return false
		}
	}
	// url.Parse accepts only IPv6 addresses in brackets.
	return u.Host[0] == '[' || !strings.ContainsFunc(u.Hostname(), func(r rune) bool { return !isHostRune(r) })
}

// isHostRune reports whether r may be in the name of a host: the characters of RFC 3986, section 3.2.2, and beyond ASCII printable
// characters and the joiners of RFC 5892, appendix A.
func isHostRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isAlnum(byte(r&0x7f)) || strings.ContainsRune("-._~!$&'()*+,;=", r)
	}
	return r == '\u200c' || r == '\u200d' || r != utf8.RuneError && strconv.IsPrint(r)
}

// maxFlowID bounds a flow id, in code points. The format flow-id accepts every text: real files contain the names of flows, so a shape
// other than af_ and letters or digits is only a warning. See Warnings.
const maxFlowID = 30

// IsFlowPlaceholder reports whether s is the placeholder of a flow id in an export,
// such as #FLOW-1#.
func IsFlowPlaceholder(s string) bool {
	rest, ok := strings.CutPrefix(s, "#FLOW-")
	n, closed := strings.CutSuffix(rest, "#")
	return ok && closed && n != "" && only(n, isDigit)
}

// ValidIdentifier reports whether s may be the id of a node, rule or component.
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func only(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}
