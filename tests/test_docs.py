"""The documents keep their word: commands exist, links lead somewhere, and each step for authors has its test."""

import ast
import re

import pytest
from conftest import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CHECKLIST = ROOT / "docs" / "adding-a-lesson.md"
HELD_BY = re.compile(r"`(tests/\w+\.py)::(\w+)`")


def _tests_in(path):
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)}


def _steps():
    return re.findall(r"^- \[ \] .*?(?=^- \[ \] |^#|\Z)", CHECKLIST.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("step", _steps(), ids=lambda step: step[6:46])
def test_every_step_for_authors_is_held_by_a_test(step):
    """Each step of the checklist names at least one test, and that test exists."""
    held = HELD_BY.findall(step)

    assert held, step
    for file, test in held:
        assert test in _tests_in(ROOT / file), f"{file}::{test}"


def test_the_lesson_contract_is_written_down():
    """Every test of the lesson contract stands in the checklist, so that no rule comes as a surprise."""
    named = {test for _, test in HELD_BY.findall(CHECKLIST.read_text("utf-8"))}
    contract = {test for test in _tests_in(ROOT / "tests" / "test_lesson_contract.py") if test.startswith("test_")}

    assert contract <= named


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(document):
    """Every `make` command in the documents is a target of the Makefile."""
    makefile = (ROOT / "Makefile").read_text("utf-8")

    for target in re.findall(r"`make ([a-z]+)", document.read_text("utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document):
    """Every relative link and every named file of the project exists."""
    text = document.read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    files = re.findall(r"`((?:course|autograder|tests|docs|source)/[\w/.]+\.(?:py|md|ipynb))`", text)

    for link in links:
        assert (document.parent / link).exists(), link
    for file in files:
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_our_verbs_exist(document):
    """Every `autograder` command in the documents is one that the command line knows."""
    from autograder.cli import _parser  # noqa: PLC0415  # the parser knows the verbs

    verbs = next(action.choices for action in _parser()._actions if action.dest == "verb")  # noqa: SLF001
    for verb in re.findall(r"`autograder ([a-z]+)", document.read_text("utf-8")):
        assert verb in verbs, verb
