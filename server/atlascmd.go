package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/web"
)

var atlasTool = tool{
	name: "atlas", usage: []string{"[-o FILE] [--languages LANGUAGE,...] [--date DATE] FORM"},
	about: `Writes every step of a form, in every language, as respondents see it: as it is first
asked, with nothing answered, and with wrong answers. The result is one HTML file without
scripts, which anybody can open, read and print. The same form gives the same bytes.
- reads standard input.

Exits with 2 if FORM is not a form, or if it is not in a language that is named.`,
	options: []config.Option{
		option("o", "FILE", "write to FILE instead of standard output"),
		words("languages", "LANGUAGE", "show these languages only, in this order"),
		option("date", "DATE", "print a date such as 2026-01-31 on the cover"),
	},
}

// atlasCommand writes the atlas of a form.
func atlasCommand(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(atlasTool, args)
	if a == nil {
		return code
	}
	text, err := p.atlas(ctx, a)
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	name := a.Text("o")
	if name == "" {
		_, err = p.stdout.Write(text)
	} else {
		err = writeFile(name, text)
	}
	if err != nil {
		return p.fail(exitUnusable, fmt.Errorf("write atlas: %w", err))
	}
	return exitOK
}

// atlas returns the file that the arguments ask for.
func (p process) atlas(ctx context.Context, a *config.Arguments) ([]byte, error) {
	if len(a.Words) != 1 {
		return nil, fmt.Errorf("atlas needs one form, got %d files; - is standard input", len(a.Words))
	}
	o := atlas.Options{Languages: list(a.Text("languages")), Date: a.Text("date")}
	if o.Date != "" {
		if _, err := time.Parse(time.DateOnly, o.Date); err != nil {
			return nil, fmt.Errorf("atlas: --date must be a date such as 2026-01-31, is %q", o.Date)
		}
	}
	form, err := p.side(a.Words[0])
	if err != nil {
		return nil, err
	}
	if form.form == nil || !form.form.Tree().Has("name") && !form.form.Tree().Has("nodes") {
		return nil, fmt.Errorf("%s is not a form", a.Words[0])
	}
	if o.Style, err = web.PreviewStyle(); err != nil {
		return nil, err
	}
	text, err := atlas.Write(ctx, form.form, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Words[0], err)
	}
	return text, nil
}

// writeFile writes a file for people, in place of one that exists.
func writeFile(name string, text []byte) error {
	err := replaceFile(name, text)
	if errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(name, text, 0o644) //nolint:gosec // for other people to read
	}
	return err
}
