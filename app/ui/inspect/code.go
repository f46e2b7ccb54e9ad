package inspect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// The looks of a control.
const (
	plainLook = "control"
	codeLook  = "control coded"
	richLook  = "control rich"
)

// codes draws what is special about code and rich text.
type codes struct {
	*sheet
	visual map[string]bool // rich texts, by path: whether the visual editor is shown, and not the source
	large  string          // the path of the code that is shown large
	loaded string          // the parts of the program that were asked for
}

// coded returns the look of a row's control, and what is drawn before it: the colors of code, or the visual editor of rich text, which keeps
// the text in the control.
func (c *codes) coded(r inspector.Row, id string, control []app.UI) (look string, before []app.UI) {
	lang := r.Language()
	if lang == schema.NoCode {
		return plainLook, nil
	}
	if lang == schema.RichText && c.isVisual(r) {
		c.need("richtext")
		if area, ok := control[0].(app.HTMLElem); ok {
			area.Attr("tabindex", "-1").Attr("aria-hidden", "true")
		}
		return richLook, []app.UI{kit.El("fg-rich data-for=% data-held=% data-name=% data-lock=% data-names=%", id, kit.Held(r.Text()), r.Label,
			kit.Yes(c.Editor.ReadOnly()), c.names(r))}
	}
	c.need("code")
	return codeLook, []app.UI{kit.El("fg-code aria-hidden=true data-for=% data-held=% data-lang=% data-line=%", id, kit.Held(r.Text()), string(lang),
		strconv.Itoa(r.Source().Line()))}
}

// names returns the icons and names of the variables in a rich text, by their templates, as JSON.
func (c *codes) names(r inspector.Row) string {
	var members []schema.Member
	names := inspector.Names(c.Editor.State().Form, r.Text())
	for _, template := range slices.Sorted(maps.Keys(names)) {
		members = append(members, schema.Member{Key: template, Value: []any{names[template].Icon, names[template].Text}})
	}
	return string(schema.Encode(schema.NewObject(members...)))
}

// isVisual reports whether the visual editor of rich text is shown: at first if it shows everything, then as a person chose.
func (c *codes) isVisual(r inspector.Row) bool {
	path := r.Path.String()
	visual, known := c.visual[path]
	if visual || !known {
		visual = len(inspector.Unshown(r.Text())) == 0
		c.visual[path] = visual
	}
	return visual
}

// codeTools draws what stands beside the name of code: the way to the visual editor or what it would lose, and the larger view.
func (c *codes) codeTools(r inspector.Row) []app.UI {
	path := r.Path.String()
	var out []app.UI
	if r.Language() == schema.RichText && !c.isVisual(r) {
		if lost := inspector.Unshown(r.Text()); len(lost) > 0 {
			out = append(out, kit.El("small.lost").Text("The visual editor cannot show "+strings.Join(lost, ", ")+"."))
		} else {
			out = append(out, kit.El("button.link.push type=button data-act=rich data-arg=%", path).Text("Visual"))
		}
	}
	name, icon := "Show large", "full"
	if c.large == path {
		name, icon = "Close the large view", "close"
	}
	return append(out, kit.IconButton("large", name+": "+r.Label, icon, true).DataSet("arg", path))
}

// need loads a part of the program when it is first needed.
func (c *codes) need(part string) {
	if !strings.Contains(c.loaded, part) {
		c.loaded += part + " "
		app.Window().Call("formgraphNeed", part)
	}
}
