package httpx

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
)

// RequestIDHeader is the name of the header that carries the ID of a request.
const RequestIDHeader = "X-Request-Id"

// The bounds on the length of an ID that a proxy may assign, in bytes. Hexadecimal IDs, UUIDs and ULIDs fit.
const (
	minRequestID = 8
	maxRequestID = 64
)

type requestIDKey struct{}

// RequestID returns the ID that Identify assigned to the request of ctx, or "" if there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Identify assigns every request an ID, and stores it in the context and in the X-Request-Id header of the response. It keeps an ID that is
// already in the context, as in a call within this process, and an ID sent by a trusted proxy if it consists of 8 to 64 letters, digits,
// dots, dashes and underscores. It ignores IDs sent by other clients, so that no client can write the ID of another request into the log,
// and generates an ID of 16 characters from random instead; a nil random means crypto/rand. Identify must be inside clientip.Locate, which
// determines whether a proxy is trusted.
func Identify(random io.Reader, next http.Handler) http.Handler {
	if random == nil {
		random = rand.Reader
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := RequestID(r.Context())
		if id == "" {
			if id = givenID(r); id == "" {
				id = newID(random)
			}
			r = r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
		}
		w.Header().Set(RequestIDHeader, id)
		next.ServeHTTP(w, r)
	})
}

// givenID returns the ID that a trusted proxy has assigned to a request, or "".
func givenID(r *http.Request) string {
	given := r.Header.Values(RequestIDHeader)
	if _, trusted := clientip.Peer(r.Context()); !trusted || len(given) != 1 {
		return ""
	}
	id := given[0]
	if len(id) < minRequestID || len(id) > maxRequestID || strings.ContainsFunc(id, func(c rune) bool { return !idCharacter(c) }) {
		return ""
	}
	return id
}

func idCharacter(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '-' || c == '_'
}

func newID(random io.Reader) string {
	var raw [10]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "unknown"
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))
}

// PassRequestID adds the ID of the request that led to a call to the call's X-Request-Id header, so that the logs of both servers can be
// correlated.
func PassRequestID(next http.RoundTripper) http.RoundTripper { return passing{next} }

type passing struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (p passing) RoundTrip(r *http.Request) (*http.Response, error) {
	if id := RequestID(r.Context()); id != "" {
		r = r.Clone(r.Context()) // a round tripper must not modify its request
		r.Header.Set(RequestIDHeader, id)
	}
	return p.next.RoundTrip(r)
}

// LogRequestID returns a handler that adds the attribute request_id to every log line of a request, unless the line already has one.
func LogRequestID(next slog.Handler) slog.Handler { return identified{next} }

type identified struct{ slog.Handler }

// Handle implements slog.Handler.
func (h identified) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" && !hasAttr(r, "request_id") {
		r = r.Clone() // r may share its attributes with copies
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h identified) WithAttrs(attrs []slog.Attr) slog.Handler {
	return identified{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h identified) WithGroup(name string) slog.Handler { return identified{h.Handler.WithGroup(name)} }

func hasAttr(r slog.Record, key string) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		found = a.Key == key
		return !found
	})
	return found
}
