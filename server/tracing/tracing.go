// Package tracing sends traces of the server to a collector in the OpenTelemetry protocol. It is the only package that uses the
// OpenTelemetry libraries: other parts report their work through package observe or httpx.Observe. A span contains routes, kinds of work,
// outcomes and the ID of the request, but no user, form, address or token. No trace context is sent to a tenant.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/observe"
)

// InProcess is the name of the listener whose requests come from other parts of this process. They continue the traces of these parts.
const InProcess = "in-process"

// Config configures a Tracer.
type Config struct {
	// Endpoint is the URL to which spans are sent with POST, such as http://collector:4318/v1/traces.
	Endpoint string
	// Headers are sent with every request, such as an API key.
	Headers http.Header
	// Release is the version of the program.
	Release string
	// Transport sends the requests. It must limit the time of each phase.
	Transport http.RoundTripper
	Log       *slog.Logger
}

// Tracer creates spans and sends them in the background. If the collector is slow or unavailable, spans are dropped without blocking
// anything. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	incoming propagation.TraceContext
}

// New returns a Tracer. The standard variables OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER and OTEL_BSP_* apply.
func New(ctx context.Context, c Config) (*Tracer, error) {
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "formgraph"), attribute.String("service.version", c.Release)),
		resource.WithHost(), resource.WithTelemetrySDK(), resource.WithFromEnv(),
	)
	if err != nil {
		return nil, fmt.Errorf("read OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	// Otherwise the libraries would write their errors to standard error, which must contain only lines of JSON.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { c.Log.Warn("traces", "error", err) }))
	exporter, err := otlptrace.New(ctx, newClient(c))
	if err != nil {
		return nil, fmt.Errorf("start traces: %w", err)
	}
	p := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Tracer{provider: p, tracer: p.Tracer("github.com/formgraph/formgraph")}, nil
}

// Close sends the remaining spans, until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}

// Requests returns the Observer for the requests of a listener. A request continues the trace of a trusted proxy, or of another part of
// this process; any other request starts a new trace.
func (t *Tracer) Requests(listener string) httpx.Observer {
	kind := trace.SpanKindServer
	if listener == InProcess {
		kind = trace.SpanKindInternal
	}
	return func(r *http.Request) (context.Context, func(httpx.Exchange)) {
		ctx := r.Context()
		if _, trusted := clientip.Peer(ctx); trusted && listener != InProcess {
			ctx = t.incoming.Extract(ctx, propagation.HeaderCarrier(r.Header))
		}
		ctx, span := t.tracer.Start(ctx, "request", trace.WithSpanKind(kind), trace.WithAttributes(
			attribute.String("formgraph.listener", listener), attribute.String("formgraph.request_id", httpx.RequestID(ctx)),
		))
		return ctx, func(x httpx.Exchange) {
			name := x.Method
			if x.Route != "" {
				name += " " + x.Route
				span.SetAttributes(attribute.String("http.route", x.Route))
			}
			span.SetName(name)
			span.SetAttributes(attribute.String("http.request.method", x.Method), attribute.Int("http.response.status_code", x.Status))
			if x.Status == 0 || x.Status >= 500 {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}
	}
}

// spans lists the kinds of work that have a span, with the name and kind of the span.
var spans = map[observe.Kind]struct {
	name string
	kind trace.SpanKind
}{
	observe.Save:        {"change form", trace.SpanKindInternal},
	observe.Refresh:     {"refresh token", trace.SpanKindInternal},
	observe.Call:        {"call tenant", trace.SpanKindClient},
	observe.Wait:        {"wait for rate limit", trace.SpanKindInternal},
	observe.Transaction: {"store transaction", trace.SpanKindInternal},
}

// good lists the outcomes that are not errors; conflicts and refusals are regular results.
var good = map[string]bool{
	"saved": true, "conflict": true, "refused": true, "renewed": true, "waited": true, "ok": true, "not_found": true, "canceled": true,
	"2xx": true, "3xx": true, "4xx": true,
}

// Observe implements observe.Func.
func (t *Tracer) Observe(ctx context.Context, k observe.Kind, detail string) (context.Context, func(outcome string)) {
	as, ok := spans[k]
	if !ok {
		return ctx, func(string) {}
	}
	ctx, span := t.tracer.Start(ctx, as.name, trace.WithSpanKind(as.kind))
	if detail != "" {
		span.SetAttributes(attribute.String("formgraph.detail", detail))
	}
	return ctx, func(outcome string) {
		span.SetAttributes(attribute.String("formgraph.outcome", outcome))
		if !good[outcome] {
			span.SetStatus(codes.Error, outcome)
		}
		span.End()
	}
}
