package bff

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
)

// formComments serves the comments on forms, which this server keeps beside them. The tenant, which is asked for the form, decides whether a person
// may read its comments. Everybody who may read a form may comment on it, even if they may not change it: a comment does not change the form.
type formComments struct {
	stored store.Comments
	saved  store.Versions // whose authors may be mentioned
	forms  *forwarder
	now    func() time.Time
	random io.Reader
	limit  *ratelimit.Limiter // of changes, by person
}

// Limits of comments.
const (
	maxCommentText  = 4000 // characters
	maxCommentPlace = 128  // characters of an ID
	maxMentions     = 20   // of a comment
	maxPersonName   = 200  // characters
	maxPeople       = 200  // that are offered for mentions
	maxCommentBody  = 32 << 10
	// A person may make commentBurst changes at once, and then commentRate per second.
	commentRate, commentBurst = 1, 60
)

// commentWildcard is the segment that matches the ID of a comment.
const commentWildcard = "{comment}"

func (s *formComments) routes() []route {
	list := "/bff/api/forms/" + wildcard + "/comments"
	return []route{
		newRoute(list, true, endpoint{http.MethodGet, s.list}, endpoint{http.MethodPost, s.add}),
		newRoute(list+"/"+commentWildcard, true, endpoint{http.MethodPatch, s.change}, endpoint{http.MethodDelete, s.remove}),
	}
}

// eventComment is the kind of events about comments.
const eventComment = "comment"

// What happens to a comment, in events and in the audit log.
const (
	commentAdded    = "added"
	commentEdited   = "edited"
	commentDeleted  = "deleted"
	commentResolved = "resolved"
	commentReopened = "reopened"
)

// commentJSON is the data of an event about a comment. The text is read with the comments, by those who may.
type commentJSON struct {
	Form    string `json:"form"`
	Comment string `json:"comment"`
	Thread  string `json:"thread"`
	Did     string `json:"did"`
	Name    string `json:"name,omitempty"`
	Subject string `json:"sub,omitempty"`
	Tab     string `json:"tab,omitempty"`
}

// list answers GET with the comments on a form, oldest first, and the people who may be mentioned.
func (s *formComments) list(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok {
		return
	}
	if _, ok = s.forms.reads(w, r, ss, r.PathValue("id")); !ok {
		return
	}
	all, known, err := s.known(r)
	if err != nil {
		s.forms.down(r.Context(), "comments", err).Write(w, r)
		return
	}
	me, unseen := who(ss), 0
	list := make([]any, len(all))
	for i, c := range all {
		list[i] = commentTree(c, me)
		if unread(c, me) {
			unseen++
		}
	}
	answer := schema.NewObject(
		schema.Member{Key: "comments", Value: list}, schema.Member{Key: "people", Value: peopleOf(known)},
		schema.Member{Key: "unread", Value: schema.IntNumber(unseen)},
		schema.Member{Key: "me", Value: personTree(me)},
	)
	if slices.Contains(s.forms.sessions.access.scopes(ss), updateForms) {
		answer = answer.With("moderator", true)
	}
	sendTree(w, http.StatusOK, answer)
}

// moderates reports whether a person may delete the comments of others: whoever may change the form.
func (s *formComments) moderates(r *http.Request, ss *sessions.Session) bool {
	return s.forms.holds(r, ss, r.PathValue("id"), updateForms) == nil
}

// unread reports whether a comment mentions a person who has not read it.
func unread(c store.Comment, p store.Person) bool {
	return slices.ContainsFunc(c.Mentions, func(m store.Mention) bool { return m.ID == p.ID && !m.Seen })
}

