package find

import "github.com/formgraph/formgraph/model/schema"

// Hit is a thing of the form that a query finds.
type Hit struct {
	Kind Kind
	Icon string // a symbol of the icon set
	// Node, Component and Rule are the ids of what the hit is in, as they are
	// written, "" where there is none: model.StartID and model.EndingID for the
	// ends. A translation of a component has that id only.
	Node, Component, Rule string
	// Path is the place of the text that fits best, and of the thing itself when
	// only filters were typed. It is in the form that was searched; its first
	// elements tell two nodes of one id apart.
	Path schema.Path
	// Title is what the thing is called, Context where it is, its id and the
	// texts that were found, as "Welcome · email_x1 · placeholder: you@…". Both
	// are plain text in valid UTF-8, never HTML, and bounded whatever the form
	// holds. Context is empty for the ends when their name says all.
	Title, Context string
	// InTitle and InContext are where the words of the query are in Title and
	// Context, in order and apart from each other. Each word is in one of them.
	InTitle, InContext []Range
}

// Range is a part of a text, from the byte From to the byte before To. Both are
// at the beginning or the end of a character.
type Range struct{ From, To int }

// Kind says what a hit is about; the filter kind: takes these names.
type Kind string

// The kinds of hits. A node of a type that we do not know is NodeKind. The filter
// takes block, widget and field for components of a category, too.
const (
	FormKind        Kind = "form" // its name, languages, style
	StartKind       Kind = "start"
	HiddenKind      Kind = "hidden" // a hidden field
	EndingKind      Kind = "ending"
	StepKind        Kind = "step"
	FlowKind        Kind = "flow"
	RouterKind      Kind = "router"
	NodeKind        Kind = "node"
	ComponentKind   Kind = "component"
	RuleKind        Kind = "rule"
	MessageKind     Kind = "message"
	TranslationKind Kind = "translation" // of a component or message, or a language
)
