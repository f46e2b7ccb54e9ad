package versions

import (
	"time"

	"github.com/formgraph/formgraph/app/client/formapi"
)

// sitting is how long after an automatic save another one belongs to the same sitting.
const sitting = 10 * time.Minute

// line is a line of the list: a version, or the automatic saves of a person within one sitting, the newest first.
type line []formapi.Version

// linesOf groups a list, the newest first. A version with a name or a note is a line of its own.
func linesOf(list []formapi.Version) []line {
	var lines []line
	var next *formapi.Version
	for _, v := range list {
		if next != nil && joins(next, &v) {
			n := len(lines) - 1
			lines[n] = append(lines[n], v)
		} else {
			lines = append(lines, line{v})
		}
		next = &v
	}
	return lines
}

// joins reports whether a version is in the same sitting as the next one.
func joins(next, v *formapi.Version) bool {
	return next.Automatic && v.Automatic && next.Author == v.Author && next.SavedAt.Sub(v.SavedAt) <= sitting && !named(next) && !named(v)
}

func named(v *formapi.Version) bool { return v.Name != "" || v.Note != "" }

// join returns a list with a part of a newer one. The first part replaces the beginning of the list; what follows stays if there is no gap. A
// part after that is added.
func join(list, part []formapi.Version, at int) []formapi.Version {
	has := make(map[int]bool, len(part))
	for _, v := range part {
		has[v.Number] = true
	}
	var rest []formapi.Version
	meet := -1
	for i, v := range list {
		if has[v.Number] {
			meet = i
		} else {
			rest = append(rest, v)
		}
	}
	if at > 0 {
		return append(rest, part...)
	}
	if meet < 0 {
		return part
	}
	return append(part, list[meet+1:]...)
}

// late reports whether a list is known to lack the version that was saved last.
func late(list []formapi.Version, saved time.Time) bool {
	return !saved.IsZero() && (len(list) == 0 || list[0].SavedAt.Before(saved.Truncate(time.Millisecond)))
}
