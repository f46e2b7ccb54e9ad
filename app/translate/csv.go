package translate

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/charset"
)

// bom is the byte order mark, without which spreadsheets do not read a file as UTF-8.
const bom = "\ufeff"

// The columns of a CSV file before those of the languages.
var csvColumns = []string{"key", "context", "source"}

// CSV returns the table as a file for spreadsheets, by RFC 4180 in UTF-8 with a byte order mark: a row for each text with its key, its
// context, its source, and its translation into each language. No cell is a formula for a spreadsheet: an apostrophe is put before one that
// could be, and ReadCSV takes it away. The error says that the file would be longer than MaxBytes.
func (t *Table) CSV() ([]byte, error) {
	fields := append(make([]string, 0, len(csvColumns)+len(t.Languages)), csvColumns...)
	for _, l := range t.Languages {
		fields = append(fields, guarded(l))
	}
	file := appendRecord([]byte(bom), ',', "\r\n", fields)
	t.each(func(r *Row, context string) {
		fields = append(fields[:0], r.Key, guarded(context), guarded(r.Text))
		for _, c := range r.Cells {
			fields = append(fields, guarded(c.Text))
		}
		file = appendRecord(file, ',', "\r\n", fields)
	})
	return sized(file, MaxBytes)
}

// ReadCSV reads what CSV wrote and a spreadsheet may have saved, separated by commas, semicolons or tabs, in an encoding that charset.Text
// reads. Errors name the line.
func ReadCSV(src []byte) (*File, error) {
	if len(src) > MaxBytes {
		return nil, ErrTooLarge
	}
	text, err := charset.Text(src)
	if err != nil {
		return nil, err
	}
	separator, named := csvSeparator(text)
	f := &File{}
	var languages []string
	err = separated(text, separator, false, func(line int, fields []string) error {
		for i := range fields {
			fields[i] = unguarded(fields[i])
		}
		where := fmt.Sprintf("line %d", line)
		switch {
		case line == 1 && named:
			return nil
		case languages == nil:
			var err error
			if languages, err = csvHeader(fields); err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
			return nil
		case strings.Join(fields, "") == "":
			return nil
		}
		for len(fields) > len(csvColumns)+len(languages) && fields[len(fields)-1] == "" {
			fields = fields[:len(fields)-1]
		}
		if n := len(csvColumns) + len(languages); len(fields) > n || len(fields) < len(csvColumns) {
			return fmt.Errorf("%s: must have %d to %d cells, has %d", where, len(csvColumns), n, len(fields))
		}
		item := Item{Key: fields[0], Where: where, Text: fields[2], HasText: true}
		for i, cell := range fields[len(csvColumns):] {
			if cell != "" {
				item.Translations = append(item.Translations, Translation{languages[i], cell})
			}
		}
		return f.add(item)
	})
	if err != nil {
		return nil, err
	}
	if languages == nil {
		return nil, fmt.Errorf("line 1: must have the columns %s", strings.Join(csvColumns, ", "))
	}
	return f, nil
}

// csvSeparator returns the separator of a file, and whether its first line names it, as in sep=; which spreadsheets read and write.
func csvSeparator(text string) (separator byte, named bool) {
	text = strings.Replace(text, `"`, "", 2)
	for _, c := range []byte(";\t,") {
		if named = strings.HasPrefix(strings.ToLower(text), "sep="+string(c)); named || strings.HasPrefix(text, csvColumns[0]+string(c)) {
			return c, named
		}
	}
	return ',', false
}

// csvHeader returns the languages that a header names.
func csvHeader(fields []string) ([]string, error) {
	for i, name := range csvColumns {
		if i >= len(fields) || fields[i] != name {
			return nil, fmt.Errorf("must begin with the columns %s", strings.Join(csvColumns, ", "))
		}
	}
	languages := append([]string{}, fields[len(csvColumns):]...)
	for len(languages) > 0 && languages[len(languages)-1] == "" {
		languages = languages[:len(languages)-1]
	}
	for i, l := range languages {
		if l == "" {
			return nil, fmt.Errorf("column %d: must have a language", len(csvColumns)+i+1)
		}
		for _, m := range languages[:i] {
			if same(l)(m) {
				return nil, fmt.Errorf("the columns %q and %q are of one language", m, l)
			}
		}
	}
	return languages, nil
}
