package translate

import (
	"errors"
	"fmt"
	"strings"
)

// separated parses a text of records and fields by the grammar of RFC 4180, with any separator, and with lines that end in LF, CRLF or CR.
// What is inside quotes is not changed. do gets each record with the number of its first line, until it returns an error. A lenient reader
// takes a field whose quotes do not match, such as 5" or "a"b, as it is written.
func separated(text string, separator byte, lenient bool, do func(line int, fields []string) error) error {
	line := 1
	for text != "" {
		var fields []string
		first := line
		for more := true; more; {
			field, rest, err := nextField(text, separator)
			if err != nil && !lenient {
				return fmt.Errorf("line %d: %w", line, err)
			}
			if err != nil {
				field, rest = plainField(text, separator)
			}
			line += lines(text[:len(text)-len(rest)])
			fields = append(fields, field)
			text = rest
			if more = text != "" && text[0] == separator; more {
				text = text[1:]
			}
		}
		switch {
		case strings.HasPrefix(text, "\r\n"):
			text = text[2:]
		case text != "":
			text = text[1:]
		}
		line++
		if err := do(first, fields); err != nil {
			return err
		}
	}
	return nil
}

// lines returns the number of ends of lines in a text.
func lines(s string) int {
	return strings.Count(s, "\n") + strings.Count(s, "\r") - strings.Count(s, "\r\n")
}

// Mistakes in the quotes of a field.
var (
	errUnclosed = errors.New("a quoted cell is not closed")
	errQuote    = errors.New("a cell continues after its closing quote")
	errBare     = errors.New("a cell with a quote must be quoted")
)

// nextField returns the field at the beginning of a text, and the rest, which begins with a separator or the end of a line.
func nextField(text string, separator byte) (field, rest string, err error) {
	if text == "" || text[0] != '"' {
		field, rest = plainField(text, separator)
		if strings.Contains(field, `"`) {
			return "", "", errBare
		}
		return field, rest, nil
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
		case i+1 < len(text) && text[i+1] == '"':
			i++
		case i+1 == len(text) || text[i+1] == separator || text[i+1] == '\n' || text[i+1] == '\r':
			return strings.ReplaceAll(text[1:i], `""`, `"`), text[i+1:], nil
		default:
			return "", "", errQuote
		}
	}
	return "", "", errUnclosed
}

// plainField returns the field up to the next separator or end of a line.
func plainField(text string, separator byte) (field, rest string) {
	end := strings.IndexAny(text, string([]byte{separator, '\n', '\r'}))
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}

// appendRecord writes a record. Each field is quoted that needs it for any separator, or begins or ends with a space.
func appendRecord(b []byte, separator byte, end string, fields []string) []byte {
	for i, f := range fields {
		if i > 0 {
			b = append(b, separator)
		}
		if strings.ContainsAny(f, ",;\t\"\r\n") || strings.TrimSpace(f) != f {
			b = append(b, '"')
			b = append(b, strings.ReplaceAll(f, `"`, `""`)...)
			b = append(b, '"')
		} else {
			b = append(b, f...)
		}
	}
	return append(b, end...)
}

// guarded returns a text as a cell that no spreadsheet takes for a formula: an apostrophe is put before a text that begins with a sign of a
// formula, perhaps after apostrophes and spaces. unguarded takes it away; it is there in no other text, so nothing is lost.
//
// The signs are those that https://owasp.org/www-community/attacks/CSV_Injection lists.
func guarded(text string) string {
	if risky(text) {
		return "'" + text
	}
	return text
}

// unguarded returns the text of a cell.
func unguarded(cell string) string {
	if strings.HasPrefix(cell, "'") && risky(cell) {
		return cell[1:]
	}
	return cell
}

func risky(text string) bool {
	text = strings.TrimLeft(text, "' ")
	for _, sign := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	return false
}
