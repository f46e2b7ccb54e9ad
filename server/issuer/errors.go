package issuer

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"
)

// Refused reports whether the token endpoint answered with one of these OAuth error codes. Tenants send them with status 400, 401 or 403.
func Refused(err error, codes ...string) bool {
	var re *oauth2.RetrieveError
	return errors.As(err, &re) && re.Response != nil && re.Response.StatusCode < 500 && slices.Contains(codes, re.ErrorCode)
}

// WithoutBody drops the answer of a token endpoint from an error: the oauth2 package's error quotes all of it, and it may contain a token.
func WithoutBody(err error) error {
	var re *oauth2.RetrieveError
	if errors.As(err, &re) && re.Response != nil {
		remedy := ""
		if Refused(err, "invalid_dpop_proof", "use_dpop_nonce") {
			remedy = "; check the clock of this server, or set --upstream-dpop off"
		}
		return fmt.Errorf("token endpoint answered %d %q%s", re.Response.StatusCode, clipped(re.ErrorCode), remedy)
	}
	if strings.Contains(err.Error(), "cannot parse json") || strings.Contains(err.Error(), "missing access_token") {
		return errors.New("token endpoint gave an invalid answer")
	}
	return Quiet(err)
}

// Quiet reduces the address in a call's error to its host: the address of a redirect may contain anything, even a code or a token.
func Quiet(err error) error {
	failed, ok := errors.AsType[*url.Error](err)
	if !ok {
		return err
	}
	host := "the tenant"
	if u, err := url.Parse(failed.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	return fmt.Errorf("call %s: %w", host, failed.Err)
}

func clipped(s string) string {
	return s[:min(len(s), 200)]
}
