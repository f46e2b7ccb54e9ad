package draft

import (
	"errors"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ErrVersion is returned for a draft that another version of this program wrote.
var ErrVersion = errors.New("the draft was written by another version of this program")

// ReadMeta reads the summary of a draft from its head part.
func ReadMeta(head []byte) (Meta, error) {
	o, err := parse(head)
	if err != nil {
		return Meta{}, err
	}
	return metaOf(o)
}

func metaOf(o *schema.Object) (Meta, error) {
	if v, err := number(o, "version"); err != nil || v != version {
		return Meta{}, ErrVersion
	}
	m := Meta{Form: o.Text("form"), Name: o.Text("name")}
	var err error
	if m.Changed, err = time.Parse(time.RFC3339Nano, o.Text("changed")); err != nil || m.Form == "" {
		return Meta{}, errMalformed
	}
	m.Changes, err = number(o, "changes")
	return m, err
}

// Read reads a draft from its parts, by name, and returns the Log to continue it with. If a step is damaged, the history ends before it:
// the error says so, and the Draft is valid. If the Log is nil, the draft cannot be read.
func Read(parts map[string][]byte) (Draft, *Log, error) {
	head, err := parse(parts[HeadPart])
	if err != nil {
		return Draft{}, nil, fmt.Errorf("read draft: %w", err)
	}
	var d Draft
	if d.Meta, err = metaOf(head); err != nil {
		return Draft{}, nil, fmt.Errorf("read draft: %w", err)
	}
	d.ETag = head.Text("etag")
	var numbers [4]int
	for i, key := range []string{"first", "steps", "at", "saved_as"} {
		if numbers[i], err = number(head, key); err != nil {
			return Draft{}, nil, fmt.Errorf("read draft: %w", err)
		}
	}
	first, count, at, savedAs := numbers[0], numbers[1], numbers[2], numbers[3]
	origin, err := parse(parts[originPart])
	if err != nil {
		return Draft{}, nil, fmt.Errorf("read draft: %w", err)
	}
	d.Past = editor.Past{Origin: editor.State{Form: model.FromTree(origin)}, Before: first}
	if d.Past.Origin.Pending, err = pendingOf(head.List("origin_pending")); err != nil {
		return Draft{}, nil, fmt.Errorf("read draft: %w", err)
	}
	damaged := readSteps(&d.Past, parts, first, count)
	d.Past.At = min(max(at, 0), len(d.Past.Steps))
	if d.Past.Saved, err = readSaved(d.Past, parts, savedAs-first, savedAs); err != nil {
		return Draft{}, nil, fmt.Errorf("read draft: %w", err)
	}
	l := &Log{written: true, before: first, first: first, pending: d.Past.Origin.Pending, saved: d.Past.Saved, savedAs: savedAs}
	for i := range count {
		serial := first + i + 1
		if i >= len(d.Past.Steps) {
			serial = -1 // damaged: no step has this serial, so the next batch deletes it
		}
		l.steps = append(l.steps, serial)
	}
	return d, l, damaged
}

// readSteps appends the steps to a history. The serial of a step is its number
// plus one.
func readSteps(p *editor.Past, parts map[string][]byte, first, count int) error {
	state := p.Origin
	for i := range count {
		o, err := parse(parts[stepName(first+i)])
		if err == nil {
			state, err = apply(state, o)
		}
		if err != nil {
			return fmt.Errorf("read step %d of %d of the draft: %w", i+1, count, err)
		}
		at, _ := time.Parse(time.RFC3339Nano, o.Text("at"))
		label, _ := o.Get("label")
		p.Steps = append(p.Steps, editor.Done{Serial: first + i + 1, Label: verb.Read(label), At: at, State: state})
	}
	return nil
}

// readSaved returns the saved form: that of the i-th step, or the one to which savedAs refers.
func readSaved(p editor.Past, parts map[string][]byte, i, savedAs int) (*model.Form, error) {
	switch {
	case savedAs == savedOrigin:
		return p.Origin.Form, nil
	case savedAs >= 0 && i >= 0 && i < len(p.Steps):
		return p.Steps[i].State.Form, nil
	case savedAs == savedWhole:
		o, err := parse(parts[savedPart])
		if err != nil {
			return nil, err
		}
		return model.FromTree(o), nil
	}
	// The step is damaged. The history began with an older saved form.
	return p.Origin.Form, nil
}
