package together

import (
	"cmp"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
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

// nameOf names a person inside or at the beginning of a sentence. The person of this page has other windows.
func (p *Panel) nameOf(q together.Person) string {
	if q.Sub == p.User.Sub {
		return "You"
	}
	return cmp.Or(q.Name, "Somebody")
}

// shownAs returns the initials and the color that stand for a person.
func shownAs(q together.Person) (initials, hue string) {
	return face.Initials(cmp.Or(q.Name, "Somebody")), strconv.Itoa(q.Hue)
}

// Hue returns the color of the person of this page among all who are here.
func (p *Panel) Hue() int { return p.people.Hue(p.User.Sub) }

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
	label := "Nobody else is here"
	var faces []app.UI
	if n := len(list); n > 0 {
		label = p.presence(list)
		for i, q := range list {
			if i == shown && n > shown+1 {
				faces = append(faces, kit.El("span.avatar.more data-initials=%", "+"+strconv.Itoa(n-shown)))
				break
			}
			initials, hue := shownAs(q)
			faces = append(faces, kit.El("span.avatar.person data-initials=% "+places, initials, hue))
		}
	}
	b := kit.MenuButton("people-button", Menu, label, open == Menu, kit.El("span.faces aria-hidden=true").Body(faces...))
	parts = append(parts, kit.El("span.people data-testid=presence hidden=%", kit.Yes(len(list) == 0)).Body(b))
	return kit.El("span.together").Body(parts...)
}

// presence says who is here. list is not empty.
func (p *Panel) presence(list []together.Person) string {
	var names []string
	subs := map[string]bool{}
	for _, q := range list {
		if q.Sub != p.User.Sub && !subs[q.Sub] {
			subs[q.Sub] = true
			names = append(names, cmp.Or(q.Name, "Somebody"))
		}
	}
	switch n := len(names); n {
	case 0:
		return kit.Several(len(list), "1 other window is here", "%d other windows are here")
	case 1:
		return names[0] + " is here"
	case 2:
		return names[0] + " and " + names[1] + " are here"
	default:
		return strconv.Itoa(n) + " others are here"
	}
}

// Items returns the name and the lines of a menu, nil if it is not one of the Panel's.
func (p *Panel) Items(of string) (title string, items []kit.Item) {
	switch of {
	case Menu:
		return "Who is here", p.here()
	case NotesMenu:
		return "Replaced by others", p.diff.items()
	}
	return "", nil
}

// here returns the lines of the menu of the people who are here.
func (p *Panel) here() []kit.Item {
	items := []kit.Item{{Name: "Here now"}}
	for _, q := range p.people.List() {
		name := p.nameOf(q)
		if name == "You" {
			name = "You, in another window"
		}
		it := kit.Item{Act: GoAct, Arg: q.Page, Name: name, Hint: p.doing(q)}
		it.Face, it.Hue = shownAs(q)
		items = append(items, it)
	}
	return items
}

// doing says what a person does.
func (p *Panel) doing(q together.Person) string {
	doing, where := "Looking at ", "the whole form"
	f := p.Editor.State().Form
	if _, i, j := f.Component(q.Component); q.Component != "" && i >= 0 {
		where, _ = describe.Target(f, model.ComponentPath(i, j))
	} else if q.Node != "" {
		where = describe.NodeName(f, q.Node)
	}
	switch {
	case q.Asks:
		return "Asks to edit"
	case !q.Edits:
		where += ", view only"
	case q.Field != "":
		doing = "Typing in "
	}
	return doing + where
}

// Beside draws what others do at the property of a path: who types in it, and whose text differs. It returns nil for nothing.
func (p *Panel) Beside(path schema.Path) []app.UI {
	list, out := p.people.List(), p.diff.beside(path)
	key := ""
	for _, q := range list {
		if q.Field == "" && len(q.Forks) == 0 {
			continue
		}
		if key == "" {
			key = together.FieldKey(p.Editor.State().Form, path)
		}
		if q.Field == key {
			out = append(out, kit.Tree("p.person-note "+places+" role=note { % }", []string{strconv.Itoa(q.Hue), p.typing(q)}))
		}
		for _, f := range q.Forks {
			if f.Field != key {
				continue
			}
			who := p.nameOf(q) + " has"
			if q.Sub == p.User.Sub {
				who = "Your other window has"
			}
			text := who + " another value here, and has not decided yet."
			if f.Text != "" {
				text = who + " another text here, and has not decided yet: " + kit.Quote(f.Text)
			}
			out = append(out, kit.Tree("p.note-text role=note { @warn span { % } }", []string{text}))
		}
	}
	return out
}

func (p *Panel) typing(q together.Person) string {
	if name := p.nameOf(q); name != "You" {
		return name + " is typing here"
	}
	return "You are typing here in another window"
}
