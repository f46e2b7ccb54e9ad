package problems

import (
	"strconv"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// actions returns what can be done about a remark, besides going to it.
func (p *Panel) actions(r *remark) (items []kit.Item) {
	index := strconv.Itoa(r.index)
	if c := p.cause(r); !p.ReadOnly() && (c.last || c.command != nil) {
		items = append(items, kit.Item{Act: RevertAct, Arg: index, Name: "Undo that", Icon: "undo"})
	}
	fixes := p.fixes(r)
	for i := range fixes {
		items = append(items, kit.Item{Act: FixAct, Arg: index + " " + strconv.Itoa(i), Name: fixes[i].Name, Icon: fixIcon(fixes[i].Command)})
	}
	if r.rank == hinted && r.hint == noHint && r.flaw == noFlaw {
		items = append(items, kit.Item{Act: "problem", Arg: index, Name: "Choose a flow", Icon: "flow"})
	}
	if r.Code == schema.CodeDeadEnd || r.Code == schema.CodeTrap || r.Code == schema.CodeLoop || r.Code == schema.CodeNoButton {
		items = append(items, kit.Item{Act: PlayAct, Arg: index, Name: "Play", Icon: "start"})
	}
	return items
}

// fixIcon returns the icon of what a fix does, of a sequence that of its first command.
func fixIcon(c editor.Command) string {
	switch c := c.(type) {
	case editor.AddComponent:
		return "plus"
	case editor.Clear, editor.RemoveItem, editor.RemoveNodes:
		return "trash"
	case editor.MoveItem:
		return "up"
	case editor.Connect:
		return "edge"
	case editor.Sequence:
		return fixIcon(c.Commands[0])
	case editor.Set:
		if c.Value == model.EndingID {
			return "edge"
		}
	}
	return "pencil"
}

// RowMenu is the name of the menu of a line; see kit.ListenMenu. The value of data-of is the index of the remark.
const RowMenu = "problems"

// Menu returns the lines of the menu of a remark, nil if it is gone.
func (p *Panel) Menu(of string) []kit.Item {
	for _, r := range p.remarks() {
		if strconv.Itoa(r.index) == of {
			items := []kit.Item{{Act: "problem", Arg: of, Name: "Go to it", Icon: "arrow"}}
			if more := p.actions(r); len(more) > 0 {
				items = append(append(items, kit.Item{}), more...)
			}
			return items
		}
	}
	return nil
}
