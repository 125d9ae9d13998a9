"""The kill table: which known mistake is caught by what, and what is wrong with a lesson where one survives.

`test_lesson_contract.py` holds every lesson of the course against it.
"""

from dataclasses import replace

import pytest
from conftest import LESSON, ROOT

from autograder import kills
from autograder.cli import main
from autograder.kills import kill_table
from autograder.loading import load_lesson


@pytest.fixture(scope="module")
def lesson():
    """Lesson 09 as the grader sees it."""
    return load_lesson(LESSON, ROOT)


def passing(lesson, failing):
    """Return the verdicts of a mistake that fails these calls only."""
    return tuple(at not in failing for at in range(len(lesson.calls)))


def test_columns_are_examples_and_whole_groups(lesson):
    """A group catches a mistake if one of its calls fails; an example is a column of its own."""
    n_examples, first = len(lesson.examples), len(lesson.groups[0].calls)
    rows = {"one example": {1}, "last call of the first group": {n_examples + first - 1}, "next": {n_examples + first}}
    table = kill_table(replace(lesson, mistake_passes={name: passing(lesson, at) for name, at in rows.items()}))
    caught = {name: [at for at, each in enumerate(row) if each] for name, row in table.rows.items()}

    assert caught == {"one example": [1], "last call of the first group": [n_examples], "next": [n_examples + 1]}
    assert (table.added(0), table.alone(0)) == (1, 1)


def test_a_group_that_only_repeats_the_examples_adds_nothing(lesson):
    """What an example catches as well does not count for a group."""
    group = len(lesson.examples)
    table = kill_table(replace(lesson, mistake_passes={"both": passing(lesson, {0, group})}))

    assert table.survivors == ()
    assert table.idle_groups == tuple(group.name for group in lesson.groups)


def test_command_prints_the_whole_table(lesson, capsys):
    """Each mistake has its row and each group its line; nothing is wrong, so the exit code is 0."""
    assert main(["--root", str(ROOT), "kills", LESSON]) == 0
    said = capsys.readouterr().out

    assert f"{len(lesson.mistakes)} known mistakes, 0 survive." in said
    assert sum(set(line[62:].replace(" ", "")) <= {"x", "."} and len(line) > 70 for line in said.splitlines()) == len(
        lesson.mistakes
    )


def test_command_marks_what_is_wrong(lesson, capsys, monkeypatch):
    """A mistake that survives and a group that adds nothing are marked, and the exit code is 1."""
    survives = {
        name: passing(lesson, ()) if name == "no scaling" else row for name, row in lesson.mistake_passes.items()
    }
    monkeypatch.setattr(kills, "load_lesson", lambda *_: replace(lesson, mistake_passes=survives))
    assert main(["--root", str(ROOT), "kills", LESSON]) == 1
    only = {"caught by an example": passing(lesson, {0})}
    said = capsys.readouterr().out
    monkeypatch.setattr(kills, "load_lesson", lambda *_: replace(lesson, mistake_passes=only))

    assert [line.split("  ")[0] for line in said.splitlines() if line.endswith("SURVIVES")] == ["no scaling"]
    assert main(["--root", str(ROOT), "kills", LESSON]) == 1
    assert capsys.readouterr().out.count("ADDS NOTHING") == len(lesson.groups)
