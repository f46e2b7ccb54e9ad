package command

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
)

// ID identifies a command.
type ID string

// The commands.
const (
	None             ID = ""
	Save             ID = "save"
	Undo             ID = "undo"
	Redo             ID = "redo"
	Find             ID = "find"
	Replace          ID = "replace"
	Commands         ID = "commands"
	AddNode          ID = "menu"
	AddNote          ID = "add-note"
	AddStep          ID = "add-step"
	AddFlow          ID = "add-flow"
	AddRouter        ID = "add-router"
	AddRule          ID = "add-rule"
	AddRules         ID = "add-rules"
	Connect          ID = "connect-to"
	Edit             ID = "edit"
	Copy             ID = "copy"
	Cut              ID = "cut"
	Paste            ID = "paste"
	Duplicate        ID = "duplicate"
	CopyStyle        ID = "copy-style"
	PasteStyle       ID = "paste-style"
	Delete           ID = "delete"
	DeleteAlone      ID = "delete-alone"
	SelectAll        ID = "select-all"
	SelectUpstream   ID = "select-upstream"
	SelectDownstream ID = "select-downstream"
	TidyUp           ID = "tidy"
	FitView          ID = "fit"
	FitSelection     ID = "fit-selection"
	ZoomIn           ID = "zoom-in"
	ZoomOut          ID = "zoom-out"
	ZoomReset        ID = "zoom-reset"
	NextProblem      ID = "next-problem"
	PreviousProblem  ID = "previous-problem"
	ShowComponents   ID = "show-components"
	ShowOutline      ID = "show-outline"
	ShowProblems     ID = "show-problems"
	ShowHistory      ID = "show-history"
	ShowComments     ID = "comments"
	Comment          ID = "comment"
	Share            ID = "share"
	Import           ID = "import"
	Export           ID = "export"
	ExportFlows      ID = "export-flows"
	Preview          ID = "preview"
	PreviewHere      ID = "preview-here"
	ShowScenarios    ID = "show-scenarios"
	ShowImpact       ID = "show-impact"
	Atlas            ID = "atlas"
	Compare          ID = "compare"
	ExportPicture    ID = "export-svg"
	ExportBitmap     ID = "export-png"
	ExportDocument   ID = "export-md"
	CopyLink         ID = "copy-link"
	DuplicateForm    ID = "duplicate-form"
	Settings         ID = "settings"
	Theme            ID = "theme"
	Help             ID = "help"
	AllForms         ID = "home"
	TidySelection    ID = "tidy-selection"
	AlignLeft        ID = "align-left"
	AlignCenters     ID = "align-centers"
	AlignRight       ID = "align-right"
	AlignTop         ID = "align-top"
	AlignMiddles     ID = "align-middles"
	AlignBottom      ID = "align-bottom"
	DistributeAcross ID = "distribute-across"
	DistributeDown   ID = "distribute-down"
	AddComponent     ID = "add-component" // its argument is the kind's type
	Parts            ID = "parts"         // runs on a press on a card
	Menu             ID = "context-menu"
	EditLabel        ID = "edit-label"
	MoveUp           ID = "move-up"
	MoveDown         ID = "move-down"
	MoveTo           ID = "move-to"
	ChangeKind       ID = "change-kind"
)

// Command is a row of the table of commands.
type Command struct {
	ID    ID
	Title string
	Icon  string // in icons.svg
	Keys  []Key
	Needs Need
	Note  string // shown in the help dialog instead of Title, unless it is empty
	// Heading is that of the group of the help dialog that begins here, "" in the middle of a group.
	Heading string
	// Unlisted commands have keys or buttons but no line in the list of commands.
	Unlisted bool
}

