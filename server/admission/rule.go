package admission

import (
	"errors"
	"strings"
	"unicode"
)

// Rule is one condition that the claims of a person meet or not. The zero Rule fits nobody.
type Rule struct {
	kind kind
	// name is the name of the claim, for claim rules.
	name string
	// value is what the claim must hold; e-mail addresses and domains in lower case.
	value string
}

type kind int

const (
	nobody kind = iota
	email
	emailDomain
	claim
	subject
)

// Email returns the rule for one e-mail address, which the issuer must have verified. Letters A to Z match in either case; all other
// characters must be equal, since a mail server may treat, for example, the Kelvin sign and K as different.
func Email(address string) (Rule, error) {
	at := strings.LastIndexByte(address, '@')
	if at <= 0 || at == len(address)-1 || unclear(address) || strings.ContainsRune(address, ',') {
		return Rule{}, errors.New("must be an e-mail address")
	}
	return Rule{kind: email, value: lower(address)}, nil
}

// EmailDomain returns the rule for all verified e-mail addresses of a domain. Subdomains are other domains.
func EmailDomain(domain string) (Rule, error) {
	switch {
	case strings.Contains(domain, "@"):
		return Rule{}, errors.New("must be a domain without @, such as example.com")
	case domain == "" || unclear(domain) || strings.ContainsAny(domain, ":/,") ||
		strings.HasPrefix(domain, ".") || strings.HasSuffix(domain, "."):
		return Rule{}, errors.New("must be a domain, such as example.com")
	}
	return Rule{kind: emailDomain, value: lower(domain)}, nil
}

// Claim returns the rule NAME=VALUE: the claim is a string, number or boolean that is written VALUE, or a list that contains one. The name
// ends at the first "=", since values such as the names of groups in a directory often contain one.
func Claim(text string) (Rule, error) {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case !ok || name == "" || value == "" || unclear(name) || hidden(value):
		return Rule{}, errors.New("must be NAME=VALUE")
	case value == "*":
		return Rule{}, errors.New("must name one value: * does not stand for every value")
	case name == claimEmail:
		// Without the check of email_verified, anybody could claim an address at an issuer that does not verify it.
		return Rule{}, errors.New("must not name the claim email: use the option for e-mail addresses, which requires a verified one")
	}
	return Rule{kind: claim, name: name, value: value}, nil
}

// Subject returns the rule for one person by the claim sub.
func Subject(sub string) (Rule, error) {
	if sub == "" || sub == "*" || hidden(sub) {
		return Rule{}, errors.New("must be the subject of one person")
	}
	return Rule{kind: subject, value: sub}, nil
}

// unclear reports whether an address, domain or name contains a character that is not allowed in one, or a wildcard, which has no meaning in rules.
func unclear(s string) bool {
	return hidden(s) || strings.ContainsRune(s, '*') || strings.ContainsFunc(s, unicode.IsSpace)
}

func hidden(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// lower changes A to Z only. Unicode's rules would make different addresses equal.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// fits reports whether the claims meet the rule.
func (r Rule) fits(c Claims) bool {
	switch r.kind {
	case email:
		return lower(c.VerifiedEmail()) == r.value
	case emailDomain:
		address := c.VerifiedEmail()
		at := strings.LastIndexByte(address, '@')
		return at > 0 && lower(address[at+1:]) == r.value
	case claim:
		return holds(c[r.name], r.value)
	case subject:
		return c.Text(claimSubject) == r.value
	case nobody:
	}
	return false
}

// holds reports whether a claim is written value, or is a list with such an element.
func holds(v any, value string) bool {
	if list, ok := v.([]any); ok {
		for _, item := range list {
			if text, ok := written(item); ok && text == value {
				return true
			}
		}
		return false
	}
	text, ok := written(v)
	return ok && text == value
}
