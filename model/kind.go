package model

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Category groups the component kinds.
type Category string

// The categories.
const (
	Block  Category = "BLOCK"
	Widget Category = "WIDGET"
	Field  Category = "FIELD"
)

// Categories lists the categories in the order of the palette.
var Categories = []Category{Field, Block, Widget}

// Title names the kinds of the category, as the title of a list of them.
func (c Category) Title() string {
	switch c {
	case Field:
		return "Fields"
	case Block:
		return "Blocks"
	case Widget:
		return "Widgets"
	}
	return ""
}

// Kind is everything the product knows about one component type. Validation, the palette, new components, the inspector's rows, the text of
// cards, the analysis of paths and the JSON Schema follow from it: a new type is one row in the list of its category.
type Kind struct {
	Category       Category
	Type           string
	Rank           int    // its place among those of its category by how often they are used, 1 first; a palette lists them so
	Alias          string // the vendor's name of the type, "" if it is the same
	Label          string // title in the palette and the inspector, in plain words
	Term           string // what the documentation of the API calls it, "" if that is the label
	Question       string // label of a new one, for the people who fill in the form; "" for a block
	Doc            string // its purpose, in one sentence
	Icon           string // name of a symbol in the icon set
	Keywords       string // other words that people search for, separated by spaces
	ConfigRequired bool
	Config         schema.Table // the roles of its strings mark pointers and flows
	// Default is the config of a new component, nil for none. Strings that only the author can know are empty, which is reported as a
	// problem.
	Default *schema.Object
	Button  bool // it belongs at the end of a step; other components are added before it
	Exit    Exit

	// The properties of Config with these roles, "" for none.
	leads, flow string
	captions    []string
}

// Exit describes how a component takes a journey to its step's next node. A component with a pointer to another node is not an exit in this
// sense; see Kind.Leads.
type Exit uint8

// The exits.
const (
	NoExit      Exit = iota
	PressedExit      // when it is pressed
	OwnExit          // possibly, without being pressed
)

// Kinds lists every component kind in the order of the spec's tables.
var Kinds = kindRows(blocks, widgets, fields)

// kindRows joins lists of kinds and looks their roles up.
func kindRows(lists ...[]Kind) []Kind {
	all := slices.Concat(lists...)
	for i := range all {
		k := &all[i]
		k.leads, k.flow = k.Config.Find(schema.NodePointer), k.Config.Find(schema.FlowID)
		if caption := k.Config.Find(schema.Caption); caption != "" {
			k.captions = []string{caption}
		}
	}
	return all
}

// KindsByUse returns the kinds of a category, the most used first.
func KindsByUse(category Category) []*Kind {
	var list []*Kind
	for i := range Kinds {
		if k := &Kinds[i]; k.Category == category {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b *Kind) int { return a.Rank - b.Rank })
	return list
}

// Untitled is the Question of kinds that may ask for anything.
const Untitled = "Untitled question"

// FullLabel returns the label, followed by the term, if there is one, for people who know that.
func (k *Kind) FullLabel() string {
	if k.Term == "" {
		return k.Label
	}
	return k.Label + " (" + k.Term + ")"
}

// Help returns the purpose of the kind, followed by the term, if there is one.
func (k *Kind) Help() string {
	if k.Term == "" {
		return k.Doc
	}
	return k.Doc + " In the API: " + k.Term + "."
}

// Synonyms returns the words other than the label by which people search for the kind: the keywords, the term and the type.
func (k *Kind) Synonyms() string {
	return k.Keywords + " " + k.Term + " " + strings.ReplaceAll(k.Type, "_", " ")
}

// Leads returns the property of the config with the node to which the component leads when it is pressed, or "" if there is none.
func (k *Kind) Leads() string { return k.leads }

// Caption returns the property of the config that identifies a component without a label, or "" if there is none.
func (k *Kind) Caption() string { return k.Config.Find(schema.Caption) }

// NextButton returns the first kind that takes a journey to the next node when it is pressed. Without such a button, a step may have no
// exit.
func NextButton() *Kind {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Exit == PressedExit })
	return &Kinds[i]
}

// KindOf returns the kind of a component type, by its neutral name or the vendor's, or nil if the type is unknown.
func KindOf(typ string) *Kind {
	for i := range Kinds {
		if k := &Kinds[i]; k.Type == typ || k.Alias == typ && typ != "" {
			return k
		}
	}
	return nil
}

// Dialect selects the neutral names of widgets or the vendor's.
type Dialect string

// The dialects, values of the option --dialect.
const (
	SpecDialect   Dialect = "spec"
	VendorDialect Dialect = "vendor"
)

// Name returns the type's name in a dialect.
func (k *Kind) Name(d Dialect) string {
	if d == VendorDialect && k.Alias != "" {
		return k.Alias
	}
	return k.Type
}

// Advanced is the last section of the inspector: what people rarely read or change.
const Advanced = "Advanced"

// Table returns the table of a whole component of the kind.
func (k *Kind) Table() schema.Table {
	names := schema.Enum{k.Type}
	if k.Alias != "" {
		names = append(names, k.Alias)
	}
	t := schema.Table{
		{
			Name: "id", Spec: schema.String{Format: identifier}, Required: true, Section: Advanced,
			Doc: "Unique in the form; other parts refer to it.",
		},
		{Name: "category", Spec: schema.Enum{string(k.Category)}, Required: true},
		{Name: "type", Spec: names, Required: true},
	}
	if k.Category != Block {
		t = append(t,
			schema.Row{Name: "label", Spec: schema.String{Min: 1}, Doc: "Text above the input."},
			schema.Row{Name: "hint", Spec: schema.String{Min: 1, Max: 500, Multiline: true, Tagged: true}, Doc: "Help below the input."},
			schema.Row{Name: "required", Spec: schema.Bool{}, Doc: "The step cannot be left without an answer."},
			schema.Row{
				Name: "sensitive", Spec: schema.Bool{}, Section: privacy, Doc: "The answer is not kept after the journey.",
				Words: []string{"Answer is kept", "Answer is not kept"},
			},
		)
	}
	return append(t, schema.Row{Name: "config", Spec: k.Config, Required: k.ConfigRequired})
}

// Verbatim reports whether a property of a component, or of a value in it, is code: braces in it are not templates.
func Verbatim(property string) bool {
	return property == "code" || property == "schema" || property == "css"
}

// componentSpec is the rule for a component: category first, then type.
var componentSpec = schema.Union{Tag: "category", Arms: []schema.Arm{
	{Tag: string(Block), Spec: typeUnion(blocks)},
	{Tag: string(Widget), Spec: typeUnion(widgets)},
	{Tag: string(Field), Spec: typeUnion(fields)},
}}

func typeUnion(kinds []Kind) schema.Union {
	u := schema.Union{Tag: "type"}
	for i := range kinds {
		arm := schema.Arm{Tag: kinds[i].Type, Spec: kinds[i].Table()}
		if kinds[i].Alias != "" {
			arm.Aliases = []string{kinds[i].Alias}
		}
		u.Arms = append(u.Arms, arm)
	}
	return u
}

// obj makes the object of a default config from alternating keys and values.
func obj(pairs ...any) *schema.Object {
	members := make([]schema.Member, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		members = append(members, schema.Member{Key: pair[0].(string), Value: pair[1]})
	}
	return schema.NewObject(members...)
}
