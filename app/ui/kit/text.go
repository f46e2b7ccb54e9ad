package kit

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// Messages about the browser that several pages use.
const (
	CopyFailed    = "Your browser blocked copying. Use Ctrl+C instead."
	PasteFailed   = "Your browser blocked pasting. Use Ctrl+V instead."
	WindowBlocked = "Your browser blocked the sign-in window. Allow pop-ups for this page and try again."
)

// The layouts of times, for package time.
const (
	Date      = "2 January 2006"
	DateTime  = "2 January 2006, 15:04:05"
	TimeOfDay = "15:04"
)

// Ago describes how long before now a time was.
func Ago(then, now time.Time) string {
	d := now.Sub(then)
	switch {
	case then.IsZero():
		return "–"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%s ago", Several(int(d/time.Minute), "1 minute", "%d minutes"))
	case d < 24*time.Hour:
		return fmt.Sprintf("%s ago", Several(int(d/time.Hour), "1 hour", "%d hours"))
	case d < 14*24*time.Hour:
		return fmt.Sprintf("%s ago", Several(int(d/(24*time.Hour)), "1 day", "%d days"))
	}
	return then.Local().Format(Date)
}

// AgoShort is Ago with short units, as in "5 min ago", for a narrow column.
func AgoShort(then, now time.Time) string {
	return strings.NewReplacer(" minutes", " min", " minute", " min", " hours", " h", " hour", " h").Replace(Ago(then, now))
}

// Sentence turns an error into a readable sentence. It includes when to try again if the server says so.
func Sentence(err error) string {
	s := AsSentence(err.Error())
	if e, ok := errors.AsType[*client.Error](err); ok && e.RetryAfter > 0 {
		s += fmt.Sprintf(" Try again in %d s.", int((e.RetryAfter+time.Second-1)/time.Second))
	}
	return s
}

// Quote puts a name in quotation marks, see schema.Quote.
func Quote(name string) string { return schema.Quote(name) }

// AsSentence capitalizes a text and ends it with a full stop, unless it ends as a sentence does already.
func AsSentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return Stop(strings.ToUpper(string(r)) + s[n:])
}

// Stop ends a text with a full stop, unless it ends as a sentence does already.
func Stop(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".?!") {
		return s
	}
	return s + "."
}

// StatusOf returns the HTTP status of the answer that caused an error, 0 for none.
func StatusOf(err error) int {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Status
	}
	return 0
}

// Initial returns the first letter of a word, in upper case.
func Initial(word string) string {
	r, _ := utf8.DecodeRuneInString(word)
	return strings.ToUpper(string(r))
}

// Several describes a number of things: it returns one for 1, and many for all others, formatted with the number.
func Several(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}
