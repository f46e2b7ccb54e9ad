package tenant

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/templates"
	"github.com/formgraph/formgraph/server/tenant/management"
)

// seedExamples stores the example forms and the flows they name, under new IDs. It does nothing if the tenant already has forms, because a
// seed was interrupted or a person was quick.
func seedExamples(ctx context.Context, s store.Tenant, now time.Time) error {
	if _, n, err := s.Forms().List(ctx, 0, 1); err != nil || n > 0 {
		return err
	}
	list, err := templates.All()
	if err != nil {
		return err
	}
	for _, t := range list {
		if !t.Example {
			continue
		}
		if err := seedExample(ctx, s, string(t.Envelope), now); err != nil {
			return fmt.Errorf("%s: %w", t.ID, err)
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
