package httpx

import (
	"fmt"
	"net/http"
	"strings"
)

// ContentSecurityPolicy is the policy of the editor's pages. A real browser showed that each part is necessary or harmless: without
// 'wasm-unsafe-eval' the app does not start, and without style-src-attr every position is lost.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"worker-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'"

// previewPolicy is the policy of the page that shows a form's own HTML and CSS, without the hash of its script and the sources of its
// pictures. The sandbox makes the page's origin opaque, and the page requests nothing: its script and its style sheet are part of it. The CSS of
// forms is inline.
const previewPolicy = "sandbox allow-scripts; default-src 'none'; script-src %s; style-src 'unsafe-inline'; img-src %s; " +
	"connect-src 'none'; form-action 'none'; base-uri 'none'; frame-src 'none'; frame-ancestors 'self'; " +
	"require-trusted-types-for 'script'; trusted-types preview"

// SetPreviewHeaders replaces the headers of SecurityHeaders for the preview of forms, which only our own pages may embed. script is the source of
// the page's script, a hash. With images it loads pictures of other sites, which learn the address of the person at the preview.
func SetPreviewHeaders(h http.Header, script string, images bool) {
	sources := "data:"
	if images {
		sources = "https: data:"
	}
	h.Set("Content-Security-Policy", fmt.Sprintf(previewPolicy, script, sources))
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
}

// atlasPolicy is the policy of the atlas of a form, a document that contains what authors wrote. Its sandbox is closed: the document has no
// origin, and runs, submits, opens and requests nothing. Browsers print it and follow the links within it nevertheless.
const atlasPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'"

// SetAtlasHeaders replaces the headers of SecurityHeaders for the atlas of a form.
func SetAtlasHeaders(h http.Header) {
	h.Set("Content-Security-Policy", atlasPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
}

// lookPolicy is the policy of the page behind a link to look at a form. It embeds the screens of the form, and requests nothing but its own files.
const lookPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; frame-src 'self'; connect-src 'none'; " +
	"form-action 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// SetLookHeaders replaces the headers of SecurityHeaders for what a link to look at a form shows: the page, or the atlas in its frame. The
// address is a secret, so no other site learns it, nor does a search engine keep it.
func SetLookHeaders(h http.Header, framed bool) {
	if SetAtlasHeaders(h); framed {
		h.Set("Content-Security-Policy", strings.Replace(atlasPolicy, "frame-ancestors 'none'", "frame-ancestors 'self'", 1))
		h.Set("X-Frame-Options", "SAMEORIGIN")
	} else {
		h.Set("Content-Security-Policy", lookPolicy)
	}
	h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	h.Set("Cache-Control", "no-store")
}

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
