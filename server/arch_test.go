package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/formgraph/formgraph"

const (
	goApp   = "github.com/maxence-charriere/go-app"
	sharing = "browser and server share it"
	pure    = "it is tested without a browser"
	program = "the browser's program must stay small"
)

// arrows lists what a package must never depend on, directly or through other
// packages of this module, and why. A name covers the packages below it, unless it
// ends in $. CONTRIBUTING has the picture; a new package gets its lines in the
// change that adds it.
var arrows = []struct{ pkg, bad, why string }{
	{"model", "app", sharing},
	{"model", "server", sharing},
	{"model", "net/http", "it does no I/O"},
	{"model", "os", "it does no I/O"},
	{"model", "syscall/js", sharing},
	{"model/flow", "model/envelope", "what a form does is the same wherever it comes from"},
	{"model/flow", "model/realforms", onlyTests},
	{"model/envelope", "model/realforms", onlyTests},
	{"app", "model/realforms", onlyTests},
	{"server", "model/realforms", onlyTests},
	{"model/schema", "model/flow", "the language of the tables knows no form"},
	{"model/schema", "model/envelope", "the language of the tables knows no form"},
	{"model/schema", "model/merge", "the language of the tables knows no form"},
	{"model/flow", "model/merge", "what a form does is the same whatever it was before"},
	{"model/envelope", "model/merge", "a document is read and written without a comparison"},
	{"model/merge", "model/flow", "forms are compared by their tables alone"},
	{"model/merge", "model/envelope", "forms are compared by their tables alone"},
	{"model/merge", "model/realforms", onlyTests},
	{"model/run/answer", "model/run$", "a run asks for the judgment of an answer"},
	{"model/run/answer", "model/run/template", "an answer is judged as it is given; a run resolves templates"},
	{"model/run/answer", "model/flow", "an answer is judged by its component alone"},
	{"model/run/answer", "model/envelope", "an answer is judged by its component alone"},
	{"model/run/answer", "model/merge", "an answer is judged by its component alone"},
	{"model/run/answer", "model/realforms", onlyTests},
	{"model/run/answer", "regexp", program},
	{"model/run/template", "model$", "a text is evaluated wherever it is"},
	{"model/run/template", "model/flow", "the analysis of paths reads templates"},
	{"model/run/template/scan", "model/schema", "it reads texts"},
	{"model/run/template", "regexp", program},
	{"model/run/template$", "model/run/template/hash", program},
	{"model/run/answertype", "model/run/answer$", "the editor's program links it, and judges no answers"},
	{"model/run/scope", "model/run/answer$", "the editor's program links it, and judges no answers"},
	{"model/run/condition", "model/run$", "a run judges conditions"},
	{"model/run/condition", "model/run/answer", "a condition is judged on values, wherever they come from"},
	{"model/run/scope", "model/run$", "the editor's program links it"},
	{"model/run", "model/envelope", "a form runs the same wherever it comes from"},
	{"model/run", "model/merge", "a form runs the same wherever it comes from"},
	{"model/run", "model/realforms", onlyTests},
	{"model/flow", "model/run$", "what a form can do is known without running it"},
	{"model/flow", "model/run/template$", "it finds references and evaluates nothing"},
	{"model/flow", "model/run/condition", "what a form can do is known without running it"},
	{"app/graph", goApp, pure},
	{"app/graph", "syscall/js", pure},
	{"app/graph", "net/http", pure},
	{"app/graph", "app/editor", "geometry knows no commands"},
	{"app/editor", "app/graph/tidy", "a command sets places; a layout works them out"},
	{"app/editor", "app/graph/graphtest", onlyTests},
	{"app/graph/tidy", "app/graph/graphtest", onlyTests},
	{"app/ui", "app/graph/graphtest", onlyTests},
	{"app/contrast", goApp, pure},
	{"app/contrast", "model", "colors are measured, whatever has them"},
	{"app/face", goApp, pure},
	{"app/face", "model", "it shows people, whatever they edit"},
	{"app/verb", goApp, pure},
	{"app/verb", "app/editor", "it has words, whatever the commands are"},
	{"app/caption", goApp, pure},
	{"app/caption", "syscall/js", pure},
	{"app/caption", "app/graph", "cards, lists and searches ask what a thing is called"},
	{"app/caption", "app/editor", "what a thing is called does not depend on edits"},
	{"app/find", "app/graph", "a search knows no geometry"},
	{"app/find", goApp, pure},
	{"app/find", "syscall/js", pure},
	{"app/find", "net/http", pure},
	{"app/find", "app/editor", "it finds; the screen goes there"},
	{"app/editor", goApp, pure},
	{"app/editor", "syscall/js", pure},
	{"app/editor", "net/http", pure},
	{"app/editor", "app/inspector", "the core knows no rows"},
	{"app/command", goApp, pure},
	{"app/command", "syscall/js", pure},
	{"app/command", "net/http", pure},
	{"app/command", "app/gesture", "a key is looked up in the table, and the table knows no gestures"},
	{"app/draft", goApp, pure},
	{"app/draft", "syscall/js", pure},
	{"app/draft", "net/http", pure},
	{"app/trial", goApp, pure},
	{"app/trial", "app/editor", "it runs a form, whoever shows it"},
	{"app/trial/message", "model/run$", "the editor's program links it"},
	{"app/ui", "app/trial$", "the worker runs forms, so that the editor's program stays small"},
	{"app/ui", "model/run$", "the worker runs forms, so that the editor's program stays small"},
	{"app/preview", goApp, pure},
	{"app/preview", "syscall/js", pure},
	{"app/preview", "net/http", program},
	{"app/preview$", "html/template", program},
	{"app/preview$", "regexp", program},
	{"app/preview", "app/editor", "it draws what a respondent sees, whoever runs the form"},
	{"app/preview", "app/graph", "it draws what a respondent sees, whoever runs the form"},
	{"app/preview$", "model/flow", "it shows a step and knows no journey"},
	{"app/preview$", "model/run$", "it shows what a run asks and runs nothing"},
	{"app/preview$", "golang.org/x/net", program},
	{"app/preview/atlas", "os", "it returns what the command writes"},
	{"app/ui", "app/preview/atlas", program},
	{"app/console", "app/preview/atlas", program},
	{"app/ui", "app/preview/previewtest", onlyTests},
	{"app/translate", goApp, pure},
	{"app/translate", "syscall/js", pure},
	{"app/translate", "net/http", pure},
	{"app/translate", "model/run$", "it shows texts and runs nothing"},
	{"app/translate", "model/envelope", "a table is the same wherever the form comes from"},
	{"app/markup", goApp, pure},
	{"app/markup", "model", "it writes elements, whatever they show"},
	{"app/compare", goApp, pure},
	{"app/compare", "syscall/js", pure},
	{"app/compare", "app/editor", "what differs does not depend on edits"},
	{"app/compare", "model/envelope", "forms are compared wherever they come from"},
	{"app/compare", "model/run$", "it compares forms and runs nothing"},
	{"app/picture", goApp, pure},
	{"app/picture", "syscall/js", pure},
	{"app/picture", "app/editor", "a picture is of a form, not of its edits"},
	{"app/document", goApp, pure},
	{"app/document", "syscall/js", pure},
	{"app/document", "app/graph", "an outline has no places"},
	{"app/desk$", "syscall/js", pure},
	{"app/desk/comments", "syscall/js", pure},
	{"app/desk/compare", "syscall/js", pure},
	{"app/desk/files", "syscall/js", pure},
	{"app/desk/links", "syscall/js", pure},
	{"app/desk/languages", "syscall/js", pure},
	{"app/desk/messages", "syscall/js", pure},
	{"app/desk/style", "syscall/js", pure},
	{"app/desk", "model/run$", "it shows forms and runs nothing"},
	{"app/desk/worker", "app/desk/desktest", onlyTests},
	{"app/desk", goApp, pure},
	{"app/desk", "net/http", program},
	{"app/ui", "app/desk$", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/compare", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/picture", "the worker makes files, so that the editor's program stays small"},
	{"app/ui", "app/document", "the worker makes files, so that the editor's program stays small"},
	{"app/ui", "app/desk/comments", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/desk/links", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/desk/compare", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/desk/files", "the worker makes files, so that the editor's program stays small"},
	{"app/ui", "app/desk/languages", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/desk/messages", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/desk/style", "the worker draws the desk, so that the editor's program stays small"},
	{"app/ui", "app/translate", "the worker draws the desk, so that the editor's program stays small"},
	{"app/gesture", goApp, pure},
	{"app/gesture", "syscall/js", pure},
	{"app/gesture", "net/http", pure},
	{"app/inspector", goApp, pure},
	{"app/inspector", "syscall/js", pure},
	{"app/inspector", "net/http", pure},
	{"app/client", goApp, pure},
	{"app/client", "syscall/js", pure},
	{"app/client", "net/http", program},
	{"app/console", "model$", "people who manage an account load no tables of forms"},
	{"app/ui", "server", "the browser knows the server by its addresses"},
	{"app/ui", "net/http", program},
	{"app/ui", "html/template", program},
	{"web", "app", "it serves files"},
	{"web", "server", "it serves files"},
	{"server", goApp, "the pages are static files; only the browser draws"},
	{"server/bff", "server/tenant", "the interface between them is the protocol"},
	{"server/admission", "net/http", "it decides; its callers speak HTTP"},
	{"server/admission", "server/session", "it judges claims, wherever they are kept"},
	{"server/issuer", "server/tenant", "the interface between them is the protocol"},
	{"server/issuer", "server/bff", "its users decide what to ask for"},
	{"server/issuer", "server/session", "its users decide what to keep"},
	{"server/selfcheck", "server/tenant", "the interface between them is the protocol"},
	{"server/selfcheck", "server/bff", "the backend shows its results"},
	{"server/selfcheck", "server/session", "it signs nobody in"},
	{"server/refusal", "net/http", "it judges codes and words, whoever received them"},
	{"server/servicetoken", "server/tenant", "the interface between them is the protocol"},
	{"server/servicetoken", "server/bff", "it knows no people"},
	{"server/servicetoken", "server/session", "it knows no people"},
	{"server/session", "server/tenant", "the interface between them is the protocol"},
	{"server/upstream", "server/tenant", "the interface between them is the protocol"},
	{"server/upstream", "server/session", "it is given a credential for each call"},
	{"server/session", "server/dpop", "it keeps a key and makes nothing with it"},
	{"server/tenant/access", "net/http", "it decides; its callers speak HTTP"},
	{"server/tenant/access", "server/tenant/authz", "it decides on facts and reads none"},
	{"server/tenant", "server/bff", "the interface between them is the protocol"},
	{"server/tenant", "server/session", "the interface between them is the protocol"},
	{"server/tenant", "server/upstream", "the interface between them is the protocol"},
	{"server/store", "server/tenant", "stores know rows, not protocols"},
	{"server/store", "server/bff", "stores know rows, not protocols"},
	{"server/store", "server/database", "an engine is opened by what chooses among them"},
	{"server/database", "server/tenant", "it opens what others use"},
	{"server/store/internal/rows", "server/store/sqlite", "every engine uses it"},
	{"server/store/internal", "server/store/sqlite", "every engine uses it"},
	{"server/store/internal", "server/store/postgres", "every engine uses it"},
	{"server/store/internal/rows", "database/sql$", "a row may come from any driver"},
	{"server/store/sqlite", "server/store/postgres", "an engine knows no other"},
	{"server/store/sqlite", "github.com/jackc/pgx", "an engine knows no other"},
	{"server/store/postgres", "server/store/sqlite", "an engine knows no other"},
	{"server/store/postgres", "modernc.org/sqlite", "an engine knows no other"},
	{"server/tenant/api", "server/tenant/access", "it is the frame; each API decides whom it lets in"},
	{"server/tenant/api", "server/tenant/authz", "it takes tokens and knows nothing of how they are earned"},
	{"server/tenant/api", "server/tenant/management", "an API uses it"},
	{"server/tenant/api", "server/tenant/account", "an API uses it"},
	{"server/tenant/account", "server/tenant/authz", "it takes tokens and knows nothing of how they are earned"},
	{"server/tenant/authz", "server/tenant/account", "it asks for proofs; how people change them is another matter"},
	{"server/tenant/authz/oauth", "server/store", "it is the language of the endpoints"},
	{"server/tenant/authz/oauth", "server/tenant/tokens", "it is the language of the endpoints"},
	{"server/tenant/authz/pages", "server/store", "a page shows what it is given"},
	{"server/tenant/authz/pages", "server/tenant/tokens", "a page shows what it is given"},
	{"server/tenant/authz/journal", "server/tenant/authz/pages", "every part of the server writes to it"},
	{"server/tenant/authz/policy", "server/tenant/authz/request", "it decides for every endpoint"},
	{"server/tenant/authz/policy", "server/tenant/authz/clientauth", "it decides for every endpoint"},
	{"server/tenant/authz/clientauth", "server/tenant/authz/request", "every endpoint that clients call uses it"},
	{"server/tenant/authz/clientauth", "server/tenant/authz/pages", "clients see no pages"},
	{"server/tenant/authz/browser", "server/tenant/authz/request", "it knows browsers, not what they ask for"},
	{"server/tenant/authz/browser", "server/tenant/authz/pages", "it knows browsers, not what they are shown"},
	{"server/tenant/authz/request", "server/tenant/authz/signin", "it looks at nothing of the person"},
	{"server/tenant/authz/passkey", "server/tenant/authz/request", "pages and the token endpoint use it"},
	{"server/tenant/authz/passkey", "server/tenant/authz/signin", "pages and the token endpoint use it"},
	{"server/tenant/authz/signin", "server/tenant/authz/token", "it finds out who a person is, not what that leads to"},
	{"server/tenant/authz/signin", "server/tenant/authz/permit", "it finds out who a person is, not what that leads to"},
	{"server/tenant/authz/token", "server/tenant/authz/permit", "it redeems codes and does not ask for them"},
	{"server/tenant/authz/logout", "server/tenant/authz/pages", "it notifies clients"},
	{"server/tenant/authz/logout", "server/tenant/authz/browser", "it notifies clients"},
	{"server/tenant/cors", "server/tenant", "it sets headers; the routes know which client a request is for"},
	{"server/tenant/cors", "server/store/sqlite", "it knows rows, not engines"},
	{"server/tenant/cors", "server/store/postgres", "it knows rows, not engines"},
	{"server/tenant/factor", "server/tenant/authz", "a factor knows no protocol"},
	{"server/tenant/factor", "server/tenant/tokens", "a factor knows no protocol"},
	{"server/tenant/factor", "server/store/sqlite", "a factor knows rows, not engines"},
	{"server/tenant/factor", "server/store/postgres", "a factor knows rows, not engines"},
	{"server", "server/tenant/factor/factortest", onlyTests},
	{"server", "server/foreigntest", onlyTests},
	{"server", "server/porttest", onlyTests},
	{"server", "server/keys/keystest", onlyTests},
	{"server", "server/store/postgres/postgrestest", onlyTests},
	{"server", "server/store/dump/dumptest", onlyTests},
	{"server/store/dump", "server/store/sqlite", "it copies rows, whatever the engine"},
	{"server/store/dump", "server/store/postgres", "it copies rows, whatever the engine"},
	{"server/foreigntest", "server/tenant", "it shares no code with the embedded tenant"},
	{"server/sample", "server/tenant", "it trusts a tenant by configuration, as any API would"},
	{"server/sample", "server/store", "it has no state"},
	{"server/sample", "server/bff", "it is another program"},
	{"server/jwks", "server/tenant", "guards of other APIs use it"},
	{"server/jwks", "server/store", "guards of other APIs use it"},
	{"server/jwks", "server/bff", "guards of other APIs use it"},
	{"server/clientip", "server/config", "its caller says which proxies to trust"},
	{"app/together", "app/client", "it decides what to ask; its callers ask"},
	{"app/together", "app/editor", "it knows forms, not how they are edited"},
	{"model/live", "model/flow", "a shared form is merged by its tables alone"},
	{"model/live", "model/run", "a shared form is merged by its tables alone"},
	{"server/live", "net/http", "it is told of pages and entries; its callers speak HTTP"},
	{"server/live", "server/bff", "it is told of pages and entries; its callers speak HTTP"},
	{"server/live", "server/store/sqlite", "it knows rows, not engines"},
	{"server/live", "server/store/postgres", "it knows rows, not engines"},
	{"server/versions", "net/http", "it is told of forms; its callers speak HTTP"},
	{"server/versions", "server/bff", "it is told of forms; its callers speak HTTP"},
	{"server/versions", "server/store/sqlite", "it knows rows, not engines"},
	{"server/versions", "server/store/postgres", "it knows rows, not engines"},
	{"server/audit", "server/bff", "every part that changes something uses it"},
	{"server/audit", "server/tenant", "every part that changes something uses it"},
	{"server/audit", "server/store/sqlite", "it knows rows, not engines"},
	{"server/audit", "server/store/postgres", "it knows rows, not engines"},
	{"server/watch", "server/keys", "it does not know what files hold"},
	{"server/watch", "server/certs", "it does not know what files hold"},
	{"server/password", "server/tenant", "the options of the server have the same rule"},
	{"server/password", "server/store", "it judges a text"},
	{"server/ratelimit", "server/tenant", "the backend of the editor counts too"},
	{"server/dpop", "net/http", "it makes and checks proofs; its callers speak HTTP"},
	{"server/dpop", "server/tenant", "the tenant uses it, and the guard of other APIs"},
	{"server/dpop", "server/store", "it is given what remembers; a guard of other APIs needs no store"},
	{"server/config", "server/store", "options know nothing of what they configure"},
	{"server/config", "server/tenant", "options know nothing of what they configure"},
	{"server/config", "server/bff", "options know nothing of what they configure"},
	{"server/observe", "server/httpx", "every part reports to it"},
	{"server/metrics", "server/bff", "the parts report to it"},
	{"server/metrics", "server/tenant", "the parts report to it"},
	{"server/tracing", "server/bff", "the parts report to it"},
	{"server/tracing", "server/tenant", "the parts report to it"},
}

// onlyTests is why nothing but tests may depend on what helps them.
const onlyTests = "only tests import it"

// homes lists the libraries that only one package may import, by the package.
var homes = map[string]string{
	"github.com/prometheus": "server/metrics",
	"go.opentelemetry.io":   "server/tracing",
}

func TestImportArrows(t *testing.T) {
	imports := readImports(t)
	for _, a := range arrows {
		bad := a.bad
		if strings.SplitN(bad, "/", 2)[0] == "app" || strings.SplitN(bad, "/", 2)[0] == "server" || strings.HasPrefix(bad, "model") {
			bad = path.Join(module, bad)
		}
		for _, pkg := range slices.Sorted(maps.Keys(imports)) {
			if !under(pkg, path.Join(module, a.pkg)) || pkg == path.Join(module, "model/realforms") { // which only tests import
				continue
			}
			if a.why == onlyTests && strings.HasSuffix(pkg, "test") {
				continue // so does what helps tests
			}
			if chain := find(imports, pkg, bad, map[string]bool{}); chain != nil {
				t.Errorf("%s must not depend on %s: %s\n\t%s", a.pkg, a.bad, a.why, strings.Join(chain, "\n\t-> "))
			}
		}
	}
}

func TestLibrariesHaveOneHome(t *testing.T) {
	imports := readImports(t)
	for library, home := range homes {
		used := false
		for pkg, list := range imports {
			for _, imp := range list {
				if !under(imp, library) {
					continue
				}
				used = true
				if pkg != path.Join(module, home) {
					t.Errorf("%s imports %s, which is for %s alone", pkg, imp, home)
				}
			}
		}
		if !used {
			t.Errorf("%s does not import %s", home, library)
		}
	}
}

// The first words of the packages above must exist, otherwise a rename would leave lines that check nothing.
func TestArrowsNamePackages(t *testing.T) {
	imports := readImports(t)
	for _, a := range arrows {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(imports)), func(p string) bool { return under(p, path.Join(module, a.pkg)) }) {
			t.Errorf("there is no package %s", a.pkg)
		}
	}
}

// readImports maps each package of the module to its imports, for every system
// it builds for. It reads the sources, so the test's cache notices a change.
func readImports(t *testing.T) map[string][]string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for _, top := range []string{"app", "model", "server", "web"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			pkg := path.Join(module, filepath.ToSlash(rel))
			for _, spec := range f.Imports {
				p, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				imports[pkg] = append(imports[pkg], p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return imports
}

// find returns the chain of imports from pkg to bad, or nil.
func find(imports map[string][]string, pkg, bad string, seen map[string]bool) []string {
	if seen[pkg] {
		return nil
	}
	seen[pkg] = true
	for _, imp := range imports[pkg] {
		if under(imp, bad) && !under(pkg, bad) {
			return []string{pkg, imp}
		}
		if chain := find(imports, imp, bad, seen); chain != nil {
			return append([]string{pkg}, chain...)
		}
	}
	return nil
}

func under(pkg, root string) bool {
	if exact, ok := strings.CutSuffix(root, "$"); ok {
		return pkg == exact
	}
	return pkg == root || strings.HasPrefix(pkg, root+"/")
}
