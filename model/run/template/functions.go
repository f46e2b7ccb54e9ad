package template

import "strings"

// Function is a row of the table of functions.
type Function struct {
	Name       string
	Parameters []Parameter
	Doc        string // a sentence for people
}

// Parameter is a parameter of a function. Optional ones come last.
type Parameter struct {
	Name     string
	Optional bool
}

// Functions lists the functions that an expression may call as functions.NAME, in the order of the public documentation:
// https://auth0.com/docs/customize/forms/variables#helper-functions. The rules for wrong types are in run.Choices.
var Functions = []Function{
	{"toArray", with("value"), "Returns an array with the value in it, or the value if it is an array."},
	{"toBoolean", with("value"), "Returns false for 0, null, an empty text and the texts false and 0, and true for other values."},
	{"length", with("value"), "Returns how many characters a text, elements an array or properties an object has."},
	{"mask", with("value"), "Hides a value behind ███."},
	{"toNumber", with("value"), "Returns the number that a text spells, 1 for true, and 0 for false and null."},
	{"random", with("min", "max", "fraction?"), "Returns a random number from min to max, both included; a whole one unless fraction is true."},
	{"slice", with("value", "start", "end?"), "Returns the part of a text or an array before end; negative indexes count from its end."},
	{"toString", with("value"), "Returns the text of a value."},
	{"substring", with("value", "start", "end?"), "Returns the part of a text between two indexes, whichever is less."},
	{"toTimestamp", with("date?"), "Returns the seconds since 1970 of a date in ISO 8601, or of the current time."},
	{"toLowerCase", with("value"), "Returns the text in lower case."},
	{"toUpperCase", with("value"), "Returns the text in upper case."},
	{"replaceAll", with("value", "text", "replacement"), "Returns the value with another text for every occurrence of a text."},
	{"replace", with("value", "text", "replacement"), "Returns the value with another text for the first occurrence of a text."},
	{"split", with("value", "separator", "limit?"), "Returns the texts between the separators, at most limit of them."},
	{"now", nil, "Returns the current time in ISO 8601."},
	{"includes", with("collection", "item", "from?"), "Reports whether an array has an item, or a text contains a text."},
	{"indexOf", with("collection", "item", "from?"), "Returns the first index of an item in an array, or of a text in a text, else -1."},
	{"merge", with("base", "value"), "Returns the array, object or text base with the value added to it."},
	{"md5", with("value"), "Returns the MD5 hash of a text, in hexadecimal digits."},
	{"sha1", with("value"), "Returns the SHA-1 hash of a text, in hexadecimal digits."},
	{"sha256", with("value"), "Returns the SHA-256 hash of a text, in hexadecimal digits."},
	{"sha512", with("value"), "Returns the SHA-512 hash of a text, in hexadecimal digits."},
	{"uuid", nil, "Returns a random UUID."},
}

// with returns parameters by their names. A question mark makes one optional.
func with(names ...string) []Parameter {
	parameters := make([]Parameter, len(names))
	for i, name := range names {
		parameters[i].Name, parameters[i].Optional = strings.CutSuffix(name, "?")
	}
	return parameters
}

// FunctionOf returns the row of a function by its case-sensitive name, or false.
func FunctionOf(name string) (Function, bool) {
	for _, f := range Functions {
		if f.Name == name {
			return f, true
		}
	}
	return Function{}, false
}

// Signature returns how the function is called, as in slice(value, start, end?).
func (f Function) Signature() string {
	names := make([]string, len(f.Parameters))
	for i, p := range f.Parameters {
		if names[i] = p.Name; p.Optional {
			names[i] += "?"
		}
	}
	return f.Name + "(" + strings.Join(names, ", ") + ")"
}

// required returns how many arguments a call must have.
func (f Function) required() int {
	n := 0
	for n < len(f.Parameters) && !f.Parameters[n].Optional {
		n++
	}
	return n
}
