package describe

import "strings"

// Done returns what a command did, from its label: "Deleted 2 nodes" for "Delete 2 nodes".
func Done(label string) string {
	verb, of, _ := strings.Cut(label, " ")
	if past, ok := map[string]string{"Cut": "Cut", "Set": "Set", "Take": "Took", "Edit": "Changed", "Copy": "Copied", "Tidy": "Tidied"}[verb]; ok {
		verb = past
	} else {
		verb = strings.TrimSuffix(verb, "e") + "ed"
	}
	if of = strings.Replace(of, "and close ", "and closed ", 1); of != "" {
		verb += " " + of
	}
	return verb
}
