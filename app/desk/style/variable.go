package style

import "strings"

// variable is a custom property of the forms, with its values where the form's CSS does not set it.
type variable struct {
	name, label, value string
	dark               string // in the dark theme, "" if it is the same
}

// group is some variables with a title.
type group struct {
	title     string
	variables []variable
}

// groups are the documented custom properties; their names are those of the vendor's public kit, https://github.com/arengu/forms-js-sdk,
// src/css/style.css. The values are those of the preview, web/static/preview.css.
var groups = []group{
	{"Colors", []variable{
		{"--primary-color", "Accent", "#2a3fb8", "#93a9ff"},
		{"--primary-font-color", "Text on the accent", "#fff", "#10131f"},
		{"--font-color", "Text", "#1b1b19", "#f0f0ec"},
		{"--border-focus-color", "Focused field", "#2a3fb8", "#93a9ff"},
	}},
	{"Text", []variable{
		{"--font-family", "Font", `"Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`, ""},
		{"--font-size", "Size", "16px", ""},
		{"--label-font-color", "Label", "#1b1b19", "#f0f0ec"},
		{"--label-font-size", "Label size", "15px", ""},
		{"--label-font-weight", "Label weight", "500", ""},
		{"--label-required-color", "Required mark", "#b42323", "#ff8d8d"},
		{"--hint-font-color", "Hint", "#5a5a54", "#b4b4ac"},
		{"--hint-font-size", "Hint size", "14px", ""},
		{"--legal-font-color", "Legal text", "#3c3c38", "#d4d4ce"},
		{"--legal-font-size", "Legal text size", "15px", ""},
	}},
	{"Fields", []variable{
		{"--input-background-color", "Background", "#fff", "#161615"},
		{"--input-font-color", "Text", "#1b1b19", "#f0f0ec"},
		{"--input-border-color", "Border", "#8c8c84", "#7c7c74"},
		{"--input-border-width", "Border width", "1px", ""},
		{"--input-border-radius", "Corners", "10px", ""},
		{"--input-height", "Height", "44px", ""},
		{"--input-font-size", "Text size", "16px", ""},
		{"--input-padding", "Padding", "9px 14px", ""},
		{"--placeholder-font-color", "Placeholder", "#6c6c65", "#93938c"},
		{"--checkbox-border-radius", "Corners of checkboxes", "5px", ""},
	}},
	{"Buttons", []variable{
		{"--button-font-size", "Text size", "16px", ""},
		{"--button-font-weight", "Weight", "600", ""},
		{"--button-border-radius", "Corners", "10px", ""},
		{"--button-padding", "Padding", "11px 24px", ""},
	}},
	{"Errors", []variable{
		{"--field-error-font-color", "Text", "#b42323", "#ff8d8d"},
		{"--field-error-font-size", "Text size", "14px", ""},
		{"--invalid-field-border-color", "Border of a field", "#b42323", "#ff8d8d"},
		{"--message-fail-font-color", "Message", "#8f1c1c", "#ffb3b3"},
		{"--message-fail-background-color", "Message background", "#fdecec", "#3d1f1f"},
		{"--message-border-radius", "Message corners", "10px", ""},
	}},
}

// pages are the colors of the page in the light and in the dark theme.
var pages = [...]string{"#fff", "#1d1d1b"}

const (
	read = "read it"
	see  = "see it"
)

// pairs are the colors that people read one on the other. "" is the page.
var pairs = []struct {
	text, ground, what string
	least              float64
	to                 string // what people need the contrast for
}{
	{"--primary-font-color", "--primary-color", "Text on the accent", 4.5, read},
	{"--primary-color", "", "Accent on the page", 4.5, "read links and 3:1 to see buttons"},
	{"--border-focus-color", "", "Focused field", 3, see},
	{"--font-color", "", "Text", 4.5, read},
	{"--label-font-color", "", "Labels", 4.5, read},
	{"--hint-font-color", "", "Hints", 4.5, read},
	{"--legal-font-color", "", "Legal texts", 4.5, read},
	{"--input-font-color", "--input-background-color", "Text in fields", 4.5, read},
	{"--placeholder-font-color", "--input-background-color", "Placeholders", 4.5, read},
	{"--input-border-color", "", "Borders of fields", 3, see},
	{"--field-error-font-color", "", "Errors at fields", 4.5, read},
	{"--message-fail-font-color", "--message-fail-background-color", "Error messages", 4.5, read},
}

// classes of the forms, with what they are, in the order in which an author is likely to need them.
var formClasses = []struct{ name, what string }{
	{"af-form", "the form"},
	{"af-step", "a step"},
	{"af-field", "a field with its label"},
	{"af-field-label", "a label"},
	{"af-field-hint", "a hint"},
	{"af-field-error", "an error at a field"},
	{"af-field-input", "an input"},
	{"af-stringField-input", "a text input"},
	{"af-required", "the mark of a required field"},
	{"af-button", "a button"},
	{"af-nextButton", "a next button"},
	{"af-previousButton", "a previous button"},
	{"af-jumpButton", "a jump button"},
	{"af-choice-option", "an option of a choice"},
	{"af-cards", "cards"},
	{"af-dropdown", "a dropdown"},
	{"af-boolean", "a yes or no field"},
	{"af-rich-text-block", "rich text"},
	{"af-image-block", "an image"},
	{"af-divider-block", "a divider"},
	{"af-html-block", "HTML"},
	{"af-legal", "a legal text"},
	{"af-social", "sign-in buttons"},
	{"af-payment", "a payment"},
	{"af-step-failure", "an error of a step"},
}

// valueOf returns the value that a variable has in a style sheet and a theme. What the style sheet sets holds in both themes.
func valueOf(s *sheet, name string, dark bool) string {
	if d, ok := s.variable(name); ok {
		return d.value
	}
	for _, g := range groups {
		for _, v := range g.variables {
			switch {
			case v.name != name:
			case dark && v.dark != "":
				return v.dark
			default:
				return v.value
			}
		}
	}
	return ""
}

// both is the function of CSS that has a value for each theme.
const both = "light-dark("

// halves returns the values that light-dark(light, dark) has in the themes.
func halves(value string) (light, dark string, ok bool) {
	body, ok := strings.CutPrefix(value, both)
	if !ok {
		return "", "", false
	}
	body = strings.TrimSuffix(body, ")")
	depth := 0
	for i, c := range body {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			return strings.TrimSpace(body[:i]), strings.TrimSpace(body[i+1:]), true
		}
	}
	return "", "", false
}

// inTheme returns what a value is in a theme.
func inTheme(value string, dark bool) string {
	switch l, d, ok := halves(value); {
	case !ok:
		return value
	case dark:
		return d
	default:
		return l
	}
}

// withColor returns a value that has a color in a theme. The other theme keeps its own if the value has one for each.
func withColor(value, color string, dark bool) string {
	switch l, d, ok := halves(value); {
	case !ok:
		return color
	case dark:
		return both + l + ", " + color + ")"
	default:
		return both + color + ", " + d + ")"
	}
}

// colorIn returns the color that a variable has in a style sheet and a theme. It follows a variable that is the value of another one.
func colorIn(s *sheet, name string, dark bool) (c rgb, ok bool) {
	for range 8 { // more would be a circle
		v := inTheme(valueOf(s, name, dark), dark)
		inner, refers := strings.CutPrefix(v, "var(")
		if !refers {
			return colorOf(v)
		}
		name = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	return c, false
}
