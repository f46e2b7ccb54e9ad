//go:build js

package ui

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ago says how long before now a time was.
func ago(then, now time.Time) string {
	d := now.Sub(then)
	switch {
	case then.IsZero():
		return "–"
	case d < time.Minute:
		return t.JustNow
	case d < time.Hour:
		return fmt.Sprintf(t.Ago, several(int(d/time.Minute), t.Minutes))
	case d < 24*time.Hour:
		return fmt.Sprintf(t.Ago, several(int(d/time.Hour), t.Hours))
	case d < 14*24*time.Hour:
		return fmt.Sprintf(t.Ago, several(int(d/(24*time.Hour)), t.Days))
	}
	return then.Local().Format(t.Date)
}

// sentence makes an error one to read.
func sentence(err error) string {
	s := err.Error()
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	s = strings.ToUpper(string(r)) + s[n:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

func statusOf(err error) int {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Status
	}
	return 0
}

// initials returns at most two letters of a name or an address.
func initials(name string) string {
	name, _, _ = strings.Cut(name, "@")
	var b strings.Builder
	for i, w := range strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '.' || r == '-' }) {
		if i == 2 {
			break
		}
		r, _ := utf8.DecodeRuneInString(w)
		b.WriteString(strings.ToUpper(string(r)))
	}
	return b.String()
}

// firstForm is what a new form holds: the least that is a whole journey.
func firstForm(name string) *model.Form {
	button := model.NewComponent(model.KindOf("NEXT_BUTTON"), model.SpecDialect, "next_button")
	step := model.NewNode(model.StepNode, "step_1", model.Point{X: 240, Y: 0})
	f := model.New(name)
	for _, edit := range []struct {
		path  schema.Path
		value any
	}{
		{schema.Path{schema.Key("languages"), schema.Key("primary")}, "en"},
		{schema.Path{schema.Key("nodes"), schema.Index(0)}, step},
		{schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("config"), schema.Key("components"), schema.Index(0)}, button},
		{schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("config"), schema.Key("next_node")}, model.EndingID},
		{schema.Path{schema.Key("start"), schema.Key("next_node")}, "step_1"},
		{schema.Path{schema.Key("start"), schema.Key("coordinates")}, model.Point{X: 0, Y: 0}.Tree()},
		{schema.Path{schema.Key("ending"), schema.Key("resume_flow")}, true},
		{schema.Path{schema.Key("ending"), schema.Key("coordinates")}, model.Point{X: 640, Y: 0}.Tree()},
	} {
		if next, err := f.Set(edit.path, edit.value); err == nil {
			f = next
		}
	}
	return f
}

// problemsOf returns the problems that the server named.
func problemsOf(err error) []client.Problem {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Problems
	}
	return nil
}

// fileName makes a file's name of a form's.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(safe, "-") + ".form.json"
}

// initial returns the first letter of a word, large.
func initial(word string) string {
	r, _ := utf8.DecodeRuneInString(word)
	return strings.ToUpper(string(r))
}
