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

// pairs are the colors that people read one on the other. "" is the page.
var pairs = []struct {
	text, ground, what string
	least              float64
}{
	{"--primary-font-color", "--primary-color", "Text on the accent", 4.5},
	{"--font-color", "", "Text", 4.5},
	{"--label-font-color", "", "Labels", 4.5},
	{"--hint-font-color", "", "Hints", 4.5},
	{"--legal-font-color", "", "Legal texts", 4.5},
	{"--input-font-color", "--input-background-color", "Text in fields", 4.5},
	{"--placeholder-font-color", "--input-background-color", "Placeholders", 4.5},
	{"--input-border-color", "", "Borders of fields", 3},
	{"--field-error-font-color", "", "Errors at fields", 4.5},
	{"--message-fail-font-color", "--message-fail-background-color", "Error messages", 4.5},
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

// colorIn returns the color that a variable has in a style sheet and a theme. It follows a variable that is the value of another one.
func colorIn(s *sheet, name string, dark bool) (c rgb, ok bool) {
	for range 8 { // more would be a circle
		v := valueOf(s, name, dark)
		inner, refers := strings.CutPrefix(v, "var(")
		if !refers {
			return colorOf(v)
		}
		name = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	return c, false
}