// Table lists the commands in the order of the list of commands.
var Table = []Command{
	{ID: Save, Heading: "Everywhere", Title: "Save", Icon: "check", Keys: anywhere("s", Control), Needs: Editable},
	{ID: Undo, Title: "Undo", Icon: "undo", Keys: anywhere("z", Control), Needs: Undoable},
	{ID: Redo, Title: "Redo", Icon: "redo", Keys: append(anywhere("z", Control|Shift), anywhere("y", Control)...), Needs: Redoable},
	{ID: Commands, Title: "Find or run a command", Icon: "window", Keys: anywhere("k", Control), Note: "Run any command by name", Unlisted: true},
	{ID: Find, Title: "Find in this form", Icon: "search", Keys: anywhere("f", Control)},
	{ID: Replace, Title: "Find and replace", Icon: "search", Keys: anywhere("h", Control), Needs: Editable, Note: "Replace in all texts and names"},
	{
		ID: AddNode, Heading: "Add and connect", Title: "Add node", Icon: "plus", Keys: outside("n", 0), Needs: Editable, Unlisted: true,
		Note: "Add node after the selected one, on the selected edge, or at the end",
	},
	{ID: AddStep, Title: "Add node: Step", Icon: "step", Keys: inMenu("s"), Needs: Editable},
	{ID: AddRouter, Title: "Add node: Router", Icon: "router", Keys: inMenu("r"), Needs: Editable},
	{ID: AddFlow, Title: "Add node: Flow", Icon: "flow", Keys: inMenu("f"), Needs: Editable},
	{ID: AddNote, Title: "Add note", Icon: "text", Needs: Editable, Note: "Add a note on the canvas, for the people who edit the form"},
	{ID: AddRule, Title: "Add rule", Icon: "plus", Needs: OneRouter},
	{ID: AddRules, Title: "One rule for each option", Icon: "router", Needs: Branching},
	{ID: Connect, Title: "Connect to…", Icon: "edge", Keys: outside("c", 0), Needs: Something, Note: "Connect the selected node"},
	{
		ID: Edit, Heading: "The selection", Title: "Edit", Icon: "pencil", Keys: append(outside("e", 0), Key{"Enter", 0, OnCanvas}, Key{"F2", 0, OnOutline}),
		Needs: Editable, Note: "Edit the text of the selected element", Unlisted: true,
	},
	{
		ID: EditLabel, Title: "Edit label", Icon: "pencil", Keys: []Key{{"F2", 0, OnCanvas}}, Needs: Selected,
		Note: "Edit the label of the selected row, or the name of the node, on the canvas", Unlisted: true,
	},
	{ID: Menu, Title: "Menu of the selection", Icon: "more", Keys: append(outside("F10", Shift), outside("ContextMenu", 0)...), Unlisted: true},
	{ID: MoveUp, Title: "Move up", Icon: "up", Keys: []Key{{"ArrowUp", Alt, OnCanvas}}, Needs: Parted},
	{ID: MoveDown, Title: "Move down", Icon: "down", Keys: []Key{{"ArrowDown", Alt, OnCanvas}}, Needs: Parted},
	{ID: MoveTo, Title: "Move to another step…", Icon: "redo", Keys: []Key{{"m", 0, OnCanvas}}, Needs: OneComponent},
	{ID: ChangeKind, Title: "Change kind…", Icon: "swap", Needs: OneComponent},
	{ID: Copy, Heading: "Copy, delete and select", Title: "Copy", Icon: "copy", Keys: event("c"), Needs: Selection},
	{ID: Cut, Title: "Cut", Icon: "cut", Keys: event("x"), Needs: Selected},
	{ID: Paste, Title: "Paste", Icon: "paste", Keys: event("v"), Needs: Editable},
	{ID: Duplicate, Title: "Duplicate", Icon: "duplicate", Keys: outside("d", Control), Needs: Selected},
	{ID: CopyStyle, Title: "Copy style", Icon: "copy", Keys: outside("c", Control|Alt), Needs: OneComponent, Note: "Copy how a component looks and behaves"},
	{ID: PasteStyle, Title: "Paste style", Icon: "paste", Keys: outside("v", Control|Alt), Needs: Styled, Note: "Give the copied style to the selected components"},
	{ID: Delete, Title: "Delete", Icon: "trash", Keys: append(outside("Delete", 0), outside("Backspace", 0)...), Needs: Something},
	{ID: DeleteAlone, Title: "Delete without reconnecting", Icon: "trash", Keys: outside("Delete", Control), Needs: Selected},
	{ID: SelectAll, Title: "Select all", Icon: "select", Keys: outside("a", Control), Note: "Select all nodes"},
	{
		ID: SelectUpstream, Title: "Select all nodes before this one", Icon: "select",
		Keys: []Key{{"ArrowLeft", Shift, OnCanvas}}, Needs: Selection,
	},
	{
		ID: SelectDownstream, Title: "Select all nodes after this one", Icon: "select",
		Keys: []Key{{"ArrowRight", Shift, OnCanvas}}, Needs: Selection,
	},
	{ID: TidyUp, Title: "Tidy up", Icon: "tidy", Needs: Editable},
	{ID: FitView, Heading: "View", Title: "Fit view", Icon: "fit", Keys: []Key{{"1", Shift, OnCanvas}}},
	{ID: FitSelection, Title: "Fit selection", Icon: "fit", Keys: []Key{{"2", Shift, OnCanvas}}, Needs: Selection},
	{ID: ZoomIn, Title: "Zoom in", Icon: "plus", Keys: []Key{{"+", 0, OnCanvas}, {"=", 0, OnCanvas}}},
	{ID: ZoomOut, Title: "Zoom out", Icon: "minus", Keys: []Key{{"-", 0, OnCanvas}, {"_", 0, OnCanvas}}},
	{ID: ZoomReset, Title: "Zoom to 100 %", Icon: "search", Keys: []Key{{"0", 0, OnCanvas}}},
	{ID: NextProblem, Heading: "Check and try", Title: "Next problem", Icon: "warn", Keys: outside("F8", 0), Note: "Next problem or warning"},
	{ID: PreviousProblem, Title: "Previous problem", Icon: "warn", Keys: outside("F8", Shift), Note: "Previous problem or warning"},
	{ID: ShowComponents, Title: "Show components", Icon: "panel-left"},
	{ID: ShowOutline, Title: "Show outline", Icon: "list"},
	{ID: ShowProblems, Title: "Show problems", Icon: "warn"},
	{ID: ShowHistory, Title: "Show history", Icon: "history"},
	{ID: ShowComments, Title: "Comments", Icon: "comment", Note: "Open or close the comments"},
	{ID: Comment, Title: "Comment", Icon: "comment", Keys: outside("m", Shift), Needs: Selection, Note: "Comment on the selected node or component"},
	{ID: Import, Title: "Import", Icon: "import", Needs: Editable},
	{ID: Export, Title: "Export", Icon: "download"},
	{ID: ExportFlows, Title: "Export with flows", Icon: "flow", Needs: Flows},
	{ID: ExportPicture, Title: "Export as SVG", Icon: "image"},
	{ID: ExportBitmap, Title: "Export as PNG", Icon: "image"},
	{ID: ExportDocument, Title: "Export as Markdown", Icon: "list"},
	{ID: Preview, Title: "Preview", Icon: "start", Keys: outside("p", 0), Note: "Open or close the preview"},
	{ID: PreviewHere, Title: "Preview from here", Icon: "start", Keys: outside("p", Shift), Needs: Selection},
	{ID: ShowScenarios, Title: "Test with scenarios", Icon: "scenarios", Keys: outside("s", Shift), Note: "Replay, record and generate journeys through the form"},
	{ID: ShowImpact, Title: "Impact of changes", Icon: "people", Note: "What the unsaved changes do to people"},
	{ID: Compare, Title: "Compare…", Icon: "compare", Keys: outside("d", Shift), Note: "Compare with the saved version, a file or another form"},
	{ID: Atlas, Title: "All screens", Icon: "screens"},
	{ID: Share, Title: "Share a link…", Icon: "share", Needs: Editable},
	{ID: DuplicateForm, Title: "Duplicate this form", Icon: "duplicate", Needs: Creating},
	{ID: CopyLink, Title: "Copy the link to this form", Icon: "link"},
	{ID: Settings, Title: "Form settings", Icon: "settings"},
	{ID: Theme, Title: "Switch between light and dark", Icon: "theme", Needs: Nothing},
	{ID: Help, Title: "Keyboard shortcuts", Icon: "help", Keys: outside("?", 0), Needs: Nothing},
	{ID: AllForms, Title: "All forms", Icon: "home", Needs: Nothing},
	{ID: TidySelection, Title: "Tidy up the selection", Icon: "tidy", Needs: Two},
	{ID: AlignLeft, Title: "Align left", Icon: "align-left", Needs: Two},
	{ID: AlignCenters, Title: "Align centers", Icon: "align-centers", Needs: Two},
	{ID: AlignRight, Title: "Align right", Icon: "align-right", Needs: Two},
	{ID: AlignTop, Title: "Align top", Icon: "align-top", Needs: Two},
	{ID: AlignMiddles, Title: "Align middles", Icon: "align-middles", Needs: Two},
	{ID: AlignBottom, Title: "Align bottom", Icon: "align-bottom", Needs: Two},
	{ID: DistributeAcross, Title: "Distribute horizontally", Icon: "distribute", Needs: Three},
	{ID: DistributeDown, Title: "Distribute vertically", Icon: "distribute-down", Needs: Three},
	{ID: AddComponent, Title: "Add component", Icon: "plus", Needs: Editable, Unlisted: true},
	{ID: Parts, Title: "Show all components or rules", Icon: "more", Needs: Selection, Unlisted: true},
}

