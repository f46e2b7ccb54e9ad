package kit

import "time"

// Way is a person's way to sign in, as lists show it.
type Way struct {
	Kind  string // the tenant's name of the kind
	Name  string // given by the person, "" for none
	Added time.Time
	Used  time.Time // zero for never
}

// ways maps the tenant's names of the kinds to their display names and icons.
var ways = map[string][2]string{
	"password": {"Password", "lock"}, "passkey": {"Passkey", "key"}, "totp": {"Authenticator app", "tel"},
	"recovery-code": {"Recovery code", "shield"},
}

// KindName returns the display name of the kind, or its code if it is unknown.
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

// Title returns the display name of the way: its name, or else its kind.
func (w Way) Title() string {
	if w.Name != "" {
		return w.Name
	}
	return w.KindName()
}

// Story describes when the way was added and last used, "" if unknown.
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
