"""What students hand in: each thing that happens to cells, and text made to be slow."""

import copy
import time

import pytest
from cell_makers import RELEASED, RIGHT, STUB, WORKED, code, locked, text
from hypothesis import given, settings
from hypothesis import strategies as st

from course.submission import read_submission, recognise

BLANKED = f"\n\n\n{RIGHT}\n\n"
SPLIT = code("def solve(x):\n    y = x", "solve"), code("    z = y"), code("    return z")


# situation: (cells, the student's own code as it runs, words of the one note or None)
HANDED_IN = {
    "split after a helper": ([code("a = 1", "solve"), code(RIGHT), *locked()], ["a = 1", RIGHT], "not its own cell"),
    "split inside the function": (
        [*SPLIT, *locked()],
        ["def solve(x):\n    y = x\n    z = y\n    return z"],
        "goes on with the function",
    ),
    "merged with the check cell, the student's first": (
        [code(f"{RIGHT}\n\n{RELEASED['examples']}", "solve"), locked()[1]],
        [f"{RIGHT}\n\nexamples = [1, 2, 3]\npass"],
        "also holds lines of the check",
    ),
    "merged with the check cell, the check first": (
        [code(f"{RELEASED['examples']}\n\n{RIGHT}", "examples"), locked()[1]],
        [f"examples = [1, 2, 3]\npass\n\n{RIGHT}"],
        "also holds lines of the check",
    ),
    "moved to the end": ([*locked(), code(RIGHT, "solve")], [RIGHT], None),
    "a helper defined after use": (
        [code("def solve(x):\n    return h(x)", "solve"), *locked(), code("h = abs")],
        ["def solve(x):\n    return h(x)", "h = abs"],
        None,
    ),
    "above its imports": ([code(RIGHT, "solve"), code("import math"), *locked()], [RIGHT, "import math"], None),
    "a raw cell": ([{**code(RIGHT, "solve"), "cell_type": "raw"}, *locked()], [RIGHT], "no code cell"),
    "a text cell with fences": (
        [{**code(WORKED, "solve"), "cell_type": "markdown"}, *locked()],
        [BLANKED],
        "no code cell",
    ),
    "a text cell that lost its mark": ([text(RIGHT), *locked()], [RIGHT], "no code cell"),
    "an answer in a text cell, the stub left": (
        [code(STUB, "solve"), text(WORKED), *locked()],
        [BLANKED],
        "still holds `solve` as it was given",
    ),
    "in another cell below the stub": (
        [code(STUB, "solve"), code(RIGHT), *locked()],
        [RIGHT],
        "cell 2, which is not its own",
    ),
    "in another cell above the stub": ([code(RIGHT), code(STUB, "solve"), *locked()], [RIGHT], "as it was given"),
    "in the check cell, the stub left": (
        [code(STUB, "solve"), code(RIGHT, "examples"), locked()[1]],
        [RIGHT],
        "locked cell `examples` was missing",
    ),
    "the stub alone": ([code(STUB, "solve"), *locked()], [STUB], None),
    "an explanation names solve": (
        [text("Write `def solve`:\ndef solve(x):"), code(STUB, "solve"), *locked()],
        [STUB],
        None,
    ),
    "defined twice": (
        [code(RIGHT, "solve"), code("solve = abs"), *locked()],
        [RIGHT, "solve = abs"],
        "the last one counts",
    ),
    "ids edited": (
        [code(RIGHT, "task1"), code(RELEASED["examples"], "task2"), locked()[1]],
        [RIGHT],
        "not its own cell",
    ),
    "ids swapped": (
        [code(RIGHT, "examples"), code(RELEASED["examples"], "solve"), locked()[1]],
        [RIGHT],
        "not its own cell",
    ),
    "points edited": ([code(RIGHT, "solve", points=99, locked=True), *locked()], [RIGHT], None),
    "indented as a whole": (
        [code("    import math\n    y = 2"), code(RIGHT, "solve"), *locked()],
        ["import math\ny = 2", RIGHT],
        None,
    ),
    "Databricks": (
        [
            {**code(RIGHT), "metadata": {"application/vnd.databricks.v1+cell": {"nuid": "1", "title": ""}}},
            {**code(RELEASED["examples"]), "metadata": {"application/vnd.databricks.v1+cell": {"nuid": "2"}}},
        ],
        [RIGHT],
        "another editor removed them",
    ),
    "Kaggle": (
        [
            {**code(RIGHT), "metadata": {"trusted": True, "execution": {"iopub.status.busy": "2026"}}},
            *({**cell, "metadata": {"trusted": True}} for cell in locked()),
        ],
        [RIGHT],
        "another editor removed them",
    ),
    "imported": ([code("from helpers import solve", "solve"), *locked()], ["from helpers import solve"], None),
    "nothing at all": ([], [], "`solve` was missing"),
}


