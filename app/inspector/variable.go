package inspector

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// Variable is a variable that a text or condition can use, in words.
type Variable struct {
	Text    string // in a template, without the braces
	Title   string
	Icon    string
	Type    string // in a word, "" if it is unknown
	Example string // "" for none
	Place   string // the path of the name of what gives the value, "" if the form does not have it
}

// VariableGroup has variables of one origin.
type VariableGroup struct {
	Title     string
	Variables []Variable
}

// The titles of the groups, in their order.
const (
	onTheWay  = "Fields on the way here"
	someWays  = "Not answered on every way here"
	hidden    = "Hidden fields"
	ofFlows   = "Variables"
	ofContext = "Context"
)

// typeWords are the types of answers in words. The others have none.
var typeWords = map[answertype.Type]string{
	answertype.Text: "text", answertype.Number: "number", answertype.Boolean: "yes or no", answertype.Option: "option", answertype.Options: "options",
	answertype.Date: "date", answertype.Time: "time", answertype.Phone: "phone", answertype.Files: "files", answertype.Payment: "payment", answertype.Social: "account",
	answertype.Address: "address", answertype.Challenge: "check", answertype.Credential: "credential",
}

// Variables returns the variables that can be used at a path, by origin. A query keeps those with its words in the title or the text.
func Variables(a *scope.Analysis, at schema.Path, query string) []VariableGroup {
	groups := []VariableGroup{{Title: onTheWay}, {Title: hidden}, {Title: ofFlows}, {Title: ofContext}, {Title: someWays}}
	for _, v := range a.At(at) {
		w := Variable{Text: v.Text, Title: v.Title, Icon: v.Icon, Type: typeWords[v.Type]}
		switch {
		case v.Component != nil:
			w.Title, w.Place = caption.Component(v.Component), v.Path.Key("label").String()
		case v.Path != nil:
			w.Place = v.Path.Key("key").String()
		}
		if e := v.Example(); e != nil {
			w.Example = schema.Shorten(template.Text(e), maxExample)
		}
		if !matches(query, w.Title, w.Text) {
			continue
		}
		i := 0
		switch {
		case strings.HasPrefix(v.Text, "vars"):
			i = 2
		case strings.HasPrefix(v.Text, "context"):
			i = 3
		case v.Component == nil:
			i = 1
		case !v.Every:
			i = 4
		}
		groups[i].Variables = append(groups[i].Variables, w)
	}
	return slices.DeleteFunc(groups, func(g VariableGroup) bool { return len(g.Variables) == 0 })
}

// maxExample is the length of an example, in characters.
const maxExample = 24

// matches reports whether the texts contain each word of a query, in any case.
func matches(query string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, " "))
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(all, word) {
			return false
		}
	}
	return true
}

// Templates reports whether the text of the row may contain templates.
func (p Prose) Templates() bool {
	if s, ok := p.spec.(schema.String); p.Input != Text && p.Input != LongText || p.OnLeave() || ok && s.Format != nil {
		return false // a template is not of a format, such as a color
	}
	at := model.PlaceOf(p.Path)
	n := len(at.Rest)
	switch {
	case at.End == model.EndingID, at.End == model.StartID:
		return n > 0 && at.Rest[n-1].Key != "key"
	case at.Component >= 0:
		return n > 0 && !slices.ContainsFunc(at.Rest, func(e schema.Elem) bool { return model.Verbatim(e.Key) })
	case at.Rule >= 0:
		return n > 0 && at.Rest[0].Key == "condition"
	}
	return false
}

// Insert returns the row's text with a template at a place, in UTF-16 code units: it replaces one that is begun before the place, and the
// whole left side of a comparison.
func (p Prose) Insert(variable string, at int) string {
	if n := len(p.Path); n > 1 && p.Path[n-2].Key == "operands" && p.Path[n-1].Index == 0 {
		return variable
	}
	before, after := cut(p.Text(), at)
	if begun, ok := Begun(p.Text(), at); ok {
		before = strings.TrimSuffix(before, "{{"+begun)
		after = strings.TrimPrefix(after, "}}")
	}
	return before + variable + after
}

// Begun returns what follows the last "{{" before a place in a text, in UTF-16 code units, and false if that template is closed or there is
// none.
func Begun(text string, at int) (string, bool) {
	before, _ := cut(text, at)
	i := strings.LastIndex(before, "{{")
	if i < 0 || strings.Contains(before[i:], "}}") {
		return "", false
	}
	return before[i+len("{{"):], true
}

// cut divides a text at a place in UTF-16 code units.
func cut(text string, at int) (before, after string) {
	units := utf16.Encode([]rune(text))
	at = max(0, min(at, len(units)))
	return string(utf16.Decode(units[:at])), string(utf16.Decode(units[at:]))
}

// Hint is what is probably wrong with a reference in a text.
type Hint struct {
	Text    string
	finding scope.Finding
}

// Instead returns the name of a field that may be meant, "" for none. Each call compares all names.
func (h Hint) Instead() string { return h.finding.Near() }

// Journey returns the ids of nodes that show what is wrong, nil for none. Each call takes time linear in the form.
func (h Hint) Journey() []string {
	if h.finding.Miss == scope.NoField {
		return nil
	}
	return h.finding.Journey()
}

