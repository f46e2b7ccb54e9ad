package management

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/formgraph/formgraph/server/tenant/api"
)

// Bounds of a page of a list, as in the vendor's public API.
const (
	maxPage        = 1000
	maxPerPage     = 100
	defaultPerPage = 50
)

// paging is which part of a list is asked for.
type paging struct {
	page, size int
	totals     bool
}

func (p paging) offset() int { return p.page * p.size }

// narrowing are parameters of the vendor's API that pick rows of a list, or continue after one, and that do not
// exist here. A request for one person must not be answered with everybody; what only shapes an answer is ignored.
var narrowing = []string{"q", "name_filter", "identifiers", "app_type", "client_ids", "is_first_party", "from"}

// readPaging reads page, per_page and include_totals of a query.
func readPaging(q url.Values) (p paging, e *api.Error) {
	for _, name := range narrowing {
		if q.Get(name) != "" {
			return p, invalidQuery(name, "is not supported here: read the pages, and pick")
		}
	}
	if p.page, e = number(q.Get("page"), "page", 0, 0, maxPage); e != nil {
		return p, e
	}
	if p.size, e = number(q.Get("per_page"), "per_page", defaultPerPage, 1, maxPerPage); e != nil {
		return p, e
	}
	if v := q.Get("include_totals"); v != "" {
		var err error
		if p.totals, err = strconv.ParseBool(v); err != nil {
			return p, invalidQuery("include_totals", "must be true or false")
		}
	}
	return p, nil
}

// number reads a whole number of a query.
func number(text, name string, otherwise, least, most int) (int, *api.Error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, invalidQuery(name, fmt.Sprintf("must be a whole number from %d to %d", least, most))
	}
	return n, nil
}

// answerList answers an array, or an object with totals when they are asked for; key is its member.
func answerList[T any](c *api.Call, p paging, key string, list []T, total int) *api.Error {
	if list == nil {
		list = []T{} // an empty list is not null
	}
	var v any = list
	if p.totals {
		v = map[string]any{"start": p.offset(), "limit": p.size, "total": total, key: list}
	}
	return c.JSON(http.StatusOK, v)
}

// window cuts one page out of a list that is read whole, since it is never long.
func window[T any](list []T, p paging) []T {
	from := min(p.offset(), len(list))
	return list[from:min(from+p.size, len(list))]
}
