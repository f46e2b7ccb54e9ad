package kit

import (
	"strings"
	"time"
)

// Way is a way to sign in that a person has, as lists show it.
type Way struct {
	Kind   string // as the tenant calls it
	Name   string // given by the person, "" for none
	Added  time.Time
	Used   time.Time // zero for never
	Synced bool      // a passkey that the person's devices share
}

// ways are the kinds by the tenant's names, with what they are called and their icons.
var ways = map[string][2]string{
	"password": {"Password", "lock"}, "passkey": {"Passkey", "key"}, "totp": {"Authenticator app", "tel"},
	"recovery-code": {"Recovery code", "shield"},
}

// KindName returns what the kind is called, its code when it is unknown.
func (w Way) KindName() string {
	if row, ok := ways[w.Kind]; ok {
		return row[0]
	}
	return w.Kind
}

// Icon returns the icon of the kind.
func (w Way) Icon() string {
	if row, ok := ways[w.Kind]; ok {
		return row[1]
	}
	return "lock"
}

// Title returns what the way is called: its name, or else its kind.
func (w Way) Title() string {
	if w.Name != "" {
		return w.Name
	}
	return w.KindName()
}

// Story says what a way with a name is, and when it was added and last used. It is "" when nothing is known.
func (w Way) Story(now time.Time) string {
	if w.Added.IsZero() {
		return ""
	}
	var out []string
	if w.Title() != w.KindName() {
		out = append(out, w.KindName())
	}
	out = append(out, "Added "+Ago(w.Added, now))
	if w.Used.IsZero() {
		return strings.Join(append(out, "never used"), " · ")
	}
	return strings.Join(append(out, "last used "+Ago(w.Used, now)), " · ")
}
