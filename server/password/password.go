// Package password defines the rules for chosen passwords, and hashes and verifies them. The tenant's pages, APIs and commands and the
// server's options all use it. It does not know where hashes are stored.
package password

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	// Min is the minimum length in characters. NIST SP 800-63B, section 5.1.1.2 requires 8.
	Min = 8
	// Max is the maximum length in bytes. It limits the cost of hashing. Since every character has at least one byte, it also limits the
	// number of characters.
	Max = 1024
)

// Errors of Check.
var (
	ErrShort = errors.New("too short")
	ErrLong  = errors.New("too long")
)

// lengthError states the rule and the actual length.
type lengthError struct {
	text string
	kind error
}

func (e lengthError) Error() string { return e.text }
func (e lengthError) Unwrap() error { return e.kind }

// Check returns an error for a password that nobody may choose. The error is ErrShort or ErrLong and reads "must be at least 8 characters,
// is 5". It does not contain the password.
func Check(p string) error {
	if n := utf8.RuneCountInString(p); n < Min {
		return lengthError{fmt.Sprintf("must be at least %d characters, is %d", Min, n), ErrShort}
	}
	return CheckMax(p)
}

// CheckMax is Check for a text that need not be a valid password, such as one entered at a sign-in.
func CheckMax(p string) error {
	if len(p) > Max {
		return lengthError{fmt.Sprintf("must be at most %d bytes, is %d", Max, len(p)), ErrLong}
	}
	return nil
}
