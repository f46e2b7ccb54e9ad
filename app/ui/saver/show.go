package saver

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// Words describes the save state of the form, with details for a tooltip.
func (s *Saver) Words() (text, title string) {
	text, title = s.words()
	if state := s.State(); (state == Saved || state == Dirty) && !s.ReadOnly() && s.Away != nil && s.Away() {
		text = "Offline, " + strings.ToLower(text[:1]) + text[1:]
		title = "The server cannot be reached. What you do is kept in this browser, and can be saved once it is back."
	}
	return text, title
}

func (s *Saver) words() (text, title string) {
	title = s.last.message
	switch s.State() {
	case Saved:
		text = "Saved"
		if !s.savedAt.IsZero() {
			text += " " + s.savedAt.Local().Format(kit.TimeOfDay)
			title = s.savedAt.Local().Format(kit.DateTime)
		}
		if s.Setting.on {
			text += ", as you go"
			title += ". For everybody, this form is saved as it is edited."
		}
	case Dirty:
		if s.soon() {
			return "Saving soon…", title
		}
		text = kit.Several(s.Editor.ChangeCount(), "1 change", "%d changes")
	case Saving:
		text = "Saving…"
	case Conflict:
		text = kit.Several(len(s.review.conflicts), "1 conflict", "%d conflicts")
	case Offline, Error:
		text = "Not saved"
	}
	if s.ReadOnly() {
		text, title = "Read-only", "Your account may not change forms."
	}
	return text, title
}

// DrawState draws Words in the top bar, with the state of the draft.
func (s *Saver) DrawState(d *drafts.Keeping) app.UI {
	text, title := s.Words()
	if at := d.KeptAt(); s.State() == Dirty && !at.IsZero() {
		title = fmt.Sprintf("Kept in this browser, %s", at.Local().Format(kit.DateTime))
	}
	count, _, _ := strings.Cut(text, " ") // for a bar without room for words
	if _, err := strconv.Atoi(count); err != nil {
		count = ""
	}
	sign := app.UI(kit.El("span.dot"))
	if s.ReadOnly() {
		sign = kit.Icon("lock")
	}
	return kit.El("span.save role=status data-save-state=% data-draft=% data-count=% title=%", string(s.State()), string(d.Status()), count, title).
		Body(sign, kit.El("span").Text(text))
}

// ShowDraft shows the state of the draft without drawing the page.
func ShowDraft(d *drafts.Keeping) {
	if el := kit.Element("[data-draft]"); el.Truthy() {
		el.Get("dataset").Set("draft", string(d.Status()))
	}
}

// Banner explains why the form cannot be saved and offers remedies; nil if nothing prevents
// saving.
func (s *Saver) Banner() app.UI {
	retry := kit.TextButton("save", "Try again", "secondary")
	switch state := s.State(); {
	case s.last.signedOut && s.ReadOnly():
		return kit.Banner("user", "Your session has ended. Sign in again to see what others change.",
			kit.TextButton("sign-in", "Sign in again", "primary"))
	case s.last.signedOut:
		return kit.Banner("user", "Your session has ended. Sign in again to save; your work stays here.",
			kit.TextButton("sign-in", "Sign in again", "primary"))
	case s.deleted():
		return s.news.draw(s.User)
	case s.shut:
		return kit.Banner("lock", "Your account may no longer open this form. You do not see what others change now; your work stays in this browser.",
			kit.TextButton(kit.OtherAccount, "Sign in with another account", "primary"))
	case state == Conflict && s.review.seen:
		return kit.Banner("warn", s.review.words(s.Editor.State().Form, time.Now()), kit.TextButton(ReviewAct, "Review", "primary"))
	case state == Saving && s.wait.Waiting():
		return kit.El("div.banner").Body(kit.Icon("warn"), kit.El("span").Body(s.wait.Spoken("saving")...),
			kit.TextButton("cancel-save", "Cancel", "secondary"))
	case state == Saving && s.slow:
		return kit.Banner("warn", "The server is slow to answer. Your work stays here.", kit.TextButton("cancel-save", "Cancel", "secondary"))
	case state == Offline, state == Saving && s.last.again: // a banner that left for each try would move the form
		return kit.Banner("warn", s.last.message+" Your work stays here. Formgraph will try again automatically.", retry)
	case state == Error && s.last.gone:
		return drawDeleted(s.User, s.last.message)
	case state == Error && s.last.forbidden:
		return kit.Banner("lock", kit.NotAllowed(nil, s.User)+". Your work stays here. "+s.last.message,
			kit.TextButton(kit.OtherAccount, "Sign in with another account", "primary"))
	case state == Error && s.last.dangling:
		return kit.Banner("warn", s.last.message, append(s.refusedButtons(), kit.TextButton("merge", "Read again and merge", "primary"), retry)...)
	case state == Error && s.last.message != "":
		return kit.Banner("warn", s.last.message, append(s.refusedButtons(), retry)...)
	}
	return s.news.draw(s.User)
}

// refusedLimit is the maximum number of the server's problems in a banner.
const refusedLimit = 5

// refusedButtons lists the problems that the server found in a save; a press selects the
// place.
func (s *Saver) refusedButtons() []app.UI {
	var items []app.UI
	first := len(s.Editor.Found().Problems()) + len(s.Editor.Found().Warnings())
	for i, p := range s.last.problems {
		if i == refusedLimit {
			items = append(items, kit.El("span.quiet-text").Text(fmt.Sprintf("and %d more", len(s.last.problems)-i)))
			break
		}
		who, text := describe.Problem(s.Editor.State().Form, p)
		path := p.Path.String()
		items = append(items, kit.El("button.link type=button data-act=problem data-arg=% data-problem-path=% title=%", strconv.Itoa(first+i),
			path, path).Text(who+text))
	}
	return items
}
