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

	"github.com/formgraph/formgraph/model/schema"
)

// bodyTime is how long a body may take to arrive. It is shorter than the
// server's own bound, so that a slow client gets an answer.
const bodyTime = 25 * time.Second

// firstRead is how much memory a body gets before it arrives, in bytes.
const firstRead = 64 << 10

// ReadJSON reads a whole body of at most limit bytes that says it is
// application/json in UTF-8. It does not look into it.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *Problem) {
	if p := jsonOnly(r); p != nil {
		return nil, p
	}
	tooLarge := func() *Problem {
		// The rest of the body is not read, so the connection cannot be used again.
		w.Header().Set("Connection", "close")
		return &Problem{Status: http.StatusRequestEntityTooLarge, Code: CodeTooLarge, Detail: fmt.Sprintf("The body must be at most %d bytes.", limit)}
	}
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	// Not every writer has a deadline: one in the same process has none to need.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
	var buf bytes.Buffer
	// What a client claims costs it nothing, so only a part is set aside for it.
	buf.Grow(int(min(max(r.ContentLength, 0), firstRead)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r.Body, limit+1))
	switch {
	case n > limit:
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, &Problem{Status: http.StatusRequestTimeout, Code: CodeTimeout, Detail: "The body did not arrive in time."}
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, &Problem{Status: http.StatusBadRequest, Code: CodeInvalidBody, Detail: "The body is incomplete."}
	}
	return buf.Bytes(), nil
}

// StrictJSON refuses text that two readers of JSON could understand in two ways:
// names given twice, two values, bad UTF-8, too deep, numbers that do not fit a
// float64 or are very long. It lists every place.
func StrictJSON(body []byte) *Problem {
	// A text that the scanner takes has no problem; of any other the tree tells
	// which.
	scanned := schema.Scan(body)
	if scanned && !strange(body) {
		return nil
	}
	tree, problems := schema.Decode(body)
	if len(problems) == 0 {
		problems = badNumbers(tree)
	}
	if len(problems) > 0 {
		return &Problem{Status: http.StatusBadRequest, Code: CodeInvalidBody, Detail: "The body must be one strictly valid JSON value.", Problems: problems}
	}
	return nil
}

func jsonOnly(r *http.Request) *Problem {
	deny := &Problem{Status: http.StatusUnsupportedMediaType, Code: CodeMediaType, Detail: "The body must be application/json in UTF-8."}
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
