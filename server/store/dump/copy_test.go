package dump_test

import (
	"context"
	"errors"
	"testing"

	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/dump/dumptest"
)

// memory is a Sink that changes what it stores.
type memory struct {
	rows   map[string][]dump.Row
	change func(t dump.Table, rows []dump.Row) []dump.Row
}

func (m *memory) Last(context.Context, dump.Table) (int64, error)  { return 0, nil }
func (m *memory) SetLast(context.Context, dump.Table, int64) error { return nil }
func (m *memory) Fit(dump.Table, dump.Row) bool                    { return false }
func (m *memory) Insert(_ context.Context, t dump.Table, r []dump.Row) error {
	m.rows[t.Name] = append(m.rows[t.Name], m.change(t, r)...)
	return nil
}

func (m *memory) Rows(_ context.Context, t dump.Table, row func(dump.Row) error) error {
	for _, r := range m.rows[t.Name] {
		if err := row(r); err != nil {
			return err
		}
	}
	return nil
}

// A copy that has lost or changed a row is noticed.
func TestCopyNoticesDifferences(t *testing.T) {
	last := dump.Tables()[len(dump.Tables())-1].Name
	for name, c := range map[string]struct {
		change func(t dump.Table, rows []dump.Row) []dump.Row
		want   error
	}{
		"equal": {func(_ dump.Table, rows []dump.Row) []dump.Row { return rows }, nil},
		"a lost row": {func(t dump.Table, rows []dump.Row) []dump.Row {
			if t.Name == last {
				return rows[1:]
			}
			return rows
		}, dump.ErrDiffers},
		"a changed value": {func(t dump.Table, rows []dump.Row) []dump.Row {
			if t.Name == last {
				rows[0][0] = []byte("changed")
			}
			return rows
		}, dump.ErrDiffers},
	} {
		_, err := dump.Copy(t.Context(), dumptest.Rows{Count: 2}, &memory{map[string][]dump.Row{}, c.change}, nil)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
