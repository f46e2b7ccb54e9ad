package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/selfcheck"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
)

const (
	// longExpired is how long after its end a row is there for no reason: servers remove such rows when they write others.
	longExpired = 7 * 24 * time.Hour
	// manyExpired is the number of such rows in a table that is worth a word.
	manyExpired = 1000
	// namedForms bounds the forms that are named.
	namedForms = 5
)

// census is what formgraph doctor counts in the rows.
type census struct {
	keys    *keys.Set // nil if they cannot be read
	expired int64     // what ended before is there for no reason, in milliseconds since 1970

	rows     int
	broken   []string // documents that are not JSON objects
	invalid  []string // forms with problems
	unsealed int      // sessions that the keys do not open
	old      map[string]int
}

// rows judges what the rows contain.
func (d *patient) rows(ctx context.Context) selfcheck.Result {
	c := &census{expired: d.now().Add(-longExpired).UnixMilli(), old: map[string]int{}}
	if set, err := keys.Read(d.keys); err == nil {
		c.keys = set
	}
	err := d.view.Snapshot(ctx, func(s dump.Snapshot) error {
		return dump.Of(s).Each(ctx, func(dump.Table, int64) error { return nil }, c.count)
	})
	return judged(fmt.Sprintf("all %d rows make sense", c.rows), c.findings(), err)
}

// count counts a row.
func (c *census) count(t dump.Table, r dump.Row) error {
	c.rows++
	switch t.Name {
	case "forms", "flows":
		c.document(t, r)
	case "sessions":
		data, _ := r[t.Index("data")].([]byte)
		if id, ok := session.SealedWith(data); c.keys != nil && (!ok || !c.has(id)) {
			c.unsealed++
		}
	}
	if end, ok := endOf(t, r); ok && end < c.expired {
		c.old[t.Name]++
	}
	return nil
}

// endOf returns when a row ends, or when it began if it lives for hours only; false if it does not end.
func endOf(t dump.Table, r dump.Row) (end int64, ok bool) {
	columns := []string{"expires", "ends"}
	if t.Name == "sessions" {
		columns = []string{"created"}
	}
	for _, column := range columns {
		if i := t.Index(column); i >= 0 {
			end, ok = r[i].(int64)
		}
	}
	return end, ok
}

func (c *census) has(id byte) bool {
	return slices.ContainsFunc(c.keys.Master, func(m keys.Master) bool { return m.ID == id })
}

// document judges a form or flow.
func (c *census) document(t dump.Table, r dump.Row) {
	body, _ := r[t.Index("body")].([]byte)
	id, _ := r[t.Index("id")].(string)
	tree, problems := schema.DecodeGrown(body)
	_, object := tree.(*schema.Object)
	switch {
	case len(problems) > 0 || !object:
		c.broken = append(c.broken, id)
	case t.Name == "forms" && len(model.CheckNew(tree)) > 0:
		c.invalid = append(c.invalid, id)
	}
}

// findings returns what the operator should know.
func (c *census) findings() (out []store.Finding) {
	add := func(severe bool, remedy, format string, args ...any) {
		out = append(out, store.Finding{Severe: severe, Detail: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	if n := len(c.broken); n > 0 {
		add(true, "Restore these from a backup, or delete them with DELETE /api/v2/forms/{id} or /flows/{id}.",
			"forms and flows that are not JSON objects: %d (%s)", n, some(c.broken))
	}
	if n := len(c.invalid); n > 0 {
		add(false, "Open each in the editor, which lists its problems, and save it.", "forms that are not valid: %d (%s)", n, some(c.invalid))
	}
	if c.unsealed > 0 {
		add(false, "These people must sign in again. If that was not intended, restore the keys file.",
			"sessions that cannot be opened with these keys: %d", c.unsealed)
	}
	for _, t := range dump.Tables() {
		if n := c.old[t.Name]; n >= manyExpired {
			add(false, "A running server removes them when it writes others.", "rows of table %s that expired a week ago: %d", t.Name, n)
		}
	}
	return out
}

// some lists the first names.
func some(names []string) string {
	if len(names) > namedForms {
		return fmt.Sprintf("%s and others", strings.Join(names[:namedForms], ", "))
	}
	return strings.Join(names, ", ")
}
