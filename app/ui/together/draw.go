package together

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// Acts of the controls about people.
const (
	GoAct    = "go-person"  // shows where the person of a page is
	AskAct   = "ask-edit"   // asks for the permission to edit
	ShowAct  = "show-fork"  // shows the first value that others have changed, too
	TakeAct  = "take-fork"  // takes the value of the others at a path
	KeepAct  = "keep-fork"  // keeps the value of the person there
	BringAct = "bring-back" // brings a text back that the person has written over
	MineAct  = "use-mine"   // brings a value of the person back that somebody else has replaced
	SeeAct   = "see-note"   // shows the place of such a value
	Menu     = "people"     // the menu of the people who are here
	// DismissAct dismisses a note, or all; NotesMenu is the menu of those about values that others have replaced.
	DismissAct = "dismiss-note"
	NotesMenu  = "replaced"
	shown      = 3            // how many people the bar shows
	places     = "data-hue=%" // attribute of what has the color of a person
)

// Hue returns the color of the person of this page among all who are here.
func (p *Panel) Hue() int { return p.people.Hue(p.User.Sub) }

// Here returns the subjects of all who are here.
func (p *Panel) Here() []string { return p.people.Here() }

// Draw draws who is here in the bar, and how many values are to be decided or were replaced. open is the menu that is open.
func (p *Panel) Draw(open string) app.UI {
	if p.Editor == nil {
		return kit.El("span hidden=true")
	}
	parts := []app.UI{p.diff.button(open == NotesMenu)}
	if n := len(p.diff.forks); n > 0 {
		parts = append(parts, kit.Tree("button.quiet.fork-count type=button data-act=% data-count=% { @swap span { % } }",
			[]string{ShowAct, strconv.Itoa(n), kit.Several(n, "1 conflict", "%d conflicts")}))
	}
	if p.Editor.ReadOnly() {
		parts = append(parts, app.If(!p.asks && len(p.people.List()) > 0, func() app.UI { return kit.TextButton(AskAct, "Ask to edit", "quiet") }))
	}
	list := p.people.List()
	label, whose := "Nobody else is here", ""
	var faces []app.UI
	if n := len(list); n > 0 {
		label = p.people.presence(list)
		if !slices.ContainsFunc(list, func(q together.Person) bool { return q.Sub != p.User.Sub }) {
			whose = "only-own"
		}
		for i, q := range list {
			if i == shown && n > shown+1 {
				faces = append(faces, kit.El("span.avatar.more data-initials=%", "+"+strconv.Itoa(n-shown)))
				break
			}
			faces = append(faces, p.people.face(q))
		}
	}
	b := kit.MenuButton("people-button", Menu, label, open == Menu, kit.El("span.faces aria-hidden=true").Body(faces...))
	parts = append(parts, kit.El("span.people class=% data-testid=presence hidden=%", whose, kit.Yes(len(list) == 0)).Body(b))
	return kit.El("span.together").Body(parts...)
}

// Items returns the name and the lines of a menu, nil if it is not one of the Panel's.
func (p *Panel) Items(of string) (title string, items []kit.Item) {
	switch of {
	case Menu:
		return "Who is here", p.people.here()
	case NotesMenu:
		return "Replaced by others", p.diff.items()
	}
	return "", nil
}

// Beside draws what others do at the property of a path: who types in it, and whose text differs. It returns nil for nothing.
func (p *Panel) Beside(path schema.Path) []app.UI {
	return append(p.diff.beside(path), p.people.beside(path)...)
}
