package upstream

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxAnswer bounds an answer in bytes: twice the largest form.
	maxAnswer = 8 << 20
	// firstRead is how many bytes of memory are reserved for an answer before it arrives.
	firstRead = 1 << 20
	// maxText bounds the plain text of a refusal in bytes.
	maxText = 4 << 10
)

// relayed lists the headers of an answer that are passed on, in canonical form.
var relayed = [...]string{"Etag", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"}

// byteOrderMark may precede JSON, and a reader may ignore it: RFC 8259, section 8.1.
const byteOrderMark = "\ufeff"

// read reads an answer. The caller closes its body.
func read(res *http.Response, r Request, token string, now time.Time) (*Response, error) {
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		return nil, fmt.Errorf("%w: redirect with status %d", ErrAnswer, res.StatusCode)
	}
	out := &Response{Status: res.StatusCode, Header: http.Header{}, quota: readQuota(res.Header, now)}
	out.RetryAfter = out.quota.retry
	if out.Status == http.StatusTooManyRequests {
		out.RetryAfter = out.quota.wait()
	}
	// RFC 9470, section 3.
	out.StepUp = out.Status == http.StatusUnauthorized && challenged(res.Header, "insufficient_user_authentication")
	for _, name := range relayed {
		if v := res.Header.Get(name); v != "" {
			out.Header.Set(name, v)
		}
	}
	body, err := readBody(res, r)
	if err == nil && len(body) > 0 {
		err = out.set(body, res.Header, r.Unparsed)
	}
	if err == nil && (bytes.Contains(out.Body, []byte(token)) || strings.Contains(out.Text, token)) {
		err = fmt.Errorf("%w: it holds the access token", ErrAnswer)
	}
	if err != nil && out.OK() && r.Method == http.MethodDelete {
		out.Body = nil // the status says it all: some tenants write a word or a page
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// readBody reads the body of an answer up to its limit.
func readBody(res *http.Response, r Request) ([]byte, error) {
	src := bufio.NewReader(res.Body)
	if mark, err := src.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = src.Discard(len(mark)) // which Peek has read
	}
	if kind := kindOf(res.Header); r.Summaries && res.StatusCode < 300 && kind != otherType {
		return summarize(src)
	}
	var whole bytes.Buffer
	// The announced length avoids growing the buffer in steps, but only a part is allocated before the answer arrives.
	whole.Grow(int(min(max(res.ContentLength, 0), firstRead)) + bytes.MinRead)
	_, err := whole.ReadFrom(io.LimitReader(src, maxAnswer+1))
	switch {
	case err != nil:
		return nil, err
	case whole.Len() > maxAnswer:
		return nil, fmt.Errorf("%w: over %d bytes", ErrAnswer, maxAnswer)
	}
	return whole.Bytes(), nil
}

// set keeps a body that is JSON, or the text of a refusal. A successful answer with any other body is an error; of any other the status is
// enough, and the page is not passed on.
func (out *Response) set(body []byte, h http.Header, unparsed bool) error {
	kind := kindOf(h)
	// JSON under another name must be a whole object or array: any text that begins with a number would pass otherwise.
	container := body[0] == '{' || body[0] == '['
	switch {
	case out.OK() && kind == otherType, out.OK() && kind == plainType && !container:
		return fmt.Errorf("%w: status %d with a body that is not JSON", ErrAnswer, out.Status)
	case out.OK() && (!unparsed || kind != jsonType) && !wholeJSON(body):
		return fmt.Errorf("%w: status %d with invalid JSON", ErrAnswer, out.Status)
	case out.OK(), kind == jsonType, kind == plainType && container && wholeJSON(body):
		out.Body = body
	case kind == plainType:
		out.Text = strings.ToValidUTF8(string(body[:min(len(body), maxText)]), "")
	}
	return nil
}

// mediaType is what the header of an answer says about its body.
type mediaType int

const (
	otherType mediaType = iota
	jsonType
	plainType // plain text, or nothing is said
)

func kindOf(h http.Header) mediaType {
	if h.Get("Content-Encoding") != "" {
		return otherType // none was asked for
	}
	given := h.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	switch {
	case err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json")):
		return jsonType
	case given == "" || err == nil && kind == "text/plain":
		return plainType
	default:
		return otherType
	}
}

// wholeJSON reports whether an answer is one JSON value in UTF-8. The limits of a form do not apply, since a list contains several.
func wholeJSON(body []byte) bool {
	return utf8.Valid(body) && jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// challenged reports whether the challenges of an answer contain an error. Tenants write it with or without quotes.
func challenged(h http.Header, name string) bool {
	for _, challenge := range h.Values("WWW-Authenticate") {
		if strings.Contains(strings.ReplaceAll(challenge, `"`, ""), "error="+name) {
			return true
		}
	}
	return false
}
