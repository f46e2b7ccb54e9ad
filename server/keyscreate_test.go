package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Keys can be created before the first start, which then uses them.
func TestKeysCreatedBeforeFirstStart(t *testing.T) {
	folder := t.TempDir()
	file, data := filepath.Join(folder, "shared-keys"), filepath.Join(folder, "data")
	code, out, errs := inTool(t, "", "keys", "create", file)
	if code != exitOK || !strings.Contains(out, file) {
		t.Fatalf("create: got %d %s%s", code, out, errs)
	}
	before, err := os.ReadFile(file)
	must(t, err)
	if code, _, errs := inTool(t, "", "keys", "create", file); code != exitFailed || !strings.Contains(errs, "exists already") {
		t.Errorf("create again: got %d %s", code, errs)
	}
	r := start(t, data, "--keys", file)
	first := r.first()
	r.person().signIn(first.Admin.Email, first.Admin.Password)
	r.stop()
	after, err := os.ReadFile(file)
	must(t, err)
	if string(after) != string(before) {
		t.Error("the file was changed")
	}
	if _, err := os.Stat(filepath.Join(data, "keys")); err == nil {
		t.Error("the first start created keys of its own")
	}
	if code, out, errs := inTool(t, "", "keys", "list", "--keys", file, "--data", data); code != exitOK || strings.Count(out, "in use") != 2 {
		t.Errorf("list: got %d %s%s", code, out, errs)
	}
	if code, _, errs := inTool(t, "", "keys", "list", "--data", folder); code != exitUnusable || !strings.Contains(errs, "not a data folder") {
		t.Errorf("list elsewhere: got %d %s", code, errs)
	}
}
