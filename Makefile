# One line per verb; the first use builds the environment in .venv. Nothing is written outside this folder.
PYTHON ?= python3
ROOT := $(CURDIR)
LAB := jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root)
export PATH := $(ROOT)/.venv/bin:$(PATH)
export JUPYTER_CONFIG_DIR := $(ROOT)/.jupyter/config
export JUPYTER_DATA_DIR := $(ROOT)/.jupyter/data
export JUPYTER_RUNTIME_DIR := $(ROOT)/.jupyter/runtime
export IPYTHONDIR := $(ROOT)/.jupyter/ipython
export MPLCONFIGDIR := $(ROOT)/.cache/matplotlib
export PIP_CACHE_DIR := $(ROOT)/.cache/pip
export XDG_CACHE_HOME := $(ROOT)/.cache

.PHONY: demo test quick lab formgrader shell release lint lock clean

demo: .venv/ready ; autograder demo
test: lint ; pytest
quick: .venv/ready ; pytest -m "not slow and not browser"
lab: .venv/ready practice/09_attention ; $(LAB) --notebook-dir=practice practice/09_attention/attention.ipynb
formgrader: .venv/ready ; $(LAB)
shell: .venv/ready ; @exec $${SHELL:-sh}
release: .venv/ready ; autograder release 09_attention
lint: .venv/ready ; ruff check . && ruff format --check . && mypy
lock: .venv/ready ; pip freeze --exclude-editable > constraints.txt
clean: ; rm -rf .venv .cache .jupyter demo build *.egg-info

# A learner's own copy: release/ itself is only ever generated.
practice/%: | release/%
	mkdir -p practice && cp -R release/$* $@

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	mkdir -p .venv/share/jupyter/lab/settings && cp docs/jupyterlab-settings.json .venv/share/jupyter/lab/settings/overrides.json
	touch .venv/ready
