package note_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

var two = note.List{{ID: "a", Text: "Ask legal", At: model.Point{X: -20, Y: 40}}, {ID: "b", Text: "Later", At: model.Point{X: 999999}}}

func TestFileIsRead(t *testing.T) {
	for _, list := range []note.List{nil, two} {
		got, problems := note.Read(schema.Encode(list.File()))
		if len(problems) > 0 || cmp.Diff(list, got) != "" {
			t.Errorf("%v: %v, %v", list, got, problems)
		}
	}
}

func TestFaultsOfAFile(t *testing.T) {
	one := func(id, text, at string) string {
		return `{"id":"` + id + `","text":"` + text + `","coordinates":` + at + `}`
	}
	const at = `{"x":1,"y":2}`
	for _, tt := range []struct{ body, want string }{
		{`[]`, ` type`},
		{`{"version":2,"notes":[]}`, `version range`},
		{`{"version":1}`, `notes required`},
		{`{"version":1,"notes":[` + one("a", "", at) + `]}`, `notes[0].text length`},
		{`{"version":1,"notes":[` + one("a", strings.Repeat("x", note.MaxText+1), at) + `]}`, `notes[0].text length`},
		{`{"version":1,"notes":[` + one("a", "x", `{"x":1.5,"y":2}`) + `]}`, `notes[0].coordinates.x type`},
		{`{"version":1,"notes":[` + one("a", "x", `{"x":1000000,"y":2}`) + `]}`, `notes[0].coordinates.x range`},
		{`{"version":1,"notes":[` + one("a", "x", at) + `,` + one("a", "y", at) + `]}`, `notes[1].id duplicate_id`},
		{`{"version":1,"notes":[` + strings.Repeat(one("a", "x", at)+`,`, note.MaxNotes) + one("b", "x", at) + `]}`, `notes limit`},
	} {
		list, problems := note.Read([]byte(tt.body))
		if len(problems) == 0 || list != nil || problems[0].Path.String()+" "+string(problems[0].Code) != tt.want {
			t.Errorf("%.80s: %v, %v, want %s", tt.body, list, problems, tt.want)
		}
	}
}

func TestChanges(t *testing.T) {
	moved := note.Note{ID: "a", Text: "Ask legal", At: model.Point{X: 5}}
	added := note.Note{ID: "c", Text: "New"}
	for _, tt := range []struct {
		name string
		c    note.Change
		want note.List
	}{
		{"moved", note.Change{Note: moved}, note.List{moved, two[1]}},
		{"added", note.Change{Note: added}, note.List{two[0], two[1], added}},
		{"deleted", note.Change{Note: moved, Gone: true}, note.List{two[1]}},
		{"deleted by others before", note.Change{Note: added, Gone: true}, two},
	} {
		was := append(note.List{}, two...)
		if got := was.With(tt.c); cmp.Diff(tt.want, got) != "" || cmp.Diff(two, was) != "" {
			t.Errorf("%s: %v from %v", tt.name, got, was)
		}
	}
}
