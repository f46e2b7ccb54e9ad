package template

import (
	"math"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Text returns the text of a value between other texts: numbers as written, the elements of an array with commas between them, an
// object as JSON, and nothing for null and for an undefined value.
func Text(v any) string {
	switch v := v.(type) {
	case []any:
		var b strings.Builder
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Text(e))
		}
		return b.String()
	case *schema.Object:
		return string(schema.Encode(v))
	default:
		text, _ := Spelling(v)
		return text
	}
}

// Spelling returns the text of a text, a number as written, or a boolean, and false for any other value.
func Spelling(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case schema.Number:
		return string(v), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// truth returns the boolean for a value. False are undefined, null, false, 0, the empty text, and the texts that spell false or zero.
func truth(v any) bool {
	switch v := v.(type) {
	case nil, absent:
		return false
	case bool:
		return v
	case schema.Number:
		return v.Compare("0") != 0
	case string:
		n, isNumber := schema.ParseNumber(v)
		return v != "" && v != "false" && (!isNumber || n.Compare("0") != 0)
	}
	return true
}

// number returns the number for a value as ECMAScript's Number does, and false where that is not a finite number, and for arrays and
// objects.
func number(v any) (schema.Number, bool) {
	switch v := v.(type) {
	case nil:
		return "0", true
	case schema.Number:
		return v, true
	case bool:
		if v {
			return "1", true
		}
		return "0", true
	case string:
		return spelled(strings.TrimSpace(v))
	}
	return "", false
}

// spelled returns the number that a text without spaces around it spells in ECMAScript: as in JSON, or +1, .5, 5., 007 or 0x1F.
func spelled(s string) (schema.Number, bool) {
	if n, ok := schema.ParseNumber(s); ok {
		return n, true
	}
	if s == "" {
		return "0", true
	}
	if digits, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		n, err := strconv.ParseUint(digits, 16, 64)
		return schema.Number(strconv.FormatUint(n, 10)), err == nil
	}
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return "", false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return "", false
	}
	return floatNumber(f)
}

// floatNumber returns the number of f, or false for an infinity and for what is not a number.
func floatNumber(f float64) (schema.Number, bool) {
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		return "", false
	case f == 0:
		return "0", true
	case math.Abs(f) < 1e21 && math.Abs(f) >= 1e-6: // as ECMAScript writes it
		return schema.Number(strconv.FormatFloat(f, 'f', -1, 64)), true
	}
	return schema.Number(strconv.FormatFloat(f, 'e', -1, 64)), true
}

// float returns the number for a value, as number does, or false if there is none or a float64 cannot hold it.
func float(v any) (float64, bool) {
	n, ok := number(v)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// index returns the argument at i as an index in a list of n elements, counted from the end if it is negative, as ECMAScript does. It
// returns the fallback if there is no such argument, and false if it is not a number.
func index(args []any, i, n, fallback int) (int, bool) {
	at, ok := position(args, i, fallback)
	if at < 0 {
		at += n
	}
	return min(max(at, 0), n), ok
}

// position returns the argument at i without its fraction. It returns the fallback if there is no such argument, and false if it is not a
// number.
func position(args []any, i, fallback int) (int, bool) {
	if i >= len(args) || args[i] == any(absent{}) {
		return fallback, true
	}
	f, ok := float(args[i])
	return int(min(max(math.Trunc(f), -maxIndex), maxIndex)), ok
}

// maxIndex bounds indexes, so that they fit an int of 32 bits. No list is as long.
const maxIndex = 1 << 30
