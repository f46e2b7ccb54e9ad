package inspector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/contrast"
	"github.com/formgraph/formgraph/model/schema"
)

// Filter returns the panel with the rows and parts that have each word of a query in their name or value. Without a query it is the panel.
func (p Panel) Filter(query string) Panel {
	if strings.TrimSpace(query) == "" {
		return p
	}
	all := p.Sections
	p.Sections = nil
	for i, s := range all {
		if s.Rows = filtered(s.Rows, query); len(s.Rows) > 0 || i == 0 {
			s.Folded = false
			p.Sections = append(p.Sections, s)
		}
	}
	p.Parts = slices.DeleteFunc(slices.Clone(p.Parts), func(q Part) bool { return !matches(query, q.Title, q.Type, q.Words, q.ID) })
	return p
}

// fewRows is the number of rows below which people find a row faster without a search.
const fewRows = 8

// Searchable reports whether the panel has enough rows and parts for a search.
func (p Panel) Searchable() bool {
	n := len(p.Parts)
	for _, s := range p.Sections {
		n += counted(s.Rows)
	}
	return n >= fewRows
}

// counted returns the number of controls in rows.
func counted(rows []Row) (n int) {
	for _, r := range rows {
		if r.Input.Contains() {
			n += counted(r.Rows)
		} else {
			n++
		}
	}
	return n
}

func filtered(rows []Row, query string) []Row {
	var out []Row
	for _, r := range rows {
		if r.has(query) {
			out = append(out, r)
		}
	}
	return out
}

// has reports whether a row, or one inside it, has each word of a query.
func (r Row) has(query string) bool {
	name, value := r.Path[len(r.Path)-1].Key, ""
	if s, ok := r.spec.(schema.String); !r.Input.Contains() && (!ok || !s.Secret) {
		value = r.Text()
	}
	for _, o := range r.Options {
		if o.Value == value {
			value += " " + o.Label
		}
	}
	return matches(query, r.Label, name, value) || slices.ContainsFunc(r.Rows, func(of Row) bool { return of.has(query) })
}

// Address returns the address that a row leads to, "" if it is not one of the web.
func (r Row) Address() string {
	text := r.Text()
	if r.Role == schema.Address && (strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")) && len(text) > len("https://") {
		return text
	}
	return ""
}

// Color returns the color of a row with six digits, and black if it has none.
func (r Row) Color() string {
	text := r.Text()
	if len(text) == len("#123") {
		text = string([]byte{'#', text[1], text[1], text[2], text[2], text[3], text[3]})
	}
	if len(text) != len("#123456") || len(r.Problems) > 0 {
		return "#000000"
	}
	return text
}

// Contrast says how well white and black text can be read on the color of a row, "" if it has none.
func (r Row) Contrast() string {
	c, ok := contrast.Hex(r.Text())
	if r.Role != schema.Color || !ok {
		return ""
	}
	l := contrast.Luminance(c)
	ratio := func(of float64) string { return strconv.FormatFloat(contrast.Ratio(l, of), 'f', 1, 64) + ":1 with " }
	return ratio(1) + "white, " + ratio(0) + "black"
}

// Limits returns the bounds of a Number, "" for none.
func (q Quantity) Limits() (least, most string) {
	s, _ := q.spec.(schema.Numeric)
	return string(s.Min), string(s.Max)
}

// Hint returns what stands in the empty control of a Number: that there is no limit where the number would be one, else its bounds in words.
// It is "" without bounds, and for those that the control has no room for.
func (q Quantity) Hint() string {
	least, most := q.Limits()
	limit, _, _ := strings.Cut(schema.Words(q.Path[len(q.Path)-1].Key), " ")
	switch {
	case len(least)+len(most) > maxBounds:
		return ""
	case least != "" && most != "":
		return least + " to " + most
	case limit == "max":
		return "No limit"
	case limit == "min":
		return "None"
	case least != "":
		return least + " or more"
	}
	return ""
}

// maxBounds is the number of characters of two bounds that stand in a control.
const maxBounds = 9
