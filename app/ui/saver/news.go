package saver

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// news is what somebody did to the form that the version on this page does not have.
type news struct {
	who     string // the subject of a sentence
	where   string // " in another window", or ""
	deleted bool
	tries   int // how often the saved form was none that the page knows
}

// unknown reports whether the saved form matches no recent shared form but may soon: the last edits of others may still be on their way.
func (n *news) unknown(shared Shared, theirs *model.Form) bool {
	n.tries++
	return n.tries <= maxTries && shared.Joined() && shared.Saved(theirs) == nil
}

// maxTries is how often a saved form that the page does not know is read again.
const maxTries = 3

// other names whoever made the news inside a sentence.
func (n *news) other() string {
	if n.who == "You" || n.who == "Somebody" {
		return strings.ToLower(n.who)
	}
	return n.who
}

// draw draws the news if the person has to decide about it; nil if not. The news may be nil.
func (n *news) draw(of client.User) app.UI {
	if n == nil || !n.deleted {
		return nil
	}
	return drawDeleted(of, n.who+" deleted this form"+n.where+".")
}

// drawDeleted offers to keep the work on a form that was deleted.
func drawDeleted(of client.User, text string) app.UI {
	switch {
	case of.Can("create:forms"):
		return kit.Banner("warn", text+" Your work stays in this browser. Save it as a new form to keep it.",
			kit.TextButton("save-as-new", "Save as a new form", "primary"))
	default:
		return kit.Banner("warn", text+" Your work stays in this browser. Export it to keep it elsewhere.",
			kit.TextButton("export", "Export", "primary"))
	}
}