// commentTree returns a comment as it is answered to a person.
func commentTree(c store.Comment, to store.Person) *schema.Object {
	members := []schema.Member{{Key: "id", Value: c.ID}, {Key: "thread", Value: c.Thread}}
	text := func(key, v string) {
		if v != "" {
			members = append(members, schema.Member{Key: key, Value: v})
		}
	}
	text("node", c.Node)
	text("component", c.Component)
	members = append(members, schema.Member{Key: "text", Value: c.Text})
	if c.Author.ID != "" {
		members = append(members, schema.Member{Key: "author", Value: personTree(c.Author)})
	}
	members = append(members, schema.Member{Key: "created_at", Value: momentText(c.Created)})
	if !c.Edited.IsZero() {
		members = append(members, schema.Member{Key: "edited_at", Value: momentText(c.Edited)})
	}
	if !c.Resolved.IsZero() {
		members = append(members, schema.Member{Key: "resolved_at", Value: momentText(c.Resolved)},
			schema.Member{Key: "resolved_by", Value: personTree(c.Resolver)})
	}
	var mentions []any
	for _, m := range c.Mentions {
		mentions = append(mentions, personTree(m.Person))
	}
	if mentions != nil {
		members = append(members, schema.Member{Key: "mentions", Value: mentions})
	}
	if unread(c, to) {
		members = append(members, schema.Member{Key: "unread", Value: true})
	}
	return schema.NewObject(members...)
}

// asks reads a request that changes comments, whose body is an object. If the request is not allowed or not valid, asks writes the answer.
func (s *formComments) asks(w http.ResponseWriter, r *http.Request, body bool) (ss *sessions.Session, given *schema.Object, tab string, ok bool) {
	if ss, ok = s.forms.person(w, r); !ok {
		return nil, nil, "", false
	}
	tab, p := tabOf(r)
	if p == nil && body {
		given, p = readObject(w, r, maxCommentBody, "The body must be an object.")
	}
	if p == nil {
		p = tooOften(r, s.limit, who(ss).ID, "You are changing comments too fast. Wait a moment and try again.")
	}
	if p != nil {
		p.Write(w, r)
		return nil, nil, "", false
	}
	_, ok = s.forms.reads(w, r, ss, r.PathValue("id"))
	return ss, given, tab, ok
}

func invalidComment(detail string) *httpx.Problem {
	return httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, detail)
}

// add answers POST, which adds a comment.
func (s *formComments) add(w http.ResponseWriter, r *http.Request) {
	ss, given, tab, ok := s.asks(w, r, true)
	if !ok {
		return
	}
	c, p := newComment(given)
	if p == nil {
		p = s.strangers(r, who(ss), "", c.Mentions)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	id, err := newKeptID(s.random)
	if err != nil {
		s.forms.down(r.Context(), "comments", err).Write(w, r)
		return
	}
	c.ID, c.Author, c.Created = id, who(ss), s.now().UTC().Truncate(store.Resolution)
	if c.Thread == "" {
		c.Thread = c.ID
	}
	err = s.within(r, ss, func(room store.CommentRoom) error { return s.stored.Add(r.Context(), r.PathValue("id"), c, room) })
	s.done(w, r, ss, tab, c, commentAdded, err)
}

// done answers a change of a comment, and tells the open editors and the audit log of it.
func (s *formComments) done(w http.ResponseWriter, r *http.Request, ss *sessions.Session, tab string, c store.Comment, did string, err error) {
	entry := entryOf(r, ss, "comment_"+did, c.ID)
	entry.Outcome, entry.Status = audit.Answered, http.StatusOK
	var p *httpx.Problem
	switch {
	case err == nil:
		if did == commentAdded {
			entry.Status = http.StatusCreated
		}
	case errors.Is(err, errOthers):
		p = httpx.NewProblem(http.StatusForbidden, httpx.CodeNotAuthor,
			"Only its author may change a comment, and only its author and those who may change the form may delete it.")
	case errors.Is(err, store.ErrNotFound):
		p = httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "This comment no longer exists.")
	case errors.Is(err, store.ErrTooMany), errors.Is(err, store.ErrTooManyOwn):
		p = httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooMany, noRoom(err))
	default:
		if p = s.forms.down(r.Context(), "comments", err); p.Status >= 500 {
			entry.Outcome = audit.Failed
		}
	}
	if !s.forms.done(w, r, entry, p) {
		return
	}
	s.publish(r, ss, tab, c, did)
	if did == commentDeleted {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	sendTree(w, entry.Status, commentTree(c, who(ss)))
}

