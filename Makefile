# One line per verb; the first use builds the environment in .venv. Nothing is written outside this folder.
PYTHON ?= python3
ROOT := $(CURDIR)
# No search for language servers: it asks other programs, which write into the home folder.
LAB := jupyter lab --LanguageServerManager.autodetect=False $(if $(filter 0,$(shell id -u)),--allow-root)
LESSON ?= 09_attention
NOTEBOOK = $(LESSON)/$(shell echo $(LESSON) | cut -d_ -f2-).ipynb
export PATH := $(ROOT)/.venv/bin:$(PATH)
export JUPYTER_CONFIG_DIR := $(ROOT)/.jupyter/config
export JUPYTER_DATA_DIR := $(ROOT)/.jupyter/data
export JUPYTER_RUNTIME_DIR := $(ROOT)/.jupyter/runtime
export IPYTHONDIR := $(ROOT)/.jupyter/ipython
export MPLCONFIGDIR := $(ROOT)/.cache/matplotlib
export PIP_CACHE_DIR := $(ROOT)/.cache/pip
export XDG_CACHE_HOME := $(ROOT)/.cache
unexport PYTHONDONTWRITEBYTECODE # the course's own modules are compiled once, not at each start

.PHONY: demo test quick bench lab formgrader shell release handout lint lock clean

demo: .venv/ready ; autograder demo
test: lint ; pytest -n 2 --dist loadfile --no-loadscope-reorder
quick: .venv/ready ; pytest -n 2 --dist worksteal -m "not slow and not browser"
lab: .venv/ready practice/$(LESSON) ; $(LAB) --notebook-dir=practice --LabApp.default_url=/lab/tree/$(NOTEBOOK)
formgrader: .venv/ready ; $(LAB)
shell: .venv/ready ; @exec $${SHELL:-sh}
release: .venv/ready ; autograder release $(LESSON)
handout: .venv/ready ; autograder handout
bench: .venv/ready ; python bench/engine.py
lint: .venv/ready ; ruff check . && ruff format --check . && mypy
lock: .venv/ready ; pip freeze --exclude-editable > constraints.txt
clean: ; rm -rf .venv .cache .jupyter demo build *.egg-info

# A learner's own copy: release/ itself is only ever generated.
practice/%: | release/%
	mkdir -p practice && cp -R release/$* $@

.venv/ready: pyproject.toml constraints.txt
	@echo "Building the environment in .venv. This takes about two minutes, once."
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[cluster,dev,postgresql]'
	mkdir -p .jupyter .venv/share/jupyter/lab/settings && cp docs/jupyterlab-settings.json .venv/share/jupyter/lab/settings/overrides.json
	touch .venv/ready
