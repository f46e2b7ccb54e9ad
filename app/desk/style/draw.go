package style

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/model"
)

// system is the value of the control for preview.SystemTheme.
const system = "system"

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("div.dk-bar.st-bar data-region=bar").Close()
		w.Open("div.st-body data-looks=%", markup.Yes(p.looks)).Open("div.st-side data-region=side").Close()
		w.Open("div.st-stage data-width=%", p.width)
		w.Open("iframe data-frame=style sandbox=allow-scripts src=/preview title=%", "Every component with this style").Close()
		w.Close().Close()
	})
	s.Region("bar", p.bar)
	s.Region("side", p.side)
	if m := p.show(); m != "" {
		s.Frame(m)
	}
}

func (p *Page) bar(w *markup.Writer) {
	w.Open("span.seg.st-half role=group aria-label=%", "Show")
	for _, of := range []struct {
		key, name string
		on        bool
	}{{"edit", "Edit", !p.looks}, {"look", "Look", p.looks}} {
		w.Leaf("button type=button data-do=half data-arg=% aria-pressed=%", of.name, of.key, markup.Yes(of.on))
	}
	w.Close().Open("span.push").Close().Open("div.st-picks data-looks=%", markup.Yes(p.looks))
	w.Open("label.st-pick").Leaf("span", "Show")
	w.Open("select data-in=subject data-value=%", p.subject).Leaf("option value=%", "Every component", everything)
	for _, n := range p.form.Nodes {
		if n.Type == model.StepNode {
			w.Leaf("option value=%", caption.Line(n.Name()), n.ID)
		}
	}
	w.Close().Close()
	w.Open("label.st-pick").Open("input type=checkbox data-in=faulty").Leaf("span", "With errors").Close()
	w.Open("label.st-pick").Leaf("span", "Theme").Open("select data-in=theme data-value=%", cmp.Or(string(p.theme), system))
	for _, of := range []struct {
		theme preview.Theme
		name  string
	}{{preview.SystemTheme, "System"}, {preview.LightTheme, "Light"}, {preview.DarkTheme, "Dark"}} {
		w.Leaf("option value=%", of.name, cmp.Or(string(of.theme), system))
	}
	w.Close().Close()
	w.Open("span.seg role=group aria-label=%", "Width")
	for _, of := range []struct{ key, name, icon string }{{"phone", "Phone", "tel"}, {"wide", "Desktop", "window"}} {
		w.Open("button type=button data-do=width data-arg=% aria-label=% title=% aria-pressed=%", of.key, of.name, of.name, markup.Yes(p.width == of.key)).Icon(of.icon).Close()
	}
	w.Close().Close()
}

func (p *Page) side(w *markup.Writer) {
	w.Open("div.tabs role=tablist aria-label=%", "Style")
	for _, of := range []struct{ key, name string }{{code, "CSS"}, {variables, "Variables"}, {presetTab, "Presets"}} {
		w.Leaf("button type=button role=tab id=% data-do=tab data-arg=% aria-selected=%", of.name, "st-"+of.key, of.key, markup.Yes(p.tab == of.key))
	}
	n, most := p.length()
	w.Open("span.push").Close().Open("span.st-count data-over=%", markup.Only(n > most, "true")).Text(fmt.Sprintf("%s of %s", thousands(n), thousands(most))).Close()
	w.Close()
	switch p.tab {
	case variables:
		p.variables(w)
	case presetTab:
		p.presets(w)
	default:
		p.code(w)
	}
}

// example is what the empty editor of the CSS shows.
const example = `/* For example: */
.af-button { border-radius: 4px; }
.af-field-label { font-weight: 600; }
/* More classes are listed below. */`

