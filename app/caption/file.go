package caption

import "strings"

// FileName returns a name for a file about something with a name, without an extension: "sign-up" for "Sign-up!". It is "" if no letter
// and no digit of the name is plain.
func FileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(safe, "-")
}