// publish tells open editors.
func (s *formComments) publish(r *http.Request, ss *sessions.Session, tab string, c store.Comment, did string) {
	if s.forms.events == nil {
		return
	}
	id := r.PathValue("id")
	me := who(ss)
	data, err := json.Marshal(commentJSON{Form: formID(id), Comment: c.ID, Thread: c.Thread, Did: did, Name: me.Name, Subject: me.ID, Tab: s.forms.ownTab(r, ss, tab)})
	if err != nil {
		s.forms.log.fail(r.Context(), "write event", err)
		return
	}
	s.forms.events.tell(id, eventComment, data)
}

// newComment reads a comment that is to be added.
func newComment(given *schema.Object) (c store.Comment, p *httpx.Problem) {
	const want = "The body must have text, and may have mentions and either thread, the ID of the comment that begins the thread, or a place: node and component."
	for _, m := range given.Members() {
		switch m.Key {
		case "text", "mentions":
			continue
		case "thread", "node", "component":
		default:
			return c, invalidComment(want)
		}
		text, ok := m.Value.(string)
		if !ok || utf8.RuneCountInString(text) > maxCommentPlace || strings.ContainsFunc(text, unicode.IsControl) {
			return c, invalidComment(m.Key + " must be an ID of up to " + strconv.Itoa(maxCommentPlace) + " characters.")
		}
		*map[string]*string{"thread": &c.Thread, "node": &c.Node, "component": &c.Component}[m.Key] = text
	}
	if c.Thread != "" && (c.Node != "" || c.Component != "") || c.Component != "" && c.Node == "" {
		return c, invalidComment(want)
	}
	c.Text, c.Mentions, p = commentText(given)
	return c, p
}

// commentText reads the text of a comment and whom it mentions: the text has each name after an @.
func commentText(given *schema.Object) (text string, mentions []store.Mention, p *httpx.Problem) {
	text = strings.TrimSpace(strings.ReplaceAll(given.Text("text"), "\r\n", "\n"))
	control := func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }
	if n := utf8.RuneCountInString(text); n == 0 || n > maxCommentText || strings.ContainsFunc(text, control) {
		return "", nil, invalidComment("text must have 1 to 4,000 characters and no control characters.")
	}
	bad := invalidComment("mentions must list at most " + strconv.Itoa(maxMentions) + " people with sub and name, and the text must have each name after an @.")
	if given.Has("mentions") {
		v, _ := given.Get("mentions")
		list, ok := v.([]any)
		if !ok || len(list) > maxMentions {
			return "", nil, bad
		}
		for _, v := range list {
			o, _ := v.(*schema.Object)
			m := store.Mention{Person: store.Person{ID: o.Text("sub"), Name: o.Text("name")}}
			long := utf8.RuneCountInString(m.ID) > maxPersonName || utf8.RuneCountInString(m.Name) > maxPersonName
			same := func(other store.Mention) bool { return other.ID == m.ID }
			if o.Len() != 2 || m.ID == "" || m.Name == "" || long || strings.ContainsFunc(m.ID+m.Name, unicode.IsControl) ||
				!strings.Contains(text, "@"+m.Name) || slices.ContainsFunc(mentions, same) {
				return "", nil, bad
			}
			mentions = append(mentions, m)
		}
	}
	return text, mentions, nil
}

// errOthers means that a comment is by another person.
var errOthers = errors.New("the comment is by another person")

