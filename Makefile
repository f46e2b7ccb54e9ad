.DEFAULT_GOAL := help
SHELL := /bin/sh
GO ?= go
VERSION := $(shell git describe --always --dirty --tags 2>/dev/null || echo dev)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
WASM := GOOS=js GOARCH=wasm
# Everything is compiled in the same way, for the program, its tests and the linter: once, and once for all clones of this repository.
export CGO_ENABLED := 0
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath
WASM_EXEC = $(shell $(GO) env GOROOT)/lib/wasm
# The tools have exact versions; they are neither installed nor listed in go.mod.
LINT := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
# The same linter, for the files that are compiled only for the browser.
LINT_WASM := $(GO) run -exec "env GOOS=js GOARCH=wasm" github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
VULN := $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.8.0
# Packages that run in the browser without depending on it: their tests also run as WebAssembly.
SHARED := ./model/... ./app/editor ./app/command ./app/together ./app/draft ./app/caption ./app/compare ./app/picture ./app/document ./app/find ./app/translate ./app/preview ./app/trial/... ./app/markup ./app/desk ./app/desk/languages ./app/desk/compare ./app/desk/files ./app/desk/messages ./app/desk/style ./app/desk/message ./app/graph/... ./app/gesture ./app/inspector ./app/client/...

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
.PHONY: check lint lint-js fmt test test-js test-native test-wasm test-deploy test-clients bench-clients test-oracle test-races soak-signin e2e soak-drafts soak-paths soak-conflicts soak-texts soak-together soak-offline soak-live soak-replicas soak-kills race size tools
check: lint test ## Run everything that must pass before a commit
lint: lint-js ## Report style violations, mistakes and forbidden imports
	$(LINT) run ./...
	$(LINT_WASM) run ./app/...
# What checks the types of the pages' scripts, and a document for their tests; the product does not include them.
JSCHECK = bin/jscheck
$(JSCHECK)/node_modules: web/jscheck/package.json | bin
	@sh .ci/tools node
	rm -rf $(JSCHECK) && mkdir $(JSCHECK) && cp web/jscheck/package.json $(JSCHECK)
	npm install --silent --no-audit --no-fund --prefix $(JSCHECK)
	touch $@
lint-js: $(JSCHECK)/node_modules ## Check the types of the pages' scripts
	$(JSCHECK)/node_modules/.bin/tsc -p web/jscheck
	$(JSCHECK)/node_modules/.bin/tsc -p web/jscheck/worker
fmt: ## Format the code
	$(LINT) fmt ./...
