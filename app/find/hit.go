package find

import "github.com/formgraph/formgraph/model/schema"

// Hit is something in the form that matches a query.
type Hit struct {
	Kind Kind
	Icon string // a symbol of the icon set
	// Node, Component and Rule are the ids of the elements that contain the hit, as written, "" if there is none. Node is model.StartID or
	// model.EndingID for the ends. A translation of a component has only Component.
	Node, Component, Rule string
	// Path is the path of the text that matches best, or of the whole element if the query has only filters. It is a path in the form that
	// was searched, so its first elements distinguish nodes that share an id.
	Path schema.Path
	// Title is the name of the element. Context is where it is, its id and the texts that were found, as in "Welcome · email_x1 ·
	// placeholder: you@…". Both are plain text in valid UTF-8, never HTML, and of bounded length whatever the form contains. Context is
	// empty for the ends if the name is enough.
	Title, Context string
	// InTitle and InContext are the ranges of the query's words in Title and Context, in order and not overlapping. Each word is in one of
	// them.
	InTitle, InContext []Range
}

// Range is the part of a text from the byte From up to, but not including, the byte To. Both are
// at character boundaries.
type Range struct{ From, To int }

// Kind is the kind of a hit. The filter kind: accepts these names.
type Kind string

// The kinds of hits. A node of an unknown type is NodeKind. The filter
// also accepts block, widget and field for components of a category.
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
