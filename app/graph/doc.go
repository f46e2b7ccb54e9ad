// Package graph is the geometry of a form on the canvas: the size of a card, its rows and handles, the paths of edges, hit tests and
// culling.
//
// It knows the model and nothing of a screen: sizes follow from the form alone, so nothing is ever measured, and every test runs natively.
// All coordinates are in form units, one CSS pixel at zoom 1, with y downwards, unless a name or a comment says screen.
package graph

// Measures of a card in form units. The style sheet of the canvas has the same numbers.
const (
	CardWidth    = 280
	HeaderHeight = 40
	RowHeight    = 28
	RuleHeight   = 44           // of a rule that has a name: its condition is below
	ListPadding  = 4            // above the first row and below the last
	FoldAfter    = 12           // rows shown of a longer list; the others are one row, "+9 more"
	PillWidth    = 96           // Start and Ending
	PillHeight   = HeaderHeight // so that ends and cards at one height have aligned handles
	HandleRadius = 6            // of the drawn circle
	Grid         = 20
)
