package inspector

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is a page that edits something of a form, which the inspector then leaves to it.
type Page struct {
	Name string
	Note string // for people: how much of that part the form has
}

// The names of the pages.
const (
	Languages = "Languages"
	Messages  = "Messages"
	Style     = "Style"
)

func pagesOf(f *model.Form) []Page {
	own := 0
	for _, m := range f.Tree().Object("messages").Members() {
		of, _ := m.Value.(*schema.Object)
		own += of.Len()
	}
	pages := []Page{{Languages, plural(len(f.Languages()), "language")}, {Messages, "Built in"}, {Style, "Built in"}}
	if own > 0 {
		pages[1].Note = plural(own, "message")
	}
	if css := f.Tree().Object("style").Text("css"); strings.TrimSpace(css) != "" {
		pages[2].Note = thousands(utf8.RuneCountInString(css)) + " characters of CSS"
	}
	return pages
}

// thousands returns a number below a million with its thousands apart.
func thousands(n int) string {
	s := strconv.Itoa(n)
	if len(s) > 3 {
		return s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}

// PageOf returns the name of the page that shows the property at a path, "" if the inspector does.
func PageOf(s editor.State, at schema.Path) string {
	if len(at) == 0 {
		return ""
	}
	page := owner(at[0].Key)
	if page != "" && slices.ContainsFunc(left(s), func(p schema.Path) bool { return at.HasPrefix(p) }) {
		return ""
	}
	return page
}

// owned are the properties of a form that pages show, with the page of each.
var owned = [...]struct{ property, page string }{{"messages", Messages}, {"languages", Languages}, {"translations", Languages}, {"style", Style}}

// owner returns the name of the page that has a property of the form, "" for none.
func owner(property string) string {
	for _, o := range owned {
		if o.property == property {
			return o.page
		}
	}
	return ""
}

// left returns the paths of what the pages of a form cannot show, such as properties that only the tenant knows. The inspector shows it as JSON.
func left(s editor.State) []schema.Path {
	l := leftovers{form: s.Form}
	tree := s.Form.Tree()
	for _, o := range owned {
		if v, ok := tree.Get(o.property); ok {
			l.property(schema.Path{schema.Key(o.property)}, v)
		}
	}
	for _, p := range s.Pending { // text that is no JSON yet
		if len(p.Path) > 0 && owner(p.Path[0].Key) != "" && !slices.ContainsFunc(l.paths, p.Path.HasPrefix) {
			l.paths = append(slices.DeleteFunc(l.paths, func(q schema.Path) bool { return q.HasPrefix(p.Path) }), p.Path)
		}
	}
	return l.paths
}

// leftovers collects paths.
type leftovers struct {
	form  *model.Form
	paths []schema.Path
}

func (l *leftovers) add(at schema.Path) { l.paths = append(l.paths, at) }

// members calls do for each member of what must be an object.
func (l *leftovers) members(at schema.Path, v any, do func(at schema.Path, key string, v any)) {
	o, ok := v.(*schema.Object)
	if !ok {
		l.add(at)
		return
	}
	for _, m := range o.Members() {
		do(at.Key(m.Key), m.Key, m.Value)
	}
}

// property looks at a property of the form.
func (l *leftovers) property(at schema.Path, v any) {
	switch at[0].Key {
	case "messages":
		l.messages(at, v)
	case "translations":
		l.translations(at, v)
	default:
		l.members(at, v, func(at schema.Path, key string, v any) {
			text, ok := v.(string)
			if known := key == "css" || (key == "primary" || key == "default") && text != ""; !ok || !known {
				l.add(at)
			}
		})
	}
}

// messages looks at the messages of the form or of a language.
func (l *leftovers) messages(at schema.Path, v any) {
	l.members(at, v, func(at schema.Path, key string, v any) {
		if key != "errors" && key != "custom" {
			l.add(at)
			return
		}
		l.members(at, v, func(at schema.Path, _ string, v any) {
			if _, ok := v.(string); !ok {
				l.add(at)
			}
		})
	})
}

// maxTranslated is the number of translated components up to which they are looked at: it takes time in each drawing.
const maxTranslated = 200

func (l *leftovers) translations(at schema.Path, v any) {
	seen := []string{model.LanguageTag(l.form.Languages()[0])}
	budget := maxTranslated
	l.members(at, v, func(at schema.Path, language string, v any) {
		tag := model.LanguageTag(language)
		if slices.Contains(seen, tag) {
			l.add(at) // another spelling of a language that has a column, or of that of the form
			return
		}
		seen = append(seen, tag)
		l.members(at, v, func(at schema.Path, key string, v any) {
			switch key {
			case "components":
				l.components(at, v, &budget)
			case "messages":
				l.messages(at, v)
			default:
				l.add(at)
			}
		})
	})
}

// components looks at the translated components of a language while the budget lasts. It makes no paths but those that it adds.
func (l *leftovers) components(at schema.Path, v any, budget *int) {
	o, ok := v.(*schema.Object)
	if !ok {
		l.add(at)
		return
	}
	for _, m := range o.Members() {
		if *budget == 0 {
			return
		}
		*budget--
		if !l.shown(m.Key, m.Value) {
			l.add(at.Key(m.Key))
		}
	}
}

// shown reports whether the page shows all of the translation of a component.
func (l *leftovers) shown(id string, v any) bool {
	c, _, _ := l.form.Component(id)
	if c == nil || c.Kind == nil {
		return false
	}
	return translated(c.Kind.Table(), c.Tree(), v)
}

// translated reports whether everything in a translation has a text of the form that it translates.
func translated(spec schema.Spec, own, over any) bool {
	switch s := spec.(type) {
	case schema.String:
		text, _ := own.(string)
		_, ok := over.(string)
		return ok && strings.TrimSpace(text) != "" && s.Read()
	case schema.Table:
		of, _ := own.(*schema.Object)
		o, ok := over.(*schema.Object)
		return ok && !slices.ContainsFunc(o.Members(), func(m schema.Member) bool {
			r, known := s.Row(m.Key)
			v, _ := of.Get(m.Key)
			return m.Key == "value" || m.Key == "default_value" || !known || !translated(r.Spec, v, m.Value)
		})
	case schema.Map:
		of, _ := own.(*schema.Object)
		o, ok := over.(*schema.Object)
		return ok && !slices.ContainsFunc(o.Members(), func(m schema.Member) bool {
			v, _ := of.Get(m.Key)
			return m.Key == "value" || m.Key == "default_value" || !translated(s.Value, v, m.Value)
		})
	case schema.List:
		list, ok := over.([]any)
		elements, _ := own.([]any)
		seen := map[string]bool{}
		return ok && !slices.ContainsFunc(list, func(v any) bool {
			// An element is named by its value. Without one, its place decides, which an edit of the list changes.
			o, _ := v.(*schema.Object)
			name := o.Text("value")
			i := slices.IndexFunc(elements, func(e any) bool { of, _ := e.(*schema.Object); return of.Text("value") == name })
			if name == "" || i < 0 || seen[name] {
				return true
			}
			seen[name] = true
			return !translated(s.Item, elements[i], o.Without("value"))
		})
	default: // holds no text for people
		return false
	}
}
