package api

import (
	"encoding/json"
	"net/http"
	"time"
)

// Time formats a time for answers: RFC 3339 with milliseconds, in UTC.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// JSON answers with a value.
func (c *Call) JSON(status int, v any) *Error {
	b, err := json.Marshal(v)
	if err != nil {
		return c.Down("encode answer", err)
	}
	c.Send("application/json", status, b)
	return nil
}

// Done answers with a status and no body.
func (c *Call) Done(status int) *Error {
	c.WriteHeader(status)
	return nil
}

// Send answers with a text.
func (c *Call) Send(contentType string, status int, text []byte) {
	c.Header().Set("Content-Type", contentType)
	c.WriteHeader(status)
	_, _ = c.Write(text) // a caller that has gone needs no answer
}

// Location sets the header Location to the address of a newly created ID, below the path of the request.
func (c *Call) Location(id string) {
	c.Header().Set("Location", c.Request.URL.EscapedPath()+"/"+id)
}

// Harden sets the headers of every answer: nothing is cached, and no browser guesses the type.
func Harden(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
}
