package ui

import "strings"

const formNotLoaded = "The form could not be loaded"

// fileName makes a file's name of a form's.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(safe, "-") + ".form.json"
}
