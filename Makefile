.DEFAULT_GOAL := help
SHELL := /bin/sh
GO ?= go
VERSION := $(shell git describe --always --dirty --tags 2>/dev/null || echo dev)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
WASM := GOOS=js GOARCH=wasm
# Everything is compiled in the same way, for the program, its tests and the linter: once, and once for all clones of this repository.
# Inlining the calls of go-app would take 25 s of processor time and make the programs no faster. What only a debugger reads takes a tenth of
# the time to compile, and is not linked; stack traces do not need it.
export CGO_ENABLED := 0
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath -gcflags=all=-dwarf=false \
	'-gcflags=github.com/maxence-charriere/go-app/...=-l -dwarf=false'
WASM_EXEC = $(shell $(GO) env GOROOT)/lib/wasm
# The tools have exact versions; they are neither installed nor listed in go.mod.
LINT := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
# The same linter, for the files that are compiled only for the browser.
LINT_WASM := $(GO) run -exec "env $(WASM)" github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
VULN := $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.8.0
# Runs go test and prints a line when a test ends, with its time; failures again at the end.
GOTESTSUM := gotest.tools/gotestsum@v1.13.0 --format testname --
TEST := $(GO) run $(GOTESTSUM)
# The same, for tests in WebAssembly.
TEST_WASM := PATH="$$PATH:$(WASM_EXEC)" $(GO) run -exec "env $(WASM)" $(GOTESTSUM)
# The databases of tests are kept in memory where the system has a folder for that, with 4 GiB free and not mounted noexec: waiting for a
# disk tests nothing, since tests kill processes, not machines.
IN_MEMORY = $(if $(shell awk '$$2 == "/dev/shm" && $$4 !~ /noexec/' /proc/mounts 2>/dev/null),$(if $(shell df -Pk /dev/shm 2>/dev/null \
	| awk 'NR == 2 && $$4 >= 4194304'),TMPDIR=/dev/shm GOTMPDIR=$${TMPDIR:-/tmp}))

# The tests also use real forms, which are not ours to publish, if this folder contains any.
FORMGRAPH_CORPUS ?= $(abspath $(wildcard ../shared/corpus))
export FORMGRAPH_CORPUS

##@ Use
.PHONY: run build release wasm
run: build ## Start the editor and the embedded tenant on this machine
	./bin/formgraph serve
build: wasm ## Build bin/formgraph, one static binary with the editor inside
	$(GO) build -ldflags="$(LDFLAGS)" -o bin/formgraph ./server
release: ## Build bin/formgraph for others: with the browser's programs as small as possible, which takes minutes
	$(MAKE) build PACK=-best
wasm: ## Build the browser's programs into web/dist
	$(GO) run ./web/internal/pack $(PACK)

##@ Check
.PHONY: check lint lint-js fmt vet test test-js test-native test-deploy e2e nightly nightly-native nightly-e2e nightly-wasm vet-deploy \
	test-clients test-oracle race soak tools gate-tools client-tools engine-tools
check: lint test ## Run everything that must pass before a commit
lint: lint-js ## Report style violations, mistakes and forbidden imports
	$(LINT) run ./...
	$(LINT_WASM) run ./app/...
# What checks the types of the pages' scripts, and a document for their tests; the product does not include them.
JSCHECK = bin/jscheck
$(JSCHECK)/node_modules: web/jscheck/package.json
	@sh .ci/tools node
	rm -rf $(JSCHECK) && mkdir -p $(JSCHECK) && cp web/jscheck/package.json $(JSCHECK)
	npm install --silent --no-audit --no-fund --prefix $(JSCHECK)
	touch $@
lint-js: $(JSCHECK)/node_modules ## Check the types of the pages' scripts
	$(JSCHECK)/node_modules/.bin/tsc -p web/jscheck
	$(JSCHECK)/node_modules/.bin/tsc -p web/jscheck/worker
fmt: ## Format the code
	$(LINT) fmt ./...
vet: ## Report suspicious code; make lint does this too
	$(GO) vet ./...

