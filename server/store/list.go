package store

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Find selects the rows of a list and the position to start from. The zero value selects all rows.
type Find struct {
	// Search selects the rows whose texts contain all of its words, ignoring case. Each list documents the texts it searches.
	Search string
	// After is the Place of a row: the list starts after it, whether or not the row still exists. The total is not counted then.
	After string
}

// Words returns the words of Search in lower case.
func (f Find) Words() []string { return strings.Fields(strings.ToLower(f.Search)) }

// ErrPlace is returned for an After that is not a place in the list.
var ErrPlace = errors.New("not a place in this list")

// place encodes a place in a list: the values by which the list is ordered.
func place(list string, values ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(list + "\x00" + strings.Join(values, "\x00")))
}

// Place returns the n values in After by which a list is ordered, or nil if After is empty. It returns ErrPlace if After is not a place in
// that list.
func (f Find) Place(list string, n int) ([]string, error) {
	if f.After == "" {
		return nil, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(f.After)
	values := strings.Split(string(text), "\x00")
	if err != nil || len(values) != n+1 || values[0] != list {
		return nil, ErrPlace
	}
	return values[1:], nil
}

// Names of lists, as contained in places.
const (
	ListOfUsers   = "users"
	ListOfClients = "clients"
	ListOfGrants  = "grants"
	ListOfAPIs    = "apis"
	ListOfRoles   = "roles"
	ListOfEvents  = "events"
)

func moment(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// Place returns a user's place in lists, which are ordered by Created, in milliseconds since 1970, and ID.
func (u User) Place() string { return place(ListOfUsers, moment(u.Created), u.ID) }

// Place returns a client's place in lists, which are ordered by Created, in milliseconds since 1970, and ID.
func (c Client) Place() string { return place(ListOfClients, moment(c.Created), c.ID) }

// Place returns a grant's place in lists, which are ordered by client, API and subject.
func (g ClientGrant) Place() string {
	return place(ListOfGrants, g.ClientID, g.APIID, string(g.Subject))
}

// Place returns an API's place in lists, which are ordered by Name and ID.
func (a API) Place() string { return place(ListOfAPIs, a.Name, a.ID) }

// Place returns a role's place in lists, which are ordered by Name. Names are unique.
func (r Role) Place() string { return place(ListOfRoles, r.Name) }

// Place returns an event's place in the log, which is ordered by ID.
func (e Event) Place() string { return place(ListOfEvents, e.ID) }
