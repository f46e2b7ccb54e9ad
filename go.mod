module github.com/formgraph/formgraph

go 1.26.0

// Few, pinned, each with its reason. Who may import them is in server/layers_test.go.
require (
	github.com/andybalholm/brotli v1.2.8 // compresses the wasm when it is built; not linked into the server
	github.com/chromedp/cdproto v0.159.0 // see chromedp
	github.com/chromedp/chromedp v0.22.1 // tests: drives a real browser
	github.com/coreos/go-oidc/v3 v3.21.0 // sign-in at the issuer: discovery, ID tokens
	github.com/fxamacker/cbor/v2 v2.9.4 // sessions and backups, nine times as fast to read as JSON; go-webauthn needs it anyway
	github.com/go-jose/go-jose/v4 v4.1.8 // signs and verifies the tenant's tokens, reads its keys
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // jsontext alone, the future encoding/json/jsontext: strict JSON without a tree
	github.com/go-webauthn/webauthn v0.18.2 // verifies passkeys
	github.com/google/go-cmp v0.7.0 // tests: differences
	github.com/gorilla/securecookie v1.1.2 // the MAC of the session cookie
	github.com/gorilla/sessions v1.4.0 // the interface of sessions; the store is our own
	github.com/jackc/pgx/v5 v5.12.0 // PostgreSQL: the native interface, its pool and error codes; database/sql for migrations alone
	github.com/maxence-charriere/go-app/v10 v10.1.11 // draws the pages and panels in the browser
	github.com/mileusna/useragent v1.3.5 // names the browser of a sign-in, on /account
	github.com/pressly/goose/v3 v3.29.0 // migrations
	github.com/prometheus/client_golang v1.25.0 // metrics: the format, histograms, collectors; 2.4 MiB of the program
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2 // tests: the tables against the printed schema
	go.opentelemetry.io/otel v1.47.0 // traces: sampling, batches, context; 1.2 MiB with the four below. The client is our own: the official one links gRPC
	go.opentelemetry.io/otel/exporters/otlp/otlptrace v1.47.0
	go.opentelemetry.io/otel/sdk v1.47.0
	go.opentelemetry.io/otel/trace v1.47.0
	go.opentelemetry.io/proto/otlp v1.11.0
	golang.org/x/crypto v0.58.0 // argon2id
	golang.org/x/net v0.62.0 // html: parses a form as browsers do, for the atlas; a parser of our own would not be safe. websocket: tests drive Firefox
	golang.org/x/oauth2 v0.37.0 // sign-in at the issuer: code exchange, refresh
	golang.org/x/sync v0.24.0 // one token refresh at a time, writers of a process in turn
	golang.org/x/time v0.16.0 // token buckets
	google.golang.org/protobuf v1.36.12 // the wire format of traces
	modernc.org/sqlite v1.61.1 // the database, without cgo
	rsc.io/qr v0.2.0 // coding alone: the QR code for authenticator apps
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/go-viper/mapstructure/v2 v2.5.0 // indirect
	github.com/go-webauthn/x v0.3.1 // indirect
	github.com/golang-jwt/jwt/v5 v5.3.1 // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mfridman/interpolate v0.0.2 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.72.0 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/sethvargo/go-retry v0.5.0 // indirect
	github.com/tinylib/msgp v1.6.4 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel/log v1.47.0 // indirect
	go.opentelemetry.io/otel/metric v1.47.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	modernc.org/libc v1.79.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)
