package authz

import (
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// How a person proved who they are: words of claim amr. RFC 8176, section 2.
const (
	amrPassword = "pwd"
	// amrCode stands for the code of an app. A recovery code has no word of its own; it is a password that
	// works once, so it has the same.
	amrCode = "otp"
	// amrKey stands for a passkey. Nobody attests that its key is in hardware, so it is never hwk.
	amrKey = "swk"
	// amrMulti stands beside the others when more than one factor was proven. A passkey counts as two: what
	// the person has, and what the device asked for before it signed.
	amrMulti = "mfa"
)

// acrMulti is the one level above none: more than one factor. It is the vendor's name, of the OpenID
// Provider Authentication Policy Extension. acrShort is a second name for it, ours. Claim acr is the name
// that was asked for. A single factor has no level, and no claim.
const (
	acrMulti = "http://schemas.openid.net/pape/policies/2007/06/multi-factor"
	acrShort = "mfa"
)

func acrs() []string { return []string{acrMulti, acrShort} }

func byPassword() []string { return []string{amrPassword} }
func byPasskey() []string  { return []string{amrKey, amrMulti} }

// knownACR returns the first of acr_values that we know, or "". Unknown ones are passed over: the
// parameter lists what would do in order of preference. OpenID Connect Core, section 3.1.2.1.
func knownACR(values string) string {
	for v := range strings.FieldsSeq(values) {
		if slices.Contains(acrs(), v) {
			return v
		}
	}
	return ""
}

func multi(s store.SignIn) bool { return slices.Contains(s.AMR, amrMulti) }

// satisfied reports whether a sign-in is as good as the request asks. The standard lets a server answer with
// less than acr_values; we do not, since a client that asks for a second factor would have to check again.
func (q *request) satisfied(s store.SignIn) bool { return q.acr == "" || multi(s) }

// met is claim acr of a sign-in for the request.
func (q *request) met(s store.SignIn) string {
	switch {
	case !multi(s):
		return ""
	case q.acr != "":
		return q.acr
	}
	return acrMulti
}

// errUnmet is told to an application that asks for more than the person can prove. OpenID Connect Core
// Error Code unmet_authentication_requirements 1.0.
func errUnmet() *oauth.Error {
	return oauth.NewError(http.StatusForbidden, "unmet_authentication_requirements", "the person has no second factor")
}
