.PHONY: help setup build demo test bench bench-peers lint pictures
.NOTPARALLEL:

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## engine and default model on this machine, and the tools that tests need
	@scripts/setup

build: ## bin/percuss
	@CGO_ENABLED=0 go build -o bin/percuss ./cmd/percuss

demo: ## chain and evidence audit of a real model on a few questions and cases; the same command resumes
	@scripts/setup demo
	bin/percuss chain -m llama:smollm2-135m -d demo -n 8 --battery families+F1+M2 \
		--answer text+letters --max-tokens 128 --controls sham,shuffle -o runs/demo $(DEMO)
	bin/percuss evidence -m llama:smollm2-135m -d demo -n 3 --selectors 0 --neutralize 1 --floor 1 -o runs/cases $(DEMO)

test: setup lint ## everything that CI checks
	@scripts/test

lint: ## gofmt, go vet, staticcheck
	@scripts/lint

bench: ## benchmarks of our own, one package at a time
	go test -run '^$$' -bench . -benchmem -p 1 ./...

bench-peers: build ## Percuss beside other programs, which it installs into a folder of their own; takes hours
	@scripts/bench-peers $(BENCH)

pictures: build ## the pictures of docs/, from the demo's runs, with Chromium
	@scripts/pictures
