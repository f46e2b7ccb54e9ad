package main_test

// layers is the table of who may import whom, and the only home of these arrows:
// the architecture test checks it, and the rules of depguard in .golangci.yml are
// written from it (go test ./server -run Layers -update).
//
// A row names packages and what they may import; what several rows allow a package
// adds up. The names are paths in this module, libraries by their short names, and
// the packages of the standard library that are not for everybody (guarded). The
// path p/... is p and all below it, except kits for tests. A package without a row
// fails the test, and so does a permission that nobody uses. Tests may import
// everything.
var layers = []section{
	{"model", "the model is shared by browser and server, and does no I/O", []row{
		{"model/charset model/pause model/schema model/run/template/hash model/run/template/scan", ""},
		{"model model/merge model/run/scope", "model/pause model/schema"},
		{"model/merge", "model model/flow model/schema"}, // forms are compared by their tables, and what was renamed by what refers to it
		{"model/live", "model model/merge model/schema"},
		{"model/flow", "model model/pause model/run/template/scan model/schema"}, // what a form can do is known without running it
		{"model/envelope", "model model/flow model/schema"},
		{"model/run/answer model/run/answertype", "model model/run/answertype model/schema"},
		{"model/run/template", "model/run/template/scan model/schema"},
		{"model/run/condition", "model/flow model/run/template model/schema regexp"},
		{"model/run/scope", "model model/flow model/run/answertype model/run/template model/schema"},
		{
			"model/run model/run/explore model/run/rules model/run/scenario model/run/suite",
			"model model/run/answer model/run/answertype model/run/condition model/run/template model/run/template/hash " +
				"model/schema",
		},
		{"model/run/scenario/rename", "model model/flow model/schema"}, // apart, since pages do not read scenarios
		{
			"model/run/explore model/run/rules model/run/scenario model/run/suite",
			"model/flow model/run model/run/explore model/run/scenario regexp",
		},
	}},
	{"core", "what needs no browser is tested without one", []row{
		{"app/contrast app/face app/markup", ""},
		{"app/trial/message app/translate/sources app/verb", "model/schema"},
		{"app/note", "model model/schema"},
		{"app/client", "model/pause model/schema"},
		{"app/caption app/document app/find", "app/caption model model/flow model/schema"},
		{"app/graph app/graph/tidy", "app/caption app/graph model model/flow model/pause"},
		{"app/editor", "app/graph app/verb model model/flow model/merge model/pause model/schema"},
		{"app/command app/desk/message app/draft app/gesture", "app/command app/editor app/graph app/verb model model/schema"},
		{"app/compare app/picture", "app/caption app/graph app/markup model model/flow model/merge model/schema"},
		{
			"app/inspector",
			"app/caption app/contrast app/editor app/verb model model/flow model/run/answertype model/run/scope model/run/template " +
				"model/run/template/scan model/schema",
		},
		{
			"app/translate",
			"app/caption app/editor app/translate/sources app/verb model model/charset model/flow model/run/answer " +
				"model/run/template/scan model/schema",
		},
		{"app/replace", "app/caption app/editor app/find app/verb model model/run/template/scan model/schema"},
		{"app/preview", "app/contrast app/markup model model/run/answer model/schema"}, // it shows what a run asks and runs nothing
		{
			"app/preview/atlas",
			"app/caption app/preview model model/flow model/run model/run/answer model/run/answertype model/schema html/template " +
				"x/net",
		},
		{"app/together", "app/face model model/flow model/live model/merge model/schema"},
		{"app/client/formapi", "app/client app/together model model/live model/schema"},
		{"app/desk", "app/desk/message app/editor app/markup model model/schema"},
		{
			"app/desk/comments app/desk/compare app/desk/files app/desk/languages app/desk/links app/desk/messages app/desk/style",
			"app/caption app/compare app/contrast app/desk app/desk/message app/document app/editor app/face app/graph app/markup " +
				"app/picture app/preview app/translate app/translate/sources app/verb model model/envelope model/flow model/merge " +
				"model/run/answer model/run/template model/schema",
		},
		{"app/trial", "app/caption app/preview app/trial/message model model/run/... model/schema"},
	}},
	{"page", "the editor's program draws pages; its workers run forms and draw the desk, so that it stays small", []row{
		{"app", "app/ui app/ui/canvas app/ui/kit go-app"},
		{"app/console", "app/ui/account app/ui/admin go-app"},
		{"app/desk/worker", "app/desk/... syscall/js"},
		{"app/trial/worker", "app/trial app/trial/message syscall/js"},
		{
			"app/ui/account app/ui/admin app/ui/kit app/ui/signout app/ui/vault",
			"app/client app/face app/ui/kit app/ui/signout app/ui/vault model/pause model/schema go-app qr",
		},
		{"app/ui/canvas", "app/caption app/command app/editor app/gesture app/graph app/markup app/note model model/pause model/schema syscall/js"},
		{
			"app/ui/workspace",
			"app/client app/client/formapi app/command app/editor app/graph app/inspector app/ui/canvas app/ui/kit model " +
				"model/schema go-app",
		},
		{
			"app/ui/describe app/ui/drafts app/ui/worker",
			"app/caption app/client app/draft app/editor app/gesture app/trial/message app/ui/kit app/ui/vault app/ui/workspace " +
				"model model/merge model/schema go-app",
		},
		{
			"app/ui/addmenu app/ui/arrange app/ui/clip app/ui/connect app/ui/desk app/ui/forms app/ui/help app/ui/history app/ui/impact " +
				"app/ui/inspect app/ui/label app/ui/live app/ui/notes app/ui/outline app/ui/palette app/ui/previewer app/ui/problems app/ui/saver " +
				"app/ui/scenarios app/ui/search app/ui/together app/ui/topbar app/ui/transfer app/ui/versions",
			"app/caption app/client app/client/formapi app/command app/desk/message app/draft app/editor app/face app/find " +
				"app/gesture app/graph app/graph/tidy app/inspector app/note app/replace app/together app/trial/message app/ui/canvas app/ui/describe " +
				"app/ui/drafts app/ui/kit app/ui/worker app/ui/workspace app/verb model model/envelope model/flow model/live " +
				"model/merge model/pause model/run/scenario/rename model/run/scope model/schema go-app",
		},
		// the panels that use others
		{
			"app/ui/desk app/ui/forms app/ui/inspect app/ui/problems app/ui/scenarios app/ui/topbar",
			"app/ui/arrange app/ui/history app/ui/problems app/ui/saver app/ui/search app/ui/signout app/ui/transfer app/ui/versions",
		},
		{
			"app/ui",
			"app/client app/client/formapi app/command app/desk/message app/draft app/editor app/gesture app/graph app/note app/ui/... model " +
				"model/merge model/pause model/schema go-app",
		},
	}},
	{"web", "it serves files", []row{
		{"web/etag", ""}, // for all who answer with tags
		{"web", "web/etag html/template net/http regexp"},
		{"web/internal/pack", "os brotli x/sync"},
	}},
	{"parts", "a part knows neither the backend nor the tenant", []row{
		{"server/admission server/hosts server/observe server/recent server/refusal", ""},
		{"server/clientip server/httpx", "model/schema server/clientip net/http os jsontext"},
		{"server/certs server/keys server/watch", "server/watch os"},
		{"server/complaint", "model/schema regexp"},
		{"server/filelock", "os"},
		{"server/config", "model/charset server/admission server/clientip server/hosts server/password net/http"},
		{"server/dpop", "model/schema server/dpop/jws jose"}, // its callers speak HTTP
		{"server/dpop/jws", "model/schema"},
		{"server/jwks", "net/http jose"},
		{"server/password", "x/crypto"},
		{"server/ratelimit", "server/observe server/recent net/http x/time"},
		{"server/templates", "model model/schema"},
		{"server/audit", "server/clientip server/httpx server/store net/http"},
		{"server/metrics", "server/httpx server/observe server/store net/http regexp prometheus"},
		{"server/tracing", "server/clientip server/httpx server/observe net/http opentelemetry protobuf"},
		{"server/sample", "server/httpx server/sample/guard net/http"},
		// for other APIs, too: it keeps nothing
		{
			"server/sample/guard",
			"model/schema server/dpop server/dpop/jws server/hosts server/jwks net/http",
		},
	}},
	{"store", "a store knows rows, not protocols, and an engine knows no other", []row{
		{"server/store server/store/internal/rows server/store/internal/wakes", "server/observe server/store database/sql/driver"},
		{"server/store/internal/migrating", "server/store database/sql goose"},
		{"server/store/dump", "server/store server/store/internal/rows cbor"},
		{
			"server/store/postgres server/store/sqlite",
			"server/observe server/store server/store/dump server/store/internal/... database/sql goose",
		},
		{"server/store/postgres", "pgx x/sync"},
		{"server/store/sqlite", "server/filelock os sqlite"},
		{"server/database", "server/observe server/ratelimit server/store server/store/dump server/store/postgres server/store/sqlite os"},
	}},
	{"backend", "the backend knows the tenant by the protocol alone", []row{
		{"server/upstream", "server/clientip server/dpop server/hosts server/observe net/http regexp jsontext"},
		{"server/remote", "server/recent server/upstream web/etag net/http jsontext x/sync"},
		{
			"server/issuer server/servicetoken",
			"server/dpop server/dpop/jws server/hosts server/issuer server/upstream net/http jose x/oauth2 oidc x/sync",
		},
		{
			"server/selfcheck",
			"server/config server/dpop server/issuer server/jwks server/refusal server/servicetoken server/upstream net/http " +
				"x/oauth2 oidc x/sync",
		},
		{"server/session", "server/observe server/ratelimit server/store net/http cbor securecookie sessions x/sync"},
		{
			"server/live server/versions",
			"app/caption app/compare model model/flow model/live model/merge model/schema server/observe server/recent server/store",
		},
		{
			"server/bff",
			"app/graph app/note app/picture app/preview/atlas app/translate/sources model model/flow model/live model/run " +
				"model/run/rules model/run/scenario model/run/scenario/rename model/run/scope model/run/suite model/schema server/admission server/audit " +
				"server/clientip server/complaint server/dpop server/httpx server/issuer server/jwks server/live server/observe " +
				"server/ratelimit server/recent server/refusal server/selfcheck server/servicetoken server/session server/store " +
				"server/templates server/upstream server/versions web web/etag net/http regexp jose x/oauth2 oidc sessions x/sync",
		},
	}},
	{"tenant", "the tenant knows the backend by the protocol alone", []row{
		{"server/tenant/access", "server/store"}, // it decides on facts and reads none
		{"server/tenant/cors", "server/store net/http"},
		{"server/tenant/factor server/tenant/signer", "server/keys server/store jose webauthn"},
		{"server/tenant/tokens", "server/dpop server/tenant/signer net/http jose"},
		{
			"server/tenant/api",
			"model/schema server/clientip server/httpx server/password server/ratelimit server/store server/tenant/tokens net/http",
		},
		{
			"server/tenant/account server/tenant/management",
			"model model/schema server/audit server/clientip server/hosts server/keys server/observe server/password " +
				"server/ratelimit server/store server/tenant/access server/tenant/api server/tenant/cors server/tenant/factor " +
				"server/tenant/tokens web/etag net/http regexp useragent",
		},
		{
			"server/tenant",
			"model/schema server/audit server/dpop server/httpx server/keys server/observe server/password server/ratelimit " +
				"server/store server/templates server/tenant/... net/http",
		},
	}},
	{"authz", "the authorization server is built in layers", []row{
		{"server/tenant/authz/oauth", "model/schema server/ratelimit net/http"},
		// a page shows what it is given
		{
			"server/tenant/authz/pages",
			"server/hosts server/password server/tenant/authz/oauth web/etag html/template net/http",
		},
		{
			"server/tenant/authz/browser server/tenant/authz/clientauth server/tenant/authz/journal server/tenant/authz/logout " +
				"server/tenant/authz/passkey server/tenant/authz/permit server/tenant/authz/policy server/tenant/authz/request " +
				"server/tenant/authz/signin server/tenant/authz/token",
			"server/clientip server/dpop server/keys server/observe server/ratelimit server/store server/tenant/access " +
				"server/tenant/authz/journal server/tenant/authz/oauth server/tenant/cors server/tenant/tokens net/http",
		},
		{
			"server/tenant/authz/passkey server/tenant/authz/permit server/tenant/authz/request server/tenant/authz/signin " +
				"server/tenant/authz/token",
			"model/schema server/tenant/authz/clientauth server/tenant/authz/policy server/tenant/factor",
		},
		{
			"server/tenant/authz/permit server/tenant/authz/request server/tenant/authz/signin server/tenant/authz/token",
			"server/tenant/authz/browser server/tenant/authz/pages",
		},
		{"server/tenant/authz/signin", "server/password server/tenant/authz/logout server/tenant/authz/passkey server/tenant/authz/request"},
		{"server/tenant/authz/token", "server/tenant/authz/passkey server/tenant/authz/signin"}, // it redeems codes and does not ask for them
		{"server/tenant/authz/permit", "server/tenant/authz/request server/tenant/authz/signin server/tenant/authz/token"},
		{
			"server/tenant/authz",
			"model/schema server/dpop server/httpx server/keys server/observe server/password server/ratelimit server/store " +
				"server/tenant/access server/tenant/authz/... server/tenant/cors server/tenant/factor server/tenant/signer " +
				"server/tenant/tokens net/http",
		},
	}},
	{"program", "the program connects the parts", []row{
		{"server", "app/preview/atlas model/... server/... web net/http os x/sync"},
	}},
	{"kits", "kits for tests are imported by tests and by each other alone", []row{
		{"app/e2e model/realforms", "os testing"},
		{"model/sizetest model/waittest", "testing"},
		{"model/charset/charsettest", ""},
		{"server/childtest", "os"},
		{"server/signintest", "net/http regexp"},
		{"model/formtest", "model model/schema testing"},
		{"app/desk/desktest", "app/desk app/desk/message app/editor model model/schema testing"},
		{"app/graph/graphtest", "app/graph model model/schema testing"},
		{"app/preview/previewtest", "app/preview model model/schema"},
		{"app/ui/uitest", "app/client app/command app/editor app/graph app/note app/ui/canvas app/ui/workspace model model/formtest testing go-app"},
		{
			"server/foreigntest server/keys/keystest server/porttest server/ratelimit/counttest server/tenant/factor/factortest " +
				"server/tenant/tokens/tokenstest",
			"server/keys server/keys/keystest server/ratelimit html/template net/http os testing jose",
		},
		{"server/store/dump/dumptest server/store/storetest", "model/waittest server/observe server/store server/store/dump testing cmp"},
		{"server/store/postgres/postgrestest", "model/waittest server/childtest server/store/postgres os testing pgx"},
		{"server/store/sqlite/sqlitetest", "server/store/sqlite os testing"},
	}},
}

