package kit

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// KeyGroup is a part of a list of keys.
type KeyGroup struct {
	Heading string      // "" for none
	Rows    [][2]string // keys, and what they do
}

// KeyList draws the rows that contain each word of a query, in the row or in the heading of its group. found reports whether there are any.
func KeyList(groups []KeyGroup, query string) (list app.UI, found bool) {
	var parts []app.UI
	for i, g := range groups {
		var rows []app.UI
		for _, row := range g.Rows {
			if HasWords(g.Heading+" "+row[0]+" "+row[1], query) {
				rows = append(rows, Tree("tr { th scope=row { kbd { % } } td { % } }", row[:]))
			}
		}
		if len(rows) == 0 {
			continue
		}
		id := "keys-" + strconv.Itoa(i)
		parts = append(parts, El("section").Body(El("h3 id=% hidden=%", id, Yes(g.Heading == "")).Text(g.Heading),
			El("table.keys aria-labelledby=%", id).Body(El("tbody").Body(rows...))))
	}
	return El("div.key-groups").Body(parts...), len(parts) > 0
}

// HasWords reports whether a text contains every word of a query, in any letter case.
func HasWords(text, query string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
