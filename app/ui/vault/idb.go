package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// The database. Its only table contains the parts of all drafts; the index finds
// their heads.
const (
	database      = "formgraph"
	schemaVersion = 1
	partTable     = "parts"
	partIndex     = "part"
)

// ErrNoRoom reports that the browser has no storage left.
var ErrNoRoom = errors.New("the browser has no room left")

// openDatabase opens the database, and creates it if it does not exist.
func openDatabase(ctx context.Context) (db app.Value, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = thrown(broken)
		}
	}()
	idb := app.Window().Get("indexedDB")
	if !idb.Truthy() {
		return app.Undefined(), errors.New("the browser has no database")
	}
	request := idb.Call("open", database, schemaVersion)
	upgrade := app.FuncOf(func(app.Value, []app.Value) any {
		table := request.Get("result").Call("createObjectStore", partTable, map[string]any{"keyPath": []any{"draft", "part"}})
		table.Call("createIndex", partIndex, "part")
		return nil
	})
	request.Set("onupgradeneeded", upgrade)
	if err = await(ctx, request, "success", "error", "blocked"); err != nil {
		return app.Undefined(), fmt.Errorf("open the browser's database: %w", err) // a blocked request goes on, and needs upgrade
	}
	upgrade.Release()
	db = request.Get("result")
	// Another tab may need to upgrade the database: it must not wait for this
	// one.
	db.Set("onversionchange", app.FuncOf(func(app.Value, []app.Value) any { db.Call("close"); return nil }))
	return db, nil
}

// await waits for the success event of a request or transaction, or for one of
// its failure events.
func await(ctx context.Context, target app.Value, good string, bad ...string) error {
	done := make(chan error, 1)
	send := func(err error) {
		select {
		case done <- err:
		default:
		}
	}
	on := func(event string, result func() error) func() {
		f := app.FuncOf(func(app.Value, []app.Value) any { send(result()); return nil })
		target.Call("addEventListener", event, f)
		return func() {
			target.Call("removeEventListener", event, f)
			f.Release()
		}
	}
	stops := []func(){on(good, func() error { return nil })}
	for _, event := range bad {
		stops = append(stops, on(event, func() error { return failure(target, event) }))
	}
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// failure returns the error of a failed request or transaction.
func failure(target app.Value, event string) error {
	if event == "blocked" {
		return errors.New("another tab has an older version of this program open: close it")
	}
	return domError(target.Get("error"))
}

// thrown returns an error for a value thrown by a call to the browser.
func thrown(broken any) error {
	if e := kit.Thrown(broken); e != nil {
		return domError(e.Value)
	}
	return fmt.Errorf("use the browser's database: %v", broken)
}

func domError(err app.Value) error {
	switch {
	case !err.Truthy():
		return errors.New("the browser aborted it")
	case err.Get("name").String() == "QuotaExceededError":
		return ErrNoRoom
	}
	return errors.New(err.Get("message").String())
}

// transaction changes the table atomically.
func transaction(ctx context.Context, db app.Value, change func(table app.Value)) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = thrown(broken)
		}
	}()
	tx := db.Call("transaction", []any{partTable}, "readwrite", map[string]any{"durability": "strict"})
	change(tx.Call("objectStore", partTable))
	if tx.Get("commit").Type() == app.TypeFunction {
		tx.Call("commit") // at once: the page may be about to close
	}
	return await(ctx, tx, "complete", "abort", "error")
}

// query returns the result of a read request.
func query(ctx context.Context, db app.Value, ask func(table app.Value) app.Value) (result app.Value, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = thrown(broken)
		}
	}()
	request := ask(db.Call("transaction", []any{partTable}, "readonly").Call("objectStore", partTable))
	if err := await(ctx, request, "success", "error"); err != nil {
		return app.Undefined(), err
	}
	return request.Get("result"), nil
}

// bytesOf copies an ArrayBuffer or a view of one.
func bytesOf(buffer app.Value) []byte {
	array := app.Window().Get("Uint8Array").New(buffer)
	b := make([]byte, array.Length())
	app.CopyBytesToGo(b, array)
	return b
}

func arrayOf(b []byte) app.Value {
	array := app.Window().Get("Uint8Array").New(len(b))
	app.CopyBytesToJS(array, b)
	return array
}

// wait waits for a promise; see kit.Await.
func wait(promise app.Value) (app.Value, error) { return kit.Await(promise) }
