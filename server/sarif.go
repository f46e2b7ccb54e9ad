package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/formgraph/formgraph/model/schema"
)

// ruleTexts describes every code and the remedy, for programs that show findings beside the text (SARIF 2.1.0, section 3.49). The codes of
// problems come first.
var ruleTexts = []struct {
	code       schema.Code
	text, help string
}{
	{
		schema.CodeSyntax, "The file is not one JSON value in UTF-8.",
		"Write one JSON value without a byte order mark, comments or trailing commas. The position is where parsing stopped.",
	},
	{schema.CodeDuplicateKey, "A property occurs twice.", "Remove one of the two. Only the last one is checked."},
	{
		schema.CodeLimit, "The document is too deep, too large or has too many values.",
		"A document has at most 4 MiB, 64 levels and 200,000 values. Split the form, or move large texts out of it.",
	},
	{
		schema.CodeType, "A value has the wrong JSON type.",
		"Use the type that the message names. A whole number may be written 1.0; a number in quotes is a string.",
	},
	{schema.CodeRequired, "A required property is absent.", "Add the property that the message names."},
	{
		schema.CodeUnknown, "A property is not allowed in its object.",
		"Remove the property, or correct its spelling: names are case sensitive.",
	},
	{
		schema.CodeLength, "A string is shorter or longer than allowed.",
		"Change the string to the length that the message names, in Unicode code points.",
	},
	{schema.CodeRange, "A number is outside its bounds.", "Change the number to one within the bounds that the message names."},
	{schema.CodeEnum, "The value is not one of the allowed values.", "Use one of the values that the message lists."},
	{schema.CodeFormat, "A string does not match its format.", "Write the string as the message shows."},
	{schema.CodeItems, "A list has too few elements.", "Add elements until the list has as many as the message names."},
	{
		schema.CodeOneOf, "Exactly one of several properties may be present.",
		"Keep the property that belongs to the type, and remove the other.",
	},
	{
		schema.CodeDuplicateID, "An id is already used by an earlier node, rule or component.",
		"Rename one of the two and update what refers to it. Ids of nodes and components are unique in the form, ids of rules in their router.",
	},
	{schema.CodeUnknownNode, "A pointer leads to a node that does not exist.", "Point to a node of the form or to $ending, or add the node."},
	{schema.CodeUnreachable, "No path from the start leads to a node.", "Connect the node to one that is reached, or remove it."},
	{schema.CodeDeadEnd, "A way out that a journey can take leads nowhere.", "Point the way to a node or to $ending."},
	{
		schema.CodeTrap, "No way leads out of a cycle.",
		"Add a way out of the cycle: a rule, a jump button or a next node that leads elsewhere.",
	},
	{
		schema.CodeLoop, "A cycle of routers can loop forever.",
		"Nothing changes between routers, so a run takes the same ways again. Point one of the ways at a node outside the cycle.",
	},
	{schema.CodeNoEnding, "No path from the start leads to the ending.", "Point a way that can be taken to $ending."},
	{schema.CodeNoButton, "Nobody can leave a step.", "Add a next button or a jump button to the step."},
	{
		schema.CodeNeverDecides, "A rule of a router never decides.",
		"Correct its condition, move it above the rule that decides before it, or remove it.",
	},
	{
		schema.CodeImpossible, "A comparison is with a value that its field cannot have.",
		"Compare the field with a value that its component accepts.",
	},
	{
		schema.CodeRepeatedOption, "Two options of a field have the same value.",
		"Give each option a value of its own, so that an answer shows which one was chosen.",
	},
	{
		schema.CodeOrphanTranslation, "A translation is for something that the form does not have.",
		"Remove it: its component, text or message is not in the form, or its language has another translation.",
	},
	{schema.CodeTranslationType, "A translation of a text is not a text.", "Write the translation as a text: people see the original until then."},
	{
		schema.CodeFlowID, "A flow id does not look like the id of a tenant's flow.",
		"Choose a flow of the tenant, whose id begins with af_. In an export, list the flow of a placeholder such as #FLOW-1# in flows.",
	},
}

// homePage is the address of the program and its reference; the module has the same name.
const homePage = "https://github.com/formgraph/formgraph"

// The parts of SARIF 2.1.0 that the report uses.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Home    string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Text sarifText `json:"shortDescription"`
		Full sarifText `json:"fullDescription"`
		Help sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Flows     []sarifFlow     `json:"codeFlows,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifFlow struct {
		Threads []sarifThread `json:"threadFlows"`
	}
	sarifThread struct {
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct {
		Location sarifLocation `json:"location"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
	sarifLogical struct {
		Short string `json:"name,omitempty"`
		Name  string `json:"fullyQualifiedName"`
	}
)

// tellSARIF prints the findings as one SARIF log: problems as errors, and files that could not be read as notifications of the run.
func (p process) tellSARIF(reports []report, unread []error) error {
	release, _ := buildInfo()
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "formgraph", Version: release, Home: homePage}},
		ColumnKind:  "unicodeCodePoints",
		Invocations: []sarifInvocation{{Successful: len(unread) == 0}},
		Results:     []sarifResult{},
	}
	index := map[schema.Code]int{}
	for i, r := range ruleTexts {
		index[r.code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
			sarifRule{string(r.code), sarifText{r.text}, sarifText{r.text + " " + r.help}, sarifText{r.help}})
	}
	for _, err := range unread {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"error", sarifText{err.Error()}})
	}
	for _, r := range reports {
		for _, f := range r.Problems {
			run.Results = append(run.Results, sarifOf(r.File, f, "error", index[f.Code]))
		}
		for _, f := range r.Warnings {
			run.Results = append(run.Results, sarifOf(r.File, f, "warning", index[f.Code]))
		}
	}
	text, err := json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	_, err = fmt.Fprintf(p.stdout, "%s\n", text)
	return err
}

func sarifOf(file string, f finding, level string, rule int) sarifResult {
	text := f.Detail
	var logical []sarifLogical
	if path := f.Path.String(); path != "" {
		text = path + ": " + f.Detail
		logical = []sarifLogical{{Name: path}}
	}
	place := sarifPhysical{sarifArtifact{sarifURI(file)}, sarifRegion{f.Line, f.Column}}
	return sarifResult{
		RuleID: string(f.Code), RuleIndex: rule, Level: level, Message: sarifText{text},
		Locations: []sarifLocation{{Physical: place, Logical: logical}}, Flows: sarifJourney(file, f.Journey),
	}
}

// sarifJourney returns a journey as a code flow, which viewers step through (section 3.36), or nil if there is none.
func sarifJourney(file string, stops []stop) []sarifFlow {
	if len(stops) == 0 {
		return nil
	}
	steps := make([]sarifStep, len(stops))
	for i, s := range stops {
		text := s.Node
		if s.Name != "" {
			text = s.Name + " (" + s.Node + ")"
		}
		if s.Port != "" {
			text += ", left by " + string(s.Port)
		}
		steps[i].Location = sarifLocation{
			Physical: sarifPhysical{sarifArtifact{sarifURI(file)}, sarifRegion{s.Line, s.Column}},
			Message:  &sarifText{text},
		}
		if len(s.path) > 0 {
			steps[i].Location.Logical = []sarifLogical{{Short: s.Node, Name: s.path.String()}}
		}
	}
	return []sarifFlow{{[]sarifThread{{steps}}}}
}

// sarifURI names a file as SARIF requires: a relative path stays a relative reference, so that viewers find the file in the repository
// (section 3.4.3).
func sarifURI(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
