// Package sources keeps of which source each translation of a form was made, so that a change of the source marks the translation as stale.
// A form has no place for this, so the server keeps it beside the form.
package sources

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model/schema"
)

// Records has for each translation a hash of the text of which it was made. It is immutable; nil records nothing. A translation without a
// record is not stale.
type Records struct {
	records map[string]*Record // by the key of the text
	texts   map[uint64]string  // earlier sources, by their hash
}

// Record has the hashes of the sources of a text's translations, by language. It is immutable; nil has none.
type Record struct {
	hashes map[string]uint64
	one    uint64 // the hash of every language, 0 if they differ; most texts have one, which spares a look into the map
}

func newRecord(hashes map[string]uint64) *Record {
	r := &Record{hashes: hashes}
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

// Hash returns the hash of a source.
func Hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// Of returns the record of a text, nil if there is none.
func (s *Records) Of(key string) *Record {
	if s == nil {
		return nil
	}
	return s.records[key]
}

// Source returns an earlier source by its hash, "" if it is unknown.
func (s *Records) Source(hash uint64) string {
	if s == nil {
		return ""
	}
	return s.texts[hash]
}

// Changed reports whether the translation into a language was made of another source than the one with the hash.
func (r *Record) Changed(language string, hash uint64) bool {
	if r == nil || r.one == hash {
		return false
	}
	was, ok := r.hashes[language]
	return ok && was != hash
}

// Hash returns the hash of the source of a translation, if it is recorded.
func (r *Record) Hash(language string) (uint64, bool) {
	if r == nil {
		return 0, false
	}
	hash, ok := r.hashes[language]
	return hash, ok
}

// Hashes returns a copy of the hashes by language.
func (r *Record) Hashes() map[string]uint64 {
	if r == nil {
		return map[string]uint64{}
	}
	return maps.Clone(r.hashes)
}

// With returns the records with other hashes of some texts, by key and language. A text without hashes loses its record. The maps become
// part of the records.
func (s *Records) With(changed map[string]map[string]uint64) *Records {
	out := &Records{records: map[string]*Record{}}
	if s != nil {
		out.records, out.texts = maps.Clone(s.records), s.texts
	}
	for key, hashes := range changed {
		if len(hashes) == 0 {
			delete(out.records, key)
		} else {
			out.records[key] = newRecord(hashes)
		}
	}
	return out
}

// Only returns the records of exactly the given texts, by key and language; those whose hashes did not change are shared.
func (s *Records) Only(all map[string]map[string]uint64) *Records {
	out := &Records{records: make(map[string]*Record, len(all))}
	if s != nil {
		out.texts = s.texts
	}
	for key, hashes := range all {
		if was := s.Of(key); was != nil && maps.Equal(was.hashes, hashes) {
			out.records[key] = was
		} else if len(hashes) > 0 {
			out.records[key] = newRecord(hashes)
		}
	}
	return out
}

// Remember returns the records with earlier sources, of which only those are kept that some record names.
func (s *Records) Remember(texts ...string) *Records {
	out := s.With(nil)
	all := map[uint64]string{}
	maps.Copy(all, out.texts)
	for _, text := range texts {
		all[Hash(text)] = text
	}
	named := map[uint64]bool{}
	for _, r := range out.records {
		for _, hash := range r.hashes {
			named[hash] = true
		}
	}
	maps.DeleteFunc(all, func(hash uint64, _ string) bool { return !named[hash] })
	out.texts = all
	return out
}

// Renamed returns the records after a language was renamed.
func (s *Records) Renamed(from, to string) *Records {
	if s == nil || from == to {
		return s
	}
	changed := map[string]map[string]uint64{}
	for key, r := range s.records {
		if hash, ok := r.hashes[from]; ok {
			hashes := maps.Clone(r.hashes)
			delete(hashes, from)
			hashes[to] = hash
			changed[key] = hashes
		}
	}
	return s.With(changed)
}

// version is the version of the format.
const version = 1

const (
	recordsKey = "sources"
	textsKey   = "texts"
)

// maxText bounds an earlier source in characters; no text of a form is longer.
const maxText = 50_000

var table = schema.Table{
	{Name: "version", Spec: schema.Numeric{Min: "1", Max: "1", Integer: true}, Required: true},
	{Name: recordsKey, Spec: schema.Map{Value: schema.Map{Value: schema.String{Min: 1, Max: 16}}}, Required: true},
	{Name: textsKey, Spec: schema.Map{Value: schema.String{Max: maxText}}},
}

// Read reads what Text wrote. The problems are those of a text that Text did not write; there is then no value.
func Read(src []byte) (*Records, schema.Problems) {
	tree, problems := schema.DecodeGrown(src)
	if len(problems) == 0 {
		problems = schema.Check(table, tree)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	o, _ := tree.(*schema.Object)
	s := &Records{records: map[string]*Record{}, texts: map[uint64]string{}}
	for _, m := range o.Object(recordsKey).Members() {
		o, _ := m.Value.(*schema.Object)
		hashes := make(map[string]uint64, o.Len())
		for _, l := range o.Members() {
			text, _ := l.Value.(string)
			hash, err := strconv.ParseUint(text, 16, 64)
			if err != nil {
				return nil, malformed(recordsKey, m.Key, l.Key)
			}
			hashes[l.Key] = hash
		}
		if len(hashes) > 0 {
			s.records[m.Key] = newRecord(hashes)
		}
	}
	for _, m := range o.Object(textsKey).Members() {
		hash, err := strconv.ParseUint(m.Key, 16, 64)
		if err != nil {
			return nil, malformed(textsKey, m.Key)
		}
		s.texts[hash], _ = m.Value.(string)
	}
	return s, nil
}

func malformed(keys ...string) schema.Problems {
	var p schema.Path
	for _, key := range keys {
		p = p.Key(key)
	}
	return schema.Problems{{Path: p, Code: schema.CodeFormat, Detail: "must be a hexadecimal number", Offset: -1}}
}

// Text returns the records as JSON, the same bytes for the same records.
func (s *Records) Text() []byte {
	var keys, texts []schema.Member
	if s != nil {
		for _, key := range slices.Sorted(maps.Keys(s.records)) {
			hashes := s.records[key].hashes
			list := make([]schema.Member, 0, len(hashes))
			for _, l := range slices.Sorted(maps.Keys(hashes)) {
				list = append(list, schema.Member{Key: l, Value: strconv.FormatUint(hashes[l], 16)})
			}
			keys = append(keys, schema.Member{Key: key, Value: schema.NewObject(list...)})
		}
		for _, hash := range slices.Sorted(maps.Keys(s.texts)) {
			texts = append(texts, schema.Member{Key: strconv.FormatUint(hash, 16), Value: s.texts[hash]})
		}
	}
	members := []schema.Member{{Key: "version", Value: schema.IntNumber(version)}, {Key: recordsKey, Value: schema.NewObject(keys...)}}
	if len(texts) > 0 {
		members = append(members, schema.Member{Key: textsKey, Value: schema.NewObject(texts...)})
	}
	return schema.Encode(schema.NewObject(members...))
}
