package translate

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model/schema"
)

// Sources records of which source each translation was made: a hash of the text at that time. The form has no place for it, so the caller
// stores it. It is immutable; nil records nothing. A translation without a record is not stale.
type Sources struct {
	records map[string]*record // by Row.Key
}

// record has the hashes of the source by language. It is immutable.
type record struct {
	hashes map[string]uint64
	one    uint64 // the hash of every language, 0 if they differ; most texts have one, which spares a look into the map
}

func newRecord(hashes map[string]uint64) *record {
	r := &record{hashes: hashes}
	for _, hash := range hashes {
		r.one = hash
		break
	}
	for _, hash := range hashes {
		if hash != r.one {
			r.one = 0
		}
	}
	return r
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

func (s *Sources) of(key string) *record {
	if s == nil {
		return nil
	}
	return s.records[key]
}

// changed reports whether the record of a language is of another source.
func (r *record) changed(language string, hash uint64) bool {
	if r == nil || r.one == hash {
		return false
	}
	was, ok := r.hashes[language]
	return ok && was != hash
}

// Record returns the records after changes: each translation that was set is of its Source, and a cleared one has no record.
// Confirm makes changes for translations that are still right.
func (s *Sources) Record(changes []Change) *Sources {
	out := &Sources{records: map[string]*record{}}
	if s != nil {
		out.records = maps.Clone(s.records)
	}
	changed := map[string]map[string]uint64{} // the hashes of the changed records
	for _, c := range changes {
		hashes := changed[c.Row.Key]
		if hashes == nil {
			hashes = map[string]uint64{}
			if was := s.of(c.Row.Key); was != nil {
				hashes = maps.Clone(was.hashes)
			}
			changed[c.Row.Key] = hashes
		}
		if c.Text == "" {
			delete(hashes, c.Language)
		} else {
			hashes[c.Language] = hashOf(c.Source)
		}
	}
	for key, hashes := range changed {
		out.set(key, hashes)
	}
	return out
}

// set makes the record of a text, or removes it if there are no hashes.
func (s *Sources) set(key string, hashes map[string]uint64) {
	if len(hashes) == 0 {
		delete(s.records, key)
		return
	}
	s.records[key] = newRecord(hashes)
}

// Adopt returns the records of exactly the translations in a table. Those that have none yet count as made of the current source. A caller
// that adopts the table of a form when it opens it learns of every later change of a source.
func (s *Sources) Adopt(t *Table) *Sources {
	out := &Sources{records: make(map[string]*record, len(t.Rows))}
	for _, r := range t.Rows {
		hashes := map[string]uint64{}
		was := s.of(r.Key)
		for i, c := range r.Cells {
			if c.State == Missing {
				continue
			}
			hashes[t.Languages[i]] = r.hash
			if was == nil {
				continue
			}
			if hash, ok := was.hashes[t.Languages[i]]; ok {
				hashes[t.Languages[i]] = hash
			}
		}
		if was != nil && maps.Equal(was.hashes, hashes) {
			out.records[r.Key] = was
		} else {
			out.set(r.Key, hashes)
		}
	}
	return out
}

// Renamed returns the records after a language was renamed.
func (s *Sources) Renamed(from, to string) *Sources {
	if s == nil || from == to {
		return s
	}
	out := &Sources{records: maps.Clone(s.records)}
	for key, r := range out.records {
		if hash, ok := r.hashes[from]; ok {
			hashes := maps.Clone(r.hashes)
			delete(hashes, from)
			hashes[to] = hash
			out.set(key, hashes)
		}
	}
	return out
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

// sourcesVersion is the version of the format of Sources.
const sourcesVersion = 1

const recordsKey = "sources"

var sourcesTable = schema.Table{
	{Name: "version", Spec: schema.Numeric{Min: "1", Max: "1", Integer: true}, Required: true},
	{Name: recordsKey, Spec: schema.Map{Value: schema.Map{Value: schema.String{Min: 1, Max: 16}}}, Required: true},
}

// ReadSources reads what Text wrote. The problems are those of a text that Text did not write; there is then no value.
func ReadSources(src []byte) (*Sources, schema.Problems) {
	tree, problems := schema.DecodeGrown(src)
	if len(problems) == 0 {
		problems = schema.Check(sourcesTable, tree)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	o, _ := tree.(*schema.Object)
	all := o.Object(recordsKey)
	s := &Sources{records: make(map[string]*record, all.Len())}
	for _, m := range all.Members() {
		o, _ := m.Value.(*schema.Object)
		hashes := make(map[string]uint64, o.Len())
		for _, l := range o.Members() {
			text, _ := l.Value.(string)
			hash, err := strconv.ParseUint(text, 16, 64)
			if err != nil {
				p := schema.Path{schema.Key(recordsKey), schema.Key(m.Key), schema.Key(l.Key)}
				return nil, schema.Problems{{Path: p, Code: schema.CodeFormat, Detail: "must be a hexadecimal number", Offset: -1}}
			}
			hashes[l.Key] = hash
		}
		s.set(m.Key, hashes)
	}
	return s, nil
}

// Text returns the records as JSON, the same bytes for the same records.
func (s *Sources) Text() []byte {
	var keys []schema.Member
	if s != nil {
		for _, key := range slices.Sorted(maps.Keys(s.records)) {
			hashes := s.records[key].hashes
			list := make([]schema.Member, 0, len(hashes))
			for _, l := range slices.Sorted(maps.Keys(hashes)) {
				list = append(list, schema.Member{Key: l, Value: strconv.FormatUint(hashes[l], 16)})
			}
			keys = append(keys, schema.Member{Key: key, Value: schema.NewObject(list...)})
		}
	}
	return schema.Encode(schema.NewObject(
		schema.Member{Key: "version", Value: schema.IntNumber(sourcesVersion)},
		schema.Member{Key: recordsKey, Value: schema.NewObject(keys...)}))
}

// change returns the change of a translation of the current source.
func (t *Table) change(r *Row, column int, text string) Change {
	return Change{Row: r, Language: t.Languages[column], Text: text, Source: r.Text}
}