// never lists what the packages of a section must not reach, by whatever way, and
// whatever the table allows them.
var never = []struct{ sections, what, why string }{
	{"model", "app/... server/... web net/http os syscall/js", "browser and server share it, and it does no I/O"},
	{"core", "server/... web net/http syscall/js go-app", "it is tested without a browser"},
	{"page", "server/... web html/template net/http os app/preview/atlas", "the browser knows the server by its addresses, and its programs must stay small"},
	{"web", "app/... model/... server/...", "it serves files"},
	{"parts store", "server/tenant/... server/bff server/issuer server/remote server/selfcheck server/servicetoken server/session server/upstream", "both sides use it"},
	{"backend", "server/tenant/...", "the interface between them is the protocol"},
	{"tenant authz", "server/bff server/issuer server/remote server/selfcheck server/servicetoken server/session server/upstream", "the interface between them is the protocol"},
	{"parts store backend tenant authz program", "app/ui/... syscall/js testing go-app", "only the browser draws, and only tests test"},
}

// libraries are the modules of others, or the packages of them that we use, by the
// names that the table gives them. What only tests import is not among them.
var libraries = map[string]string{
	"brotli":        "github.com/andybalholm/brotli",
	"cbor":          "github.com/fxamacker/cbor/v2",
	"cmp":           "github.com/google/go-cmp/cmp",
	"x/crypto":      "golang.org/x/crypto/argon2",
	"go-app":        "github.com/maxence-charriere/go-app/v10/pkg/app",
	"goose":         "github.com/pressly/goose/v3",
	"x/net":         "golang.org/x/net/html",
	"jose":          "github.com/go-jose/go-jose/v4",
	"jsontext":      "github.com/go-json-experiment/json/jsontext",
	"x/oauth2":      "golang.org/x/oauth2",
	"oidc":          "github.com/coreos/go-oidc/v3/oidc",
	"opentelemetry": "go.opentelemetry.io",
	"pgx":           "github.com/jackc/pgx/v5",
	"prometheus":    "github.com/prometheus/client_golang/prometheus",
	"protobuf":      "google.golang.org/protobuf/proto",
	"qr":            "rsc.io/qr/coding",
	"securecookie":  "github.com/gorilla/securecookie",
	"sessions":      "github.com/gorilla/sessions",
	"sqlite":        "modernc.org/sqlite",
	"x/sync":        "golang.org/x/sync",
	"x/time":        "golang.org/x/time/rate",
	"useragent":     "github.com/mileusna/useragent",
	"webauthn":      "github.com/go-webauthn/webauthn",
}

// guarded are the packages of the standard library, with those below them, that
// only packages whose row says so may import.
var guarded = []string{"database/sql", "html/template", "net/http", "os", "regexp", "syscall/js", "testing"}
