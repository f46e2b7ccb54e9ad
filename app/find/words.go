package find

// Words are the texts of hits that are not made of a form's own words. What the
// tables name, kinds of components and properties, has the tables' words.
type Words struct {
	Step, Flow, Router, UnknownNode, Start, Ending string
	// Form says where a property of the whole form is; Languages and Style name two.
	Form, Languages, Style string
	// HiddenField and Language say what a hit is, Translation what a text is in a
	// language, whose key follows behind a space.
	HiddenField, Language, Translation string
	// Message is a text of the form's messages in general, the others of two groups.
	Message, ErrorMessage, CustomMessage string
}

// English returns the words of an Index that was given none.
func English() Words {
	return Words{
		Step: "Step", Flow: "Flow", Router: "Router", UnknownNode: "Unknown node", Start: "Start", Ending: "Ending",
		Form: "Form", Languages: "Languages", Style: "Style",
		HiddenField: "Hidden field", Language: "Language", Translation: "Translation",
		Message: "Message", ErrorMessage: "Error message", CustomMessage: "Custom message",
	}
}

// SetWords has hits speak another language. What is found stays the same: kind:
// takes the names of Kind in every language.
func (x *Index) SetWords(w Words) { x.words = w }

// say returns the words of the index; the zero Index speaks English.
func (x *Index) say() *Words {
	if x.words == (Words{}) {
		x.words = English()
	}
	return &x.words
}
