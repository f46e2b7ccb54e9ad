package verb_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/schema"
)

// A phrase says what is done, what was done, and to what, before and after a draft.
func TestPhrases(t *testing.T) {
	for _, tt := range []struct {
		p                              verb.Phrase
		before, after, one, severalOne string
	}{
		{verb.Phrase{Verb: verb.Cut}, "Cut", "Cut", "Cut “A”", "Cut “A” and 1 more"},
		{verb.Delete.Of("node"), "Delete node", "Deleted node", "Deleted node “A”", "Deleted node: “A” and 1 more"},
		{
			verb.Phrase{Verb: verb.Delete, Join: true},
			"Delete and close the gap", "Deleted and closed the gap",
			"Deleted “A” and closed the gap", "Deleted “A” and 1 more and closed the gap",
		},
		{verb.Phrase{Verb: verb.Paste, Noun: "node", Count: 4}, "Paste 4 nodes", "Pasted 4 nodes", "Pasted 4 nodes: “A”", "Pasted 4 nodes: “A” and 1 more"},
		{
			verb.Phrase{Verb: verb.Move, Noun: "component", Rest: "to another step"},
			"Move component to another step", "Moved component to another step",
			"Moved component “A” to another step", "Moved component to another step: “A” and 1 more",
		},
		{verb.Tidy.With("up"), "Tidy up", "Tidied up", "Tidied up: “A”", "Tidied up: “A” and 1 more"},
		{verb.Take.With("what Ann wrote"), "Take what Ann wrote", "Took what Ann wrote", "Took what Ann wrote: “A”", "Took what Ann wrote: “A” and 1 more"},
		{verb.Edit.Of("alias"), "Edit alias", "Changed alias", "Changed alias “A”", "Changed alias: “A” and 1 more"},
		{verb.Phrase{Rest: "Older words"}, "Older words", "Older words", "Older words: “A”", "Older words: “A” and 1 more"},
	} {
		got := [...]string{tt.p.String(), tt.p.Past(), tt.p.Did("“A”", 1), tt.p.Did("“A” and 1 more", 2)}
		if want := [...]string{tt.before, tt.after, tt.one, tt.severalOne}; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		v, _ := schema.Decode(schema.Encode(tt.p.Tree()))
		if got := verb.Read(v); got != tt.p {
			t.Errorf("%s is read as %+v", tt.p, got)
		}
	}
}

// The title of a command, and a step of an older draft, are phrases as they stand.
func TestParse(t *testing.T) {
	for text, past := range map[string]string{"Align left": "Aligned left", "Cut": "Cut", "Import forms.json": "Imported forms.json", "Unknown word": "Unknown word"} {
		if got := verb.Parse(text); got.String() != text || got.Past() != past || verb.Read(text) != got {
			t.Errorf("%s: %+v, %s, %s", text, got, got, got.Past())
		}
	}
	if got := verb.Read(nil); got != (verb.Phrase{}) || got.String() != "" || got.Past() != "" {
		t.Errorf("nothing is %+v", got)
	}
}

// Every verb has a present and a past.
func TestVerbsHaveForms(t *testing.T) {
	for v := verb.Add; v <= verb.Translate; v++ {
		if v.String() == "" || v.Past() == "" || verb.Parse(v.String()).Verb != v {
			t.Errorf("verb %d is %q, %q", v, v, v.Past())
		}
	}
}
