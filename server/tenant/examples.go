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

// seedExamples stores the example forms and the flows of all templates, under new IDs. A form that is created from a template finds the flows by
// their names. seedExamples does nothing if the tenant already has forms, because a seed was interrupted or a person was quick.
func seedExamples(ctx context.Context, s store.Tenant, now time.Time) error {
	if _, n, err := s.Forms().List(ctx, 0, 1); err != nil || n > 0 {
		return err
	}
	list, err := templates.All()
	if err != nil {
		return err
	}
	for _, t := range list {
		if err := seedTemplate(ctx, s, t, now); err != nil {
			return fmt.Errorf("%s: %w", t.ID, err)
		}
	}
	return nil
}

// seedTemplate stores the flows of a template and, if it is an example, its form. It replaces the placeholders of flows by their new IDs in the
// text: a placeholder stands for an ID wherever it occurs.
func seedTemplate(ctx context.Context, s store.Tenant, t templates.Template, now time.Time) error {
	text := string(t.Envelope)
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
	if !t.Example {
		return nil
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
