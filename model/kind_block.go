package model

import "github.com/formgraph/formgraph/model/schema"

var (
	alignment      = schema.Enum{"LEFT", "CENTER", "RIGHT"}
	alignmentWords = []string{"Left", "Center", "Right"}
)

// blocks are the kinds of category BLOCK.
var blocks = []Kind{
	{
		Category: Block, Type: "DIVIDER", Rank: 3, Label: "Divider", Icon: "divider",
		Keywords: "line rule separator hr", Doc: "A line between parts of a step.",
		Config: schema.Table{
			{Name: "text", Spec: schema.String{Max: 50, Role: schema.Caption}, Doc: "Text in the middle of the line."},
		},
	},
	{
		Category: Block, Type: "HTML", Rank: 4, Label: "HTML", Icon: "html", Keywords: "markup code", Doc: "Markup of your own.",
		Config: schema.Table{
			{Name: "content", Spec: schema.String{Max: 10000, Multiline: true, Code: schema.HTML, Role: schema.Caption}},
		},
		Default: obj("content", "<p></p>"),
	},
	{
		Category: Block, Type: "IMAGE", Rank: 2, Label: "Image", Icon: "image", Keywords: "picture photo logo", Doc: "A picture.",
		Config: schema.Table{
			{Name: "src", Label: "Source", Spec: schema.String{Max: 500, Role: schema.Address}, Required: true, Doc: "Address of the picture."},
			{Name: "position", Spec: alignment, Words: alignmentWords},
			{Name: "height", Spec: schema.Numeric{Min: "1", Max: "500"}, Doc: "In pixels."},
		},
		Default: obj("src", "https://"),
	},
	{
		Category: Block, Type: "JUMP_BUTTON", Rank: 7, Label: "Jump button", Icon: "jump", Keywords: "skip go link", ConfigRequired: true, Button: true,
		Doc: "Goes to another node without checking the answers.",
		Config: schema.Table{
			{Name: "text", Spec: schema.String{Max: 150, Role: schema.Caption}, Required: true},
			{Name: "next_node", Label: "Goes to", Spec: pointerSpec, Required: true},
			{Name: "style", Spec: schema.Table{
				{Name: "background_color", Spec: schema.String{Format: hexColor, Role: schema.Color}},
			}},
		},
		Default: obj("text", "Skip", "next_node", EndingID),
	},
	{
		Category: Block, Type: "RESEND_BUTTON", Rank: 8, Label: "Resend button", Icon: "resend",
		Keywords: "send again code", ConfigRequired: true, Button: true,
		Doc: "Runs a flow again, for example to resend a code.",
		Config: schema.Table{
			{
				Name: "active_text", Label: "Text before the button", Spec: schema.String{Min: 1, Max: 255}, Required: true,
				Doc: "Shown while it can be pressed. The API calls it the active text.",
			},
			{Name: "button_text", Spec: schema.String{Min: 1, Max: 255, Role: schema.Caption}, Required: true},
			{Name: "waiting_text", Label: "Text while people wait", Spec: schema.String{Min: 1, Max: 255}, Required: true, Doc: "May contain {{remaining_seconds}}."},
			{Name: "flow_id", Label: "Flow", Spec: flowSpec, Required: true, Doc: "The flow that runs."},
			{Name: "text_alignment", Spec: alignment, Words: alignmentWords},
			{Name: "max_attempts", Label: "Maximum attempts", Spec: schema.Numeric{Min: "1", Max: "10"}},
			{Name: "waiting_time", Spec: schema.Numeric{Min: "1", Max: "60"}, Doc: "In seconds."},
		},
		Default: obj("active_text", "Did not get the code?", "button_text", "Send again",
			"waiting_text", "Send again in {{remaining_seconds}} s", "flow_id", "",
			"max_attempts", schema.Number("3"), "waiting_time", schema.Number("30")),
	},
	{
		Category: Block, Type: "NEXT_BUTTON", Rank: 5, Label: "Next button", Icon: "next",
		Keywords: "continue submit", ConfigRequired: true, Button: true, Exit: PressedExit,
		Doc: "Checks the answers and continues.",
		Config: schema.Table{
			{Name: "text", Spec: schema.String{Max: 150, Role: schema.Caption}, Required: true},
		},
		Default: obj("text", "Continue"),
	},
	{
		Category: Block, Type: "PREVIOUS_BUTTON", Rank: 6, Label: "Previous button", Icon: "previous",
		Keywords: "back", ConfigRequired: true, Button: true,
		Doc: "Goes back to the previous step.",
		Config: schema.Table{
			{Name: "text", Spec: schema.String{Max: 150, Role: schema.Caption}, Required: true},
		},
		Default: obj("text", "Back"),
	},
	{
		Category: Block, Type: "RICH_TEXT", Rank: 1, Label: "Rich text", Icon: "rich",
		Keywords: "paragraph heading title description", Doc: "Headings and paragraphs.",
		Config: schema.Table{
			{Name: "content", Spec: schema.String{Max: 10000, Multiline: true, Code: schema.RichText, Role: schema.Caption}},
		},
		Default: obj("content", "<h2>Heading</h2><p>Text</p>"),
	},
}
