# `make play` starts the main job, `make test` runs the suite; both set everything up first.

VENV := .venv
PY := $(VENV)/bin/python
QUIET := -q --disable-pip-version-check

.PHONY: play test lint lock format bench soak clean

play: $(VENV)/.installed
	@exec $(VENV)/bin/signalbox run

test: $(VENV)/.installed-dev lint
	$(PY) -m pytest -q -n 2 -m "not soak and not shared"

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check bot tests
	$(VENV)/bin/ruff format --check bot tests
	$(VENV)/bin/mypy bot/engine bot/tables bot/store

soak: $(VENV)/.installed-dev
	$(PY) -m pytest -q -n 2 -m soak

bench: $(VENV)/.installed
	@exec $(VENV)/bin/signalbox bench

format: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check --fix bot tests
	$(VENV)/bin/ruff format bot tests

$(VENV)/bin/python:
	@sh deploy/system-packages.sh </dev/null >&2
	@python3 -m venv $(VENV) </dev/null >&2

$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Setting up (once) ..." >&2
	@$(PY) -m pip install $(QUIET) --require-hashes --no-deps -r requirements.lock </dev/null >&2
	@$(PY) -m pip install $(QUIET) --no-deps --no-build-isolation -e . </dev/null >&2
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	@$(PY) -m pip install $(QUIET) --require-hashes --no-deps -r requirements-dev.lock </dev/null >&2
	@touch $@

lock:
	python3 -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install $(QUIET) pip-tools
	$(VENV)-lock/bin/pip-compile -q --allow-unsafe --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras \
		--output-file=requirements.lock pyproject.toml deploy/build-requirements.in
	$(VENV)-lock/bin/pip-compile -q --allow-unsafe --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras --extra dev \
		--constraint requirements.lock --output-file=requirements-dev.lock pyproject.toml deploy/build-requirements.in
	rm -rf $(VENV)-lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
