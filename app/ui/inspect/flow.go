package inspect

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// flow returns the name of the flow in the control of a row, "" if it is not known, and reports whether the tenant is known not to have the flow.
func (f *fields) flow(r inspector.Row) (name string, missing bool) {
	name, missing = f.FlowName(f.text(r))
	return name, missing && r.Input == inspector.Flow
}

// calledFlow draws what covers the id of a flow: its name, or that the tenant lacks it.
func (f *fields) calledFlow(r inspector.Row) app.UI {
	name, missing := f.flow(r)
	if missing {
		return called(inspector.Named{Text: f.text(r) + ", not found", Icon: "warn"})
	}
	return called(inspector.Named{Text: name, Icon: "flow"})
}

// noSuchFlow draws that the tenant lacks the flow of a row.
func (f *fields) noSuchFlow(r inspector.Row) []app.UI {
	if _, missing := f.flow(r); !missing {
		return nil
	}
	return []app.UI{kit.Tree("p.hint-text role=note { @warn span { % } }", []string{workspace.NoSuchFlow(f.text(r))})}
}

// chooseFlow is the name of what chooses a flow.
const chooseFlow = "Choose a flow"

// flowsButton draws the button at the end of the control of a flow. It opens the menu of all flows: while people type, the control offers only those
// that match its text.
func (f *fields) flowsButton(r inspector.Row) app.UI {
	menu := FlowsMenu + r.Path.String()
	return kit.MenuButton("all-flows", menu, chooseFlow, f.opened() == menu).Attr("hidden", kit.Yes(len(f.Flows) == 0 || f.Editor.ReadOnly()))
}

// askForFlow returns what people do in an empty control of a flow.
func (sh *sheet) askForFlow() string {
	if len(sh.Flows) == 0 {
		return "Enter the id of a flow"
	}
	return chooseFlow
}

// opened returns which menu is open.
func (f *fields) opened() string {
	if f.menu == nil {
		return ""
	}
	return f.menu()
}

// FlowsMenu begins the name of the menu of the tenant's flows for a property; the path of the property follows.
const FlowsMenu = "flows "

// flowAct uses a flow of that menu; its argument is the id of the flow and the path.
const flowAct = "flow-use"

// FlowItems returns the lines of the menu with a name, and reports whether it is a menu of flows.
func (p *Panel) FlowItems(menu string) (items []kit.Item, ok bool) {
	path, ok := strings.CutPrefix(menu, FlowsMenu)
	if !ok {
		return nil, false
	}
	for _, f := range p.Flows {
		items = append(items, kit.Item{Act: flowAct, Arg: f.ID + " " + path, Name: f.Name, Icon: "flow"})
	}
	return items, true
}

// useFlow uses a flow of a menu.
func (p *Panel) useFlow(ctx app.Context, arg string) {
	id, path, _ := strings.Cut(arg, " ")
	p.Typing = ""
	p.Edit(ctx, path, id)
	p.Sync(ctx)
}
