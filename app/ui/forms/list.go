package forms

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The columns by which the list of forms can be sorted.
const (
	byName    = "name"
	byUpdated = "updated"
)

// listOrder is the order of the list of forms. The zero value is newest first.
type listOrder struct {
	column  string // byName, byUpdated, or "" for byUpdated
	flipped bool   // the reverse of the column's default order: names from Z to A, oldest first
}

// parseListOrder parses the result of String; anything else yields the zero value.
func parseListOrder(s string) listOrder {
	column, flipped := strings.CutPrefix(s, "-")
	if column != byName && column != byUpdated {
		return listOrder{}
	}
	return listOrder{column, flipped}
}

// String returns the order as text, to be stored in the browser.
func (o listOrder) String() string {
	if o.flipped {
		return "-" + o.by()
	}
	return o.by()
}

func (o listOrder) by() string { return cmp.Or(o.column, byUpdated) }

// press returns the order after a press on the header of a column: a different
// column sorts in its default order, the same one in the reverse order.
func (o listOrder) press(column string) listOrder {
	if column == o.by() {
		return listOrder{column, !o.flipped}
	}
	return listOrder{column: column}
}

// aria returns the aria-sort of a column's header.
func (o listOrder) aria(column string) string {
	switch {
	case column != o.by():
		return "none"
	case o.flipped == (column == byUpdated):
		return "ascending"
	}
	return "descending"
}

// listed returns the forms whose name or id contains a text, in order. The tenant
// lists the oldest first, so of two forms that changed at the same time, the later
// in the list counts as newer.
func listed(forms []formapi.Summary, query string, o listOrder) []*formapi.Summary {
	query = strings.ToLower(strings.TrimSpace(query))
	var out []*formapi.Summary
	for i := range forms {
		if f := &forms[i]; strings.Contains(strings.ToLower(f.Name+" "+f.ID), query) {
			out = append(out, f)
		}
	}
	slices.Reverse(out)
	compare := func(a, b *formapi.Summary) int { return lastChange(b).Compare(lastChange(a)) }
	if o.by() == byName {
		compare = func(a, b *formapi.Summary) int {
			return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		}
	}
	slices.SortStableFunc(out, compare)
	if o.flipped {
		slices.Reverse(out)
	}
	return out
}

// lastChange returns the time of the last change of a form, as far as the tenant
// reports it.
func lastChange(f *formapi.Summary) time.Time {
	if f.UpdatedAt.IsZero() {
		return f.CreatedAt
	}
	return f.UpdatedAt
}

// countListed describes how many of all forms are listed.
func countListed(listed, all int) string {
	if listed == all {
		return strconv.Itoa(all)
	}
	return fmt.Sprintf("%d of %d", listed, all)
}

// renamed returns a patch that changes only the name of a form.
func renamed(f *model.Form, name string) (model.Patch, error) {
	g, err := f.Set(formNamePath, name)
	if err != nil {
		return model.Patch{}, err
	}
	return model.Diff(f, g), nil
}

var formNamePath = schema.Path{schema.Key("name")}
