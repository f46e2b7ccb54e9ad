package bff

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// HoldAtlases returns what a handler with the configuration puts an element into for each atlas that it writes.
func (c *Config) HoldAtlases() chan struct{} {
	c.atlases = newAtlases()
	return c.atlases.free
}

// MaxLooks is the number of forms that are drawn for links at once.
const MaxLooks = maxLooks

// APIRoutes returns the method and a path of every call that is forwarded to an embedded tenant.
func APIRoutes() [][2]string {
	var out [][2]string
	for prefix, routes := range map[string][]apiRoute{
		"/bff/api": formRoutes(), "/bff/api/me": accountRoutes(), "/bff/api/admin": adminRoutes(),
	} {
		for _, r := range routes {
			path := strings.NewReplacer(wildcard, "ap_1", innerWildcard, "passkey%7Ca").Replace(prefix + r.path)
			for _, c := range r.calls {
				out = append(out, [2]string{c.method, path})
			}
		}
	}
	return out
}

// Forget is called when a form was deleted.
func (e *Events) Forget(ctx context.Context, form string) error { return e.forget(ctx, form) }

// Fill counts as many streams as a process may have.
func (e *Events) Fill() {
	for i := range maxProcessStreams {
		e.enter(strconv.Itoa(i))
	}
}

// ErrBusy means that no slot became free in time.
var ErrBusy = errBusy

// NewSlots returns the method do of slots.
func NewSlots(atOnce int, wait time.Duration) func(ctx context.Context, work func()) error {
	return newSlots(atOnce, wait).do
}

// KeptRoutes returns the method and the pattern of every route about one form, and of the streams of events.
func KeptRoutes(c Config) ([]string, error) {
	b, err := newHandler(c)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range b.routes {
		if strings.HasPrefix(r.name, "/bff/api/forms/"+wildcard) || r.name == eventsPath {
			for _, e := range r.endpoints {
				out = append(out, e.method+" "+r.name)
			}
		}
	}
	return out, nil
}