// adding are the commands that add a node, by the node's type.
var adding = map[model.NodeType]ID{model.StepNode: AddStep, model.RouterNode: AddRouter, model.FlowNode: AddFlow}

// AddOf returns the command that adds a node of a type, None if there is none.
func AddOf(t model.NodeType) ID { return adding[t] }

// NodeOf returns the type of the node that a command adds, "" if it adds none.
func NodeOf(id ID) model.NodeType {
	for t, add := range adding {
		if add == id {
			return t
		}
	}
	return ""
}

// Of returns the row of a command, nil for an id that is not in Table.
func Of(id ID) *Command {
	for i := range Table {
		if Table[i].ID == id {
			return &Table[i]
		}
	}
	return nil
}

// Arranging lists the commands that arrange several nodes.
func Arranging() []Command {
	var list []Command
	for _, c := range Table {
		if c.Needs == Two || c.Needs == Three {
			list = append(list, c)
		}
	}
	return list
}

// Context determines whether a command applies.
type Context struct {
	State      editor.State
	ReadOnly   bool
	NoFlows    bool   // the person may not see the tenant's flows
	NoForms    bool   // the person may not create forms
	Styled     bool   // a style was copied
	Undo, Redo string // the labels of the steps, "" if there is none
}

// Need is the requirement of a command.
type Need int

