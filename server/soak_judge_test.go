package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/waittest"
)

// judge looks for all that was accepted. The hostile ones have stopped.
func (s *siege) judge() {
	t := s.t
	for _, p := range s.pages {
		waittest.Until(t, "the last edit is accepted", func() bool { return p.edit() || t.Failed() })
	}
	waittest.Until(t, "the shared form is saved", func() bool { return s.pages[0].saveShared() || t.Failed() })
	for _, p := range s.pages {
		if !p.catchUp() {
			t.Errorf("page %s cannot read the shared form", p.name)
		}
	}
	_, _, text := s.pages[0].get("live read", s.pages[0].path())
	theirs, number := objectOf(text).Object("form"), s.pages[0].number
	_, _, text = s.pages[0].get("read form", "/bff/api/forms/"+s.shared)
	saved := objectOf(text)
	total, saves := 0, 0
	for _, p := range s.pages {
		if p.number != number || !schema.Equal(p.tree, theirs) {
			t.Errorf("the copy of page %s has number %d and the server's %d; same content: %v", p.name, p.number, number, schema.Equal(p.tree, theirs))
		}
		s.judgeSaved(p.member, p.form, saved)
		total, saves = total+p.edits, saves+len(p.saves)
	}
	for _, p := range s.loners {
		_, _, text := p.get("read form", "/bff/api/forms/"+p.form)
		s.judgeSaved(p.member, p.form, objectOf(text))
		total, saves = total+p.edits, saves+len(p.saves)
	}
	t.Logf("%d edits and %d saves were accepted", total, saves)
}

// judgeSaved looks for the edits, comments and saves of a person in a form that was saved.
func (s *siege) judgeSaved(m *member, form string, saved *schema.Object) {
	s.t.Helper()
	if err := m.see(saved); err != nil {
		s.t.Errorf("person %d, in the saved form: %v", m.number, err)
	}
	m.findComments("/bff/api/forms/" + form)
	found := map[string]int{}
	waittest.Until(s.t, "the versions are read", func() bool { return m.versions(form, found) || s.t.Failed() })
	for _, name := range m.saves {
		if found[name] != 1 {
			m.complain("the accepted save %s is %d versions", name, found[name])
		}
	}
	for _, name := range m.maybe {
		if found[name] > 1 {
			m.complain("the save %s without an answer is %d versions", name, found[name])
		}
	}
	s.t.Logf("person %d: %d edits, %d saves and %d without an answer, %d requests were too late", m.number, m.edits, len(m.saves), len(m.maybe),
		m.overtaken)
}

// versions counts the versions that a person has saved, by the name of the form, and reports whether all could be read.
func (m *member) versions(form string, found map[string]int) bool {
	clear(found)
	path := "/bff/api/forms/" + form + "/versions"
	for page := 0; ; page++ {
		status, _, text := m.get("versions", fmt.Sprintf("%s?page=%d&per_page=100", path, page))
		var list []struct {
			Version int
			Author  string
		}
		if status != http.StatusOK || json.Unmarshal([]byte(text), &list) != nil {
			return false
		}
		for _, v := range list {
			if by, _, _ := strings.Cut(v.Author, " with "); by != fmt.Sprintf("P%d", m.number) {
				continue
			}
			status, _, text := m.get("version", fmt.Sprintf("%s/%d", path, v.Version))
			if status != http.StatusOK {
				return false
			}
			found[objectOf(text).Object("form").Text("name")]++
		}
		if len(list) < 100 {
			return true
		}
	}
}
