package admin

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// owned are things of an entry that somebody else made and that can only be taken away here: the passkeys
// and second factors of a person.
type owned struct {
	word  string // behind the entry's id
	scope string // behind the verb of its scopes
	text  *explained
	none  string // said when there are none
	// one returns the icon of a thing, what it is and what it is called, "" for no name of its own.
	one           func(o *schema.Object) (icon, kind, name string)
	take, takeAll *asked
}

// ownedPath is where the things of an entry lie, or one of them by its id, "" for all. Such an id holds a
// bar and nothing else that would mean something in a path.
func (s *section) ownedPath(entry, id string) string {
	path := s.path + "/" + entry + "/" + s.owned.word
	if id != "" {
		path += "/" + strings.ReplaceAll(id, "|", "%7C")
	}
	return path
}

// title is what a thing is called: by its name, or else by what it is.
func (o *owned) title(of *schema.Object) string {
	_, kind, name := o.one(of)
	if name != "" {
		return name
	}
	return kind
}

// taken forgets the thing of an id, or all for "".
func (e *editing) taken(id string) {
	var left []*schema.Object
	for _, o := range e.owned {
		if id != "" && o.Text("id") != id {
			left = append(left, o)
		}
	}
	e.owned = left
}

// factors are the passkeys and the second factors of a person.
func factors() *owned {
	return &owned{
		word: "authentication-methods", scope: "authentication_methods",
		text: &explained{"Second factors and passkeys", "What the person uses to sign in besides the password."}, none: "There are none.",
		take: &asked{
			"Remove", "Remove %s?",
			"The person can no longer use it. Sign-ins stay, but whatever asks for a second factor asks anew. Somebody without a password then " +
				"needs a one-time link.", "%s is removed.",
		}, takeAll: &asked{
			"Remove all", "Remove all passkeys and second factors of %s?",
			"Only the password is left. Sign-ins stay, but whatever requires a second factor asks again. A person without a password then needs a " +
				"one-time link.", "All passkeys and second factors of %s are removed.",
		},
		one: func(o *schema.Object) (icon, kind, name string) {
			name = o.Text("name")
			switch kind := o.Text("type"); kind {
			case "passkey":
				return "key", "Passkey", name
			case "totp":
				return "tel", "Authenticator app", name
			case "recovery-code":
				return "shield", "Recovery code", name
			default:
				return "lock", kind, name
			}
		},
	}
}