// code draws the editor of the CSS: the text with its colors behind a transparent text area, which is as large.
func (p *Page) code(w *markup.Writer) {
	// It stays in the document: without it, the text area after it would be another one, and lose what is being typed.
	w.Open("div.st-start role=group aria-label=% hidden=%", "Presets", markup.Only(p.css != "" || p.form.ReadOnly, "hidden")).Leaf("span.dim", "Start with")
	for _, of := range presets[1:] {
		w.Leaf("button.link type=button data-do=preset data-arg=% title=%", of.name, of.name, of.about)
	}
	w.Close()
	w.Open("div.st-code data-keys=Escape data-edit-keys=Escape").Open("div.st-sheet")
	lines := 1 + strings.Count(p.css, "\n")
	var numbers strings.Builder
	for i := 1; i <= lines; i++ {
		numbers.WriteString(strconv.Itoa(i) + "\n")
	}
	w.Leaf("pre.st-lines aria-hidden=true", numbers.String())
	w.Open("pre.st-ink aria-hidden=true")
	at := 0
	for _, t := range p.sheet.tokens {
		w.Text(p.css[at:max(at, t.from)])
		if from := max(at, t.from); from < t.to {
			if class := classes[t.kind]; class == "" {
				w.Text(p.css[from:t.to])
			} else {
				w.Leaf("span."+class, p.css[from:t.to])
			}
			at = t.to
		}
	}
	w.Text(p.css[at:] + "\n").Close()
	w.Open("textarea id=st-css data-in=css data-code=true data-path=% aria-label=CSS aria-describedby=st-faults spellcheck=false wrap=off placeholder=% readonly=% aria-invalid=% data-value=%",
		Path.String(), example, markup.Only(p.form.ReadOnly, "readonly"), markup.Yes(len(p.sheet.faults) > 0), p.css).Close()
	w.Close().Close()
	p.findings(w)
	w.Open("details.st-classes").Open("summary.fold-head").Icon("down").Leaf("span", "Classes").Close().Open("div.st-chips")
	for _, c := range formClasses {
		w.Open("button type=button data-do=class data-arg=% title=% disabled=%", c.name, "Add a rule for "+c.what, markup.Only(p.form.ReadOnly, "disabled"))
		w.Leaf("code", "."+c.name).Leaf("span.dim", c.what).Close()
	}
	w.Close().Close()
}

// findings draws what is wrong with the style: in the list of variables, their colors say that themselves.
func (p *Page) findings(w *markup.Writer) {
	w.Open("div.st-faults id=st-faults")
	n, most := p.length()
	if n > most {
		w.Open("p.dk-fault role=alert").Icon("warn").Leaf("span", fmt.Sprintf("The style has %s characters and may have %s.", thousands(n), thousands(most))).Close()
	}
	const shown = 5
	for i, f := range p.sheet.faults {
		if i == shown {
			w.Leaf("p.dim", fmt.Sprintf("and %d more", len(p.sheet.faults)-shown))
			break
		}
		w.Open("p.dk-fault role=alert").Icon("warn").Leaf("span", fmt.Sprintf("Line %d: %s.", f.line, f.text)).Close()
	}
	low := p.contrasts()
	for _, of := range low {
		if p.tab != variables {
			w.Open("p.st-warn").Icon("warn").Leaf("span", of.what+": "+of.text).Close()
		}
	}
	if len(low) > 0 {
		w.Leaf("p.dim", "A value such as light-dark(#2a3fb8, #93a9ff) has a color for each theme.")
	}
	w.Close()
}

// low is a color that is too close to the one behind it.
type low struct {
	variable, what string // as in pairs
	text           string // in which theme it is how close, as sentences
}

// contrasts returns which colors are too close to those behind them.
func (p *Page) contrasts() []low {
	var list []low
	for _, of := range pairs {
		text := ""
		for i, page := range pages {
			dark := i > 0
			a, okA := colorIn(p.sheet, of.text, dark)
			b, okB := colorOf(page)
			if of.ground != "" {
				b, okB = colorIn(p.sheet, of.ground, dark)
			}
			if !okA || !okB {
				continue
			}
			if c := contrastOf(a, b); c < of.least {
				if text != "" {
					text += " and "
				}
				// Cut, not rounded: 4.49 is not enough where 4.5 is.
				text += fmt.Sprintf("%.1f:1 in the %s theme", math.Floor(c*10)/10, themeOf(dark))
			}
		}
		if text != "" {
			list = append(list, low{of.text, of.what, fmt.Sprintf("%s. People need %.2g:1 to %s.", text, of.least, of.to)})
		}
	}
	return list
}

