//go:build js

package ui

// words holds the texts of the screen that are not made of a form's own words.
// A language is one value of it.
type words struct {
	Product, Forms, NewForm, NewFormName, Create, Cancel, Delete, DeleteForm, DeleteFormText, SearchForms                   string
	NoForms, NoFormsText, NothingFound, LoadingForms, LoadingForm, Retry, NotLoaded, SignIn, SignedOut, SignedOutText       string
	SignInAgain, SessionEnded, SignOut, Theme, Save, Undo, Redo, Saved, Saving, Offline, Conflict, SaveFailed               string
	Components, Outline, Problems, SearchComponents, Fields, Blocks, Widgets, NoProblems, NoProblemsText, SelectStep        string
	AddNode, AddRule, Step, Flow, Router, FitView, ZoomIn, ZoomOut, Graph, Inspector, LeftPanel, AllForms, FormName, NotSet string
	Position, AddCondition, Remove, MoveUp, MoveDown, Show, Hide, Key, Required, Leave, LeaveText, LeaveWithout, Stay       string
	TakeTheirs, SaveMine, ConflictText, Updated, Name, Start, Ending, Help, HelpText, ReadOnly, NotFound, Add               string
	TidyUp, History, Opened, Commands, NoCommand, Find, NothingHere, NothingMoved, Arrange, Copied, CopyFailed, LeftOut     string
	BackToContent, WheelZooms, Warnings, WarningsText, Merge, Merged, Conflicts, ConflictsText, TakeTheirValue, Close       string
	ConnectTo, NoNode, EmptyForm, FixProblems, Import, Export, Broken, RetryIn                                              string
}

var english = words{
	Product: "Formgraph", Forms: "Forms", NewForm: "New form", NewFormName: "Name of the form", Create: "Create", Cancel: "Cancel", Delete: "Delete",
	DeleteForm: "Delete form", DeleteFormText: "%s will be gone for everyone. This cannot be undone.", SearchForms: "Search forms",
	NoForms: "No forms yet", NoFormsText: "A form is a graph of steps, routers and flows. Make the first one, or import a file.", NothingFound: "No form has “%s” in its name or id.",
	LoadingForms: "Loading the forms…", LoadingForm: "Loading the form…", Retry: "Try again", NotLoaded: "This could not be loaded", SignIn: "Sign in",
	SignedOut: "You are signed out", SignedOutText: "Sign in to see and edit the forms of your tenant.", SignInAgain: "Sign in again",
	SessionEnded: "Your session has ended. Sign in again to save; your work stays here.", SignOut: "Sign out", Theme: "Switch between light and dark",
	Save: "Save", Undo: "Undo", Redo: "Redo", Saved: "Saved", Saving: "Saving…", Offline: "Not saved: the server cannot be reached", Conflict: "Changed elsewhere", SaveFailed: "Not saved",
	Components: "Components", Outline: "Outline", Problems: "Problems", SearchComponents: "Search %d components", Fields: "Fields", Blocks: "Blocks", Widgets: "Widgets",
	NoProblems: "No problems", NoProblemsText: "Everything in this form fits the tables.", SelectStep: "Select a step first: components live in steps.",
	AddNode: "Add node", AddRule: "Add rule", Step: "Step", Flow: "Flow", Router: "Router", FitView: "Fit view", ZoomIn: "Zoom in", ZoomOut: "Zoom out",
	Graph: "Form graph", Inspector: "Inspector", LeftPanel: "Components and outline", AllForms: "All forms", FormName: "Form name", NotSet: "Not set",
	Position: "Position", AddCondition: "Add condition", Remove: "Remove", MoveUp: "Move up", MoveDown: "Move down", Show: "Show", Hide: "Hide", Key: "Key", Required: "required",
	Leave: "Leave without saving?", LeaveText: "What you changed in this form is not saved.", LeaveWithout: "Leave", Stay: "Stay",
	TakeTheirs: "Load the saved version", SaveMine: "Save mine over it",
	ConflictText: "This form was saved elsewhere after you opened it.", Updated: "Updated", Name: "Name", Start: "Start", Ending: "Ending", Help: "Keyboard shortcuts", HelpText: "Shortcuts work while no text is being typed.",
	ReadOnly: "Reading only: your account may not change forms", NotFound: "There is no such page", Add: "Add",
	Merge: "Merge", Merged: "Merged. Look at it, then save.", Conflicts: "Both sides changed these", Close: "Close", TakeTheirValue: "Take the saved one",
	ConflictsText: "Yours is kept in each place. Take the saved one where that is right; everything else is merged.",
	TidyUp:        "Tidy up", History: "History", Opened: "Opened", Commands: "Commands", NoCommand: "No command is called that", Find: "Find in this form", NothingHere: "Nothing here has these words",
	NothingMoved: "Everything is in its place already.", Arrange: "Arrange", Copied: "Copied %s.", CopyFailed: "The browser does not let this page copy: use Ctrl+C.", LeftOut: " %s left out: what it led to is not here.",
	BackToContent: "Back to the form", WheelZooms: "The mouse wheel zooms, and pans with Ctrl held",
	Warnings: "Warnings", WarningsText: "These do not keep the form from being saved.",
	ConnectTo: "Connect to", NoNode: "No node has that name", EmptyForm: "Add a step to begin: press N.", FixProblems: "Not saved: mend %s first",
	Import: "Import", Export: "Export", RetryIn: " Try again in %d s.",
	Broken: "Something went wrong in the editor. Your work is kept: save it, then load the page again.",
}

// t is the language of the screen. English is the only one so far.
var t = &english