// Hints returns what is probably wrong with references to fields, by the path of the text.
func Hints(a *scope.Analysis) map[string][]Hint {
	hints := map[string][]Hint{}
	for _, f := range a.Findings() {
		h := Hint{finding: f}
		switch f.Miss {
		case scope.NoField:
			h.Text = fmt.Sprintf("No step asks for %s.", f.Name)
		case scope.NoPath:
			h.Text = fmt.Sprintf("No way to this place asks for %s.", f.Name)
		case scope.SomePaths:
			h.Text = fmt.Sprintf("A way to this place does not ask for %s.", f.Name)
		}
		path := f.Path.String()
		hints[path] = append(hints[path], h)
	}
	return hints
}

// EdgesAlong returns the edges between the nodes of a journey, each as the id of its source, a colon and its port. Between two nodes it is the
// first one, since a journey of a hint takes buttons that do not check the answers.
func EdgesAlong(f *model.Form, journey []string) []string {
	first := map[[2]string]model.Port{}
	for _, e := range slices.Backward(f.Edges()) {
		first[[2]string{e.From, string(e.To)}] = e.Port
	}
	var edges []string
	for i := 1; i < len(journey); i++ {
		if port, ok := first[[2]string{journey[i-1], journey[i]}]; ok {
			edges = append(edges, journey[i-1]+":"+string(port))
		}
	}
	return edges
}

// Correct returns the command that replaces the field of a hint with the one that may be meant.
func (p Prose) Correct(h Hint) editor.Command { return p.Edit(h.Correct(p.Text())) }

// Correct returns a text with the field of the hint replaced by the one that may be meant.
func (h Hint) Correct(text string) string {
	wrong, instead := h.finding.Name, h.Instead()
	var b strings.Builder
	for {
		i := strings.Index(text, "fields."+wrong)
		if i < 0 {
			break
		}
		end := i + len("fields.") + len(wrong)
		name := instead
		if end < len(text) && model.ValidIdentifier(text[end:end+1]) {
			name = wrong // the beginning of a longer name
		}
		b.WriteString(text[:i] + "fields." + name)
		text = text[end:]
	}
	return b.String() + text
}

// knows adds to a comparison what is known about the variable on its left: the operators for its type, and its options as the values to
// compare it with. Values get its type.
func (rd reader) knows(c *Comparison, at schema.Path) {
	if rd.scope == nil || len(c.Operands) == 0 {
		return
	}
	left := strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(c.Operands[0].Text(), " ", ""), "{{"), "}}")
	if left == c.Operands[0].Text() {
		return
	}
	i := slices.IndexFunc(rd.variables(at), func(v scope.Variable) bool { return v.Text == left })
	if i < 0 {
		return
	}
	v := rd.variables(at)[i]
	if names := operatorsOf[v.Type]; names != nil {
		c.Operator.Options = slices.DeleteFunc(slices.Clone(c.Operator.Options), func(o Option) bool {
			return o.Value != c.Operator.Text() && !slices.Contains(names, o.Value)
		})
	}
	for n := 1; n < len(c.Operands); n++ {
		r := &c.Operands[n]
		text, isText := r.Value.(string)
		_, isNumber := numberOr(text).(schema.Number)
		switch {
		case !isText:
		case v.Type == answertype.Number && (text == "" || isNumber):
			r.Input = Number
		case v.Type == answertype.Boolean && (text == "" || text == "true" || text == "false"):
			r.Input, r.Options = Select, []Option{{"true", "true"}, {"false", "false"}}
			r.truth = true
		default:
			for _, o := range v.Options() {
				r.Options = append(r.Options, Option{o.Value, o.Label})
			}
		}
	}
}

// variables returns the variables at a condition. It computes them once for each rule.
func (rd reader) variables(at schema.Path) []scope.Variable {
	if *rd.inScope == nil {
		*rd.inScope = rd.scope.At(at)
	}
	return *rd.inScope
}

var (
	ordered = []string{"EQ", "NEQ", "GT", "GTE", "LT", "LTE", "BETWEEN", "NOT_BETWEEN", "IN", "NOT_IN", "EXISTS", "NOT_EXISTS"}
	texts   = []string{
		"EQ", "NEQ", "CONTAINS", "NOT_CONTAINS", "STARTS_WITH", "NOT_STARTS_WITH", "ENDS_WITH", "NOT_ENDS_WITH", "MATCHES", "NOT_MATCHES", "IN",
		"NOT_IN", "EXISTS", "NOT_EXISTS", "IS_EMPTY", "IS_NOT_EMPTY",
	}
)

// operatorsOf are the names of the operators that suit a type. Any operator suits the others.
var operatorsOf = map[answertype.Type][]string{
	answertype.Number:  ordered,
	answertype.Text:    texts,
	answertype.Date:    slices.Concat(ordered, []string{"STARTS_WITH", "NOT_STARTS_WITH"}),
	answertype.Time:    ordered,
	answertype.Boolean: {"EQ", "NEQ", "EXISTS", "NOT_EXISTS"},
	answertype.Option:  {"EQ", "NEQ", "IN", "NOT_IN", "EXISTS", "NOT_EXISTS"},
	answertype.Options: {"INCLUDES", "NOT_INCLUDES", "EXISTS", "NOT_EXISTS", "IS_EMPTY", "IS_NOT_EMPTY"},
}
