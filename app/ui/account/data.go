// Package account is the page where people manage their ways to sign in, their current sign-ins, and the applications that act for them. It
// talks to /bff/api/me and must not import the editor.
package account

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// Kinds of ways to sign in, as the account API names them.
const (
	password = "password"
	passkey  = "passkey"
	totp     = "totp"
	recovery = "recovery-code"
)

// method is one way to sign in that a person has.
type method struct {
	kit.Way
	id     string
	synced bool // a passkey that the person's devices share
}

// place is one sign-in of a person.
type place struct {
	id      string
	since   time.Time
	clients []string // ids of the applications that use it
	browser bool     // a browser is signed in at the tenant
	current bool     // it is the sign-in of this page
	// The name, platform and network address of the program that signed in; each is "" if unknown.
	program, platform, ip string
}

// consent is an application that acts for a person.
type consent struct {
	id, name string
	since    time.Time
	scopes   []string // of all APIs, without duplicates, in the order received
}

// profile is all data of a person that the page shows.
type profile struct {
	user     client.User
	offered  []string // kinds that the tenant lets people set up
	methods  []method
	places   []place
	consents []consent
}

// each calls f with each object in a list of an answer.
func each(o *schema.Object, list string, f func(*schema.Object)) {
	for _, v := range o.List(list) {
		if v, ok := v.(*schema.Object); ok {
			f(v)
		}
	}
}

func texts(o *schema.Object, list string) (out []string) {
	for _, v := range o.List(list) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func is(o *schema.Object, name string) bool {
	v, _ := o.Get(name)
	return v == true
}

func when(o *schema.Object, name string) time.Time {
	t, _ := time.Parse(time.RFC3339, o.Text(name))
	return t
}

func readOffered(o *schema.Object) (out []string) {
	each(o, "factors", func(f *schema.Object) { out = append(out, f.Text("type")) })
	return out
}

func readMethods(o *schema.Object) (out []method) {
	each(o, "authentication_methods", func(m *schema.Object) {
		out = append(out, method{
			Way: kit.Way{Kind: m.Text("type"), Name: m.Text("name"), Added: when(m, "created_at"), Used: when(m, "last_auth_at")},
			id:  m.Text("id"), synced: m.Text("credential_device_type") == "multi_device",
		})
	})
	return out
}

func readPlaces(o *schema.Object) (out []place) {
	each(o, "sessions", func(s *schema.Object) {
		device := s.Object("device")
		out = append(out, place{
			program: device.Text("name"), platform: device.Text("platform"), ip: device.Text("initial_ip"),
			id: s.Text("id"), since: when(s, "authenticated_at"), clients: texts(s, "clients"), browser: is(s, "browser"), current: is(s, "current"),
		})
	})
	// The current sign-in comes first.
	slices.SortStableFunc(out, func(a, b place) int {
		switch {
		case a.current == b.current:
			return b.since.Compare(a.since)
		case a.current:
			return -1
		}
		return 1
	})
	return out
}

func readConsents(o *schema.Object) (out []consent) {
	each(o, "consents", func(c *schema.Object) {
		k := consent{id: c.Text("id"), name: c.Text("client_name"), since: when(c, "created_at")}
		each(c, "grants", func(g *schema.Object) {
			for _, s := range texts(g, "scopes") {
				if !slices.Contains(k.scopes, s) {
					k.scopes = append(k.scopes, s)
				}
			}
		})
		out = append(out, k)
	})
	return out
}

// way is one group of the ways to sign in.
type way struct {
	kind    string
	methods []method
	offered bool // the tenant allows people to set one up
}

// ways returns the groups to show, in a fixed order: the kinds that the tenant offers and those that the person
// has. Kinds that this page does not know are left out, because it could not do anything with them.
func (p *profile) ways() (out []way) {
	for _, kind := range []string{password, passkey, totp, recovery} {
		w := way{kind: kind, offered: slices.Contains(p.offered, kind)}
		for _, m := range p.methods {
			if m.Kind == kind {
				w.methods = append(w.methods, m)
			}
		}
		if w.offered || len(w.methods) > 0 {
			out = append(out, w)
		}
	}
	return out
}

func (p *profile) method(id string) (method, bool) {
	return find(p.methods, func(m method) bool { return m.id == id })
}

func (p *profile) place(id string) (place, bool) {
	return find(p.places, func(s place) bool { return s.id == id })
}

func (p *profile) consent(id string) (consent, bool) {
	return find(p.consents, func(c consent) bool { return c.id == id })
}

func find[T any](list []T, is func(T) bool) (T, bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	var none T
	return none, false
}