test: tools test-js test-native test-deploy test-wasm e2e ## Run all tests: scripts, native, deployment files, WebAssembly, real browser
test-js: $(JSCHECK)/node_modules ## Test the pages' scripts in Node
	NODE_PATH=$(JSCHECK)/node_modules node --test $(wildcard web/jscheck/*.test.js)
test-native: tools wasm ## Run the native tests, including the check of the wasm's size
	$(GO) vet ./...
	@if [ -n "$(FORMGRAPH_CORPUS)" ]; then echo "real forms: $(FORMGRAPH_CORPUS)"; else echo "SKIPPED: the tests of real forms; FORMGRAPH_CORPUS is empty"; fi
	$(IN_MEMORY) FORMGRAPH_BUILT=1 $(GO) test ./...
test-wasm: tools ## Run the tests of the packages shared with the browser, as WebAssembly
	PATH="$$PATH:$(WASM_EXEC)" $(WASM) $(GO) test $(SHARED)
	$(WASM) $(GO) vet ./app/...
test-deploy: ## Check the files for containers, Kubernetes and systemd
	$(GO) -C server/deploy/deploytests vet ./...
	$(GO) -C server/deploy/deploytests test -count=1 ./...
# Accessibility rules, for tests only; the product does not include them.
AXE = bin/axe/node_modules/axe-core/axe.min.js
$(AXE):
	npm install --silent --no-audit --no-fund --prefix bin/axe axe-core@4.14.1
e2e: tools build $(AXE) ## Test the editor in a real browser against a real server
	FORMGRAPH_AXE=$(CURDIR)/$(AXE) FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -timeout 20m ./app/e2e
KILLS ?= 50
soak-drafts: tools build ## Kill the browser KILLS times during edits; each draft must be restored
	FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -timeout 60m -run TestBrowserKilled -v ./app/e2e -kills $(KILLS)
EDITS ?= 200
soak-conflicts: build tools ## Let two browsers make EDITS edits each at a tenant without ETags; nothing may be lost
	FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -timeout 60m -run TestTwoBrowsersLoseNothing -v ./app/e2e -edits $(EDITS)
BROWSERS ?= 5
soak-together: EDITS = 500
soak-together: build tools ## Let BROWSERS edit one form together, EDITS edits each, with a bad network and restarts; nothing may be lost
	FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -timeout 120m -run TestManyEditTogether -v ./app/e2e \
		-together.browsers $(BROWSERS) -together.edits $(EDITS)
soak-texts: build tools ## Use all hostile texts and real forms, of which the other tests use a part
	FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -timeout 60m -run 'Hostile|TestCorpus|TestTrialByKeyboard' -v ./app/e2e -everything
AWAY ?= 61m
soak-offline: build tools ## Let two browsers edit one form offline for AWAY, then reconnect
	FORMGRAPH_BIN=$(CURDIR)/bin/formgraph $(GO) test -tags e2e -count=1 -timeout 120m -run TestOfflineTogether -v ./app/e2e -together.away $(AWAY)
ORDERS ?= 1000000
soak-live: ## Compare shared forms with a naive model in ORDERS random interleavings
	$(GO) test ./model/live -count=1 -timeout 120m -run 'TestOrders|TestStructures' -v -orders $(ORDERS)
	$(GO) test ./app/together -count=1 -timeout 60m -run TestPagesMeet -v -worlds 50000
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
test-clients: tools build $(NODE_CLIENTS)/node_modules $(AUTHHERO)/node_modules ## Test third-party clients and tenants with a real server
	FORMGRAPH_NODE_CLIENTS=$(CURDIR)/$(NODE_CLIENTS) FORMGRAPH_AUTHHERO=$(CURDIR)/$(AUTHHERO) FORMGRAPH_BIN=$(CURDIR)/bin/formgraph \
		$(GO) -C server/clienttests test -count=1 ./...
	$(GO) -C $(ORACLE) test -count=1 ./...
bench-clients: build $(AUTHHERO)/node_modules ## Compare saves through the editor's backend with saves straight to a third-party tenant
	FORMGRAPH_AUTHHERO=$(CURDIR)/$(AUTHHERO) FORMGRAPH_BIN=$(CURDIR)/bin/formgraph \
		$(GO) -C server/clienttests test -count=1 -run '^$$' -bench . -benchtime 300x .
# The comparison of the guard with the vendor's middleware, for tests only; the product does not include it.
ORACLE = server/sample/guard/oracletests
REQUESTS ?= 1000000
test-oracle: ## Compare the sample API's guard with the vendor's and an oracle on REQUESTS random requests
	$(GO) -C $(ORACLE) test -count=1 -timeout 60m -run Oracle -v . -requests $(REQUESTS)
DURATION ?= 30m
soak-signin: ## Let twenty people sign in and save for DURATION while a stranger tries to lock them out
	FORMGRAPH_SOAK=$(DURATION) $(GO) test -count=1 -timeout 0 -run '^TestHostileTraffic$$' -v ./server
PEOPLE ?= 50
FORMS ?= 20
soak-replicas: DURATION = 3m
soak-replicas: tools ## Let PEOPLE edit FORMS for DURATION while two replicas and their database are restarted; nothing may be lost
	$(GO) test -count=1 -timeout 0 -run '^TestReplicasLoseNothing$$' -v ./server \
		-replicas.duration $(DURATION) -replicas.people $(PEOPLE) -replicas.forms $(FORMS)
soak-kills: ROUNDS = 200
soak-kills: tools ## Kill servers and databases ROUNDS times for each engine while people save; nothing may be lost
	$(GO) test -count=1 -timeout 0 -run '^TestKilledReplicasLoseNothing$$' -v ./server -kills.rounds $(ROUNDS)
ROUNDS ?= 10000
test-races: ## Run every pair of administrative changes concurrently, ROUNDS times each (ENGINE=sqlite or postgres); takes hours
	$(IN_MEMORY) $(GO) test ./server/tenant/management -count=1 -timeout 72h -run ChangesRace -v -rounds $(ROUNDS) -engine '$(ENGINE)'
PATHFORMS ?= 1000000
soak-paths: ## Compare the path proof with an oracle on PATHFORMS random forms
	$(GO) test ./model/flow -count=1 -run ProveEqualsOracle -v -forms $(PATHFORMS)
race: tools ## Run native tests with the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -timeout 40m ./model/... ./server/... ./app/client/... ./app/editor
tools: ## Install missing test tools: chromium, node, a PostgreSQL server
	@sh .ci/tools

##@ Measure
.PHONY: bench bench-browser fuzz vuln
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
	@awk 'BEGIN{FS=":.*## "} /^##@/{printf "\n%s\n",substr($$0,5)} /^[a-z0-9-]+:.*## /{printf "  %-12s %s\n",$$1,$$2}' $(MAKEFILE_LIST)
