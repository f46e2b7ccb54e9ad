package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// comments implements store.Comments. Those who change the comments of a form do so alone: a reply must not lose its thread, and there is a
// limit to the number of comments and to their text.
type comments team

func (d comments) List(ctx context.Context, form string) ([]store.Comment, error) {
	return all(ctx, d.runner, "list comments", rows.Comment, `SELECT `+rows.CommentColumns+` FROM comments WHERE tenant = $1 AND form = $2
		ORDER BY created, id`, d.tenant, form)
}

func (d comments) Add(ctx context.Context, form string, c store.Comment, room store.CommentRoom) error {
	return team(d).alone(ctx, form, func(tx *runner) error {
		held, err := one(ctx, tx, "count comments", rows.HeldOf, `SELECT `+rows.HeldColumns+` FROM comments r,
			(SELECT $3::text AS thread, $4::text AS author_id) c WHERE r.tenant = $1 AND r.form = $2`, d.tenant, form, c.Thread, c.Author.ID)
		if err != nil {
			return err
		}
		if err := held.Add(c, room); err != nil {
			return translate(err, "add comment")
		}
		return tx.exec(ctx, "add comment", `INSERT INTO comments (tenant, form, `+rows.CommentColumns+`)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`, rows.CommentValues(d.tenant, form, c)...)
	})
}

// commentOfForm returns a comment with what its form has.
const commentOfForm = `SELECT ` + rows.CommentColumns + `, held.* FROM comments, (SELECT ` + rows.HeldColumns + ` FROM comments r, comments c
		WHERE r.tenant = $1 AND r.form = $2 AND c.tenant = $1 AND c.form = $2 AND c.id = $3) held
	WHERE tenant = $1 AND form = $2 AND id = $3`

func (d comments) Change(ctx context.Context, form, id string, room store.CommentRoom, change func(*store.Comment) error) (store.Comment, error) {
	var next store.Comment
	err := team(d).alone(ctx, form, func(tx *runner) error {
		old, err := one(ctx, tx, "read comment", rows.CommentOfForm, commentOfForm, d.tenant, form, id)
		if err != nil {
			return err
		}
		if next, err = old.Changed(room, change); err != nil {
			return err
		}
		return comments{tx, d.tenant}.put(ctx, form, next)
	})
	if err != nil {
		return store.Comment{}, err
	}
	return next, nil
}

// put stores a comment that exists.
func (d comments) put(ctx context.Context, form string, c store.Comment) error {
	return d.must(ctx, "change comment", `UPDATE comments SET thread = $4, node = $5, component = $6, body = $7, author_id = $8, author = $9, created = $10,
		edited = $11, resolver_id = $12, resolver = $13, resolved = $14, mentions = $15 WHERE tenant = $1 AND form = $2 AND id = $3`,
		rows.CommentValues(d.tenant, form, c)...)
}

func (d comments) Remove(ctx context.Context, form string, id string, may func(store.Comment) (bool, error)) error {
	return team(d).alone(ctx, form, func(tx *runner) error {
		c, err := one(ctx, tx, "read comment", rows.CommentOfForm, commentOfForm, d.tenant, form, id)
		if err != nil {
			return err
		}
		thread, err := may(c.Comment)
		if err != nil {
			return err
		}
		if thread && c.Begins() {
			return tx.exec(ctx, "delete thread", `DELETE FROM comments WHERE tenant = $1 AND form = $2 AND thread = $3`, d.tenant, form, id)
		}
		if left, ok := c.Removed(); ok {
			return comments{tx, d.tenant}.put(ctx, form, left)
		}
		return tx.exec(ctx, "delete comment", `DELETE FROM comments WHERE tenant = $1 AND form = $2 AND (id = $3 OR $4 AND id = $5 AND body = '')`,
			d.tenant, form, id, c.Replies() == 1, c.Thread)
	})
}

// changeAll changes those comments of a list that change changes, and returns their number.
func (d comments) changeAll(
	ctx context.Context, form string, change func(store.Comment) (store.Comment, bool), query string, args ...any,
) (n int, err error) {
	err = team(d).alone(ctx, form, func(tx *runner) error {
		list, err := all(ctx, tx, "list comments", rows.Comment, query, args...)
		n = 0
		for i := 0; i < len(list) && err == nil; i++ {
			if c, changed := change(list[i]); changed {
				err = comments{tx, d.tenant}.put(ctx, form, c)
				n++
			}
		}
		return err
	})
	return n, err
}

func (d comments) Rename(ctx context.Context, form string, to store.Places) (moved int, err error) {
	return d.changeAll(ctx, form, func(c store.Comment) (store.Comment, bool) { return rows.Renamed(c, to) },
		`SELECT `+rows.CommentColumns+` FROM comments WHERE tenant = $1 AND form = $2 AND id = thread`, d.tenant, form)
}

func (d comments) Read(ctx context.Context, form string, thread, person string) (marked int, err error) {
	return d.changeAll(ctx, form, func(c store.Comment) (store.Comment, bool) { return rows.Seen(c, person) },
		`SELECT `+rows.CommentColumns+` FROM comments WHERE tenant = $1 AND form = $2 AND thread = $3 AND mentions <> ''`, d.tenant, form, thread)
}

func (d comments) Unseen(ctx context.Context, form string, person string) (int, error) {
	found, err := all(ctx, d.runner, "list mentions", rows.Value[rows.Mentions], `SELECT mentions FROM comments
		WHERE tenant = $1 AND form = $2 AND mentions <> ''`, d.tenant, form)
	return rows.Unseen(found, person), err
}