// The needs. Undoable and Redoable imply an editable form.
const (
	Anything     Need = iota // a form
	Editable                 // an editable form
	Undoable                 // a step to undo
	Redoable                 // a step to redo
	Something                // a selected node, component, rule or edge
	Selection                // a selected node
	Selected                 // a selected node in an editable form
	Two                      // two selected nodes
	Three                    // three selected nodes
	OneRouter                // one selected router
	Branching                // one selected router behind a choice with options that no rule has
	Parted                   // selected components, or one selected rule
	OneComponent             // one selected component
	Styled                   // selected components, and a copied style
	Flows                    // the flows of the tenant
	Creating                 // the right to create forms
	Nothing                  // not even a form
)

// Offered reports whether a person may run the command at all, whatever is selected. One that is not offered has no button and no line in
// the list of commands.
func (n Need) Offered(c Context) bool {
	return !n.edits(c) && (n != Flows || !c.NoFlows) && (n != Creating || !c.NoForms)
}

// edits reports whether the form would have to be editable.
func (n Need) edits(c Context) bool {
	switch n {
	case Nothing, Anything, Selection, Flows, Creating:
		return false
	default:
		return c.ReadOnly
	}
}

// Missing returns what the user must do before the command applies, as a sentence. ok reports whether it applies. If ok is false and the
// sentence is empty, the command is not offered.
func (n Need) Missing(c Context) (remedy string, ok bool) {
	if n != Nothing && c.State.Form == nil {
		return "", false
	}
	s := c.State.Selection
	met, remedy := true, ""
	switch n {
	case Nothing, Anything, Editable:
	case Flows:
		met = !c.NoFlows
	case Creating:
		met, remedy = !c.NoForms, "Your account may not create forms."
	case Undoable:
		met = c.Undo != ""
	case Redoable:
		met = c.Redo != ""
	case Something:
		met, remedy = !s.Empty(), "Select something first."
	case Selection, Selected:
		met, remedy = len(s.Nodes) > 0, "Select a node first."
	case Two:
		met, remedy = len(s.Nodes) > 1, "Select two nodes first."
	case Three:
		met, remedy = len(s.Nodes) > 2, "Select three nodes first."
	case OneRouter:
		met, remedy = c.one(model.RouterNode), "Select a router first."
	case Branching:
		met, remedy = editor.OptionsLeft(c.State.Form, s.Only()), "Select a router behind a choice whose options have no rules yet."
	case Parted:
		met, remedy = s.Component != "" || s.Rule != "" || len(s.Parts) > 0, "Select a component or a rule first."
	case OneComponent:
		met, remedy = s.Component != "", "Select a component first."
	case Styled:
		if met, remedy = s.Component != "" || len(s.Parts) > 0 && s.Rule == "", "Select components first."; met {
			met, remedy = c.Styled, "Copy the style of a component first."
		}
	}
	switch {
	case n.edits(c) && n != Undoable && n != Redoable:
		return "Your account may not change forms.", false
	case !met:
		return remedy, false
	}
	return "", true
}

// one reports whether exactly one node is selected and has a type.
func (c Context) one(t model.NodeType) bool {
	n, _ := c.State.Form.Node(c.State.Selection.Only())
	return n != nil && n.Type == t
}

// Line is a line of the list of commands: a command, and for AddComponent a kind.
type Line struct {
	*Command
	Arg  string // the argument of the command
	Name string
	Icon string
	Kind *model.Kind // nil except for AddComponent
}

// Lines returns the lines of the list of commands in order.
func Lines() []Line {
	var lines []Line
	for i := range Table {
		if c := &Table[i]; !c.Unlisted {
			lines = append(lines, Line{Command: c, Name: c.Title, Icon: c.Icon})
		}
	}
	add := Of(AddComponent)
	for i := range model.Kinds {
		k := &model.Kinds[i]
		lines = append(lines, Line{Command: add, Arg: k.Type, Name: add.Title + ": " + k.Label, Icon: k.Icon, Kind: k})
	}
	return lines
}
