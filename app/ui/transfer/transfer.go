package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Input is the selector of a page's file chooser.
const Input = "#import-file"

// Transfer imports files into the form under edit, exports it, and opens its screen atlas.
type Transfer struct {
	*workspace.Workspace
	refused    BadFile         // the last refused file
	incoming   *Incoming       // the file that is shown in a dialog, or nil
	flowsLater bool            // the person has postponed the choice of missing flows
	without    map[string]bool // the languages that the screen atlas leaves out
	before     *model.Form     // the form before the last import

	// Compare compares the form with that of a file, Review with what it was before an import, and Create makes a new form of one and opens it.
	Compare func(ctx app.Context, file string, f *model.Form)
	Review  func(ctx app.Context, before *model.Form)
	Create  func(ctx app.Context, f *model.Form)
}

// reviewAct compares the form with what it was before an import.
const reviewAct = "import-review"

// The names of the dialogs.
const (
	BadFileDialog = "bad-file"
	FlowsDialog   = "import-flows"
	LookDialog    = "import-look"
)

// Tenant is what reading a file depends on.
type Tenant struct {
	Client *client.Client
	Remote bool // it may know properties that our tables do not list, so a file may have them
	Flows  bool // the person may see its flows
}

// ReadFile reads the chosen file. It returns nil, and no problem, if no file was chosen; err
// explains in words why the file cannot be read.
func ReadFile(ctx context.Context, t Tenant) (in *Incoming, bad BadFile, err error) {
	name, text, err := kit.ChosenFile(Input)
	switch {
	case err != nil || name == "":
		return nil, bad, err
	case !strings.HasSuffix(strings.ToLower(name), ".json"):
		return nil, bad, fmt.Errorf("the file %s is not a .json file: export the form as JSON, then import that", name)
	case strings.TrimSpace(text) == "":
		return nil, bad, fmt.Errorf("the file %s is empty: it contains no form", name)
	}
	return t.Read(ctx, name, text)
}

// Read reads the text of a file. If the text is not a form, it returns the problems instead.
func (t Tenant) Read(ctx context.Context, name, text string) (in *Incoming, bad BadFile, err error) {
	d, problems := envelope.Open([]byte(text))
	if t.Remote {
		problems, _ = problems.Split()
	}
	if len(problems) > 0 {
		return nil, BadFile{name, problems, text}, nil
	}
	pause.Rest() // each part may take most of a task
	var flows []formapi.Flow
	if _, all := envelope.ImportForm(d, nil); len(all) > 0 && t.Flows {
		// Without the tenant's flows the placeholders stay and are reported.
		flows, _ = formapi.Flows(ctx, t.Client)
	}
	in = newIncoming(name, d, flows)
	pause.Rest()
	in.warnings = d.Warnings(&flow.Prover{Quoted: true})
	pause.Rest()
	in.picture = graph.New(d.Form).Thumbnail(kit.ThumbnailWidth, kit.ThumbnailHeight)
	pause.Rest()
	return in, bad, nil
}

// Form returns the form of a text that is an export.
func (t Tenant) Form(ctx context.Context, name, text string) (*model.Form, error) {
	in, bad, err := t.Read(ctx, name, text)
	if err == nil && in == nil {
		err = errors.New(Refusal(bad.Problems))
	}
	if err != nil {
		return nil, err
	}
	return in.Form(), nil
}

// Import reads the chosen file. One that was chosen with the button replaces the form, in one step, which can be compared with what was before;
// one that was dropped is shown first. A file that is not a valid form changes nothing.
func (p *Transfer) Import(ctx app.Context) {
	dropped := kit.Dropped(Input)
	tenant := Tenant{p.Client, p.Remote, p.User.Can(workspace.ReadFlows)}
	p.Async(ctx, func(c context.Context) func(app.Context) {
		in, bad, err := ReadFile(c, tenant)
		return func(ctx app.Context) { p.receive(ctx, dropped, in, bad, err) }
	})
}

// receive continues Import with what ReadFile returned.
func (p *Transfer) receive(ctx app.Context, dropped bool, in *Incoming, bad BadFile, err error) {
	switch {
	case p.Editor == nil:
	case err != nil:
		p.Say(ctx, kit.Sentence(err))
	case len(bad.Problems) > 0:
		p.refused = bad
		p.Dialog.Open(ctx, BadFileDialog)
	case in != nil && !dropped && !p.ReadOnly():
		p.Typing = ""
		p.replace(ctx, in)
	case in != nil:
		p.Typing, p.incoming = "", in
		p.Dialog.Open(ctx, LookDialog)
	}
}

