package ui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model/schema"
)

// An import is one step that undo takes back; what the server owns stays.
func TestReplaceForm(t *testing.T) {
	mine := formOf(t, `{"id":"ap_mine","name":"Mine","created_at":"2024-01-01T00:00:00Z","languages":{"primary":"de"},"style":{"css":"a{}"},
		"nodes":[{"id":"a","type":"STEP","config":{"components":[]}},{"id":"keep","type":"STEP","config":{"components":[]}}]}`)
	file := formOf(t, `{"id":"ap_theirs","name":"Theirs","created_at":"2025-01-01T00:00:00Z","links":{"x":1},"languages":{"primary":"en"},"start":{"next_node":"b"},
		"nodes":[{"id":"b","type":"STEP","config":{"components":[]}},{"id":"keep","type":"STEP","config":{"components":[]}}]}`)
	ed := editor.New(mine, editor.Config{Now: func() time.Time { return time.Time{} }, Rand: rand.IntN})
	ed.Select(editor.SelectNodes("a", "keep"))
	if err := ed.Run(replaceForm{file, "theirs.json"}); err != nil {
		t.Fatal(err)
	}
	got := ed.State().Form
	want := `{"id":"ap_mine","name":"Theirs","created_at":"2024-01-01T00:00:00Z","languages":{"primary":"en"},"nodes":[{"id":"b","type":"STEP","config":{"components":[]}},{"id":"keep","type":"STEP","config":{"components":[]}}],"start":{"next_node":"b"}}`
	if wantTree, _ := schema.Decode([]byte(want)); !schema.Equal(got.Tree(), wantTree) {
		t.Errorf("the form is %s", schema.Encode(got.Tree()))
	}
	if label := ed.UndoLabel(); label != "Import theirs.json" {
		t.Errorf("the step is called %q", label)
	}
	if !ed.State().Selection.Empty() {
		t.Errorf("%v is selected", ed.State().Selection)
	}
	if _, ok := ed.Undo(); !ok || ed.State().Form != mine {
		t.Error("undo does not bring back the form that was")
	}
	if ed.UndoLabel() != "" {
		t.Errorf("after undo there is %q left", ed.UndoLabel())
	}
}

// The same contents are no step.
func TestReplaceByTheSame(t *testing.T) {
	mine := formOf(t, `{"id":"ap_mine","name":"Mine","nodes":[]}`)
	ed := editor.New(mine, editor.Config{Now: func() time.Time { return time.Time{} }, Rand: rand.IntN})
	if err := ed.Run(replaceForm{formOf(t, `{"name":"Mine","nodes":[]}`), "same.json"}); err != nil || ed.UndoLabel() != "" || ed.State().Form != mine {
		t.Errorf("%v, %q", err, ed.UndoLabel())
	}
}

func TestContent(t *testing.T) {
	got := content(formOf(t, `{"id":"ap_x","name":"N","nodes":[],"created_at":"2024-01-01T00:00:00Z","extra":1}`))
	if text := string(schema.Encode(got.Tree())); text != `{"name":"N","nodes":[]}` {
		t.Errorf("the content is %s", text)
	}
}

func TestNotAForm(t *testing.T) {
	one := schema.Problems{{Path: mustPath("name"), Detail: "must not be empty"}}
	if text := notAForm(one); !strings.HasSuffix(text, "name: must not be empty") {
		t.Errorf("one problem reads %q", text)
	}
	if text := notAForm(append(one, one...)); !strings.HasSuffix(text, "name: must not be empty (and 1 more)") {
		t.Errorf("two problems read %q", text)
	}
}
