package httpx

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Limits of every listener. The write limit is longer than the longest upstream call, so that its failure can still be reported.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 16 << 10
	readyTimeout      = 2 * time.Second
)

// NewServer returns the server for one listener with every limit set. The caller starts it and shuts it down.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           closeChunked(handler),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// closeChunked closes the connection after a chunked request of HTTP/1. A request that also has a Content-Length looks the same here, since
// net/http drops that header. A proxy in front that used the header would take the following bytes for the next request, perhaps somebody
// else's, so the connection must close: RFC 9112, section 6.1. Browsers do not send chunked requests.
func closeChunked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// Pinger reports whether a listener's dependencies can be reached.
type Pinger interface {
	Ping(ctx context.Context) error
}

// Health answers GET /healthz with 200 while the process is alive and GET /readyz with 200 while ping succeeds, else 503; other requests go
// to next. The bodies contain only "ok" or "unavailable", since the listener is public.
func Health(ping Pinger, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			next.ServeHTTP(w, r)
			return
		}
		SetRoute(r, r.URL.Path)
		if !safe(r.Method) {
			w.Header().Set("Allow", "GET, HEAD")
			NewProblem(http.StatusMethodNotAllowed, CodeMethod, "Use GET.").Write(w, r)
			return
		}
		status, text := http.StatusOK, "ok\n"
		if r.URL.Path == "/readyz" {
			ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
			defer cancel()
			if err := ping.Ping(ctx); err != nil {
				log.ErrorContext(r.Context(), "not ready", "error", err)
				status, text = http.StatusServiceUnavailable, "unavailable\n"
			}
		}
		writeHealth(w, status, text)
	})
}

func writeHealth(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // fails only if the client has gone
}