// replace carries out an import and shows the result.
func (p *Transfer) replace(ctx app.Context, in *Incoming) {
	p.incoming, p.flowsLater = in, false
	before := p.Editor.State().Form
	if !p.Run(ctx, replaceForm{in.Form(), in.file}) {
		return
	}
	if p.Editor.State().Form == before {
		p.Say(ctx, "The file contains the same form.")
		return
	}
	text := fmt.Sprintf("Imported %s. Check it, then save.", in.file)
	if missing := in.missing(); missing > 0 {
		text += fmt.Sprintf(" %s not found: see Problems.", kit.Several(missing, "1 flow was", "%d flows were"))
	}
	if p.before = before; len(before.Nodes) > 0 {
		p.Toast.SayMore(text, reviewAct, "Compare with before")
		p.Toast.While = func() bool { return p.Editor.State().Form != before }
	} else {
		p.Say(ctx, text)
	}
	if p.Canvas != nil {
		p.Canvas.FitReadable()
	}
}

// Banner offers to choose flows of this tenant for the placeholders of an export. It comes with an import. Other flows that the tenant lacks have
// marks, but a banner that came with the list of flows, after the form, would move the graph under the pointer.
func (p *Transfer) Banner() app.UI {
	if p.flowsLater || p.Editor.ReadOnly() || len(p.Flows) == 0 {
		return nil
	}
	n := 0
	for _, id := range p.lacking() {
		if model.IsFlowPlaceholder(id) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return kit.Banner("flow", kit.Several(n, "This form refers to a flow that you do not have.",
		"This form refers to %d flows that you do not have."), kit.TextButton("flows-later", "Not now", "secondary"),
		kit.TextButton("choose-flows", "Choose flows", "primary"))
}

// lacking returns the ids of the flows to which the form refers and that the tenant is known to lack.
func (p *Transfer) lacking() (ids []string) {
	known := map[string]bool{}
	for _, ref := range p.Editor.State().Form.Lacking(p.FlowNames()) {
		if !known[ref.ID] {
			known[ref.ID] = true
			ids = append(ids, ref.ID)
		}
	}
	return ids
}

// ChooseFlows opens the dialog in which people replace flows that this tenant lacks.
func (p *Transfer) ChooseFlows(ctx app.Context) {
	if p.incoming == nil || p.incoming.missing() == 0 {
		p.incoming = newIncoming(p.Editor.State().Form.Name, envelope.Document{Form: p.Editor.State().Form}, p.Flows)
	}
	p.incoming.add(p.lacking())
	p.Dialog.Open(ctx, FlowsDialog)
}

// rows draws a control for each placeholder of a file, as many as can be drawn.
func (in *Incoming) rows() []app.UI {
	var rows []app.UI
	users := in.users()
	for i, c := range in.choices {
		if i == kit.SpanStep {
			left := len(in.choices) - i
			return append(rows, kit.El("p.quiet-text").Text(kit.Several(left, "1 other is kept.", "%d others are kept.")))
		}
		name := cmp.Or(c.name, strings.Join(users[c.placeholder], ", "), c.placeholder)
		if c.connection {
			rows = append(rows, kit.Tree("label.stack { span { % } input type=text data-flow=% placeholder=% autocomplete=off }",
				[]string{name, c.placeholder, "Keep " + c.placeholder + ", or the id of a connection"}))
			continue
		}
		keep := "Keep "
		if model.IsFlowPlaceholder(c.placeholder) {
			keep += "the placeholder "
		}
		options := []app.UI{kit.Tree("option value=keep selected=% { % }", []string{kit.Yes(c.id == ""), keep + c.placeholder})}
		for _, f := range in.flows {
			options = append(options, kit.Tree("option value=% selected=% { % }", []string{f.ID, kit.Yes(c.id == f.ID), f.Name}))
		}
		rows = append(rows, kit.Tree("label.stack { span { % } * }", []string{name}, kit.El("select data-flow=%", c.placeholder).Body(options...)))
	}
	return rows
}

// users names the nodes and components that run each flow: the first three.
func (in *Incoming) users() map[string][]string {
	names := map[string][]string{}
	f := in.doc.Form
	for _, ref := range f.Flows() {
		switch list := names[ref.ID]; {
		case len(list) < 3:
			name, _ := describe.Target(f, ref.Path)
			names[ref.ID] = append(list, name)
		case len(list) == 3:
			names[ref.ID] = append(list, "…")
		}
	}
	return names
}

// body draws the dialog in which people choose the flows of a file.
func (in *Incoming) body() []app.UI {
	return append(append(
		[]app.UI{kit.El("p").Text(fmt.Sprintf("You do not have every flow of %s. One that you keep shows as a warning.",
			in.file))}, in.rows()...),
		kit.El("div.buttons").Body(kit.TextButton("cancel", "Cancel", "secondary"), kit.TextButton("import-flows", "Use these flows", "primary")))
}

// Choose applies a choice made in a dialog. It ignores other controls.
func (in *Incoming) Choose(el app.Value) {
	placeholder := el.Get("dataset").Get("flow")
	if in == nil || placeholder.Type() != app.TypeString {
		return
	}
	id := el.Get("value").String()
	if id == "keep" {
		id = ""
	}
	in.choose(placeholder.String(), id)
}

// ExportFlows downloads the form with its flows.
func (p *Transfer) ExportFlows(ctx app.Context) {
	f := p.Editor.State().Form
	p.Async(ctx, func(c context.Context) func(app.Context) {
		flows, err := formapi.FlowTrees(c, p.Client)
		text, incomplete := exportWithFlows(f, flows)
		return func(ctx app.Context) {
			kit.Download(strings.Replace(FileName(f.Name), ".form.", ".export.", 1), text)
			switch {
			case err != nil:
				p.Say(ctx, kit.Sentence(err))
			case incomplete > 0:
				p.Say(ctx, fmt.Sprintf("Exported. The actions of %s are not listed here; the file has only their names or ids.",
					kit.Several(incomplete, "1 flow", "%d flows")))
			}
		}
	})
}

// Export downloads the form without its flows.
func (p *Transfer) Export() {
	f := p.Editor.State().Form
	kit.Download(FileName(f.Name), string(schema.EncodeIndent(Content(f).Tree())))
}

// FlowsLater postpones the choice of flows until the next import.
func (p *Transfer) FlowsLater() { p.flowsLater = true }

// UseFlows applies the flows chosen in the dialog.
func (p *Transfer) UseFlows(ctx app.Context) {
	p.Dialog.Close()
	p.Run(ctx, useFlows{p.incoming.mapping(false)})
}

// Draw returns the open dialog if it is one of Transfer's, or nil.
func (p *Transfer) Draw() app.UI {
	switch p.Dialog.Name() {
	case BadFileDialog:
		return p.Dialog.Frame(p.refused.Title(), p.badFile()...)
	case AtlasDialog:
		return p.Dialog.Frame("All screens", p.atlas()...)
	case LookDialog:
		return p.Dialog.Frame(p.incoming.Title(), p.incoming.Look(), workspace.Buttons(p.ways()...))
	case FlowsDialog:
		return p.Dialog.Frame("Choose flows", p.incoming.body()...)
	}
	return nil
}

// ways are the buttons of the dialog that shows a file: what is most likely wanted comes last.
func (p *Transfer) ways() []app.UI {
	buttons := []app.UI{kit.TextButton("cancel", "Cancel", "quiet"), kit.El("span.push")}
	if p.User.Can("create:forms") {
		buttons = append(buttons, kit.TextButton("import-new", "New form", "secondary"))
	}
	if p.ReadOnly() {
		return append(buttons, kit.TextButton("import-compare", "Compare", "primary"))
	}
	const compare, byNode, replace, whole = "import-compare", "Compare and take node by node", "import-replace", "Replace this form's content"
	if len(p.State().Form.Nodes) == 0 { // there is nothing to lose
		return append(buttons, kit.TextButton(compare, byNode, "secondary"), kit.TextButton(replace, whole, "primary"))
	}
	return append(buttons, kit.TextButton(replace, whole, "secondary"), kit.TextButton(compare, byNode, "primary"))
}

// take carries out what the person chose in the dialog that shows a file.
func (p *Transfer) take(ctx app.Context, how string) {
	p.Dialog.Close()
	in := p.incoming
	switch {
	case in == nil:
	case how == "import-new":
		p.Create(ctx, Content(in.Form()))
	case how == "import-compare":
		p.Compare(ctx, in.file, in.Form())
	default:
		p.replace(ctx, in)
	}
}

// Choose applies a choice in the dialog of flows. It ignores other controls.
func (p *Transfer) Choose(el app.Value) { p.incoming.Choose(el) }
