package httpx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// bodyTime is how long a body may take to arrive. It is shorter than the server's own limit, so that a slow client gets an
// answer.
const bodyTime = 25 * time.Second

// firstRead is how many bytes of memory are reserved for a body before it arrives.
const firstRead = 64 << 10

// ReadJSON reads a whole body of at most limit bytes whose type is application/json in UTF-8. It does not parse the body.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *Problem) {
	if p := jsonOnly(r); p != nil {
		return nil, p
	}
	tooLarge := func() *Problem {
		// The rest of the body is not read, so the connection cannot be reused.
		w.Header().Set("Connection", "close")
		return NewProblem(http.StatusRequestEntityTooLarge, CodeTooLarge, fmt.Sprintf("The body must be at most %d bytes.", limit))
	}
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	// Not every writer supports deadlines: one in the same process needs none.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
	var buf bytes.Buffer
	// A client may announce any length, so only a part is allocated.
	buf.Grow(int(min(max(r.ContentLength, 0), firstRead)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r.Body, limit+1))
	switch {
	case n > limit:
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, NewProblem(http.StatusRequestTimeout, CodeTimeout, "The body did not arrive in time.")
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, NewProblem(http.StatusBadRequest, CodeInvalidBody, "The body is incomplete.")
	}
	return buf.Bytes(), nil
}

func jsonOnly(r *http.Request) *Problem {
	deny := NewProblem(http.StatusUnsupportedMediaType, CodeMediaType, "The body must be application/json in UTF-8.")
	if len(r.Header.Values("Content-Type")) != 1 || r.Header.Get("Content-Encoding") != "" {
		return deny
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return deny
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return deny
	}
	return nil
}
