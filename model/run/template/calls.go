package template

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// implementation returns what one of Functions does, nil for an unknown name. A function gets as many arguments as its parameters allow. It is
// not a column of the table so that a program that only parses templates, as the editor's does, links none of them.
func implementation(name string) func(env *Env, args []any) any {
	switch name {
	case "toArray":
		return toArray
	case "toBoolean":
		return toBoolean
	case "length":
		return length
	case "mask":
		return mask
	case "toNumber":
		return toNumber
	case "random":
		return random
	case "slice":
		return slice
	case "toString":
		return toString
	case "substring":
		return substring
	case "toTimestamp":
		return toTimestamp
	case "toLowerCase":
		return texts(func(s ...string) string { return strings.ToLower(s[0]) })
	case "toUpperCase":
		return texts(func(s ...string) string { return strings.ToUpper(s[0]) })
	case "replaceAll":
		return replaceAll
	case "replace":
		return texts(func(s ...string) string { return strings.Replace(s[0], s[1], s[2], 1) })
	case "split":
		return split
	case "now":
		return now
	case "includes":
		return includes
	case "indexOf":
		return indexOf
	case "merge":
		return merge
	case "md5":
		return hashed("md5")
	case "sha1":
		return hashed("sha1")
	case "sha256":
		return hashed("sha256")
	case "sha512":
		return hashed("sha512")
	case "uuid":
		return uuid
	}
	return nil
}

// The functions of the table. A result that JSON does not have, such as a text that is not a number, is undefined.

// maxText bounds the text that a call returns, in bytes, since nested calls would multiply it. A longer text is undefined.
const maxText = 1 << 18

func toArray(_ *Env, args []any) any {
	switch v := args[0].(type) {
	case absent:
		return []any{}
	case []any:
		return v
	default:
		return []any{v}
	}
}

func toBoolean(_ *Env, args []any) any { return truth(args[0]) }

func toString(_ *Env, args []any) any { return Text(args[0]) }

func toNumber(_ *Env, args []any) any { return orAbsent(number(args[0])) }

func orAbsent(n schema.Number, ok bool) any {
	if !ok {
		return absent{}
	}
	return n
}

func length(_ *Env, args []any) any {
	switch v := args[0].(type) {
	case string:
		return schema.IntNumber(utf8.RuneCountInString(v))
	case []any:
		return schema.IntNumber(len(v))
	case *schema.Object:
		return schema.IntNumber(v.Len())
	}
	return absent{}
}

func mask(_ *Env, args []any) any {
	if args[0] == any(absent{}) {
		return absent{}
	}
	return "███"
}

func random(env *Env, args []any) any {
	low, ok := float(args[0])
	high, also := float(args[1])
	if !ok || !also || env.Random == nil {
		return absent{}
	}
	low, high = min(low, high), max(low, high)
	if len(args) == 3 && truth(args[2]) {
		// Not low+(high-low)*r, which may overflow.
		r := env.Random()
		return orAbsent(floatNumber(min(max(low*(1-r)+high*r, low), high)))
	}
	low, high = math.Ceil(low), math.Floor(high)
	if low > high {
		return absent{}
	}
	return orAbsent(floatNumber(min(low+math.Floor(env.Random()*(high-low+1)), high)))
}

func slice(_ *Env, args []any) any {
	if list, ok := args[0].([]any); ok {
		from, to, ok := bounds(args, len(list))
		if !ok {
			return absent{}
		}
		return list[from:to:to]
	}
	s, ok := Spelling(args[0])
	if !ok {
		return absent{}
	}
	runes := []rune(s)
	from, to, ok := bounds(args, len(runes))
	if !ok {
		return absent{}
	}
	return string(runes[from:to])
}

// bounds returns the second and third arguments as bounds within a list of n elements, the first not after the second.
func bounds(args []any, n int) (from, to int, ok bool) {
	from, ok = index(args, 1, n, 0)
	to, also := index(args, 2, n, n)
	return from, max(from, to), ok && also
}

func substring(_ *Env, args []any) any {
	s, ok := Spelling(args[0])
	if !ok {
		return absent{}
	}
	runes := []rune(s)
	from, ok := position(args, 1, 0)
	to, also := position(args, 2, len(runes))
	if !ok || !also {
		return absent{}
	}
	from, to = min(max(from, 0), len(runes)), min(max(to, 0), len(runes))
	return string(runes[min(from, to):max(from, to)])
}

