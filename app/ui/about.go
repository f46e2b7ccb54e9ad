package ui

import (
	"time"

	"github.com/formgraph/formgraph/app/ui/inspect"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// facts returns what the parts of the page know about the form.
func (p *parts) facts() inspect.Facts {
	known := inspect.Facts{
		Scenarios: p.scenarios.Count(), Failing: p.scenarios.Failing(), Comments: p.desk.OpenThreads(), Tried: p.preview.Opened(),
	}
	if n, _ := p.problems.Counted(); p.problems.Blocking() {
		known.Problems = n
	} else {
		known.Warnings = n
	}
	if p.saver != nil {
		if at := p.saver.SavedAt(); !at.IsZero() {
			known.SavedWhen, known.SavedBy = kit.AgoShort(at, time.Now()), p.versions.Blame.Saved(p.saver.ETag())
		}
	}
	return known
}
