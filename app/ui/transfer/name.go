package transfer

import "strings"

// FileName returns the name of the file that a form is exported to.
func FileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(safe, "-") + ".form.json"
}
