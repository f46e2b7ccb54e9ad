package oracletests

import (
	"math/bits"
	"net/http"
	"strings"
)

// exception is one way in which the vendor differs from the oracle. set is a set of them.
type (
	exception int
	set       uint64
)

func (x set) has(e exception) bool    { return x&(1<<e) != 0 }
func (x set) with(e exception) set    { return x | 1<<e }
func (x set) without(e exception) set { return x &^ (1 << e) }
func (x set) each(do func(e exception)) {
	for ; x != 0; x &= x - 1 {
		do(exception(bits.TrailingZeros64(uint64(x))))
	}
}

// The exceptions. Those up to emptyProof are faults of the vendor's middleware; for the others the guard is stricter by its own choice.
const (
	queryCompared exception = iota
	pathDecoded
	notNormalized
	replay
	privateKey
	otherAlgorithms
	noExpiry
	badConfirmation
	keyRotation
	keysUnreachable
	reflected
	badRequest

	wholeSeconds
	proofsCounted

	emptyProof
	tokenFirst
	hostBelieved
	whitespace
	spelling
	laxJSON
	textTimes
	size
	critical
	typeUnread
	noSubject
	scopeUnread
	proofUntimed

	exceptions
)

// text describes what the vendor does, and why the guard does not.
var text = [exceptions]struct{ vendors, ours string }{
	queryCompared:   {"htu is compared with the query", "RFC 9449, section 4.3: without query and fragment"},
	pathDecoded:     {"htu is compared with the decoded path", "RFC 3986, section 2.2: %2F is no slash"},
	notNormalized:   {"htu is compared letter by letter", "RFC 9449, section 4.3: RFC 3986, sections 6.2.2 and 6.2.3"},
	replay:          {"a proof may be used again", "RFC 9449, section 11.1"},
	privateKey:      {"jwk may be a private key", "RFC 9449, section 4.3, check 7"},
	otherAlgorithms: {"proofs by RSA of any size, P-384 and the like", "ES256 alone, which the challenge says"},
	noExpiry:        {"a token needs no exp", "RFC 9068, section 2.2"},
	badConfirmation: {"a cnf without jkt is none", "RFC 7800, section 3: what is not understood must not pass for unbound"},
	keyRotation:     {"keys are kept for 15 minutes", "an unknown kid fetches the keys again, at most every 30 s"},
	keysUnreachable: {"401 while there are no keys", "503: the token may be good"},
	reflected:       {"what was sent stands in the challenge, quotes and all", "fixed texts"},
	badRequest:      {"400 for other schemes and for bad proofs", "401: there is no valid token (RFC 6750, section 3.1)"},
	wholeSeconds:    {"iat of a proof must be whole", "RFC 7519, section 2: a NumericDate may have a fraction"},
	proofsCounted:   {"two proofs are refused although proofs are disabled", "a server without DPoP reads no such header"},
	emptyProof:      {"an empty proof beside Bearer is none", "RFC 9449, section 7.2"},
	tokenFirst:      {"the token is judged before the proof beside Bearer", "what is malformed is not judged further"},
	hostBelieved:    {"the address is that of the header Host", "the address is configured: the header is the sender's word"},
	whitespace:      {"any white space may part scheme and token", "RFC 9110, section 11.4: spaces"},
	spelling: {
		"base64 may be padded, and end in any bits",
		"RFC 7515, section 2: all trailing = omitted; RFC 4648, section 3.5: such bits must be zero",
	},
	laxJSON:      {"of a name twice the last counts, bad characters pass", "RFC 8725, section 2.4"},
	textTimes:    {"a time may be a text of digits", "RFC 7519, section 2: a NumericDate is a number"},
	size:         {"tokens, proofs and jti of any size", "each is bounded, so that no request costs much"},
	critical:     {"crit is not looked at", "RFC 7515, section 4.1.11"},
	typeUnread:   {"any typ is a token's", "RFC 9068, section 4; RFC 8725, section 3.11"},
	noSubject:    {"a token needs no sub", "RFC 9068, section 2.2"},
	scopeUnread:  {"scope is not looked at", "RFC 8693, section 4.2: a text"},
	proofUntimed: {"exp and nbf of a proof are not looked at", "RFC 7519, sections 4.1.4 and 4.1.5"},
}

const (
	// all is the set of all exceptions.
	all = set(1)<<exceptions - 1
	// known are the exceptions that may explain why the guard lets a request pass that the vendor refuses.
	known = set(1)<<emptyProof - 1
	// answers are the exceptions that change only the form of a refusal.
	answers = set(1)<<keysUnreachable | 1<<reflected | 1<<badRequest | 1<<tokenFirst
)

// because returns the exceptions without which the vendor would decide differently about a request.
func (o *oracle) because(q *request) (out set) {
	passes, _ := o.accepts(q, all)
	(all &^ answers).each(func(e exception) {
		if other, _ := o.accepts(q, all.without(e)); other != passes {
			out = out.with(e)
		}
	})
	if out == 0 { // each of two is enough
		strict, _ := o.accepts(q, 0)
		(all &^ answers).each(func(e exception) {
			if other, _ := o.accepts(q, set(0).with(e)); other != strict {
				out = out.with(e)
			}
		})
	}
	return out
}

// unlike returns the exceptions that explain why two refusals differ, and whether they explain the whole difference.
func (q *request) unlike(ours, vendors *answer, down bool) (out set, explained bool) {
	a, v := ours.status, vendors.status
	switch {
	case a == v:
	case down && a == http.StatusServiceUnavailable:
		out = out.with(keysUnreachable)
	case a == http.StatusUnauthorized && v == http.StatusBadRequest && q.proofOrScheme():
		out = out.with(badRequest)
	case a == http.StatusBadRequest && v == http.StatusUnauthorized && q.mode == allowed && len(q.proofs) > 0:
		out = out.with(tokenFirst)
	default:
		return 0, false
	}
	// Three values in quotes are all that the vendor has to say itself.
	for _, c := range vendors.header["Www-Authenticate"] {
		if strings.Count(c, `"`) > 2*3 {
			out = out.with(reflected)
		}
	}
	return out, true
}

// proofOrScheme reports whether the fault may be in the scheme or in the proof.
func (q *request) proofOrScheme() bool {
	if len(q.auth) != 1 || q.mode == required || len(q.proofs) > 0 {
		return true
	}
	m := laxForm.FindStringSubmatch(q.auth[0])
	return m == nil || !strings.EqualFold(m[1], "bearer")
}