# The gate tries large lists and random forms in a small form (-short); make nightly runs the same tests in full. The linter has vetted. A time
# limit ends what hangs, and is several times what a slow machine needs.
SMALL = -short -vet=off -timeout 60m
test: test-js test-native test-deploy e2e ## Run all tests: scripts, native, deployment files, real browser
test-js: $(JSCHECK)/node_modules ## Test the pages' scripts in Node
	NODE_PATH=$(JSCHECK)/node_modules node --test --test-reporter=spec $(wildcard web/jscheck/*.test.js)
test-native: gate-tools wasm ## Run the native tests, including the check of the programs' sizes
	@if [ -n "$(FORMGRAPH_CORPUS)" ]; then echo "real forms: $(FORMGRAPH_CORPUS)"; else echo "SKIPPED: the tests of real forms; FORMGRAPH_CORPUS is empty"; fi
	$(IN_MEMORY) FORMGRAPH_BUILT=1 $(TEST) $(SMALL) ./...
test-deploy: ## Check the files for containers, Kubernetes and systemd
	$(GO) -C server/deploy/deploytests test -vet=off ./...
# Accessibility rules, for tests only; the product does not include them.
AXE = bin/axe/node_modules/axe-core/axe.min.js
$(AXE):
	npm install --silent --no-audit --no-fund --prefix bin/axe axe-core@4.14.1
E2E = $(IN_MEMORY) FORMGRAPH_AXE=$(CURDIR)/$(AXE) FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(TEST) -tags e2e -count=1
e2e: gate-tools build $(AXE) ## Test the editor in a real browser against a real server
	$(E2E) $(SMALL) ./app/e2e

# A part that fails does not keep the others from running.
nightly: engine-tools release $(AXE) ## Run all tests in full, which takes more than an hour, with third-party clients and the race detector
	$(MAKE) -k nightly-native nightly-e2e nightly-wasm vet-deploy test-clients test-oracle race
nightly-native:
	$(IN_MEMORY) FORMGRAPH_BUILT=small $(TEST) -count=1 -vet=off -timeout 5h ./...
nightly-e2e:
	$(E2E) -vet=off -timeout 5h ./app/e2e
nightly-wasm:
	$(TEST_WASM) -vet=off -timeout 5h $$($(GO) list ./model/... ./app/... | grep -v '/app/ui\|/realforms')
vet-deploy:
	$(GO) -C server/deploy/deploytests vet ./...
# Third-party clients, in a separate module; npm installs those for Node.
NODE_CLIENTS = bin/clients
$(NODE_CLIENTS)/node_modules: Makefile
	npm install --silent --no-audit --no-fund --prefix $(NODE_CLIENTS) auth0-deploy-cli@8.44.0 auth0@6.4.0 \
		openid-client@6.8.9 oauth4webapi@3.8.8 oidc-client-ts@3.5.0 express-openid-connect@3.4.0 express@5.2.1
	touch $@
# AuthHero, a third-party tenant. Two of its dependencies are not published; an empty package replaces them, since forms do not use them.
AUTHHERO = bin/authhero
$(AUTHHERO)/node_modules: Makefile server/clienttests/testdata/authhero/package.json
	rm -rf $(AUTHHERO) && mkdir -p bin && cp -r server/clienttests/testdata/authhero $(AUTHHERO)
	npm install --silent --no-audit --no-fund --legacy-peer-deps --prefix $(AUTHHERO)
	touch $@
CLIENTS = FORMGRAPH_NODE_CLIENTS=$(CURDIR)/$(NODE_CLIENTS) FORMGRAPH_AUTHHERO=$(CURDIR)/$(AUTHHERO) FORMGRAPH_BIN=$(CURDIR)/bin/formgraph \
	$(GO) -C server/clienttests test -count=1 -timeout 2h
test-clients: client-tools build $(NODE_CLIENTS)/node_modules $(AUTHHERO)/node_modules ## Test third-party clients, tenants and proxies with a real server
	$(CLIENTS) -run '^TestProxies$$' -v .
	$(CLIENTS) -skip '^TestProxies$$' ./...
REQUESTS ?= 200000
test-oracle: ## Compare the sample API's guard with the vendor's and an oracle on REQUESTS random requests
	$(GO) -C server/sample/guard/oracletests test -count=1 -timeout 5h ./... -requests $(REQUESTS)
race: gate-tools ## Run the native tests with the race detector, in their small form (needs a C compiler)
	$(IN_MEMORY) CGO_ENABLED=1 $(TEST) -race $(SMALL) ./model/... ./server/... ./app/client/... ./app/editor
PKG ?= ./app/e2e
soak: tools build $(AXE) ## Run a test alone, as large as wanted: RUN=TestOrders PKG=./model/live ARGS="-orders 1000000"
	@[ -n "$(RUN)" ] || { echo "RUN is empty: name a test. Its flags say how large it can be: grep -r 'flag\.' --include='*_test.go' ."; exit 1; }
	$(E2E) -timeout 72h -run '$(RUN)' -v $(PKG) $(ARGS)
tools: ## Install missing test tools: chromium, node, a PostgreSQL server
	@sh .ci/tools
gate-tools:
	@sh .ci/tools gate
client-tools:
	@sh .ci/tools clients
engine-tools:
	@sh .ci/tools engines

##@ Measure
.PHONY: bench bench-browser bench-layout bench-clients fuzz vuln
bench: build tools ## Print benchmark figures: model (native and WebAssembly), PATCH, browser
	$(GO) test -run '^$$' -bench . -benchmem ./model/... ./app/editor ./app/graph/... ./app/inspector ./server ./server/tenant ./server/sample/guard ./server/store/sqlite ./server/versions ./server/password
	PATH="$$PATH:$(WASM_EXEC)" $(WASM) $(GO) test -run '^$$' -bench . -benchtime 2s ./model ./app/editor
	FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -run '^$$' -bench BenchmarkEditor -benchtime 1x -timeout 20m ./app/e2e
# The page of another library, with which the canvas is compared; it is not part of the project.
PEER ?= $(abspath $(wildcard ../shared/bench/peer))
bench-browser: build tools ## Compare the canvas with another library's page (PEER=folder of its source)
	@[ -n "$(PEER)" ] || { echo "PEER is empty: set it to the folder of the peer's page"; exit 1; }
	rm -rf bin/peer && cp -r $(PEER) bin/peer && cd bin/peer && npm install --no-audit --no-fund && npm run build
	FORMGRAPH_PEER=$(CURDIR)/bin/peer/dist FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -run '^$$' -bench BenchmarkPeer -benchtime 1x -timeout 40m ./app/e2e
LAYOUTS = bin/layouts
$(LAYOUTS)/node_modules: Makefile
	npm install --silent --no-audit --no-fund --prefix $(LAYOUTS) elkjs@0.12.1 @dagrejs/dagre@3.1.3
	touch $@
bench-layout: $(LAYOUTS)/node_modules ## Compare Tidy up with ELK and dagre: crossings, bends, area (FORMGRAPH_CORPUS=folder adds real forms)
	FORMGRAPH_LAYOUTS=$(CURDIR)/$(LAYOUTS) $(GO) test -run '^$$' -bench Peers -benchtime 1x -v ./app/graph/tidy
bench-clients: build $(AUTHHERO)/node_modules ## Compare saves through the editor's backend with saves straight to a third-party tenant
	$(CLIENTS) -run '^$$' -bench . -benchtime 300x .
FUZZTIME ?= 20s
fuzz: ## Run every fuzz target for FUZZTIME
	@set -e; for pkg in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -h -o '^func Fuzz[A-Za-z0-9_]*' $$pkg/*_test.go | cut -c6-); do \
	    echo "== $$pkg $$f"; $(GO) test $$pkg -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x; \
	  done; done
	$(GO) test ./app/editor -run Walk -walk=100000
vuln: ## Report known vulnerabilities; VULNDB=file:///dir works offline
	$(VULN) $(if $(VULNDB),-db $(VULNDB)) ./...

##@ Help
.PHONY: help map
map: ## Print the packages and what each of them does
	@GOOS=js GOARCH=wasm $(GO) list -find -tags e2e -f '{{.ImportPath}}	{{.Doc}}' ./... | awk -F'\t' '{ \
	  n = split($$1, dir, "/"); path = ""; sub(/^(Package|Command) [a-z0-9]+ /, "", $$2); \
	  for (i = 4; i <= n; i++) { path = path "/" dir[i]; if (!seen[path]++) \
	    printf "%-26s %s\n", sprintf("%" 2 * (i - 4) "s%s/", "", dir[i]), i == n ? $$2 : "" } }'
help: ## Show this help
	@awk 'BEGIN{FS=":.*## "} /^##@/{printf "\n%s\n",substr($$0,5)} /^[a-z0-9-]+:.*## /{printf "  %-14s %s\n",$$1,$$2}' $(MAKEFILE_LIST)
