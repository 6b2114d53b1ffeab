# `make play` starts the main job, `make test` runs the suite; both set everything up first.

VENV := .venv
PY := $(VENV)/bin/python
QUIET := -qq --disable-pip-version-check
COMPILE := pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

# Byte code is kept, also where the environment says otherwise: a start takes twice as long without.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play setup test lint rewritten lock format golden mutants titles words pictures bench soak peer peer-speed handoffs plans site release clean

play: $(VENV)/.installed
	@exec $(VENV)/bin/signalbox run

setup: $(VENV)/.installed

test: $(VENV)/.installed-dev
	@$(MAKE) -j 2 lint rewritten
	$(PY) -m pytest -q -n 4 --dist worksteal -m "not soak and not whole and not shared and not wheel and not browser and not mail and not postgres"

# Pytest rewrites each module of tests once and keeps the byte code; workers that begin together would all do it.
rewritten: $(VENV)/.installed-dev
	@said=$$($(PY) -m pytest -qq -n 0 --collect-only) || { echo "$$said"; exit 1; }

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check bot benchmarks deploy examples tests
	$(VENV)/bin/ruff format --check bot benchmarks deploy examples tests
	$(VENV)/bin/mypy bot benchmarks deploy

soak: $(VENV)/.installed-dev
	@exec $(PY) -m tests.soak $(if $(SLICE),--slice $(SLICE)) $(if $(AGAIN),--again) $(if $(STATE),--state) $(if $(LENGTHS),--lengths)

peer: $(VENV)/.installed-dev
	@exec $(PY) -m tests.peer.campaign $(if $(GAMES),--games $(GAMES)) $(if $(TITLE),--title $(TITLE)) \
		$(if $(PLAYERS),--players $(PLAYERS)) $(if $(JOBS),--jobs $(JOBS)) $(if $(WORKERS),--workers) --peer "$(PEER)"

peer-speed: $(VENV)/.installed-dev
	@exec $(PY) -m tests.peer.speed $(if $(TURNS),--turns $(TURNS)) --peer "$(PEER)"

handoffs: $(VENV)/.installed-dev
	@exec $(PY) -m benchmarks.handoffs $(if $(PEER),--peer "$(PEER)") $(if $(TITLES),--titles "$(TITLES)") $(if $(JSON),--json)

plans: $(VENV)/.installed-dev
	@exec $(PY) -m tests.service.plan_campaign $(if $(GAMES),--games $(GAMES)) $(if $(TITLE),--title $(TITLE)) \
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(REPORT),--report)

golden: $(VENV)/.installed-dev
	@exec $(PY) -m tests.golden $(if $(TITLE),--title $(TITLE)) $(if $(PLAYERS),--players $(PLAYERS)) \
		$(if $(SEED),--seed $(SEED)) $(if $(TEMPER),--temper $(TEMPER)) $(if $(MOVES),--moves $(MOVES))

mutants: $(VENV)/.installed-dev
	@exec $(PY) -m tests.mutants $(if $(TITLE),--title $(TITLE)) $(if $(NUMBER),--number $(NUMBER)) \
		$(if $(SEED),--seed $(SEED)) $(if $(AGAIN),--again)

pictures: $(VENV)/.installed-dev
	@$(PY) -m bot.cli.pictures
	@$(PY) -m tests.web.pictures
	@$(PY) -m tests.commands.cast

titles: $(VENV)/.installed
	@$(PY) -m bot.cli.title_lists

site: $(VENV)/.installed-dev
	@$(PY) -m deploy.site

release: $(VENV)/.installed-dev
	@$(PY) -m deploy.release $(if $(VERSION),--version $(VERSION))

words: $(VENV)/.installed
	@$(PY) -m bot.i18n.extract

bench: $(VENV)/.installed
	@exec $(VENV)/bin/signalbox bench

format: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check --fix bot benchmarks deploy examples tests
	$(VENV)/bin/ruff format bot benchmarks deploy examples tests
	$(PY) -m tests.engine.format_maps

$(VENV)/bin/python:
	@sh deploy/system-packages.sh </dev/null >&2
	@$$(sh deploy/find-python.sh) -m venv $(VENV) </dev/null >&2 || { rm -rf $(VENV); exit 1; }

$(VENV)/.installed: requirements.lock pyproject.toml setup.py | $(VENV)/bin/python
	@echo "Setting up (once) ..." >&2
	@$(PY) -m pip install $(QUIET) --require-hashes --no-deps -r requirements.lock </dev/null >&2
	@$(PY) -m pip install $(QUIET) --no-deps --no-build-isolation -e . </dev/null >&2
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	@$(PY) -m pip install $(QUIET) --require-hashes --no-deps -r requirements-dev.lock </dev/null >&2
	@touch $@

lock:
	python3 -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install $(QUIET) uv
	$(VENV)-lock/bin/uv $(COMPILE) -o requirements.lock pyproject.toml deploy/build-requirements.in
	$(VENV)-lock/bin/uv $(COMPILE) --extra postgres --constraint requirements.lock \
		-o requirements-postgres.lock pyproject.toml deploy/build-requirements.in
	$(VENV)-lock/bin/uv $(COMPILE) --extra dev --constraint requirements-postgres.lock \
		-o requirements-dev.lock pyproject.toml deploy/build-requirements.in
	rm -rf $(VENV)-lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
