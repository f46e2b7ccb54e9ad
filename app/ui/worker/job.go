package worker

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Job is work that a worker of its own does, so that the preview is not kept waiting and the work can be canceled. The zero value does
// nothing.
type Job struct {
	worker  *Worker
	percent int
}

// Run begins a job in place of the one under way. done receives its report, on the page's goroutine; redraws follow its progress.
func (j *Job) Run(ctx app.Context, of *workspace.Workspace, job message.Job, done func(app.Context, message.Report)) {
	j.Cancel()
	end := func(ctx app.Context, r message.Report) {
		j.Cancel()
		done(ctx, r)
		of.Redraw(ctx)
	}
	j.worker = Start(ctx, of, Trial, func(ctx app.Context, text string) {
		r, err := message.ParseReport(text)
		switch {
		case err != nil:
			end(ctx, message.Report{Fault: err.Error()})
		case r.Done || r.Fault != "":
			end(ctx, r)
		default:
			j.percent = max(j.percent, r.Percent)
			of.Redraw(ctx)
		}
	}, func(ctx app.Context) {
		end(ctx, message.Report{Fault: "The program that runs forms could not be loaded. Check the connection, then try again."})
	})
	j.worker.Post(job.Text())
	of.Redraw(ctx)
}

// Running reports whether a job is under way, and how much of it is done, in percent.
func (j *Job) Running() (percent int, ok bool) { return j.percent, j.worker != nil }

// Progress draws the progress of a job, and a button with an act that cancels it.
func Progress(doing string, percent int, cancel string) app.UI {
	return kit.El("span.sc-work role=status").Body(
		kit.El("progress max=100 value=% aria-label=%", strconv.Itoa(percent), doing),
		kit.El("span").Text(fmt.Sprintf("%s, %d %%", doing, percent)), kit.TextButton(cancel, "Cancel", "secondary"))
}

// Cancel ends the job under way, if any. Its report is not delivered.
func (j *Job) Cancel() {
	j.worker.End()
	*j = Job{}
}
