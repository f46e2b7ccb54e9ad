package admin

import (
	"maps"

	"github.com/formgraph/formgraph/model/schema"
)

// editing is the form of one entry. While it has unsaved changes it is kept, even when another entry is open.
type editing struct {
	entry    *schema.Object   // the latest answer of the tenant; nil for an entry that is being created
	was, now draft            // the tenant's values, and the form's
	owned    []*schema.Object // the things that can be removed from the entry
	problems map[string]string
	failed   string              // why the last save was refused, for display
	err      error               // why the entry could not be read
	choosers map[string]*chooser // by the paths of fields
	loading  bool
	busy     bool
}

// newEditing returns the form of an entry that is being created.
func newEditing(s *section) *editing {
	e := &editing{was: s.read(nil, nil)}
	e.now = maps.Clone(e.was)
	return e
}

// dirty reports whether the form has unsaved changes.
func (e *editing) dirty(s *section) bool { return e != nil && len(s.changed(e.was, e.now)) > 0 }

// idle reports whether the form can be dropped and read again without loss.
func (e *editing) idle(s *section) bool {
	return !e.busy && !e.dirty(s)
}

// discard resets the form to the tenant's values.
func (e *editing) discard() {
	e.now = maps.Clone(e.was)
	e.problems, e.failed = nil, ""
}

// loaded updates the form with an entry that was read, and its sets. Input made in the meantime stays.
func (e *editing) loaded(s *section, entry *schema.Object, sets map[string][]*schema.Object) {
	e.entry = entry
	held := s.read(entry, sets)
	for i := range s.fields {
		f := &s.fields[i]
		if f.set == nil {
			continue
		}
		if f.set.long {
			held[f.path] = e.was[f.path] // its items are read with the options
		}
		e.chooser(f).name(f, sets[f.path], facts{entry: entry})
	}
	e.settle(s, maps.Clone(e.was), held)
}

// accept records the tenant's state after a request of a plan; sent is the draft from which the plan was made. Input
// made since then stays unsaved.
func (e *editing) accept(s *section, r request, sent draft, answer *schema.Object) {
	maps.Copy(e.was, r.leaves)
	if !r.whole || answer == nil {
		return
	}
	// A secret is shown once and never stored.
	e.entry = answer.Without("client_secret")
	held := s.read(e.entry, nil)
	for i := range s.fields {
		if f := &s.fields[i]; f.set != nil {
			held[f.path] = e.was[f.path]
		}
	}
	e.settle(s, sent, held)
}

// settle makes held the tenant's values. Fields that still have the value in old take the new one. In a set, items
// added or removed since old stay so, and items that are new in held are added.
func (e *editing) settle(s *section, old, held draft) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.set != nil && e.was[f.path] == held[f.path] {
			continue // there is no new value for it
		}
		switch {
		case f.same(e.now[f.path], old[f.path]):
			e.now[f.path] = held[f.path]
		case f.set != nil:
			e.now[f.path] = merged(held[f.path], old[f.path], e.now[f.path])
		}
	}
	e.was = held
}

// typed changes a control's text and clears its problem.
func (e *editing) typed(s *section, name, text string) {
	f, row, column := s.controlOf(name)
	if f == nil {
		return
	}
	e.now[f.path] = f.typed(e.now[f.path], row, column, text)
	delete(e.problems, name)
	if f.clears != "" {
		e.now[f.clears] = "" // its choices would be refused with the new value
	}
}

// choose sets a field to the key of an option, or adds the key to a checksField or removes it.
func (e *editing) choose(s *section, f *field, key string, on bool) {
	for _, o := range e.choices(f, facts{entry: e.entry, draft: e.now}) {
		if o.key == key {
			e.chooser(f).known[key] = o
		}
	}
	if f.kind == checksField {
		key = toggled(e.now[f.path], key, on)
	}
	e.typed(s, f.path, key)
}

// addRow adds a blank row to a field and returns the name of its first control.
func (e *editing) addRow(s *section, path string) string {
	f := s.field(path)
	if f == nil {
		return ""
	}
	rows := append(f.rows(e.now[path]), f.blankRow())
	e.now[path] = rowsOf(rows)
	return f.control(len(rows)-1, 0)
}

// removeRow removes the row of the control with the given name, and returns the name of the control that takes its
// place, "" for none. It clears the problems of the field, because its rows are renumbered.
func (e *editing) removeRow(s *section, name string) string {
	f, row, _ := s.controlOf(name)
	if f == nil {
		return ""
	}
	rows := f.rows(e.now[f.path])
	if row >= len(rows) {
		return ""
	}
	for i := range rows {
		for c := range max(1, len(f.columns)) {
			delete(e.problems, f.control(i, c))
		}
	}
	rows = append(rows[:row:row], rows[row+1:]...)
	e.now[f.path] = rowsOf(rows)
	if len(rows) == 0 {
		return ""
	}
	return f.control(min(row, len(rows)-1), 0)
}