// isRead reports whether the variable is a color that people read on another one.
func isRead(name string) bool {
	for i := range pairs {
		if pairs[i].text == name {
			return true
		}
	}
	return false
}

// themeOf returns the name of a theme in a sentence.
func themeOf(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

func (p *Page) variables(w *markup.Writer) {
	w.Open("div.st-groups")
	w.Leaf("p.dim", "These are the "+themeOf(p.dark())+" theme's values. A single value applies to both themes.")
	near := p.contrasts()
	for _, g := range groups {
		w.Leaf("h3", g.title).Open("div.st-grid")
		for _, v := range g.variables {
			warning, warningID := "", "st-low"+v.name
			if i := slices.IndexFunc(near, func(l low) bool { return l.variable == v.name }); i >= 0 {
				warning = near[i].text
			}
			now := valueOf(p.sheet, v.name, p.dark())
			_, set := p.sheet.variable(v.name)
			w.Open("label.st-row data-set=%", markup.Only(set, "true")).Leaf("span title=%", v.label, v.name)
			if c, ok := colorIn(p.sheet, v.name, p.dark()); ok {
				w.Open("input type=color data-in=color data-arg=% aria-label=% disabled=% data-value=%", v.name, v.label+", picker", markup.Only(p.form.ReadOnly, "disabled"), c.hexOf())
			}
			w.Open("input type=text data-in=variable data-arg=% aria-label=% aria-describedby=% spellcheck=false readonly=% data-value=%", v.name, v.label, markup.Only(warning != "", warningID),
				markup.Only(p.form.ReadOnly, "readonly"), now)
			w.Close()
			name := "Reset " + v.label
			w.Open("button.icon type=button data-do=reset data-arg=% aria-label=% title=% disabled=% hidden=%", v.name, name, name, markup.Only(!set, "disabled"),
				markup.Only(p.form.ReadOnly, "hidden")).Icon("undo").Close()
			if !isRead(v.name) {
				continue
			}
			// It stays in the document: without it, a control after it would be another one, and lose what is being typed.
			w.Open("p.st-warn.st-low id=% hidden=%", warningID, markup.Only(warning == "", "hidden")).Icon("warn").Leaf("span", warning).Close()
		}
		w.Close()
	}
	w.Close()
	p.findings(w)
}

func (p *Page) presets(w *markup.Writer) {
	w.Open("div.st-presets")
	for _, of := range presets {
		on := strings.TrimSpace(of.css) == strings.TrimSpace(p.css)
		s := parse(of.css)
		w.Open("button type=button data-do=preset data-arg=% aria-pressed=% disabled=%", of.name, markup.Yes(on), markup.Only(p.form.ReadOnly, "disabled"))
		w.Open("span.st-sample aria-hidden=true style=%", p.look(s)).Open("span").Leaf("b", "Name").Open("i").Close().Leaf("em", "Continue").Close().Close()
		w.Open("span.grow").Leaf("b", of.name).Leaf("small.dim", of.about).Close()
		if on {
			w.Open("span.st-now").Icon("tick").Leaf("span", "Current").Close()
		}
		w.Close()
	}
	w.Close()
}

// look returns the style of the picture of a preset: the values of all variables in the theme that the frame shows, and what its rules for parts
// of the form declare as variables too.
func (p *Page) look(s *sheet) string {
	var b strings.Builder
	page := pages[0]
	if p.dark() {
		page = pages[1]
	}
	b.WriteString("background:" + page + ";")
	for _, g := range groups {
		for _, v := range g.variables {
			b.WriteString(v.name + ":" + inTheme(valueOf(s, v.name, p.dark()), p.dark()) + ";")
		}
	}
	for _, d := range s.declarations {
		if !global(d.rule) {
			b.WriteString("--" + d.name + ":" + d.value + ";")
		}
	}
	return b.String()
}

// thousands returns a number with its thousands apart.
func thousands(n int) string {
	s := strconv.Itoa(n)
	if len(s) > 3 {
		return s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}
