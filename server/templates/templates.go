// Package templates has forms of our own with which people begin: export envelopes, with scenarios that take every edge.
package templates

import (
	"embed"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

//go:embed files/*.json
var files embed.FS

// Template is a form to begin with. Its texts are JSON.
type Template struct {
	ID        string // the name of its file
	About     string // what it is for, a sentence for people
	Example   bool   // a new tenant has it as an example
	Envelope  []byte
	Scenarios []byte
}

// abouts are the templates in the order in which they are offered.
var abouts = []Template{
	{ID: "1-sign-up", About: "An account with a code by e-mail, and an end to too many tries.", Example: true},
	{ID: "2-consent", About: "What people agree to, and what they want to hear about.", Example: true},
	{ID: "3-identity", About: "A document and a photo, with a second try and a manual check.", Example: true},
	{ID: "4-profile", About: "Two questions first, then those that fit: for work or at home."},
	{ID: "5-age-check", About: "Asks the age, and a parent for people under 16."},
	{ID: "6-phone-code", About: "A number, a code by SMS, and a way to change the number."},
	{ID: "7-leaving", About: "Why people leave, with a question for each reason."},
	{ID: "8-event", About: "Tickets in the hall and online, with what each needs to know."},
}

// All returns the templates in the order in which they are offered. The caller must not change their texts.
func All() ([]Template, error) {
	list := make([]Template, len(abouts))
	for i, t := range abouts {
		var err error
		if t.Envelope, err = files.ReadFile("files/" + t.ID + ".json"); err == nil {
			t.Scenarios, err = files.ReadFile("files/" + t.ID + ".scenarios.json")
		}
		if err != nil {
			return nil, fmt.Errorf("read template %s: %w", t.ID, err)
		}
		list[i] = t
	}
	return list, nil
}

// Form returns the form of a template, with placeholders for the ids of its flows.
func (t Template) Form() (*model.Form, error) {
	tree, problems := schema.Decode(t.Envelope)
	envelope, ok := tree.(*schema.Object)
	if len(problems) > 0 || !ok {
		return nil, fmt.Errorf("decode template %s: %s", t.ID, problems.Error())
	}
	return model.FromTree(envelope.Object("form")), nil
}

// Short returns the id without its number.
func (t Template) Short() string {
	_, id, _ := strings.Cut(t.ID, "-")
	return id
}
