package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// postTime is the timeout of one request to the collector.
const postTime = 10 * time.Second

// client sends spans with OTLP over HTTP, https://opentelemetry.io/docs/specs/otlp/#otlphttp. The OpenTelemetry client is not used because
// it links gRPC, which would add over 4 MiB to the program for one POST request.
type client struct {
	endpoint string
	headers  http.Header
	http     *http.Client
	log      *slog.Logger
	failing  atomic.Bool
}

var _ otlptrace.Client = (*client)(nil)

func newClient(c Config) *client {
	return &client{endpoint: c.Endpoint, headers: c.Headers, log: c.Log, http: &http.Client{
		Transport: c.Transport, Timeout: postTime,
		// Following a redirect would send the headers to another server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Start implements otlptrace.Client.
func (c *client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. Spans that cannot be sent are dropped, and the log records when that begins and ends.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	switch err := c.post(ctx, spans); {
	case err != nil && !c.failing.Swap(true):
		c.log.WarnContext(ctx, "traces cannot be sent and are dropped", "error", err)
	case err == nil && c.failing.Swap(false):
		c.log.InfoContext(ctx, "traces are sent again")
	}
	return nil
}

// post sends spans once. The protocol's message has the same encoding as TracesData, whose package does not link gRPC.
func (c *client) post(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	maps.Copy(r.Header, c.headers)
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "formgraph")
	res, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()                                     //nolint:errcheck // the body is not used
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4096)) // so that the connection can be reused
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the collector responded with status %d", res.StatusCode)
	}
	return nil
}
