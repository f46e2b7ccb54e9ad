package saver

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// ConflictsDialog is the name of the dialog about conflicting changes.
const ConflictsDialog = "conflicts"

// The acts of the review of conflicts.
const (
	ReviewAct  = "review"        // opens the dialog
	ChooseAct  = "choose-side"   // chooses a side of a conflict; the argument is as sideArg makes it
	SettleAct  = "settle"        // applies the choices
	SaveAct    = "settle-save"   // applies the choices and saves
	DiscardAct = "settle-theirs" // discards what is unsaved
)

// review is the conflicts between the person's work and what others saved, until the person has settled them. The form has the person's
// values meanwhile.
type review struct {
	who       string    // who saved the other version, inside a sentence
	at        time.Time // when, the zero time if that is not known
	conflicts []merge.Conflict
	theirs    []bool // which ones are settled with the other version; parallel to conflicts
	seen      bool   // the person has opened the dialog
	spans     kit.Spans
}

// words says what the review of conflicts in a form is about.
func (r *review) words(f *model.Form, now time.Time) string {
	what, were, that := strconv.Itoa(len(r.conflicts))+" things", " were", " that you changed"
	if len(r.conflicts) == 1 {
		what, were, that = kit.Quote(describe.Place(f, r.conflicts[0].Path)), " was", ""
	}
	when := r.when(now, " at ", " on ")
	switch r.who {
	case "you":
		return "You changed " + what + " here and in another window. What is here stays in place until you decide."
	case "somebody":
		return what + were + " changed elsewhere" + when + ", and by you. Yours stays in place until you decide."
	}
	return kit.AsSentence(r.who + " changed " + what + when + that + ", too. Yours stays in place until you decide")
}

// when says when the other version was saved: the time of a save of today after at, and the day of an earlier one after on. It is "" if the time
// is not known.
func (r *review) when(now time.Time, at, on string) string {
	switch saved := r.at.Local().Format(kit.Date); {
	case r.at.IsZero():
		return ""
	case saved != now.Local().Format(kit.Date):
		return on + saved
	}
	return at + r.at.Local().Format(kit.TimeOfDay)
}

// other names the other version.
func (r *review) other(now time.Time) string {
	who := r.who
	switch who {
	case "you":
		who = "The other window"
	case "somebody":
		who = "Saved elsewhere"
	case "the server":
		who = "The server"
	}
	return who + r.when(now, ", ", ", ")
}

// Ask keeps the conflicts with what somebody saved until the person settles them, and reports whether there are any. Positions changed by
// both sides are not worth a question, and the ids of what both renamed are decided.
func (s *standing) Ask(who string, conflicts []merge.Conflict) bool {
	conflicts = slices.DeleteFunc(conflicts, func(c merge.Conflict) bool { return c.Layout() || c.Kind == merge.BothRenamed })
	if len(conflicts) == 0 {
		return false
	}
	s.review = review{who: who, at: s.savedAt, conflicts: conflicts, theirs: make([]bool, len(conflicts)), spans: kit.Spans{}}
	s.last.state = Conflict
	return true
}

// Review opens the dialog about the conflicts.
func (s *standing) Review(ctx app.Context) {
	s.Toast.Clear()
	s.review.seen = true
	s.Dialog.Open(ctx, ConflictsDialog)
}

// Act handles a control of the review, and reports whether it is one.
func (s *Saver) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case ReviewAct:
		s.Review(ctx)
	case ChooseAct:
		at, side, _ := strings.Cut(arg, " ")
		if i, err := strconv.Atoi(at); err == nil && i >= 0 && i < len(s.review.theirs) {
			s.review.theirs[i] = side == "theirs"
		}
	case kit.MoreRows:
		if !strings.HasSuffix(arg, "-"+ConflictsDialog) {
			return false
		}
		s.review.spans.More(arg)
	case SettleAct:
		s.settle(ctx)
	case SaveAct:
		if s.settle(ctx) {
			s.Save(ctx)
		}
	case DiscardAct:
		if s.Run(ctx, s.Editor.Discard()) {
			s.settled()
			s.Say(ctx, "You are seeing the saved version. Undo brings your changes back.")
		}
	default:
		return false
	}
	return true
}

// settle applies the choices, as one step, and reports whether it could.
func (s *standing) settle(ctx app.Context) bool {
	var taken []merge.Conflict
	for i, c := range s.review.conflicts {
		if s.review.theirs[i] {
			taken = append(taken, c)
		}
	}
	if len(taken) > 0 && !s.Run(ctx, editor.TakeTheirs{Conflicts: taken}) {
		return false
	}
	s.settled()
	return true
}

func (s *standing) settled() {
	s.review = review{}
	s.last.state = Saved
	s.Dialog.Close()
}

// draw draws the dialog about the conflicts in the form of a workspace.
func (r *review) draw(w *workspace.Workspace, now time.Time) app.UI {
	f := w.Editor.State().Form
	other := r.other(now)
	drawn, first, last := r.spans.Draw(ConflictsDialog, len(r.conflicts))
	items := []app.UI{first}
	for i := drawn.From; i < drawn.To; i++ {
		c := r.conflicts[i]
		place := describe.Place(f, c.Path)
		mine, theirs := describe.Sides(f, c)
		items = append(items, kit.El("div.clash role=radiogroup aria-label=%", place).Body(kit.El("h3").Text(place),
			kit.El("div.clash-sides").Body(r.card(i, "mine", "Yours", mine, theirs), r.card(i, "theirs", other, theirs, mine))))
	}
	choose := "Choose which one the form keeps."
	if len(r.conflicts) > 1 {
		choose = "Choose for each which one the form keeps."
	}
	return w.Dialog.Frame("Changed by both",
		kit.El("p").Text(choose+" Everything else is merged already."), kit.El("div.clashes").Body(append(items, last)...),
		workspace.Buttons(kit.TextButton(DiscardAct, "Discard my changes", "link"), kit.El("span.push"),
			kit.TextButton("cancel", "Decide later", "quiet"), kit.TextButton(SettleAct, "Apply", "secondary"),
			kit.TextButton(SaveAct, "Apply and save", "primary")))
}

// card draws a side of a conflict, with what differs from the other side marked.
func (r *review) card(i int, side, name, text, other string) app.UI {
	at := strconv.Itoa(i)
	before, between, after := describe.Differing(text, other)
	return kit.Tree("label.clash-side { input type=radio name=% data-act=% data-arg=% checked=% span.clash-who { % } span.clash-text { % mark { % } % } }",
		[]string{"clash" + at, ChooseAct, at + " " + side, kit.Yes(r.theirs[i] == (side == "theirs")), name, before, between, after})
}
