package oauth

import (
	"net/http"
	"slices"
	"strings"
)

// Words of claim amr: how a person proved their identity. RFC 8176, section 2.
const (
	AMRPassword = "pwd"
	// AMRCode is the word for an app's code, and for a recovery code, which has no word of its own but is a password that works once.
	AMRCode = "otp"
	// AMRKey is the word for a passkey. It is never hwk: no attestation shows that the key is in hardware.
	AMRKey = "swk"
	// AMRMulti is added when more than one factor was proven. A passkey counts as two: the device, and what the device asked for before it
	// signed.
	AMRMulti = "mfa"
)

// ACRMulti is the only level above none: more than one factor. The vendor took the name from the OpenID Provider Authentication Policy
// Extension. acrShort is our second name for it. Claim acr is the name that the request used. A single factor has no level and no claim.
const (
	ACRMulti = "http://schemas.openid.net/pape/policies/2007/06/multi-factor"
	acrShort = "mfa"
)

// ACRs returns the values of claim acr that requests may ask for.
func ACRs() []string { return []string{ACRMulti, acrShort} }

// ByPassword returns claim amr of a sign-in by password alone.
func ByPassword() []string { return []string{AMRPassword} }

// ByPasskey returns claim amr of a sign-in by passkey.
func ByPasskey() []string { return []string{AMRKey, AMRMulti} }

// KnownACR returns the first of acr_values that we know, or "". The parameter lists acceptable levels in order of
// preference, so unknown ones are skipped. OpenID Connect Core, section 3.1.2.1.
func KnownACR(values string) string {
	for v := range strings.FieldsSeq(values) {
		if slices.Contains(ACRs(), v) {
			return v
		}
	}
	return ""
}

// Multi reports whether the words of claim amr stand for more than one factor.
func Multi(amr []string) bool { return slices.Contains(amr, AMRMulti) }

// Unmet returns the error for an application that requires more than the person can prove. OpenID Connect Core Error Code
// unmet_authentication_requirements 1.0.
func Unmet() *Error {
	return NewError(http.StatusForbidden, "unmet_authentication_requirements", "the person has no second factor")
}
