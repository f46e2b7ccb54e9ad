package scope

import (
	std "context"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Miss says which paths miss a field.
type Miss int

// The ways to miss a field.
const (
	NoField   Miss = iota // no component or hidden field has the id
	NoPath                // a component or hidden field has the id, but no path to the place may collect it
	SomePaths             // a path to the place may collect the field, and another one does not
)

// Finding is a reference to a field that a path to its place has not collected. It is immutable, safe for concurrent use, and keeps its
// form alive.
type Finding struct {
	Path schema.Path // of the string with the reference
	Name string      // of the field
	Miss Miss

	analysis *Analysis
	site     site
}

// Findings returns the references to fields that some path to their place does not collect, in document order, one for each string and
// field. A reference with a fallback, as in {{fields.x ?? 'you'}}, may miss some paths but not all, and so may an operand of which a
// condition asks whether it has a value. A place that no path reaches has only findings of NoField. The caller must not change the
// paths.
func (a *Analysis) Findings() []Finding {
	findings, _ := a.FindingsUntil(std.Background())
	return findings
}

// FindingsUntil is Findings, but ends once the context is done. all reports whether it followed every reference: it did not if it ended, or if the
// form has more steps with fields than it can follow, about 15,000 in a row. What it found is true all the same.
func (a *Analysis) FindingsUntil(ctx std.Context) (findings []Finding, all bool) {
	found := make([]*Finding, len(a.refs))
	byPass := make([][]int, (len(a.groups)+wordSize-1)/wordSize)
	for i, r := range a.refs {
		field, ok := a.byID[r.id]
		switch {
		case !ok && len(a.others[r.id]) == 0:
			found[i] = a.finding(r, NoField)
		case r.site.hidden >= 0:
			// The values are set in their order, and before any of them comes from outside.
			if !ok || !a.givenBefore(field, r.site.hidden) {
				found[i] = a.finding(r, NoPath)
			}
		case !ok: // a component without an answer
			if slices.ContainsFunc(r.site.at, func(v int) bool { return a.reached[v] }) {
				found[i] = a.finding(r, NoPath)
			}
		default:
			in := a.fields[field].of / wordSize
			byPass[in] = append(byPass[in], i)
		}
	}
	p := a.newPass(func() bool { return ctx.Err() != nil })
	all = true
	for i, refs := range byPass {
		if len(refs) > 0 && !p.follow(i*wordSize) {
			all = false
			break
		}
		for _, ref := range refs {
			r := a.refs[ref]
			if p.left -= len(r.site.at); p.left <= 0 {
				all = false
				break
			}
			misses, may := p.at(r.site, a.fields[a.byID[r.id]].of)
			switch {
			case misses && !may:
				found[ref] = a.finding(r, NoPath)
			case misses && !r.optional:
				found[ref] = a.finding(r, SomePaths)
			}
		}
	}
	for _, f := range found {
		if f != nil {
			findings = append(findings, *f)
		}
	}
	return findings, all
}

func (a *Analysis) finding(r reference, m Miss) *Finding { return &Finding{r.path, r.id, m, a, r.site} }

// givenBefore reports whether the field has a value of the form when the value of the i-th hidden field is evaluated.
func (a *Analysis) givenBefore(field, i int) bool {
	given := a.fields[field].given
	return given >= 0 && given < i
}

// Journey returns a shortest path that does not collect the field: the ids of its nodes, from model.StartID to the node with the reference
// or model.EndingID. For a text that several steps show, it ends at one of them. It is nil if no path leads to the place. Each call
// computes the path, in time linear in the form.
func (f Finding) Journey() []string {
	a := f.analysis
	if a == nil {
		return nil
	}
	var avoid []int
	if field, ok := a.byID[f.Name]; ok {
		avoid = a.fields[field].steps
	}
	paths := a.search(avoid)
	places := make([]bool, len(a.ways))
	for _, v := range f.site.at {
		places[v] = true
	}
	end := slices.IndexFunc(paths.order, func(v int) bool { return places[v] })
	if end < 0 {
		return nil
	}
	v := paths.order[end]
	var ids []string
	for ; v != a.start(); v = paths.last[v] {
		id := model.EndingID
		if v != a.ending() {
			id = a.form.Nodes[v].ID
		}
		ids = append(ids, id)
	}
	ids = append(ids, model.StartID)
	slices.Reverse(ids)
	return ids
}

// Near returns the name of a field that may be meant by an unknown one, or "" if no name is near or the field is known. At most about a
// third of the characters may differ. Each call compares all names.
func (f Finding) Near() string {
	if f.analysis == nil || f.Miss != NoField {
		return ""
	}
	name, least := "", (len(f.Name)+1)/3+1
	for _, known := range f.analysis.fields {
		if max(len(known.id)-len(f.Name), len(f.Name)-len(known.id)) >= least {
			continue
		}
		if d := distance(f.Name, known.id); d < least {
			name, least = known.id, d
		}
	}
	return name
}

// distance returns the number of bytes to insert, delete or replace to make one text of another.
func distance(s, t string) int {
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(s) {
		above := row[0] // the distance of s[:i] and t[:j]
		row[0] = i + 1
		for j := range len(t) {
			d := above
			if s[i] != t[j] {
				d = 1 + min(above, row[j], row[j+1])
			}
			above, row[j+1] = row[j+1], d
		}
	}
	return row[len(t)]
}
