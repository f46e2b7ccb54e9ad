package httpx

import (
	"net/http"
	"strings"
)

// ContentSecurityPolicy is the policy of the editor's pages. A real browser showed that each part is necessary or harmless: without
// 'wasm-unsafe-eval' the app does not start, and without style-src-attr every position is lost.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"worker-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'"

// StayOnTLS makes browsers use https only, for a year: a shorter time would expire between rare visits.
func StayOnTLS(h http.Header) { h.Set("Strict-Transport-Security", "max-age=31536000") }

// SecurityHeaders sets the headers of every answer of the editor's listener. publicURL determines whether browsers must stay on https. No
// answer has an Access-Control header: this listener has no cross-origin use.
func SecurityHeaders(publicURL string, next http.Handler) http.Handler {
	https := strings.HasPrefix(publicURL, "https:")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", ContentSecurityPolicy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Content-Type-Options", "nosniff")
		// Not no-referrer: that makes browsers send "Origin: null" with form posts.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		if https {
			StayOnTLS(h)
		}
		next.ServeHTTP(w, r)
	})
}
