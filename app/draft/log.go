package draft

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// slack is how many forgotten steps stay stored before the origin is rewritten. The origin is a whole form, and the editor forgets one step
// for each command once its history is full.
const slack = 100

// Log knows which parts of a draft are stored. The zero Log is for a draft without stored parts.
type Log struct {
	written bool
	before  int              // serial of the step that led to the stored origin
	first   int              // number of the oldest stored step
	steps   []int            // serials of the stored steps
	pending []editor.Pending // of the stored origin
	saved   *model.Form
	savedAs int // number of the step with the saved form, or one of the two below
}

// Where the saved form is stored if it is not that of a step.
const (
	savedOrigin = -1 // it is the origin
	savedWhole  = -2 // in a separate part
)

// Next returns what must be written so that the parts hold the history p, and assumes that it is written. A caller that fails to write it
// must restore the Log, or start with a new one.
func (l *Log) Next(p editor.Past, m Meta, etag string) Batch {
	var b Batch
	forgotten := l.forgotten(p.Before)
	switch {
	case !l.written || forgotten < 0:
		b.Delete = l.names()
		*l = Log{written: true, before: p.Before, pending: p.Origin.Pending}
		b.put(originPart, p.Origin.Form.Tree())
		forgotten = 0
	case forgotten > slack:
		for i := range forgotten {
			b.Delete = append(b.Delete, stepName(l.first+i))
		}
		l.first, l.steps = l.first+forgotten, slices.Clone(l.steps[forgotten:])
		l.before, l.pending = p.Before, p.Origin.Pending
		b.put(originPart, p.Origin.Form.Tree())
		forgotten = 0
	}
	l.putSteps(&b, p, forgotten)
	l.putSaved(&b, p, forgotten)
	b.put(HeadPart, schema.NewObject(
		schema.Member{Key: "version", Value: schema.IntNumber(version)},
		schema.Member{Key: "form", Value: m.Form},
		schema.Member{Key: "name", Value: m.Name},
		schema.Member{Key: "changed", Value: m.Changed.UTC().Format(time.RFC3339Nano)},
		schema.Member{Key: "changes", Value: schema.IntNumber(m.Changes)},
		schema.Member{Key: "etag", Value: etag},
		schema.Member{Key: "saved_as", Value: schema.IntNumber(l.savedAs)},
		schema.Member{Key: "origin_pending", Value: pendingTree(l.pending)},
		schema.Member{Key: "first", Value: schema.IntNumber(l.first)},
		schema.Member{Key: "steps", Value: schema.IntNumber(len(l.steps))},
		schema.Member{Key: "at", Value: schema.IntNumber(forgotten + p.At)},
	))
	// Do not delete a part that is written again.
	b.Delete = slices.DeleteFunc(b.Delete, func(name string) bool {
		return slices.ContainsFunc(b.Put, func(part Part) bool { return part.Name == name })
	})
	return b
}

func (b *Batch) put(name string, v *schema.Object) {
	b.Put = append(b.Put, Part{name, schema.Encode(v)})
}

// forgotten returns how many of the stored steps the editor has forgotten, or -1
// if its history does not begin among the stored steps.
func (l *Log) forgotten(before int) int {
	if before == l.before {
		return 0
	}
	if i := slices.Index(l.steps, before); i >= 0 {
		return i + 1
	}
	return -1
}

// names returns the names of all stored parts.
func (l *Log) names() []string {
	if !l.written {
		return nil
	}
	names := []string{HeadPart, originPart, savedPart}
	for i := range l.steps {
		names = append(names, stepName(l.first+i))
	}
	return names
}

// putSteps writes the steps from the first that differs from the stored ones.
func (l *Log) putSteps(b *Batch, p editor.Past, forgotten int) {
	same := 0
	for same < len(p.Steps) && forgotten+same < len(l.steps) && l.steps[forgotten+same] == p.Steps[same].Serial {
		same++
	}
	for i := forgotten + same; i < len(l.steps); i++ {
		b.Delete = append(b.Delete, stepName(l.first+i))
	}
	l.steps = slices.Clone(l.steps[:forgotten+same])
	was := p.Origin
	if same > 0 {
		was = p.Steps[same-1].State
	}
	for _, s := range p.Steps[same:] {
		d := delta(was, s.State).With("label", s.Label.Tree()).With("at", s.At.UTC().Format(time.RFC3339Nano))
		b.put(stepName(l.first+len(l.steps)), d)
		l.steps = append(l.steps, s.Serial)
		was = s.State
	}
}

// putSaved writes the saved form if it is not in a stored state.
func (l *Log) putSaved(b *Batch, p editor.Past, forgotten int) {
	as := savedWhole
	for i, s := range p.Steps {
		if s.State.Form == p.Saved {
			as = l.first + forgotten + i
		}
	}
	if p.Origin.Form == p.Saved && forgotten == 0 {
		as = savedOrigin
	}
	if as == savedWhole && (l.savedAs != as || l.saved != p.Saved) {
		b.put(savedPart, p.Saved.Tree())
	}
	l.saved, l.savedAs = p.Saved, as
}
