package answer

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
)

// parser parses a given value, which is not nil.
type parser func(config *schema.Object, given any) (any, Key)

// The properties of configs that several parsers read.
const (
	multiple = "multiple"
	options  = "options"
)

// scalar returns a given string, number or boolean as a control would post it: without white space around it.
func scalar(given any) (string, bool) {
	switch v := given.(type) {
	case string:
		return strings.TrimSpace(v), true
	case schema.Number:
		return string(v), true
	case bool:
		if v {
			return "true", true
		}
		return "false", true
	default:
		return "", false
	}
}

// blank reports whether a given value is a text of nothing but white space.
func blank(given any) bool {
	s, ok := given.(string)
	return ok && strings.TrimSpace(s) == ""
}

// asList returns a given list, or the list of a given value alone.
func asList(given any) []any {
	if list, ok := given.([]any); ok {
		return list
	}
	return []any{given}
}

// texts returns the parser of a text that fits, or else is refused with a key.
func texts(fits func(string) bool, key Key) parser {
	return func(_ *schema.Object, given any) (any, Key) {
		s, ok := scalar(given)
		switch {
		case ok && s == "":
			return nil, ""
		case !ok || !fits(s):
			return nil, key
		}
		return s, ""
	}
}

var (
	parseText  = texts(func(string) bool { return true }, InvalidInput)
	parseEmail = texts(isEmail, EmailExpected)
)

func parseAny(_ *schema.Object, given any) (any, Key) {
	if blank(given) {
		return nil, ""
	}
	return given, ""
}

func parseBoolean(_ *schema.Object, given any) (any, Key) {
	s, ok := scalar(given)
	if _, number := given.(schema.Number); number {
		ok = false
	}
	switch {
	case ok && s == "":
		return nil, ""
	case ok && s == "true":
		return true, ""
	case ok && s == "false":
		return false, ""
	}
	return nil, BooleanExpected
}

// parseNumber reads a number with a point or a comma before its decimals.
func parseNumber(_ *schema.Object, given any) (any, Key) {
	if n, ok := given.(schema.Number); ok {
		return n, ""
	}
	s, ok := given.(string)
	s = strings.TrimSpace(s)
	if ok && s == "" {
		return nil, ""
	}
	if n, fits := number(s); ok && fits {
		return n, ""
	}
	return nil, NumberExpected
}

// number returns the JSON number of a text, which may have a plus sign, zeros at its front and no digit on one side of its point.
func number(s string) (schema.Number, bool) {
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	mantissa, exponent, scientific := cutAny(s, "eE")
	whole, fraction, point := cutAny(mantissa, ".,")
	power := strings.TrimLeft(exponent, "+-")
	if !digits(whole) || !digits(fraction) || whole+fraction == "" ||
		scientific && (power == "" || !digits(power) || len(exponent)-len(power) > 1) {
		return "", false
	}
	n := sign + strings.TrimLeft(whole[:max(0, len(whole)-1)], "0") + whole[max(0, len(whole)-1):]
	if whole == "" {
		n += "0"
	}
	if point && fraction != "" {
		n += "." + fraction
	}
	if scientific {
		n += "e" + exponent
	}
	return schema.Number(n), true
}

// cutAny is strings.Cut around the first of some ASCII characters.
func cutAny(s, separators string) (before, after string, found bool) {
	if i := strings.IndexAny(s, separators); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// digits reports whether s has only ASCII digits; an empty text has.
func digits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

func parseDate(config *schema.Object, given any) (any, Key) {
	if config.Text("format") == "TIME" {
		return texts(func(s string) bool { _, err := time.Parse("15:04", s); return err == nil && len(s) == len("15:04") }, TimeExpected)(config, given)
	}
	return texts(func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }, DateExpected)(config, given)
}

// Limits of RFC 5321, section 4.5.3.1, in bytes. An address has at most 254, since its path of 256 has angle brackets.
const (
	maxEmail = 254
	maxLocal = 64
)

// isEmail reports whether s is an e-mail address in ASCII: the dot-atom of RFC 5322, section 3.2.3, and a domain of at least two labels.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || len(s) > maxEmail || at > maxLocal {
		return false
	}
	for atom := range strings.SplitSeq(s[:at], ".") {
		if atom == "" || strings.ContainsFunc(atom, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("!#$%&'*+/=?^_`{|}~-", r) }) {
			return false
		}
	}
	return isDomain(s[at+1:], alphanumeric)
}

func alphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// isDomain reports whether s is a domain name of at least two labels, of letters and hyphens.
func isDomain(s string, letter func(rune) bool) bool {
	labels := 0
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.ContainsFunc(label, func(r rune) bool { return !letter(r) && r != '-' }) {
			return false
		}
		labels++
	}
	return labels > 1
}

// parseURL reads a web address. One without a scheme gets http.
func parseURL(_ *schema.Object, given any) (any, Key) {
	s, ok := scalar(given)
	if ok && s == "" {
		return nil, ""
	}
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	if !ok || !isWebAddress(s) {
		return nil, URLExpected
	}
	return s, ""
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	if err != nil || !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https") || strings.ContainsAny(s, " \t\r\n") {
		return false
	}
	if p := u.Port(); len(p) > 5 || len(p) == 5 && p > "65535" {
		return false
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return true
	}
	return isDomain(u.Hostname(), func(r rune) bool { return alphanumeric(r) || r == '_' || r >= 0x80 })
}

// flag reports whether a property of a config is true.
func flag(config *schema.Object, property string) bool {
	v, _ := config.Get(property)
	return v == true
}
