// Package run runs a form as a respondent would.
package run

// Choice is a rule that we chose because the public documentation does not have one. A tenant may behave differently.
type Choice struct{ Subject, Choice string }

// Choices lists our choices about templates and conditions, for the reference and the preview; Behaviour lists those about what a run
// does. The documentation is at
// https://auth0.com/docs/customize/forms/variables and https://auth0.com/docs/customize/forms/routers.
var Choices = []Choice{
	{
		"The end of a template",
		"A template extends from {{ to the next }} outside quotes. If another {{ comes first, the template starts at that one.",
	},
	{"An undefined variable in a text", "It becomes empty text, and so does null."},
	{
		"The type of a template",
		"A template that is exactly one expression has the type of its value. If there is any other character around it, even " +
			"a space, it is text.",
	},
	{"A mistake in a template", "The text keeps the expression as written. A condition with a mistake cannot be evaluated."},
	{"Values in a text", "Numbers are written as given, arrays as their elements separated by commas, and objects as JSON."},
	{
		"Values in HTML",
		"In HTML, rich text, the text of LEGAL and a hint that begins with a tag, values are data: they are escaped, also in " +
			"attributes and style sheets.",
	},
	{
		"What an expression can be",
		"Variables, function calls, quoted strings, numbers, true, false, null, undefined, arrays and parentheses, combined by ??. " +
			"There are no other operators.",
	},
	{
		"Parts of a variable",
		"a.b and a['b'] select a property, a[0] and a.0 the first element of an array. Strings have no properties, such as length.",
	},
	{"The operator ??", "It skips undefined and null, but not empty strings, 0 or false."},
	{"Custom messages", "t('key') is undefined if the key has no message. Templates in messages are not evaluated."},
	{"Arguments of the wrong type", "The result is undefined. Where a string is expected, numbers and booleans are converted to strings."},
	{"Optional arguments", "The end of slice and substring is optional. Both bounds of random are required."},
	{"Characters", "Lengths and indexes count code points. Case conversion works character by character."},
	{"toArray", "Arrays are unchanged. undefined becomes an empty array, and null an array that contains null."},
	{"toBoolean", "undefined, null, false, 0, the empty string, and strings that spell false or zero are false. Everything else is true."},
	{"toNumber", "Like Number in ECMAScript: the empty string and null are 0, and true is 1. If the result is not finite, it is undefined."},
	{"mask", "The result is always ███."},
	{"random", "The result is an integer unless the third argument is true. The bounds can be in either order."},
	{
		"slice and substring",
		"As in ECMAScript: slice counts negative indexes from the end. substring swaps its bounds if necessary and treats " +
			"negative ones as 0.",
	},
	{"toTimestamp", "The result is in seconds, rounded down. A date without a time zone is in UTC, and a number is in milliseconds."},
	{"replace and replaceAll", "They search for literal text, not for a pattern, and the replacement is literal, too."},
	{
		"includes and indexOf",
		"They compare JSON values: the string \"1\" is not the number 1. Negative indexes count from the end of an array.",
	},
	{"merge", "Array elements are appended. Object members replace members of the same name. An undefined second argument is ignored."},
	{"md5, sha1, sha256 and sha512", "The hash of the UTF-8 text, in lower-case hexadecimal."},
	{"Limits", "Expressions can be nested 32 levels deep. A call that would return more than 256 KiB is undefined."},
	{
		"equals",
		"Case matters, and numbers are compared by value. A string also equals a number of the value that it spells, and the boolean " +
			"that it spells: 5 equals \"5\" and \"5.0\". Two strings are never numbers: \"007\" is not \"7\". An undefined value equals nothing.",
	},
	{
		"The order of values",
		"Numbers and numeric strings are compared as numbers. Other strings are compared by code points, which also orders dates. " +
			"Any other comparison is false. \"is between\" includes its bounds.",
	},
	{
		"includes and contains",
		"Both are true for an array with an element that equals the value, and for a string that contains it. Every string " +
			"contains the empty string.",
	},
	{"is one of", "The right side is an array, or a single value to compare with."},
	{"starts with, ends with and matches", "Numbers and booleans are converted to strings. The result is false for other values."},
	{
		"matches",
		"The pattern can match any part of the text. The syntax is RE2, which has no lookaround or backreferences. " +
			"If the pattern is not valid, the condition cannot be evaluated.",
	},
	{"exists", "null exists; an undefined value does not."},
	{"is empty", "undefined, null, the empty string, [] and {} are empty. false and 0 are not."},
	{"Negated operators", "A negated operator is true whenever the plain one is false, even for an undefined value."},
	{
		"Conditions that cannot be evaluated",
		"Conditions with an unknown shape or operator. A group is decided without them where possible: false and unknown is " +
			"false, true or unknown is true.",
	},
	{
		"Templates in lists",
		"Templates inside an array or object of a condition are evaluated. Undefined elements become null, and undefined members " +
			"are omitted.",
	},
}
