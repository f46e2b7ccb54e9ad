package tenant

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/management"
)

// exampleFiles are export envelopes of our own, in the order in which they are listed.
//
//go:embed examples/*.json
var exampleFiles embed.FS

// seedExamples stores the example forms and the flows they name, under new IDs. It does nothing if the tenant already has forms, because a
// seed was interrupted or a person was quick.
func seedExamples(ctx context.Context, s store.Tenant, now time.Time) error {
	if _, n, err := s.Forms().List(ctx, 0, 1); err != nil || n > 0 {
		return err
	}
	files, err := exampleFiles.ReadDir("examples")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := exampleFiles.ReadFile("examples/" + f.Name())
		if err != nil {
			return err
		}
		if err := seedExample(ctx, s, string(text), now); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return nil
}

// seedExample stores one envelope. It replaces the placeholders of flows by their new IDs in the text: a placeholder stands for an ID
// wherever it occurs.
func seedExample(ctx context.Context, s store.Tenant, text string, now time.Time) error {
	tree, ps := schema.Decode([]byte(text))
	if len(ps) > 0 {
		return ps
	}
	envelope, _ := tree.(*schema.Object)
	for _, m := range envelope.Object("flows").Members() {
		flow, _ := m.Value.(*schema.Object)
		d, err := management.NewFlow(flow, now)
		if err != nil {
			return err
		}
		if d, err = s.Flows().Create(ctx, d); err != nil {
			return err
		}
		text = strings.ReplaceAll(text, m.Key, d.ID)
	}
	if tree, ps = schema.Decode([]byte(text)); len(ps) > 0 {
		return ps
	}
	envelope, _ = tree.(*schema.Object)
	d, err := management.NewForm(envelope.Object("form"), now)
	if err != nil {
		return err
	}
	_, err = s.Forms().Create(ctx, d)
	return err
}
