package store

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Find says which rows of a list are wanted, and where to start. The zero value means all of them.
type Find struct {
	// Search selects the rows whose texts contain every word of it, ignoring case. Each list says which texts.
	Search string
	// After is the Place of a row: the list starts behind it, whether or not the row still exists. The total is not counted
	// then.
	After string
}

// Words returns the words of Search in lower case.
func (f Find) Words() []string { return strings.Fields(strings.ToLower(f.Search)) }

// ErrPlace is returned for an After that is not the place of a row in the list.
var ErrPlace = errors.New("not a place in this list")

// place returns the text that names a place in a list: the values that order the list.
func place(list string, values ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(list + "\x00" + strings.Join(values, "\x00")))
}

// Place returns the n values of After that order a list, or nil when After is empty. ErrPlace when it is not a place in that
// list.
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

// Names of lists, as places contain them.
const (
	ListOfUsers   = "users"
	ListOfClients = "clients"
	ListOfGrants  = "grants"
	ListOfAPIs    = "apis"
	ListOfRoles   = "roles"
	ListOfEvents  = "events"
)

func moment(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// Place returns where a user is in lists: by Created, in milliseconds since 1970, and ID.
func (u User) Place() string { return place(ListOfUsers, moment(u.Created), u.ID) }

// Place returns where a client is in lists: by Created, in milliseconds since 1970, and ID.
func (c Client) Place() string { return place(ListOfClients, moment(c.Created), c.ID) }

// Place returns where a grant is in lists: by client, API and subject.
func (g ClientGrant) Place() string {
	return place(ListOfGrants, g.ClientID, g.APIID, string(g.Subject))
}

// Place returns where an API is in lists: by Name and ID.
func (a API) Place() string { return place(ListOfAPIs, a.Name, a.ID) }

// Place returns where a role is in lists: by Name, which is unique.
func (r Role) Place() string { return place(ListOfRoles, r.Name) }

// Place returns where an event is in the log: by ID.
func (e Event) Place() string { return place(ListOfEvents, e.ID) }