// change answers PATCH, which edits a comment, resolves or reopens its thread, or marks its thread as read by the person.
func (s *formComments) change(w http.ResponseWriter, r *http.Request) {
	ss, given, tab, ok := s.asks(w, r, true)
	if !ok {
		return
	}
	me, at := who(ss), s.now().UTC().Truncate(store.Resolution)
	id := r.PathValue("comment")
	if v, _ := given.Get("read"); v == true && given.Len() == 1 {
		n, err := s.stored.Read(r.Context(), r.PathValue("id"), id, me.ID)
		if err != nil {
			s.forms.down(r.Context(), "comments", err).Write(w, r)
			return
		}
		sendTree(w, http.StatusOK, schema.NewObject(schema.Member{Key: "read", Value: schema.IntNumber(n)}))
		return
	}
	change, mentions, did, p := changeOf(given, me, at)
	if p == nil {
		p = s.strangers(r, me, id, mentions)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	var c store.Comment
	err := s.within(r, ss, func(room store.CommentRoom) (err error) {
		c, err = s.stored.Change(r.Context(), r.PathValue("id"), id, room, change)
		return err
	})
	if err != nil {
		c = store.Comment{ID: id}
	}
	s.done(w, r, ss, tab, c, did, err)
}

// changeOf returns the change of a comment that a person asks for, whom the comment then mentions, and what the change does.
func changeOf(given *schema.Object, me store.Person, at time.Time) (
	change func(*store.Comment) error, mentions []store.Mention, did string, p *httpx.Problem,
) {
	v, _ := given.Get("resolved")
	if resolved, ok := v.(bool); ok && given.Len() == 1 {
		if did = commentReopened; resolved {
			did = commentResolved
		}
		return func(c *store.Comment) error {
			switch {
			case !c.Begins():
				return store.ErrNotFound // only threads are resolved
			case !resolved:
				c.Resolver, c.Resolved = store.Person{}, time.Time{}
			case c.Resolved.IsZero():
				c.Resolver, c.Resolved = me, at
			}
			return nil
		}, nil, did, nil
	}
	for _, m := range given.Members() {
		if m.Key != "text" && m.Key != "mentions" {
			p = invalidComment("The body must have text and may have mentions, or it has either resolved, true or false, or read, true.")
		}
	}
	if p != nil {
		return nil, nil, "", p
	}
	text, mentions, p := commentText(given)
	return func(c *store.Comment) error {
		switch {
		case c.Author.ID != me.ID || c.Text == "":
			return errOthers
		case c.Text == text:
			return nil
		}
		for i, m := range mentions {
			for _, before := range c.Mentions {
				mentions[i].Seen = m.Seen || before.ID == m.ID && before.Seen
			}
		}
		c.Text, c.Edited, c.Mentions = text, at, mentions
		return nil
	}, mentions, commentEdited, p
}

// remove answers DELETE. Whoever may change the form may delete what others wrote; with the comment that begins a thread, the thread goes.
func (s *formComments) remove(w http.ResponseWriter, r *http.Request) {
	ss, _, tab, ok := s.asks(w, r, false)
	if !ok {
		return
	}
	c := store.Comment{ID: r.PathValue("comment")}
	moderates := s.moderates(r, ss) // the tenant is not asked while the comments are locked
	err := s.stored.Remove(r.Context(), r.PathValue("id"), c.ID, func(is store.Comment) (thread bool, err error) {
		c = is
		if mine := is.Author.ID == who(ss).ID && is.Text != ""; !mine && !moderates {
			return false, errOthers
		} else if !mine {
			thread = is.Begins()
		}
		return thread, nil
	})
	s.done(w, r, ss, tab, c, commentDeleted, err)
}

// unseen returns how many unread comments on the form of a request mention the person of a session.
func (s *formComments) unseen(r *http.Request, ss *sessions.Session) int {
	n, err := s.stored.Unseen(r.Context(), r.PathValue("id"), who(ss).ID)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.forms.log.fail(r.Context(), "comments", err)
	}
	return n
}
