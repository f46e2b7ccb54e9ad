package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/formgraph/formgraph/model/schema"
)

// ruleTexts says of every code what it is about, for programs that show findings
// beside the text (SARIF 2.1.0, section 3.49). The codes are the contract's,
// section 1, problems first.
var ruleTexts = []struct {
	code schema.Code
	text string
}{
	{schema.CodeSyntax, "The file is not one JSON value in UTF-8."},
	{schema.CodeDuplicateKey, "A property is written twice."},
	{schema.CodeLimit, "The document is too deep, too large or has too many values."},
	{schema.CodeType, "A value is of another JSON type than its table says."},
	{schema.CodeRequired, "A required property is absent."},
	{schema.CodeUnknown, "A property is not in the table of its object."},
	{schema.CodeLength, "A text is shorter or longer than allowed."},
	{schema.CodeRange, "A number is outside its bounds."},
	{schema.CodeEnum, "A value is none of those that are allowed."},
	{schema.CodeFormat, "A text does not have its format."},
	{schema.CodeItems, "A list has too few elements."},
	{schema.CodeOneOf, "Of several properties exactly one may be there."},
	{schema.CodeDuplicateID, "An id is taken by an earlier node, rule or component."},
	{schema.CodeUnknownNode, "A pointer leads to a node that does not exist."},
	{schema.CodeUnreachable, "No path from the start leads to a node."},
	{schema.CodeDeadEnd, "A way that can be taken leads nowhere."},
	{schema.CodeTrap, "No way leads out of a cycle."},
	{schema.CodeNoEnding, "No path from the start leads to the ending."},
	{schema.CodeNoButton, "Nobody can leave a step."},
	{schema.CodeFlowID, "A flow id has a shape that tenants do not give."},
}

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
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Text sarifText `json:"shortDescription"`
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
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
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
		Name string `json:"fullyQualifiedName"`
	}
)

// tellSARIF prints what was found as one SARIF log: problems as errors, files
// that could not be read as notifications of the run.
func (p process) tellSARIF(reports []report, unread []error) error {
	release, _ := buildInfo()
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "formgraph", Version: release}},
		ColumnKind:  "unicodeCodePoints",
		Invocations: []sarifInvocation{{Successful: len(unread) == 0}},
		Results:     []sarifResult{},
	}
	index := map[schema.Code]int{}
	for i, r := range ruleTexts {
		index[r.code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(r.code), sarifText{r.text}})
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
		logical = []sarifLogical{{path}}
	}
	place := sarifPhysical{sarifArtifact{sarifURI(file)}, sarifRegion{f.Line, f.Column}}
	return sarifResult{string(f.Code), rule, level, sarifText{text}, []sarifLocation{{place, logical}}}
}

// sarifURI names a file as SARIF wants it: a relative reference stays relative,
// so that it is found in the repository (section 3.4.3).
func sarifURI(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
