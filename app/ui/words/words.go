// Package words has the texts of the screen, one table a language.
package words

import (
	"fmt"

	"github.com/formgraph/formgraph/app/find"
)

// Words holds the texts of the screen that are not made of a form's own words. A
// language is one value of it. What takes a value is a text with a place for it:
// languages differ in where that is.
//
// The names of kinds and properties, and what is wrong with a value, are the
// tables', in package model; the names of undo steps are their commands'.
type Words struct {
	Product, Forms, NewForm, NewFormName, Create, Cancel, Delete, DeleteForm, DeleteFormText, SearchForms                    string
	NoForms, NoFormsText, NothingFound, LoadingForms, LoadingForm, Retry, NotLoaded, SignIn, SignedOut, SignedOutText        string
	SignInAgain, SessionEnded, SignOut, Theme, Save, Undo, Saved, Saving, Conflict, SaveFailed                               string
	Components, Outline, Problems, SearchComponents, Fields, Blocks, Widgets, NoProblems, NoProblemsText                     string
	AddNode, AddRule, Step, Flow, Router, Graph, Inspector, LeftPanel, AllForms, FormName, NotSet                            string
	Position, AddCondition, Remove, Show, Hide, Key, Required                                                                string
	TakeTheirs, SaveMine, ConflictText, Updated, Name, Start, Ending, Help, HelpText, ReadOnly, NotFound                     string
	History, Opened, Commands, NoCommand, Find, NothingHere, NothingMoved, Arrange, Copied, CopyFailed, PasteFailed, LeftOut string
	BackToContent, WheelZooms, Warnings, WarningsText, Merge, Merged, Conflicts, ConflictsText, TakeTheirValue, Close        string
	ConnectTo, NoNode, EmptyForm, AddFirstStep, RuleOf, FallbackOf, ButtonOf, FixProblems, Import, Export, Broken, RetryIn   string
	YourAccount, Administration                                                                                              string
	// Drafts.
	DraftFailed, DraftNoRoom, DraftRestored, DraftMerged, DraftDamaged, OpenInTab, Discard, Discarded, DiscardText, GoOn, Loaded string
	SaveSlow, SaveCancelled, RetryingSoon, More, ClosePanel                                                                      string
	KeptHere, KeepDrafts, DiscardDrafts, UnsavedWork, LostForms, LostFormsText, SaveAsNew, FormGone, FormGoneText                string

	// The list of forms.
	MoreOf, OpenOf, RenameOf, DuplicateOf, ExportOf, Open, Rename, RenameForm, CopyOf, Duplicated, Renamed, Deleted, ClearSearch, SortBy, FormNotLoaded, Otherwise string

	// Verbs with what they are done to.
	DeleteOf, ShowOf, HideOf, RemoveOf, MoveUpOf, MoveDownOf, AddOf, KeyOf, RemoveCondition, Duplicate, NoKind string

	// The outline.
	Rule, UnknownNode, LeadsTo, LeadsNowhere, Nowhere, NoSuchNode, AndMore, NotReached, PlaceOf, OnlyPartsMove string

	// Panels, dialogs and messages.
	Rules, NoComponents, NoRules, ConditionNumber, OfMost, AndMoreRows, Form, TheForm, WorkStays, WindowBlocked                                            string
	Connected, Reconnected, Disconnected, AddedBetween, AddedAfter, NotAForm, GiveName, ID, ImportFile, Imported, FlowsUnmatched, Did, BadFile, NothingNew string
	NoConnection, NoAnswer, AnswerTooLarge, FileTooLarge, UnknownError                                                                                     string
	EmptyFile, ChooseFlows, ChooseFlowsText, KeepPlaceholder, FlowsIncomplete, UseFlows, NotNow                                                            string

	// Times; the layouts are those of package time.
	JustNow, Ago, Date, DateTime, TimeOfDay string

	// Numbers of things.
	Minutes, Hours, Days, ProblemCount, WarningCount, ChangeCount, Ways, Flows, FlowCount, FileProblems, MoreDrafts, SignOutDrafts, FlowsMissing Plural

	Found find.Words

	Account Account
	Admin   Admin
}

// Plural counts things: One is said of one, Many, with the number, of others. The
// languages so far need no more forms.
type Plural struct{ One, Many string }

// Several says how many there are.
func Several(n int, p Plural) string {
	if n == 1 {
		return p.One
	}
	return fmt.Sprintf(p.Many, n)
}

// T is the language of the screen. English is the only one so far.
var T = &english
