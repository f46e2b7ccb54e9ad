package bff

import (
	"context"
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/server/upstream"
)

func TestSaveOutcome(t *testing.T) {
	for _, x := range []struct {
		status int
		err    error
		want   string
	}{
		{200, nil, "saved"},
		{204, nil, "saved"},
		{409, nil, "conflict"},
		{412, nil, "conflict"},
		{400, nil, "refused"},
		{403, nil, "refused"},
		{404, nil, "refused"},
		{401, nil, "failed"},
		{429, nil, "failed"},
		{500, nil, "unknown"},
		{0, fmt.Errorf("%w: %w", upstream.ErrNotSent, upstream.ErrUnreachable), "failed"},
		{0, fmt.Errorf("%w: %w", upstream.ErrNotSaved, upstream.ErrTimeout), "failed"},
		{0, upstream.ErrTimeout, "unknown"},
		{0, context.Canceled, "unknown"},
	} {
		var res *upstream.Response
		if x.err == nil {
			res = &upstream.Response{Status: x.status}
		}
		if got := saveOutcome(res, x.err); got != x.want {
			t.Errorf("status %d, error %v: got %s, want %s", x.status, x.err, got, x.want)
		}
	}
}
