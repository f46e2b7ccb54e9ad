// Package preview draws what a respondent sees: the markup of a screen, from a step's components and their answers. It also defines the
// messages between the editor and the frame that shows the markup. It does not run a form: it shows what it is given.
//
// # The frame
//
// The page /preview is embedded with sandbox="allow-scripts". Its origin is opaque and its policy forbids every request, so a form's own
// HTML and CSS can neither read the editor's data nor send anything. The stored form is never sanitized: the sandbox is the defence.
// Show and Event are the messages; web/static/preview.js is the frame's script.
//
// Render never contains markup of the author. Texts are escaped, and the HTML of the author is the escaped value of the attribute
// data-html; the script parses it and puts it into its element. So an unclosed element of the author cannot change another component.
//
// # Answers
//
// The script knows no kinds. It reads the answer of an element with data-field, the component's id, by these attributes:
//
//	data-type       on the data-field element; see Collect
//	name            on a control that is read; the others, such as a search box, are not
//	data-member     on a control: the member of an object that it gives
//	data-companion  on a control: its member alone is not an answer, such as the country of a telephone number
//	data-other      on a radio button or checkbox: its value is the text of the control with this id
//	data-kept       on the data-field element: an answer as JSON, which is given as long as no control was changed
//
// A control without text, and a list or object without values, is null. An answer is what answer.Judge accepts from a control.
//
// # Other attributes
//
//	data-step       the step's element; its value is the id of the node
//	data-button     a button that the respondent can press; its value is the component's id
//	data-submit     on the button that Enter presses
//	data-block      the element of a component that is no field; its value is the component's id
//	data-html       HTML of the author, see above
//	data-act        a button of the page itself: "reveal" shows a password, "clear" removes the answer, "fill" writes data-fill
//	data-chosen     the text of what is chosen in a dropdown; its value is the text if nothing is
//	data-short      on a control of a dropdown: the text that stands for it when it is chosen; without it, that of its label
//	data-filter     a search box, which hides the options of its dropdown that do not match
//	data-checks     on the text of one's own answer: the id of the control that it belongs to
//	data-region     a country, whose name the browser knows in every language
//	data-limit      a counter of characters; its value is the maximum
//	data-pattern    a rule of a password, as a regular expression; data-met="true" while the password matches it
//	data-secret     on a password, whose characters can be shown
//	data-strength   the words for the strength of a password, from none to strong
//	data-files      the list of chosen files; its value is the word that removes them
//	data-wait       the seconds until a button can be pressed; data-waiting is its text meanwhile
//
// # Classes
//
// The classes that begin with af- are those of the vendor's forms, as its public kit has them
// (https://github.com/arengu/forms-js-sdk), so that a form's own CSS applies. Names of custom properties are the kit's too. Classes that
// begin with fg- are ours. The base style is a CSS layer, so every rule of the form's own CSS wins.
package preview
