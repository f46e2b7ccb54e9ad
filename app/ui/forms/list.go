package forms

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The columns that the list of forms can be sorted by.
const (
	byName    = "name"
	byUpdated = "updated"
)

// listOrder is how the list of forms is sorted. The zero value is newest first.
type listOrder struct {
	column  string // byName, byUpdated or "" for the latter
	flipped bool   // against the column's first direction: names from Z to A, oldest first
}

// parseListOrder reads what String wrote; anything else is the zero value.
func parseListOrder(s string) listOrder {
	column, flipped := strings.CutPrefix(s, "-")
	if column != byName && column != byUpdated {
		return listOrder{}
	}
	return listOrder{column, flipped}
}

// String returns the order in the form that is remembered.
func (o listOrder) String() string {
	if o.flipped {
		return "-" + o.by()
	}
	return o.by()
}

func (o listOrder) by() string { return cmp.Or(o.column, byUpdated) }

// press returns the order after the header of a column was pressed: another
// column sorts in its first direction, the same one in the other direction.
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

// listed returns the forms that have a text in their name or id, in an order. The
// tenant's list begins with the oldest, so of two that changed at the same time
// the later one counts as newer.
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

// lastChange is when a form changed last, as far as the tenant says.
func lastChange(f *formapi.Summary) time.Time {
	if f.UpdatedAt.IsZero() {
		return f.CreatedAt
	}
	return f.UpdatedAt
}

// countListed says how many of all forms are listed.
func countListed(listed, all int) string {
	if listed == all {
		return strconv.Itoa(all)
	}
	return fmt.Sprintf("%d of %d", listed, all)
}

// maxFormName is how many characters the table of forms allows a name.
const maxFormName = 150

// duplicated returns what a copy of a form is created from: its content under a
// name of its own, cut to fit.
func duplicated(f *model.Form) (*model.Form, error) {
	room := maxFormName - len([]rune(fmt.Sprintf("Copy of %s", "")))
	return transfer.Content(f).Set(formNamePath, fmt.Sprintf("Copy of %s", schema.Shorten(f.Name, room)))
}

// renamed returns the patch that gives a form another name and changes nothing else.
func renamed(f *model.Form, name string) (model.Patch, error) {
	g, err := f.Set(formNamePath, name)
	if err != nil {
		return model.Patch{}, err
	}
	return model.Diff(f, g), nil
}

var formNamePath = schema.Path{schema.Key("name")}
