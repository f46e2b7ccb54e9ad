package bff

import (
	"net/http"
	"slices"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

// who returns the person of a session.
func who(ss *sessions.Session) store.Person {
	text := func(key string) string { v, _ := ss.Values[key].(string); return v }
	return store.Person{ID: text(keySubject), Name: schema.Shorten(text(keyName), maxPersonName)}
}

// known returns the comments on the form of a request, and the people that are known there, under each of their names: those who have the form
// open, and then those who have commented or saved, latest first.
func (s *formComments) known(r *http.Request) (all []store.Comment, known []store.Person, err error) {
	all, err = s.stored.List(r.Context(), r.PathValue("id"))
	var saved []store.Version
	if err == nil {
		saved, _, err = s.saved.List(r.Context(), r.PathValue("id"), 0, maxPeople)
	}
	var there []store.Presence
	if err == nil && s.forms.together != nil {
		there, err = s.forms.together.There(r.Context(), r.PathValue("id"))
	}
	for _, p := range there {
		known = append(known, store.Person{ID: p.Sub, Name: p.Name})
	}
	for _, c := range slices.Backward(all) {
		known = append(known, c.Author, c.Resolver)
	}
	for _, v := range saved {
		known = append(known, store.Person{ID: v.AuthorID, Name: alone(v.Author)})
	}
	return all, known, err
}

// strangers returns the problem to answer with if a mention is of nobody who is known at the form, or under the name of somebody else. In an
// edited comment, whom it mentions already may stay.
func (s *formComments) strangers(r *http.Request, me store.Person, comment string, mentions []store.Mention) *httpx.Problem {
	if len(mentions) == 0 {
		return nil
	}
	all, known, err := s.known(r)
	if err != nil {
		return s.forms.down(r.Context(), "comments", err)
	}
	known = append(known, me)
	for _, c := range all {
		for _, m := range c.Mentions {
			if c.ID == comment {
				known = append(known, m.Person)
			}
		}
	}
	for _, m := range mentions {
		if !slices.Contains(known, m.Person) {
			return invalidComment("mentions names " + m.Name + ", and nobody at this form has this sub and name. Choose one of the people that are offered.")
		}
	}
	return nil
}

// peopleOf returns people as they are answered, each once.
func peopleOf(known []store.Person) []any {
	people, seen := []any{}, map[string]bool{"": true}
	for _, p := range known {
		if !seen[p.ID] && p.Name != "" && len(people) < maxPeople {
			seen[p.ID] = true
			people = append(people, personTree(p))
		}
	}
	return people
}

func personTree(p store.Person) *schema.Object {
	return schema.NewObject(schema.Member{Key: "sub", Value: p.ID}, schema.Member{Key: "name", Value: p.Name})
}
