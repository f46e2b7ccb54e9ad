package inspect

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// rules draws the rules of a router.
type rules struct {
	*sheet
	fields   *fields
	found    *findings
	sections *sections
	source   string // the path of the condition that is shown as JSON
}

// ruleList draws the rules of a router. One of them may be open.
func (ru *rules) ruleList(panel inspector.Panel) app.UI {
	var items []app.UI
	n := len(panel.Parts)
	drawn, first, last := ru.spans.Draw(partsList, n)
	for i := drawn.From; i < drawn.To; i++ {
		items = append(items, ru.rule(i, panel.Parts[i]))
	}
	items = append(items, kit.El("li hidden=%", kit.Yes(drawn.To == n)).Body(last))
	if panel.Otherwise != nil {
		items = append(items, kit.El("li.rule.otherwise").Body(ru.fields.row(*panel.Otherwise)))
	}
	s := ru.Editor.State()
	return kit.Tree("section { h3 { span { % } small.grow { % } button.link type=button data-act=add-rule hidden=% { % } button.link type=button data-act=add-rules hidden=% { % } } * * }",
		[]string{
			"Rules", "the first that holds decides", kit.Yes(ru.Editor.ReadOnly()), "Add rule",
			kit.Yes(ru.Editor.ReadOnly() || !editor.OptionsLeft(s.Form, s.Selection.Only())), "One for each option",
		}, first, kit.El("ol.rules").Body(items...))
}

func (ru *rules) rule(i int, part inspector.Part) app.UI {
	open := part.Sections != nil
	act, arg := "select-part", part.ID
	if open {
		act, arg = "go", ru.Editor.State().Selection.Only()
	}
	var remove app.UI = kit.El("span hidden=true")
	if open && !ru.Editor.ReadOnly() {
		remove = kit.IconButton("part-delete", "Delete "+part.Title, "trash", true).DataSet("arg", fmt.Sprint(i))
	}
	body := []app.UI{kit.Tree("div.rule-head { * span.k.router { % } button.rule-name type=button data-act=% data-arg=% aria-expanded=% { span.grow { % } * @down } * }",
		[]string{fmt.Sprint(i + 1), act, arg, kit.Yes(open), part.Title}, ru.grip(part.Title, partsList), badge(part.Problems), remove)}
	if !open {
		if !part.Said {
			body = append(body, kit.El("p").Text(part.Words))
		}
		sign := "p.to { @arrow span { % } }"
		if part.Warned {
			sign = "p.hint-text { @warn span { % } }"
		}
		body = append(body, kit.Tree(sign, []string{part.Type}))
	}
	body = append(body, ru.found.drawFlaws(i, part)...)
	for _, s := range part.Sections {
		switch {
		case s.Title == model.Advanced:
			body = append(body, ru.sections.section(s))
		case s.Condition != nil && ru.source == s.Condition.Whole.Path.String():
			body = append(body, kit.El("div.condition").Body(kit.El("div.sentence").Body(ru.sourceButton(s.Condition, "Back to conditions")),
				ru.fields.row(s.Condition.Whole)))
		case s.Condition != nil:
			body = append(body, kit.El("div.condition role=group aria-label=%", s.Title).
				Body(ru.condition(s.Condition, "When", ru.sourceButton(s.Condition, "JSON"))...))
		default:
			body = append(body, ru.fields.rowsOf(s.Rows)...)
		}
	}
	return kit.El("li.rule data-sort=% data-rule=%", fmt.Sprint(i), part.ID).Body(body...)
}

// sourceButton draws the button that shows a condition as JSON, or no longer does.
func (ru *rules) sourceButton(c *inspector.Condition, name string) app.UI {
	return kit.El("button.link.dim.source type=button data-act=source data-arg=%", c.Whole.Path.String()).Text(name)
}

// condition draws a group with its terms, after a word and before what acts on it.
func (ru *rules) condition(c *inspector.Condition, lead string, tool app.UI) []app.UI {
	list := c.List.Path.String()
	ru.rows[list] = c.List
	var out []app.UI
	next := ""
	if c.Operator.Path != nil {
		out = append(out, kit.Tree("div.sentence { span { % } * span { % } * }", []string{lead, "of these hold"}, ru.fields.bare(c.Operator), tool))
		next = map[string]string{"AND": "and", "OR": "or"}[c.Operator.Text()]
	} else {
		out = append(out, kit.Tree("div.sentence { span { % } * }", []string{lead}, tool))
	}
	drawn, first, last := ru.spans.Draw(list, len(c.Terms))
	out = append(out, first)
	for k := drawn.From; k < drawn.To; k++ {
		t := c.Terms[k]
		name := fmt.Sprintf("condition %d", k+1)
		var remove app.UI = kit.El("span hidden=true")
		if c.Operator.Path != nil && !ru.Editor.ReadOnly() {
			remove = kit.IconButton("remove", "Remove "+name, "close", true).DataSet("arg", fmt.Sprintf("%d %s", k, list))
		}
		switch {
		case t.Comparison != nil:
			out = append(out, ru.comparison(t.Comparison, name, remove)...)
		case t.Group != nil:
			out = append(out, kit.El("div.subgroup role=group aria-label=%", name).Body(ru.condition(t.Group, next, remove)...))
		default:
			out = append(out, kit.El("div.subgroup").Body(ru.fields.row(*t.Other), remove))
		}
	}
	out = append(out, last)
	if c.Operator.Path == nil {
		return out
	}
	ru.rows[groupKey+list] = c.Group
	return append(out, kit.Tree("div.adders hidden=% { button.link type=button data-act=add data-arg=% { % } button.link type=button data-act=add data-arg=% { % } }",
		[]string{kit.Yes(ru.Editor.ReadOnly()), list, "Add condition", groupKey + list, "Add group"}))
}

// groupKey is before the path of a list in the key of the row that adds a group to it.
const groupKey = "group "

// comparison draws a comparison as a sentence: the value, the operator, and what the value is compared with.
func (ru *rules) comparison(c *inspector.Comparison, name string, remove app.UI) []app.UI {
	var words, problems []app.UI
	for n, r := range c.Operands {
		if n == 1 {
			words = append(words, ru.fields.bare(c.Operator))
		}
		if n == 2 && c.Operator.Text() == "BETWEEN" {
			words = append(words, kit.El("span").Text("and"))
		}
		words = append(words, ru.fields.bare(r, called(c.Names[n])))
		problems = append(append(problems, ru.problemLine(r)...), ru.found.hintsOf(r)...)
	}
	if len(c.Operands) < 2 {
		words = append(words, ru.fields.bare(c.Operator))
	}
	return append([]app.UI{kit.El("div.sentence.comparison role=group aria-label=%", name).Body(append(words, remove)...)}, problems...)
}

// called draws the name of an operand, which covers the id or the value in its control until somebody edits that.
func called(n inspector.Named) app.UI {
	if n.Text == "" {
		return kit.El("span.called hidden=true")
	}
	sign := kit.Icon(n.Icon)
	if n.Icon == "" {
		sign = kit.El("i hidden=true")
	}
	class := ""
	if n.Unknown() {
		class = "unknown"
	}
	return kit.Tree("span.called class=% aria-hidden=true { * span { % } }", []string{class, n.Text}, sign)
}
