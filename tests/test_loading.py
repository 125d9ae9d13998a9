"""A lesson in memory follows the files it is made from."""

import json
import os
import shutil

import pytest
from conftest import ROOT, solve_cell

from autograder.loading import load_lesson

pytestmark = pytest.mark.slow

TRANSFORMER, NEEDED = "11_transformer_block", "07_layer_norm"


@pytest.fixture
def root(tmp_path):
    """Copy `source/` to a folder of its own."""
    shutil.copytree(ROOT / "source", tmp_path / "source")
    return tmp_path


def test_an_earlier_lesson_that_changed_is_read_again(root):
    """The functions that a lesson was given are those of the earlier lesson as it stands now."""
    before = load_lesson(TRANSFORMER, root)
    path = root / "source" / NEEDED / "layer_norm.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = solve_cell(notebook)
    cell["source"] = "".join(cell["source"]).replace("### BEGIN SOLUTION", "### BEGIN SOLUTION\n    # changed", 1)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    after = load_lesson(TRANSFORMER, root)

    assert "# changed" in after.earlier
    assert before.version != after.version


def test_practice_data_that_changed_is_read_again(root):
    """A practice file that is taken away, or is no longer the lesson's, is not used."""
    path = root / "source" / NEEDED / "layer_norm.json"
    before = load_lesson(NEEDED, root).practice
    os.truncate(path, 10)

    assert before is not None
    assert load_lesson(NEEDED, root).practice is None


def test_nothing_changed_is_read_once(root):
    """The same lesson is not made a second time: every submission asks for it."""
    assert load_lesson(TRANSFORMER, root) is load_lesson(TRANSFORMER, root)
