package translate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/verb"
)

// File is a file of translations, as read. It need not fit a form; see Table.Plan.
type File struct {
	Source string // the language of the sources, "" if the file does not name it
	Items  []Item

	taken map[string]string // Where of the items by key
}

// Item is the translations of a text in a file.
type Item struct {
	Key   string
	Where string // the line or unit, for people
	// Text is the source at the time of the export. HasText reports whether the file has it.
	Text         string
	HasText      bool
	Translations []Translation // without empty ones
}

// Translation is a text in a language.
type Translation struct{ Language, Text string }

// add adds an item. The error names an earlier one with the key.
func (f *File) add(item Item) error {
	if f.taken == nil {
		f.taken = map[string]string{}
	}
	if where, ok := f.taken[item.Key]; ok {
		return fmt.Errorf("%s: the key %q is also in %s", item.Where, item.Key, where)
	}
	f.taken[item.Key] = item.Where
	f.Items = append(f.Items, item)
	return nil
}

// Plan is what a file would change in a form.
type Plan struct {
	// A change is in one of these lists.
	Added, Changed, Unchanged []Change
	// Outdated are those of Added and Changed whose source has changed since the export. Once written and recorded, they are stale.
	Outdated  []Change
	Unknown   []Item   // with keys that the form does not have
	Languages []string // that the form does not have and would get
}

// Plan compares a file with the table. It changes nothing. A translation that is empty in the file, or not in it, stays. The error names a
// language that cannot be added, or says that the file is of a form in another language.
func (t *Table) Plan(f *File) (*Plan, error) {
	if f.Source != "" && !same(t.Source)(f.Source) {
		return nil, fmt.Errorf("the file translates from %s, but the form is written in %s", f.Source, t.Source)
	}
	rows := make(map[string]*Row, len(t.Rows))
	for _, r := range t.Rows {
		rows[r.Key], rows[xliffName(r.Key)] = r, r
	}
	p := &planner{table: t, columns: map[string]column{}}
	for i, l := range t.Languages {
		p.columns[l] = column{l, i}
	}
	for _, item := range f.Items {
		r := rows[item.Key]
		if r == nil {
			p.plan.Unknown = append(p.plan.Unknown, item)
			continue
		}
		if err := p.add(r, item); err != nil {
			return nil, fmt.Errorf("%s: %w", item.Where, err)
		}
	}
	return &p.plan, nil
}

// planner makes a Plan.
type planner struct {
	table   *Table
	plan    Plan
	columns map[string]column // by the name that a file uses
}

// column is a language as the form names it, or will name it, and its index: ofSource for the one in which the form is written, and added
// for one that the form lacks.
type column struct {
	language string
	index    int
}

const (
	ofSource = -1
	added    = -2
)

// column returns the column of a language in a file.
func (p *planner) column(language string) (column, error) {
	if c, ok := p.columns[language]; ok {
		return c, nil
	}
	c := column{language, p.table.Column(language)}
	switch {
	case c.index >= 0:
		c.language = p.table.Languages[c.index]
	case same(p.table.Source)(language):
		c.index = ofSource
	default:
		if err := validLanguage(language); err != nil {
			return c, err
		}
		c.index = added
		if i := slices.IndexFunc(p.plan.Languages, same(language)); i >= 0 {
			c.language = p.plan.Languages[i]
		} else {
			p.plan.Languages = append(p.plan.Languages, language)
		}
	}
	p.columns[language] = c
	return c, nil
}

// add plans the translations of a row.
func (p *planner) add(r *Row, item Item) error {
	columns := make([]column, len(item.Translations))
	given := make(map[string]bool, len(columns))
	for i, tr := range item.Translations {
		c, err := p.column(tr.Language)
		if err != nil {
			return err
		}
		if given[c.language] {
			return fmt.Errorf("language %q: must not have two texts", c.language)
		}
		given[c.language] = true
		if columns[i] = c; c.index == ofSource && !item.HasText {
			item.Text, item.HasText = tr.Text, true
		}
	}
	source := r.Text
	if item.HasText && unbroken(item.Text) != unbroken(r.Text) {
		source = item.Text
	}
	for i, tr := range item.Translations {
		at := columns[i]
		c := Change{Row: r, Language: at.language, Text: tr.Text, Source: source}
		was := ""
		switch {
		case at.index == ofSource:
			continue
		case at.index >= 0:
			was = r.Cells[at.index].Text
		}
		switch was {
		case c.Text:
			p.plan.Unchanged = append(p.plan.Unchanged, c)
			continue
		case "":
			p.plan.Added = append(p.plan.Added, c)
		default:
			p.plan.Changed = append(p.plan.Changed, c)
		}
		if source != r.Text {
			p.plan.Outdated = append(p.plan.Outdated, c)
		}
	}
	return nil
}

// unbroken returns a text with one spelling of line breaks: programs change it in files.
func unbroken(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// Write returns the command that makes the changes.
func (p *Plan) Write() Write {
	return Write{Name: verb.Import.With("translations"), Changes: slices.Concat(p.Added, p.Changed)}
}

// errLong is returned for a file that could not be read again.
var errLong = errors.New("the file would be too large")

// each calls do with the context of every row, in order.
func (t *Table) each(do func(r *Row, context string)) {
	for _, g := range t.Groups {
		for _, r := range g.Rows {
			do(r, r.context(g))
		}
	}
}

// sized returns a file, or an error if it is longer than its reader accepts.
func sized(file []byte, most int) ([]byte, error) {
	if len(file) > most {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", errLong, len(file), most)
	}
	return file, nil
}

// bcp47 returns a language tag with hyphens, as XLIFF wants it.
func bcp47(language string) string { return strings.ReplaceAll(language, "_", "-") }
