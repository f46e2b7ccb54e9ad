package translate

import (
	"slices"

	"github.com/formgraph/formgraph/app/translate/sources"
)

// Record returns the records after changes: each translation that was set is of its Source, and a cleared one has no record.
// Confirm makes changes for translations that are still right.
func Record(s *sources.Records, changes []Change) *sources.Records {
	changed := map[string]map[string]uint64{}
	for _, c := range changes {
		hashes := changed[c.Row.Key]
		if hashes == nil {
			hashes = s.Of(c.Row.Key).Hashes()
			changed[c.Row.Key] = hashes
		}
		if c.Text == "" {
			delete(hashes, c.Language)
		} else {
			hashes[c.Language] = sources.Hash(c.Source)
		}
	}
	return s.With(changed)
}

// Adopt returns the records of exactly the translations in a table. Those that have none yet count as made of the current source.
func Adopt(s *sources.Records, t *Table) *sources.Records {
	all := make(map[string]map[string]uint64, len(t.Rows))
	for _, r := range t.Rows {
		hashes := map[string]uint64{}
		was := s.Of(r.Key)
		for i, c := range r.Cells {
			if c.State == Missing {
				continue
			}
			hashes[t.Languages[i]] = r.hash
			if hash, ok := was.Hash(t.Languages[i]); ok {
				hashes[t.Languages[i]] = hash
			}
		}
		all[r.Key] = hashes
	}
	return s.Only(all)
}

// Follow returns the records after a form was saved in place of another: a translation that is new or changed is of the source as it is now,
// any other stays of the source of which it was. An earlier source of a translation that is now stale is remembered.
func Follow(s *sources.Records, before, after *Table) *sources.Records {
	s = Adopt(s, before)
	earlier := make(map[string]*Row, len(before.Rows))
	for _, r := range before.Rows {
		earlier[r.Key] = r
	}
	columns := make([]int, len(after.Languages)) // of the languages before
	for i, l := range after.Languages {
		columns[i] = slices.IndexFunc(before.Languages, same(l))
	}
	all := make(map[string]map[string]uint64, len(after.Rows))
	var texts []string
	for _, r := range after.Rows {
		was, record := earlier[r.Key], s.Of(r.Key)
		hashes := map[string]uint64{}
		for i, c := range r.Cells {
			if c.State == Missing {
				continue
			}
			l := after.Languages[i]
			hashes[l] = r.hash
			if was == nil || columns[i] < 0 || was.Cells[columns[i]].Text != c.Text {
				continue
			}
			if hash, ok := record.Hash(before.Languages[columns[i]]); ok {
				hashes[l] = hash
			}
		}
		if was != nil && was.hash != r.hash {
			texts = append(texts, was.Text)
		}
		all[r.Key] = hashes
	}
	return s.Only(all).Remember(texts...)
}

// Confirm returns changes that record the current sources of translations, and change no text: somebody has found that the translations in
// the block are still right. Missing ones are left out.
func (t *Table) Confirm(b Block) []Change {
	var list []Change
	for _, r := range b.Rows {
		for _, l := range b.Columns {
			if c := r.Cells[l]; c.State != Missing {
				list = append(list, t.change(r, l, c.Text))
			}
		}
	}
	return list
}

// Earlier returns the source of which a stale translation was made, "" if it is unknown.
func Earlier(s *sources.Records, r *Row, language string) string {
	hash, ok := s.Of(r.Key).Hash(language)
	if !ok || hash == r.hash {
		return ""
	}
	return s.Source(hash)
}

// change returns the change of a translation of the current source.
func (t *Table) change(r *Row, column int, text string) Change {
	return Change{Row: r, Language: t.Languages[column], Text: text, Source: r.Text}
}
