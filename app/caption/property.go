package caption

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// PlaceSign separates the name of a thing from that of its part.
const PlaceSign = " › "

// Property returns the name of the property at the end of a path, relative to the first elements of it, with the titles from the tables:
// "Options 3 › Label".
func Property(f *model.Form, path schema.Path, from int) string {
	var b strings.Builder
	for i := from; i < len(path); i++ {
		switch e := path[i]; {
		case e.Index >= 0:
			b.WriteString(" " + strconv.Itoa(e.Index+1))
		case e.Key == "config" && i < len(path)-1: // most properties are inside config
		default:
			if b.Len() > 0 {
				b.WriteString(PlaceSign)
			}
			b.WriteString(f.Row(path[:i+1]).Title())
		}
	}
	return b.String()
}
