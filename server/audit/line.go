package audit

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/server/store"
)

// maxText is the maximum length of each text of an entry, in bytes.
const maxText = 512

// Attrs returns the members of an entry in a log line and in an export, except its time. Empty fields are omitted.
func Attrs(e store.AuditEntry) []slog.Attr {
	all := []slog.Attr{
		slog.String("audit_id", e.ID), slog.String("source", e.Source), slog.String("event", e.Event),
		slog.String("iss", e.Issuer), slog.String("sub", e.Subject), slog.String("email", e.Email), slog.String("client_id", e.ClientID),
		slog.String("object", e.Object), slog.String("id", e.ObjectID), slog.String("detail", e.Detail),
		slog.String("before", e.Before), slog.String("after", e.After), slog.String("outcome", e.Outcome), slog.Int("status", e.Status),
		slog.String("request_id", e.RequestID), slog.String("address", e.Address),
	}
	out := all[:0]
	for _, a := range all {
		if !a.Value.Equal(slog.StringValue("")) && !a.Value.Equal(slog.IntValue(0)) {
			out = append(out, a)
		}
	}
	return out
}

// clean makes the texts of an entry safe to print, because a request may contain any bytes. Control characters below U+0020 are kept, since
// JSON escapes them; other unprintable characters become U+FFFD.
func clean(e *store.AuditEntry) {
	for _, text := range []*string{
		&e.Source, &e.Event, &e.Issuer, &e.Subject, &e.Email, &e.ClientID, &e.Object, &e.ObjectID, &e.Detail, &e.Before, &e.After,
		&e.Outcome, &e.RequestID, &e.Address,
	} {
		*text = strings.Map(func(r rune) rune {
			if r == 0 || r >= ' ' && !unicode.IsGraphic(r) {
				return utf8.RuneError
			}
			return r
		}, strings.ToValidUTF8((*text)[:min(len(*text), maxText)], "\uFFFD"))
	}
}

// Writer writes entries as lines of JSON, with the same members as the log lines.
type Writer struct{ lines slog.Handler }

// NewWriter returns a Writer that writes to w, one call for each line.
func NewWriter(w io.Writer) *Writer {
	return &Writer{slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.LevelKey || a.Key == slog.MessageKey {
			return slog.Attr{}
		}
		return a
	}})}
}

// Write writes one entry.
func (w *Writer) Write(ctx context.Context, e store.AuditEntry) error {
	line := slog.NewRecord(e.At, slog.LevelInfo, "", 0)
	line.AddAttrs(Attrs(e)...)
	return w.lines.Handle(ctx, line)
}
