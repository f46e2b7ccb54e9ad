package template

import "strings"

// Function is a row of the table of functions.
type Function struct {
	Name       string
	Parameters []Parameter
	Doc        string // a sentence for people

	call func(env *Env, args []any) any // with as many arguments as the parameters allow
}

// Parameter is a parameter of a function. Optional ones come last.
type Parameter struct {
	Name     string
	Optional bool
}

// Functions lists the functions that an expression may call as functions.NAME, in the order of the public documentation:
// https://auth0.com/docs/customize/forms/variables#helper-functions. The rules for wrong types are in run.Choices.
var Functions = []Function{
	{"toArray", with("value"), "Returns an array with the value in it, or the value if it is an array.", toArray},
	{"toBoolean", with("value"), "Returns false for 0, null, an empty text and the texts false and 0, and true for other values.", toBoolean},
	{"length", with("value"), "Returns how many characters a text, elements an array or properties an object has.", length},
	{"mask", with("value"), "Hides a value behind ███.", mask},
	{"toNumber", with("value"), "Returns the number that a text spells, 1 for true, and 0 for false and null.", toNumber},
	{
		"random", with("min", "max", "fraction?"),
		"Returns a random number from min to max, both included; a whole one unless fraction is true.", random,
	},
	{"slice", with("value", "start", "end?"), "Returns the part of a text or an array before end; negative indexes count from its end.", slice},
	{"toString", with("value"), "Returns the text of a value.", toString},
	{"substring", with("value", "start", "end?"), "Returns the part of a text between two indexes, whichever is less.", substring},
	{"toTimestamp", with("date?"), "Returns the seconds since 1970 of a date in ISO 8601, or of the current time.", toTimestamp},
	{"toLowerCase", with("value"), "Returns the text in lower case.", texts(func(s ...string) string { return strings.ToLower(s[0]) })},
	{"toUpperCase", with("value"), "Returns the text in upper case.", texts(func(s ...string) string { return strings.ToUpper(s[0]) })},
	{"replaceAll", with("value", "text", "replacement"), "Returns the value with another text for every occurrence of a text.", replaceAll},
	{
		"replace", with("value", "text", "replacement"), "Returns the value with another text for the first occurrence of a text.",
		texts(func(s ...string) string { return strings.Replace(s[0], s[1], s[2], 1) }),
	},
	{"split", with("value", "separator", "limit?"), "Returns the texts between the separators, at most limit of them.", split},
	{"now", nil, "Returns the current time in ISO 8601.", now},
	{"includes", with("collection", "item", "from?"), "Reports whether an array has an item, or a text contains a text.", includes},
	{"indexOf", with("collection", "item", "from?"), "Returns the first index of an item in an array, or of a text in a text, else -1.", indexOf},
	{"merge", with("base", "value"), "Returns the array, object or text base with the value added to it.", merge},
	{"md5", with("value"), "Returns the MD5 hash of a text, in hexadecimal digits.", hashed("md5")},
	{"sha1", with("value"), "Returns the SHA-1 hash of a text, in hexadecimal digits.", hashed("sha1")},
	{"sha256", with("value"), "Returns the SHA-256 hash of a text, in hexadecimal digits.", hashed("sha256")},
	{"sha512", with("value"), "Returns the SHA-512 hash of a text, in hexadecimal digits.", hashed("sha512")},
	{"uuid", nil, "Returns a random UUID.", uuid},
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

// texts returns a function of texts. Numbers and booleans are converted to texts; the result for any other argument is undefined.
func texts(do func(...string) string) func(*Env, []any) any {
	return func(_ *Env, args []any) any {
		s, ok := spellings(args)
		if !ok {
			return absent{}
		}
		return do(s...)
	}
}

// spellings returns the texts of all arguments, or false if one has none.
func spellings(args []any) ([]string, bool) {
	s := make([]string, len(args))
	for i, arg := range args {
		var ok bool
		if s[i], ok = Spelling(arg); !ok {
			return nil, false
		}
	}
	return s, true
}
