package oracletests

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
)

// oracle judges requests by the RFCs and by the configuration of the sample API. It remembers its findings about each token and proof:
// signatures are judged once.
type oracle struct {
	tokens map[string]*signed
	proofs map[string]*signed
	// strict and lax are scheme and token by the header Authorization.
	strict, lax map[string][2]string
	// used are the accepted proofs: mode, thumbprint, jti.
	used map[string]bool
	// published are the names of the tenant's current keys, cached those of the first fetch.
	published, cached []string
}

func newOracle() *oracle {
	return &oracle{
		tokens: map[string]*signed{}, proofs: map[string]*signed{}, strict: map[string][2]string{}, lax: map[string][2]string{},
	}
}

// accepts reports whether a request passes, given the exceptions x; without any it follows the RFCs. It returns the key of the proof to
// remember, or "" for a request without one.
func (o *oracle) accepts(q *request, x set) (ok bool, proof string) {
	scheme, text := o.credentials(q.auth, x)
	switch { // the configuration of the mode
	case scheme != "bearer" && scheme != "dpop", scheme == "bearer" && q.mode == required, scheme == "dpop" && q.mode == disabled:
		return false, ""
	}
	t := o.tokens[text]
	if t == nil {
		t = readToken(text)
		o.tokens[text] = t
	}
	if !o.tokenGood(t, x) {
		return false, ""
	}
	key, bound := confirmation(t)
	if x.has(badConfirmation) && key == "" {
		bound = false
	}
	switch {
	case q.mode == disabled: // a server that knows nothing of proofs; RFC 9449, section 7.2
		return len(q.proofs) < 2 || !x.has(proofsCounted), ""
	case scheme == "bearer": // RFC 9449, section 7.2: neither a bound token nor a proof
		return !bound && (len(q.proofs) == 0 || x.has(emptyProof) && slices.Equal(q.proofs, []string{""})), ""
	case !bound || len(q.proofs) != 1: // section 4.3, check 1
		return false, ""
	}
	p := o.proofs[q.proofs[0]]
	if p == nil {
		p = readProof(q.proofs[0])
		o.proofs[q.proofs[0]] = p
	}
	if !proofGood(p, q, text, x) || p.thumbprint != key {
		return false, ""
	}
	id := fmt.Sprint(q.mode, " ", p.thumbprint, " ", p.text("jti"))
	return x.has(replay) || !o.used[id], id
}

// credentials reads the header Authorization, which is remembered too.
func (o *oracle) credentials(auth []string, x set) (scheme, token string) {
	if len(auth) != 1 {
		return "", ""
	}
	read, form := o.strict, bearerForm
	if x.has(whitespace) {
		read, form = o.lax, laxForm
	}
	found, ok := read[auth[0]]
	if !ok {
		found[0], found[1] = credentials(auth[0], form)
		read[auth[0]] = found
	}
	return found[0], found[1]
}

// credentials are those of RFC 9110, section 11.4: one scheme in any case, spaces, and b64token of RFC 6750,
// section 2.1.
func credentials(auth string, form *regexp.Regexp) (scheme, token string) {
	m := form.FindStringSubmatch(auth)
	if m == nil || !tokenForm.MatchString(m[2]) {
		return "", ""
	}
	return strings.ToLower(m[1]), m[2]
}

var (
	bearerForm = regexp.MustCompile(`^([A-Za-z]+) +([^ ]+)$`)
	laxForm    = regexp.MustCompile(`^\s*(\S+)\s+(\S+)\s*$`)
	tokenForm  = regexp.MustCompile(`^[-A-Za-z0-9._~+/]+=*$`)
)

// tokenGood judges an access token except for its binding. RFC 7519, section 4.1, RFC 9068, section 4.
func (o *oracle) tokenGood(t *signed, x set) bool {
	switch {
	case t.form != nil && (!t.lax || !x.has(laxJSON)), t.head == nil, t.body == nil:
		return false
	case t.respelled && !x.has(spelling): // RFC 7515, section 2
		return false
	case t.size > 8<<10 && !x.has(size): // our choice
		return false
	case t.alg != "RS256": // the tenant's one algorithm
		return false
	}
	if extended(t.head, false, x) {
		return false
	}
	if typ, typed := t.head["typ"]; typed { // RFC 9068, section 2.1; the vendor's tenants say JWT
		name, isText := typ.(string)
		if !isText || !x.has(typeUnread) && !slices.Contains([]string{"jwt", "at+jwt", "application/at+jwt"}, strings.ToLower(name)) {
			return false
		}
	}
	known := o.published
	if x.has(keyRotation) {
		known = o.cached
	}
	kid, _ := t.head["kid"].(string)
	if t.by == "" || kid != t.by || !slices.Contains(known, kid) {
		return false
	}
	// RFC 7519, section 4.1; iss by RFC 9068 exactly.
	if t.text("iss") != issuer || !hasAudience(t.body["aud"]) {
		return false
	}
	if sub := t.body["sub"]; sub == "" || sub == nil { // RFC 9068, section 2.2
		if !x.has(noSubject) {
			return false
		}
	} else if _, ok := sub.(string); !ok {
		return false
	}
	if key, bound := confirmation(t); bound && !isThumbprint(key) && !x.has(badConfirmation) {
		return false
	}
	if scope, given := t.body["scope"]; given && !x.has(scopeUnread) { // RFC 9068, section 2.2.3; RFC 8693, section 4.2
		if _, ok := scope.(string); !ok {
			return false
		}
	}
	return timely(t.body, x)
}

