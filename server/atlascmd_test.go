package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAtlas(t *testing.T) {
	dir := t.TempDir()
	form, out := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.html")
	write(t, form, ageForm)
	code, page, errs := inTool(t, "", "atlas", form)
	if code != exitOK || errs != "" || !strings.HasPrefix(page, "<!doctype html>") || !strings.Contains(page, ".af-form") ||
		!strings.Contains(page, "Please answer this question.") {
		t.Fatalf("got %d %s %.100s", code, errs, page)
	}
	for _, x := range []struct {
		name, stdin string
		args        []string
	}{
		{"standard input", ageForm, []string{"-"}},
		{"an export", `{"version":"4.0.0","form":` + ageForm + `}`, []string{"-"}},
		{"all languages by name", "", []string{"--languages", "en", form}},
	} {
		if code, got, errs := inTool(t, x.stdin, append([]string{"atlas"}, x.args...)...); code != exitOK || got != page || errs != "" {
			t.Errorf("%s: got %d %s, or another page", x.name, code, errs)
		}
	}
	for range 2 { // into a new file, and in place of it
		if code, got, errs := inTool(t, "", "atlas", "-o", out, form); code != exitOK || got != "" || errs != "" {
			t.Errorf("got %d %s %.100s", code, errs, got)
		}
		if text, err := os.ReadFile(out); err != nil || string(text) != page {
			t.Errorf("the file is another page: %v", err)
		}
	}
	if code, got, _ := inTool(t, "", "atlas", "--date", "2026-01-31", form); code != exitOK || !strings.Contains(got, "<dd>2026-01-31</dd>") {
		t.Errorf("got %d without the date", code)
	}
}

func TestAtlasRefusals(t *testing.T) {
	dir := t.TempDir()
	form := filepath.Join(dir, "a.json")
	write(t, form, ageForm)
	for _, x := range []struct {
		name, stdin string
		args        []string
		errs        string
	}{
		{"not JSON", "{", []string{"-"}, "-:1:2: "},
		{"not an object", "[1]", []string{"-"}, "must be an object"},
		{"another object", `{"a":1}`, []string{"-"}, "- is not a form"},
		{"no file", "", []string{filepath.Join(dir, "none.json")}, "no such file"},
		{"no device", "", []string{os.DevNull}, "is not a form"},
		{"no argument", "", nil, "needs one form, got 0 files"},
		{"two forms", "", []string{form, form}, "needs one form, got 2 files"},
		{"another language", "", []string{"--languages", "en,fr", form}, "a.json: the form is not in this language: fr; it has en"},
		{"no date", "", []string{"--date", "today", form}, "--date must be a date such as 2026-01-31"},
		{"no folder", "", []string{"-o", filepath.Join(dir, "none", "a.html"), form}, "write atlas: "},
		{"an unknown option", "", []string{"--theme", "dark", form}, "see formgraph atlas --help"},
	} {
		if code, out, errs := inTool(t, x.stdin, append([]string{"atlas"}, x.args...)...); code != exitUnusable || out != "" || !strings.Contains(errs, x.errs) {
			t.Errorf("%s: got %d %s %.100s", x.name, code, errs, out)
		}
	}
}
