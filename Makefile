# make demo    build and simulate the paper's systems; tables and figures go to demo/
# make test    what the checks on a change run; PYTEST=... are further options of pytest
# make torture the long version of all that is tried to break it, in at most two hours (SEED=1000, ROWS='--only kills')
# make audit   known defects of the packages that this one needs; it asks the network
# make venv    only the environment, in .venv
# make clean   remove what these made, except .venv

PYTHON ?= python3
BIN := .venv/bin
SEED ?= 1000
STAMP := .venv/installed.stamp

# Tests run on all cores already; threads for matrices of ten rows would only wait for each other.
test torture: export OPENBLAS_NUM_THREADS := 1

.PHONY: venv demo test torture audit clean

venv: $(STAMP)

# The compiled part is built by the install, so its sources are what the stamp depends on.
$(STAMP): pyproject.toml setup.py constraints.txt $(wildcard volterra_cg/runtime/*.pyx volterra_cg/runtime/*.pxd volterra_cg/headers/*.h volterra_cg/runtime/integrators/*)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade -c constraints.txt pip setuptools cython numpy
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e .[test]
	touch $@

demo: venv
	set -e; for name in cart_pendulum three_bodies satellite_boom; do \
	    $(BIN)/volterra-cg build benchmarks/models/$$name.toml -o demo/generated; \
	    $(BIN)/volterra-cg simulate demo/generated/$$name -o demo/$$name.csv --plot demo/$$name.png; \
	done
	$(BIN)/volterra-cg bench -o demo

test: venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict volterra_cg
	$(BIN)/python -m pytest -n 2 $(PYTEST)

torture: venv
	-$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e '.[torture]'
	-$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e '.[torture-robots]'
	$(BIN)/python -m tests.trust.torture --seed $(SEED) $(ROWS)

audit: venv
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/python -m pip_audit --skip-editable

clean:
	rm -rf build dist demo torture.json *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f $(STAMP) volterra_cg/runtime/*.c volterra_cg/runtime/*.so
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