func replaceAll(_ *Env, args []any) any {
	s, ok := spellings(args)
	if !ok {
		return absent{}
	}
	// An empty text occurs before each character and at the end, as in ECMAScript.
	if n := strings.Count(s[0], s[1]); n > 0 && len(s[2]) > 0 && len(s[0])/n+len(s[2]) > maxText/n {
		return absent{}
	}
	return strings.ReplaceAll(s[0], s[1], s[2])
}

func split(_ *Env, args []any) any {
	s, ok := spellings(args[:2])
	if !ok {
		return absent{}
	}
	limit, ok := position(args, 2, maxIndex)
	if !ok || limit < 0 {
		return absent{}
	}
	list := []any{}
	if s[0] == "" && s[1] == "" {
		return list
	}
	for part := range strings.SplitSeq(s[0], s[1]) {
		if len(list) == limit {
			break
		}
		list = append(list, part)
	}
	return list
}

func includes(env *Env, args []any) any {
	at, ok := indexOf(env, args).(schema.Number)
	if !ok {
		return absent{}
	}
	return at != "-1"
}

func indexOf(_ *Env, args []any) any {
	if list, ok := args[0].([]any); ok {
		from, ok := index(args, 2, len(list), 0)
		if !ok {
			return absent{}
		}
		for i, v := range list[from:] {
			if schema.Equal(v, args[1]) {
				return schema.IntNumber(from + i)
			}
		}
		return schema.IntNumber(-1)
	}
	s, ok := spellings(args[:2])
	if !ok {
		return absent{}
	}
	from, ok := position(args, 2, 0)
	if !ok {
		return absent{}
	}
	runes := []rune(s[0])
	from = min(max(from, 0), len(runes))
	at := strings.Index(string(runes[from:]), s[1])
	if at < 0 {
		return schema.IntNumber(-1)
	}
	return schema.IntNumber(from + utf8.RuneCountInString(string(runes[from:])[:at]))
}

func merge(_ *Env, args []any) any {
	if args[1] == any(absent{}) {
		return args[0]
	}
	switch base := args[0].(type) {
	case []any:
		more, ok := args[1].([]any)
		if !ok {
			more = args[1:]
		}
		return append(slices.Clip(base), more...)
	case *schema.Object:
		more, ok := args[1].(*schema.Object)
		if !ok {
			return absent{}
		}
		return mergeObjects(base, more)
	case string:
		return base + Text(args[1])
	}
	return absent{}
}

// mergeObjects returns base with the members of more, which take the places of those with the same names.
func mergeObjects(base, more *schema.Object) *schema.Object {
	members := make([]schema.Member, 0, base.Len()+more.Len())
	for _, m := range base.Members() {
		if v, ok := more.Get(m.Key); ok {
			m.Value = v
		}
		members = append(members, m)
	}
	for _, m := range more.Members() {
		if !base.Has(m.Key) {
			members = append(members, m)
		}
	}
	return schema.NewObject(members...)
}

// isoFormat is the format of ECMAScript's dates.
const isoFormat = "2006-01-02T15:04:05.000Z"

// dateFormats are the formats that toTimestamp reads. Without a zone, a date is in UTC.
var dateFormats = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "2006-01", "2006"}

func now(env *Env, _ []any) any {
	if env.Now == nil {
		return absent{}
	}
	return env.Now().UTC().Format(isoFormat)
}

func toTimestamp(env *Env, args []any) any {
	if len(args) == 0 {
		if env.Now == nil {
			return absent{}
		}
		return seconds(env.Now())
	}
	switch v := args[0].(type) {
	case string:
		for _, format := range dateFormats {
			if at, err := time.Parse(format, v); err == nil {
				return seconds(at)
			}
		}
	case schema.Number: // milliseconds, as in ECMAScript's dates
		if f, ok := float(v); ok {
			return orAbsent(floatNumber(math.Floor(f / 1000)))
		}
	}
	return absent{}
}

func seconds(at time.Time) schema.Number { return schema.IntNumber(int(at.Unix())) }

func uuid(env *Env, _ []any) any {
	if env.UUID == nil {
		return absent{}
	}
	return env.UUID()
}

// hashed is the function that hashes a text by the name of the function.
func hashed(name string) func(*Env, []any) any {
	return func(env *Env, args []any) any {
		s, ok := spellings(args)
		if !ok || env.Hash == nil {
			return absent{}
		}
		return env.Hash(name, s[0])
	}
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
