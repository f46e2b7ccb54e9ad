package translate

import (
	"errors"
	"fmt"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/schema"
)

// MaxBytes bounds the text of a file and of what is pasted.
const MaxBytes = 16 << 20

// ErrTooLarge is returned for a text of more than MaxBytes.
var ErrTooLarge = fmt.Errorf("must have at most %d bytes", MaxBytes)

// Copy returns the block as a text that spreadsheets paste: cells separated by tabs, rows ended by line breaks, cells with either in
// quotes. A cell that a spreadsheet would take for a formula begins with an apostrophe.
func (t *Table) Copy(b Block) string {
	var text []byte
	fields := make([]string, len(b.Columns))
	for _, r := range b.Rows {
		for i, l := range b.Columns {
			fields[i] = guarded(r.Cells[l].Text)
		}
		text = appendRecord(text, '\t', "\n", fields)
	}
	return string(text)
}

// errOutside is why a text cannot be pasted.
var errOutside = errors.New("the copied cells reach beyond the table")

// Paste returns the command that pastes a text from Copy or a spreadsheet into the cells from the first one of the block on. An empty cell
// removes a translation; cells that a short row lacks stay. The error says that the text is too large, or reaches beyond the block, which
// should therefore extend to the end of the table.
func (t *Table) Paste(b Block, text string) (Write, error) {
	if len(text) > MaxBytes {
		return Write{}, fmt.Errorf("paste: the text %w", ErrTooLarge)
	}
	w := Write{Name: verb.Paste.With("translations")}
	row := 0
	err := separated(schema.WellFormed(text), '\t', true, func(_ int, fields []string) error {
		if row >= len(b.Rows) || len(fields) > len(b.Columns) {
			return fmt.Errorf("paste: %w", errOutside)
		}
		for i, f := range fields {
			w.Changes = append(w.Changes, t.change(b.Rows[row], b.Columns[i], unguarded(f)))
		}
		row++
		return nil
	})
	if err != nil {
		return Write{}, err
	}
	return w, nil
}

// Clear returns the command that removes the translations in a block.
func (t *Table) Clear(b Block) Write {
	w := Write{Name: verb.Clear.With("translations")}
	for _, r := range b.Rows {
		for _, l := range b.Columns {
			w.Changes = append(w.Changes, t.change(r, l, ""))
		}
	}
	return w
}
