package management

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// Bounds of a page of a list, as in the vendor's public API.
const (
	maxPage        = 1000
	maxPerPage     = 100
	defaultPerPage = 50
)

// maxSearch bounds a search in bytes.
const maxSearch = 200

// paging is the part of a list that a request asks for.
type paging struct {
	page, size int
	totals     bool
	find       store.Find
	// checkpoint means that the list is read by places, with take or from, and not by pages.
	checkpoint bool
}

func (p paging) offset() int { return p.page * p.size }

// narrowing are parameters of the vendor's API that select rows of a list and that do not exist here. They are refused, since a request for
// one person must not be answered with everybody; parameters that only shape an answer are ignored.
var narrowing = []string{"name_filter", "identifiers", "app_type", "client_ids", "is_first_party"}

// readPaging reads page, per_page and include_totals of a query, for a list that has neither search nor places.
func readPaging(q url.Values) (p paging, e *api.Error) {
	for _, name := range append(narrowing, "q", "from") {
		if q.Get(name) != "" {
			return p, invalidQuery(name, "is not supported here: read the pages, and pick")
		}
	}
	return readPages(q)
}

func readPages(q url.Values) (p paging, e *api.Error) {
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

// readFind is readPaging for a list with search and places: q, and take and from in place of page and per_page.
func readFind(q url.Values) (p paging, e *api.Error) {
	for _, name := range narrowing {
		if q.Get(name) != "" {
			return p, invalidQuery(name, "is not supported here: use q to search, or read the pages, and pick")
		}
	}
	if p, e = readPages(q); e != nil {
		return p, e
	}
	p.find = store.Find{Search: q.Get("q"), After: q.Get("from")}
	switch p.checkpoint = q.Has("take") || p.find.After != ""; {
	case len(p.find.Search) > maxSearch:
		return p, invalidQuery("q", fmt.Sprintf("must be at most %d bytes", maxSearch))
	case !p.checkpoint:
		return p, nil
	case p.page > 0:
		return p, invalidQuery("page", "must not be given together with from or take")
	}
	p.size, e = number(q.Get("take"), "take", defaultPerPage, 1, maxPerPage)
	return p, e
}

// queryLanguage reports whether a search uses the query language of the vendor's API, which does not exist here.
func queryLanguage(search string) bool {
	return strings.ContainsAny(search, `"*()`) || slices.ContainsFunc(strings.Fields(search), func(word string) bool {
		field, _, is := strings.Cut(word, ":")
		return is && field != "" && strings.Trim(strings.ToLower(field), "abcdefghijklmnopqrstuvwxyz_.") == ""
	})
}

// number parses a whole number of a query.
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

// answerList answers with an array, or with an object and totals on request; key is the member that holds the list.
func answerList[T any](c *api.Call, p paging, key string, list []T, total int) *api.Error {
	return answerPart(c, p, key, list, total, "")
}

// answerPart is answerList for a part of a list that continues at next, or ends if next is "". For a list read by places the answer is an
// object without totals, as in the vendor's API, whose clients would otherwise count pages.
func answerPart[T any](c *api.Call, p paging, key string, list []T, total int, next string) *api.Error {
	if list == nil {
		list = []T{} // an empty list is [], not null
	}
	if !p.totals && !p.checkpoint {
		return c.JSON(http.StatusOK, list)
	}
	v := map[string]any{key: list}
	if !p.checkpoint {
		v["start"], v["limit"], v["total"] = p.offset(), p.size, total
	}
	if next != "" {
		v["next"] = next
	}
	return c.JSON(http.StatusOK, v)
}

// window returns one page of a list that is read as a whole, since it is never long.
func window[T any](list []T, p paging) []T {
	from := min(p.offset(), len(list))
	return list[from:min(from+p.size, len(list))]
}