// extended reports whether a header asks for an extension, of which none is understood: RFC 7515, section
// 4.1.11; RFC 7797, section 6 for b64, which must not stand alone.
func extended(head object, proof bool, x set) bool {
	crit, listed := head["crit"]
	_, raw := head["b64"]
	if !x.has(critical) {
		return listed || raw
	}
	// The vendor takes any list of a token for known, does as b64 says, which fails, and looks at nothing in a proof.
	list, _ := crit.([]any)
	return !proof && (crit != nil && list == nil || raw)
}

// hasAudience reports whether aud, a text or a list of texts, includes ours.
func hasAudience(aud any) bool {
	switch aud := aud.(type) {
	case string:
		return aud == audience
	case []any:
		for _, a := range aud {
			if _, ok := a.(string); !ok {
				return false
			}
		}
		return slices.Contains(aud, any(audience))
	}
	return false
}

// proofTimely judges exp and nbf of a proof, which RFC 7519, sections 4.1.4 and 4.1.5, give a meaning in every JWT. The leeway is that of iat.
func proofTimely(body object, x set) bool {
	now := time.Now().Unix()
	exp, ends, ok := instant(body, "exp", x)
	nbf, begins, fine := instant(body, "nbf", x)
	return ok && fine && (x.has(proofUntimed) || (!ends || now < exp+future) && (!begins || nbf <= now+future))
}

// timely judges exp, nbf and iat: RFC 7519, section 4.1.4 to 4.1.6, RFC 9068, section 2.2, which requires exp.
func timely(body object, x set) bool {
	now := time.Now().Unix()
	exp, found, ok := instant(body, "exp", x)
	if !ok || !found && !x.has(noExpiry) || found && now >= exp+skew {
		return false
	}
	for _, name := range []string{"nbf", "iat"} {
		at, found, ok := instant(body, name, x)
		if !ok || found && now+skew < at {
			return false
		}
	}
	return true
}

// instant reads a NumericDate, rounded down to whole seconds. It is invalid beyond 2^53 or before 1970.
func instant(body object, name string, x set) (at int64, found, ok bool) {
	v, found := body[name]
	if !found {
		return 0, false, true
	}
	n, isNumber := v.(json.Number)
	if digits, ok := v.(string); ok && x.has(textTimes) {
		n, isNumber = json.Number(digits), true
	}
	f, _, err := big.ParseFloat(string(n), 10, 200, big.ToZero)
	if !isNumber || err != nil || f.Sign() < 0 || f.Cmp(big.NewFloat(1<<53)) > 0 {
		return 0, true, false
	}
	at, _ = f.Int64()
	return at, true, true
}

// confirmation returns the thumbprint in cnf, RFC 9449, section 6.1, and whether there is a cnf.
func confirmation(t *signed) (key string, bound bool) {
	cnf, bound := t.body["cnf"]
	o, _ := cnf.(object)
	key, _ = o["jkt"].(string)
	return key, bound
}

// isThumbprint reports whether s is a SHA-256 in base64url. A cnf without one binds the token to something that nobody can prove, so it is
// refused in every mode, by our choice.
func isThumbprint(s string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(s)
	return err == nil && len(raw) == sha256.Size
}

// proofGood makes the checks of RFC 9449, section 4.3. The first of them, the number of proofs, was made before; the thumbprint and the
// memory follow.
func proofGood(p *signed, q *request, token string, x set) bool {
	if p.form != nil && (!p.lax || !x.has(laxJSON)) || p.head == nil || p.body == nil { // 2
		return false
	}
	if p.respelled && !x.has(spelling) {
		return false
	}
	if p.size > 4<<10 && !x.has(size) {
		return false
	}
	jti, htm, htu := p.text("jti"), p.text("htm"), p.text("htu")
	jwk, _ := p.head["jwk"].(object)
	iat, dated, ok := instant(p.body, "iat", x)
	switch {
	case jti == "" || len(jti) > 256 && !x.has(size), htm == "", htu == "", !dated, !ok: // 3
		return false
	case p.head["typ"] != "dpop+jwt": // 4
		return false
	case (p.alg != "ES256" || jwk["crv"] != "P-256") && !x.has(otherAlgorithms): // 5; the vendor's Java library also accepts only ES256
		return false
	case p.by == "": // 6
		return false
	}
	if n, _ := p.body["iat"].(json.Number); x.has(wholeSeconds) && strings.ContainsAny(string(n), ".eE") {
		return false
	}
	if extended(p.head, true, x) {
		return false
	}
	if nonce, given := p.body["nonce"]; given {
		if _, ok := nonce.(string); !ok && (nonce != nil || !x.has(laxJSON)) {
			return false
		}
	}
	for _, private := range []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} { // 7
		if _, found := jwk[private]; found && !x.has(privateKey) {
			return false
		}
	}
	if htm != q.method || !sameAddress(p, q, x) { // 8 and 9
		return false
	}
	if now := time.Now().Unix(); iat < now-past || iat > now+future { // 11
		return false
	}
	if !proofTimely(p.body, x) {
		return false
	}
	sum := sha256.Sum256([]byte(token)) // 12
	return p.text("ath") == encode(sum[:])
}
