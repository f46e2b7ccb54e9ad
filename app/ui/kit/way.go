package kit

import "time"

// Way is a way to sign in that a person has, as lists show it.
type Way struct {
	Kind  string // as the tenant calls it
	Name  string // given by the person, "" for none
	Added time.Time
	Used  time.Time // zero for never
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

// Story says when the way was added and last used. It is "" when that is not known.
func (w Way) Story(now time.Time) string {
	if w.Added.IsZero() {
		return ""
	}
	used := "never used"
	if !w.Used.IsZero() {
		used = "last used " + Ago(w.Used, now)
	}
	return "Added " + Ago(w.Added, now) + " · " + used
}