@pytest.mark.parametrize("situation", HANDED_IN)
def test_what_students_hand_in(situation):
    """The student's code is found and runs in order; each mend is one plain sentence."""
    cells, wanted, note = HANDED_IN[situation]
    found = recognise(cells, RELEASED)
    own = [
        source
        for source, role in zip(found.sources, found.roles, strict=True)
        if source.strip() and role not in RELEASED
    ]

    assert own == wanted
    assert any(note in said for said in found.notes) if note else found.notes == ()
    assert len({*filter(None, found.roles)}) == len([*filter(None, found.roles)])


def test_mending_twice_changes_nothing():
    """A notebook that was mended (roles written back as ids, kinds as code) reads the same again."""
    for cells, wanted, _ in HANDED_IN.values():
        found = recognise(cells, RELEASED)
        mended = [code(cell["source"], role) if role else cell for cell, role in zip(cells, found.roles, strict=True)]
        again = recognise(mended, RELEASED)
        own = [s for s, role in zip(again.sources, again.roles, strict=True) if s.strip() and role not in RELEASED]

        assert own == wanted
        assert [r for r in again.roles if r] == [r for r in found.roles if r]


@pytest.mark.slow
@pytest.mark.parametrize(
    "big",
    [
        "a" * 1_000_000,
        "ab" * 500_000,
        "\n" * 1_000_000,
        " " * 1_000_000,
        "solve " * 150_000,
        "from x import " * 70_000,
        "```\n" * 80_000,
        "x = 1\n" * 150_000,
    ],
)
def test_huge_cells_cost_little(big):
    """Text made to be slow to compare or search takes time in proportion to its length."""
    cells = [code(big), code(big, "solve"), code(big, "examples"), text(big)]
    start = time.process_time()
    read_submission({"cells": cells}, {**RELEASED, "hidden": "a" * 3_000})

    assert time.process_time() - start < 3


def test_many_cells_that_look_like_the_locked_one_cost_little():
    """Thousands of near copies of the locked cell are compared only up to a limit."""
    released = {"examples": "examples = [" + "1, 2, 3, " * 400 + "]"}
    cells = [code(released["examples"].replace("1", str(at), 1)) for at in range(1_500)]
    start = time.process_time()
    found = recognise(cells, released)

    assert found.roles.count("examples") == 1
    assert time.process_time() - start < 3


ODD = st.none() | st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=2)
PIECES = st.sampled_from(
    [RIGHT, STUB, WORKED, *RELEASED.values(), "x = 1", "    return 1", "```", "import helpers", "%%file a.py\n1"]
)
ANY_CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw"]) | ODD,
        "source": PIECES | st.lists(PIECES, max_size=3) | st.lists(PIECES, max_size=3).map("\n".join) | ODD,
        "metadata": ODD
        | st.fixed_dictionaries(
            {"nbgrader": ODD | st.fixed_dictionaries({"grade_id": st.sampled_from(["solve", *RELEASED]) | ODD})}
        ),
    },
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ANY_CELL, max_size=7))
def test_any_cells(cells):
    """Any cells get their roles: each at most once, the same every time, one source a cell."""
    found = recognise(cells, RELEASED)
    named = [role for role in found.roles if role]

    assert len(found.roles) == len(found.sources) == len(cells)
    assert len(named) == len(set(named))
    assert set(named) <= {"solve", *RELEASED}
    assert found == recognise(copy.deepcopy(cells), RELEASED)
    assert all(note.endswith(".") and "\n" not in note for note in found.notes)
    read_submission({"cells": cells}, RELEASED, {"helpers.py": RIGHT})
