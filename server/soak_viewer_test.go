package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// viewerAttacks are what somebody does who may only read forms.
func (s *assault) viewerAttacks() []*attack {
	f := &foe{assault: s, v: s.viewer}
	theirs := func(n int) string { return s.Pages[n%len(s.Pages)] }
	f.add("viewer: streams of others' pages", func(ctx context.Context, v *visitor, n int) (int, error) {
		return openStream(ctx, v, *s.target.Load(), theirs(n))
	})
	f.add("viewer: streams", s.stream("victor"))
	tell := func(kind, more string, body func(n int) string) {
		f.add("viewer: "+kind+" of others", func(ctx context.Context, v *visitor, n int) (int, error) {
			status, _, err := hit(ctx, v, http.MethodPost, s.aimed(more), body(n), "X-Tab", theirs(n))
			return status, err
		})
	}
	tell("presence", "/presence", func(n int) string { return fmt.Sprintf(`{"node":"n%d","asks":%v}`, n, n%2 == 0) })
	tell("entries", "/live", always(`{"room":"x","entry":{"number":1,"serial":1,"edits":[]}}`))
	room := ""
	f.add("viewer: live reads from 0", func(ctx context.Context, v *visitor, n int) (int, error) {
		query := ""
		if n%50 > 0 && room != "" {
			query = "?room=" + room + "&after=0"
		}
		status, text, err := hit(ctx, v, http.MethodGet, s.aimed("/live"+query), "")
		room, _ = placeIn(text)
		return status, err
	})
	f.add("viewer: comments", s.comment(strings.Repeat("v", 4_000)))
	f.once("viewer: mentions of strangers", http.MethodPost, s.aim("/comments"),
		always(`{"text":"@Ana, look","mentions":[{"sub":"auth0|stranger","name":"Ana"}]}`))
	f.once("viewer: versions", http.MethodGet, s.aim("/versions?per_page=100&include_totals=true"), nothing)
	f.add("viewer: contents of versions", func(ctx context.Context, v *visitor, _ int) (int, error) {
		status, text, err := hit(ctx, v, http.MethodGet, s.aimed("/versions?per_page=1"), "")
		_, after, ok := strings.Cut(text, `"version":`)
		if err != nil || !ok {
			return status, err
		}
		number, _, _ := strings.Cut(after, ",")
		status, _, err = hit(ctx, v, http.MethodGet, s.aimed("/versions/"+number), "")
		return status, err
	})
	f.once("viewer: blame", http.MethodGet, s.aim("/blame"), nothing)
	f.once("viewer: overviews", http.MethodGet, s.aim("/overview"), nothing)
	f.once("viewer: changes", http.MethodGet, func(int) string { return "/bff/api/changes?per_page=100" }, nothing)
	f.once("viewer: saves", http.MethodPatch, s.aim(""), always(`{"name":"Mine"}`))
	f.once("viewer: links", http.MethodPost, s.aim("/links"), always(`{"expires_at":"2030-01-01T00:00:00Z"}`))
	for range foeSlow {
		f.add("viewer: unread streams", func(ctx context.Context, v *visitor, _ int) (int, error) {
			return deaf(ctx, v, http.MethodGet, foeEvents+*s.target.Load(), "", 0)
		})
		f.add("viewer: unread shared forms", func(ctx context.Context, v *visitor, _ int) (int, error) {
			return deaf(ctx, v, http.MethodGet, s.aimed("/live"), "", 0)
		})
		f.add("viewer: bodies that never end", func(ctx context.Context, v *visitor, _ int) (int, error) {
			return deaf(ctx, v, http.MethodPost, s.aimed("/presence"), `{"node":`, 1000, "X-Tab", "victor-2")
		})
	}
	return f.all
}
