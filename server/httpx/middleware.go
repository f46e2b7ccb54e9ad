package httpx

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
)

// maxLogged bounds the part of a request's path in a log line, in bytes.
const maxLogged = 256

// AccessLog writes one line for each request: address, method, path, status, bytes, duration. It never writes the query, headers or body,
// which contain codes and tokens.
func AccessLog(log *slog.Logger, now func() time.Time, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := now()
		rec := &recorder{ResponseWriter: w}
		defer func() {
			log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("address", clientip.Of(r)),
				slog.String("method", clip(r.Method)),
				slog.String("path", clip(withoutCode(r.URL.EscapedPath()))),
				slog.Int("status", rec.code()),
				slog.Int64("bytes", rec.bytes),
				slog.Float64("ms", float64(now().Sub(began).Microseconds())/1000))
		}()
		next.ServeHTTP(rec, r)
	})
}

// LookPath is the beginning of the addresses of links to look at forms, and LookID is how many characters of the token after it name the link.
// The others are its code.
const (
	LookPath = "/look/"
	LookID   = 20
)

// withoutCode returns a path for the log without the code of a link.
func withoutCode(path string) string {
	if token, ok := strings.CutPrefix(path, LookPath); ok && len(token) > LookID {
		return LookPath + token[:LookID] + "…"
	}
	return path
}

// Recover answers a panic with 500 and logs it with its stack. One request must not end the server, nor reveal internals. Recover passes
// http.ErrAbortHandler on.
func Recover(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w}
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v)
			}
			log.ErrorContext(r.Context(), "panic", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			if rec.status != 0 {
				// Part of the answer has been sent: cut the connection, so that it does not look complete.
				panic(http.ErrAbortHandler)
			}
			NewProblem(http.StatusInternalServerError, CodeInternal, "Internal error. It was logged with this request's id.").Write(w, r)
		}()
		next.ServeHTTP(rec, r)
	})
}

// recorder records the status and size of an answer. Unwrap lets http.ResponseController reach the underlying writer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 && status >= 200 {
		rec.status = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *recorder) Write(b []byte) (int, error) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(b)
	rec.bytes += int64(n)
	return n, err
}

func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

func (rec *recorder) code() int {
	if rec.status == 0 {
		return http.StatusOK // net/http's own status for a handler that writes nothing
	}
	return rec.status
}

func clip(s string) string {
	if len(s) > maxLogged {
		return s[:maxLogged]
	}
	return s
}
