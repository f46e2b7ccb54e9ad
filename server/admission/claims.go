package admission

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Names of standard claims: OpenID Connect Core, section 5.1.
const (
	claimSubject  = "sub"
	claimEmail    = "email"
	claimVerified = "email_verified"
	claimName     = "name"
)

// Claims are the claims of a person by name, as ParseClaims reads them.
type Claims map[string]any

// ParseClaims reads a JSON object. Numbers keep the text in which they are written.
func ParseClaims(text []byte) (Claims, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var c Claims
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("read claims: %w", err)
	}
	if _, err := d.Token(); c == nil || !errors.Is(err, io.EOF) {
		return nil, errors.New("read claims: they must be one JSON object")
	}
	return c, nil
}

// Text returns a claim that is a string, or "".
func (c Claims) Text(name string) string {
	s, _ := c[name].(string)
	return s
}

// Email returns the e-mail address, verified or not.
func (c Claims) Email() string { return c.Text(claimEmail) }

// VerifiedEmail returns the e-mail address if email_verified is the boolean true, and otherwise "". An issuer that writes "true" as a
// string breaks OpenID Connect Core, section 5.1, and is not trusted in this.
func (c Claims) VerifiedEmail() string {
	if c[claimVerified] != true {
		return ""
	}
	return c.Email()
}

// Add adds the claims of more that c lacks.
func (c Claims) Add(more Claims) {
	for name, v := range more {
		if _, ok := c[name]; !ok {
			c[name] = v
		}
	}
}

// written returns the text of a string, number or boolean.
func written(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
