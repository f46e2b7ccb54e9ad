// Package run runs a form as a respondent would.
package run

// Choice is a rule of ours where the public documentation is silent. A tenant may differ there.
type Choice struct{ Subject, Choice string }

// Choices lists what we chose about templates and conditions, for the reference and the preview. What is documented is at
// https://auth0.com/docs/customize/forms/variables and https://auth0.com/docs/customize/forms/routers.
var Choices = []Choice{
	{
		"The end of a template",
		"A template extends from {{ to the next }} outside quotes. If another {{ comes first, the template begins " +
			"there.",
	},
	{"An undefined variable in a text", "It is replaced by nothing, and so is null."},
	{
		"The type of a template",
		"A template that is exactly one expression has the type of its value. With any other character around it, even a " +
			"space, it is a text.",
	},
	{"A mistake in a template", "The expression stays in the text as it is written. A condition with a mistake cannot be judged."},
	{"Values in a text", "Numbers are written as they were given, arrays with commas between their elements, and objects as JSON."},
	{
		"What an expression can be",
		"A variable, a call, a text in quotes, a number, true, false, null, undefined, an array, parentheses, and ?? between them. " +
			"There are no other operators.",
	},
	{
		"Parts of a variable",
		"a.b and a['b'] are a property, a[0] and a.0 the first element of an array. Only what the value has is found, so texts " +
			"have no length.",
	},
	{"The operator ??", "It skips undefined and null. The empty text, 0 and false are values."},
	{"Custom messages", "t('key') of a key without a message is undefined. Templates in a message are not evaluated."},
	{"Arguments of the wrong type", "The result is undefined. Where a text is needed, numbers and booleans stand for their spelling."},
	{"Optional arguments", "slice and substring need no end. random needs both bounds."},
	{"Characters", "Lengths and indexes count code points. Upper and lower case are changed character by character."},
	{"toArray", "An array stays as it is. An undefined value gives an empty array, null an array with null in it."},
	{"toBoolean", "undefined, null, false, 0, the empty text and the texts that spell false or zero are false. Everything else is true."},
	{"toNumber", "As Number in ECMAScript: the empty text and null are 0, true is 1. What is not a finite number is undefined."},
	{"mask", "The result is ███ wherever it is used, whatever the value."},
	{"random", "The number is whole unless the third argument is true. The bounds may be in either order."},
	{
		"slice and substring",
		"As in ECMAScript: slice counts negative indexes from the end, substring exchanges its bounds and takes negative ones " +
			"as 0.",
	},
	{"toTimestamp", "Seconds, rounded down. A date without a zone is in UTC, and a number is in milliseconds."},
	{"replace and replaceAll", "They search for a text, not for a pattern, and the replacement is used as it is."},
	{
		"includes and indexOf",
		"They compare as JSON values: the text 1 is not the number 1. A negative index counts from the end of an " +
			"array.",
	},
	{"merge", "Elements are appended. Members replace those of the same name as a whole. An undefined second argument changes nothing."},
	{"md5, sha1, sha256 and sha512", "The hash of the text in UTF-8, in hexadecimal digits in lower case."},
	{"Limits", "Expressions nest at most 32 deep. A call whose text would be longer than 256 KiB is undefined."},
	{
		"equals",
		"Letter case and type count, and numbers are compared by value. A text in a template's value also equals a number or boolean " +
			"that is written the same. An undefined value equals nothing.",
	},
	{
		"The order of values",
		"Numbers and texts that spell one are compared as numbers, two other texts by their characters, which also orders dates. " +
			"Nothing else has an order: the comparison is false. The bounds of is between are included.",
	},
	{
		"includes and contains",
		"Both are true for an array with an element that equals the value, and for a text that contains it. An empty text is " +
			"in every text.",
	},
	{"is one of", "The right side is an array, or a single value that the left side must equal."},
	{"starts with, ends with and matches", "Numbers and booleans stand for their spelling. They are false for other values."},
	{
		"matches",
		"A part of the text must match. The syntax is that of RE2: ECMAScript without look-around and back references. " +
			"With any other pattern the condition cannot be judged.",
	},
	{"exists", "null exists, an undefined value does not."},
	{"is empty", "undefined, null, the empty text, [] and {} are empty. false and 0 are not."},
	{"Negated operators", "An operator with not is true exactly when the one without is false, so it is true for an undefined value."},
	{
		"Conditions that cannot be judged",
		"Those of an unknown shape or operator. A group is decided without them where it can be: false and unknown is false, " +
			"true or unknown is true.",
	},
	{
		"Templates in lists",
		"Templates inside an array or object of a condition are evaluated. An undefined element is null, an undefined member " +
			"is left out.",
	},
}
