"""`check_before_submitting()` names what differs between the running notebook and the saved one, and the cell."""

import re

import pytest
from before_helpers import HELPER, LISTS, OTHER_HELPER, STUB, WITH_HELPER, WRONG_HELPER, Session, add_cell, number_of
from conftest import solve_cell

pytestmark = [
    pytest.mark.slow,
    # zmq and tornado warn about their own event loops; nothing of ours
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def session(client, tmp_path, lesson):
    """Return a session that has run nothing, in an empty folder with the practice data of the lesson."""
    return Session(client, tmp_path, lesson)


def test_a_deleted_helper_is_named(session, hand_in):
    """The session still has a helper whose cell was deleted: the check passes, the clean start does not."""
    session.save(hand_in(WITH_HELPER))
    session.run(HELPER, WITH_HELPER)
    session.check()
    text = " ".join(session.before().split())

    assert "Example 1 of 5 stops with an error." in text
    assert "Your session still remembers `softmax`, but no cell of the saved notebook defines it." in text
    assert "If no cell has `softmax` any more, write it again." in text
    assert "Note: cells are counted from the top, texts included." in text


def test_a_name_used_again_below_is_named(session, hand_in):
    """A second helper of the same name further down is what a clean start ends with."""
    notebook = add_cell(add_cell(hand_in(WITH_HELPER), HELPER), WRONG_HELPER, after="examples")
    session.save(notebook)
    session.run(WRONG_HELPER, HELPER, WITH_HELPER)
    session.check()
    text = " ".join(session.before().split())
    first, last = number_of(notebook, HELPER), number_of(notebook, WRONG_HELPER)

    assert f"Cells {first} and {last} both define `softmax`. Your session has the one of cell {first}" in text
    assert f"a clean start ends with the one of cell {last}" in text


BELOW = {
    "math = None": "math",
    "math = 5": "math",
    "max = 3": "max",
}
ORDERS = {
    "run after the check": ("solve", "check", "below"),
    "not run": ("solve", "check"),
    "not run, and solve again after the check": ("solve", "check", "solve"),
    "run before the check": ("solve", "below", "check"),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("below", BELOW)
def test_a_cell_below_that_gives_a_name_another_value_is_named(session, hand_in, below, order):
    """In whichever order the cells were run: the cell to change is named, and nobody is sent back to the check."""
    notebook = add_cell(hand_in(LISTS), below, after="examples")
    session.save(notebook)
    for each in ORDERS[order]:
        session.check() if each == "check" else session.run({"solve": LISTS, "below": below}[each])
    text = " ".join(session.before().split())
    cell, name = number_of(notebook, below), BELOW[below]

    assert f"Cell {cell} gives `{name}` another value" in text
    assert f"Next: Use another name in cell {cell}. Press Ctrl+S" in text
    assert not re.search("look at the check|check cell above|another value after a clean start", text)


def test_cells_run_out_of_order_are_named(session, hand_in):
    """A cell that needs a name from a cell below it works in the session only."""
    table, user = "WIDTHS = [1, 2, 4]\n", "ROOTS = {w: w ** 0.5 for w in WIDTHS}\n"
    code = LISTS.replace("math.sqrt(len(q))", "ROOTS[len(q)]")
    notebook = add_cell(add_cell(hand_in(code), user), table, after="examples")
    session.save(notebook)
    session.run(table, user, code)
    session.check()
    text = " ".join(session.before().split())
    above, below = number_of(notebook, user), number_of(notebook, table)

    assert f"Cell {above} needs `WIDTHS`, but cell {below} below it defines it." in text
    assert f"Next: Move cell {below} above cell {above}." in text


@pytest.mark.parametrize("saved", [None, LISTS.replace("m = max(s)", "m = 0")], ids=["stub", "older"])
def test_a_change_that_is_not_saved_is_named(session, hand_in, released, saved):
    """The session has a newer `solve` than the file: it says so and what to press, whether the file's passes or not."""
    notebook = released if saved is None else hand_in(saved)
    session.save(notebook)
    session.run(*([saved] if saved else []), LISTS)
    session.check()
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert f"You changed `solve` (cell {cell}) after the last save: your session has the new text" in text
    assert "The saved one is what you hand in." in text
    assert "Next: Press Ctrl+S (on a Mac Cmd+S) to save, then run this cell again." in text


def test_a_saved_cell_that_was_not_run_is_named(session, hand_in):
    """Where the session's `solve` may be the older one, its cell is to be run, saved, and checked again."""
    notebook = hand_in(LISTS.replace("m = max(s)", "m = min(s)"))
    session.save(notebook)
    session.run(LISTS)
    session.check()
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert f"The `solve` in your session is not the one in the saved notebook (cell {cell})." in text
    assert f"Next: Run cell {cell}. Press Ctrl+S (on a Mac Cmd+S) to save, then run this cell again." in text


def test_a_helper_that_is_not_saved_is_named(session, hand_in):
    """A change in a helper alone is seen too."""
    notebook = add_cell(hand_in(WITH_HELPER), OTHER_HELPER)
    session.save(notebook)
    session.run(HELPER, WITH_HELPER)

    assert "The `softmax` in your session is not the one in the saved notebook (cell " in session.before()
    session.run(OTHER_HELPER, HELPER)
    assert "You changed `softmax` (cell " in session.before()


UNREADABLE = {
    "a colon": (LISTS.replace("causal):", "causal)"), "A `:` is missing at the end of this line."),
    "a bracket": (LISTS.replace("return out", "return (out"), "The bracket `(` on this line is never closed."),
    "indentation": (LISTS.replace("    return out", "  return out"), "The number of spaces in front of this line"),
    "tabs": (LISTS.replace("    return out", "\treturn out"), "Tabs and spaces are mixed in front of this line."),
    "outside": (LISTS.replace("    return out", "return out"), "This `return` is outside the function"),
    "a fence": (f"{LISTS}\n```\n", "It is no Python: delete it."),
}


@pytest.mark.parametrize("before", [STUB, LISTS], ids=["the stub before", "a right answer before"])
@pytest.mark.parametrize(("code", "says"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_cell_that_python_cannot_read_is_said_in_plain_words(session, hand_in, before, code, says):
    """It names the cell, the line and the fault, and what to do; never that a cell was deleted."""
    notebook = hand_in(code)
    session.save(notebook)
    session.run(before)
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert "No example can be run. Points for the examples: 0 of 5." in text
    assert f"Python cannot read cell {cell}, so there is no `solve`. Look at line " in text
    assert says in text
    assert re.search(rf"Next: Mend line \d+ of cell {cell} and run that cell. Press Ctrl\+S", text)
    assert "SyntaxError" not in text
    assert "remembers" not in text
    assert text.count("Python cannot read") == 1


HELPER_FAULTS = {
    "a colon": (HELPER.replace("scores):", "scores)"), "A `:` is missing", "Mend line 4 of"),
    "no spaces": (HELPER.replace("    top", "top"), "must be indented", "Mend line 5 of"),
    "a decorator": (HELPER.replace("def", "@nope\ndef"), "stops in line 4 with `NameError`", "Mend line 4 of"),
    "another language": (f"%%bash\n{HELPER}", "begins with %%bash is not run", "Delete the first line of"),
}


@pytest.mark.parametrize(("helper", "says", "action"), HELPER_FAULTS.values(), ids=HELPER_FAULTS)
def test_a_helper_whose_cell_does_not_work_is_named(session, hand_in, helper, says, action):
    """The cell of the helper is named with its fault, once, and it is what is to be mended."""
    notebook = add_cell(hand_in(WITH_HELPER), helper)
    session.save(notebook)
    session.run(HELPER, WITH_HELPER)
    session.check()
    text = " ".join(session.before().split())
    cell = number_of(notebook, helper)

    assert "(name 'softmax' is not defined)" in text
    assert says in text
    assert f"Next: {action} cell {cell} and run that cell." in text
    assert "remembers" not in text
    assert text.lower().count(f"cell {cell}") == 2


@pytest.mark.parametrize("name", ["solv", "attention"])
def test_a_solve_of_another_name_is_found(session, hand_in, name):
    """No cell was deleted: the function with the inputs of `solve` is named with its cell."""
    notebook = hand_in(LISTS.replace("def solve", f"def {name}"))
    session.save(notebook)
    session.run(LISTS)
    text = " ".join(session.before().split())
    cell = 1 + notebook["cells"].index(solve_cell(notebook))

    assert f"No cell of the saved notebook defines `solve`, but cell {cell} defines `{name}` with the same" in text
    assert f"Next: If that is your answer, write `def solve` in cell {cell} and run it. Press Ctrl+S" in text
    assert "remembers" not in text


@pytest.mark.parametrize("name", ["solv", "attention", "another"])
def test_cells_that_ask_for_solve_are_not_blamed_for_its_name(session, hand_in, name):
    """Of a `solve` of another name it is said that it is missing, and of no other cell that it stopped."""
    session.save(hand_in(LISTS.replace("def solve", f"def {name}").replace("causal):", "causal=False):")))
    text = " ".join(session.before().split())

    assert "my_line" not in text
    assert "NameError" not in text
    assert "`solve`" in text


def test_a_value_that_changed_by_hand_is_named(session, hand_in):
    """A constant that was changed by running other code is named with both values."""
    code = LISTS.replace("math.sqrt(len(q))", "(len(q) ** POWER)")
    notebook = add_cell(hand_in(code), "POWER = 1")
    session.save(notebook)
    session.run("POWER = 1", code, "POWER = 0.5")
    session.check()
    text = " ".join(session.before().split())

    assert "`POWER` has another value after a clean start (0.5 in your session, 1 after it)" in text
    assert f"cell {number_of(notebook, 'POWER = 1')} sets it" in text


def test_another_result_is_said_even_where_the_cause_is_not_known(session, hand_in):
    """What cannot be compared, such as a dict, still gives another result than the check gave."""
    code = LISTS.replace("math.sqrt(len(q))", "TABLE.get('root', math.sqrt)(len(q))")
    session.save(add_cell(hand_in(code), "TABLE = {'root': int}"))
    session.run("TABLE = {'root': int}", code, "TABLE.clear()")
    session.check()
    text = " ".join(session.before().split())

    assert "In your session the check came to something else" in text
    assert "Next: Press Ctrl+S (on a Mac Cmd+S) to save. Restart the kernel, run all cells, look at the check." in text


def test_comments_and_restyled_lines_are_no_difference(session, hand_in):
    """What does not change the code is not reported, and neither is a cache that the calls filled."""
    code = "seen = {}\n" + LISTS.replace("    out = []", "    out = []\n    seen[str(Q)] = 1")
    session.save(hand_in("# mine\n" + code.replace("return out", "return  out  # done")))
    session.run(code)
    session.check()
    text = session.before()

    assert "session" not in text
    assert "Next: Hand in this notebook." in text


BUILTINS = ["sum = 0\nfor v in [1, 2]:\n    sum = sum + v", "max, len = 3, 4", "range = [1, 2]"]


@pytest.mark.parametrize("scratch", BUILTINS)
@pytest.mark.parametrize("check", [True, False], ids=["the check fails", "not checked"])
def test_a_builtin_hidden_in_the_session_is_only_a_note_where_the_saved_work_passes(session, hand_in, scratch, check):
    """A deleted scratch cell hides `sum` in the session: a right notebook is to be handed in as it is."""
    session.save(hand_in(LISTS))
    session.run(scratch, LISTS)
    if check:
        session.check()
    text = " ".join(session.before().split())
    name = re.match(r"\w+", scratch)[0]

    assert "All 5 examples pass." in text
    assert f"Note: Only your session has a `{name}` of its own, which hides Python's." in text
    assert f"`del {name}`" in text
    assert text.endswith("Next: Hand in this notebook.")
    assert "write it again" not in text


def test_a_builtin_hidden_by_a_helper_that_was_deleted_is_named(session, hand_in):
    """The session passes with its own `sum` only: both ways out are told."""
    code = LISTS.replace("math.sqrt(len(q))", "round(math.sqrt(len(q)))")
    session.save(hand_in(code))
    session.run("def round(number):\n    return number", code)
    session.check()
    text = " ".join(session.before().split())

    assert "a clean start uses Python's `round`." in text
    assert "Next: If your code needs yours, write it again. If not, run `del round` in a new cell" in text


@pytest.mark.parametrize("check", [True, False], ids=["the check fails", "not checked"])
@pytest.mark.parametrize("wrong", [LISTS.replace("len(q)) for", "len(K)) for"), LISTS.replace("return out", "out")])
def test_a_wrong_change_is_not_to_be_saved_over_right_work(session, hand_in, check, wrong):
    """The saved work passes: nobody is told to save the change before the check passes on it."""
    session.save(hand_in(LISTS))
    session.run(LISTS, wrong)
    if check:
        session.check()
    text = " ".join(session.before().split())

    assert "You changed `solve` (cell " in text
    assert "Next: What is saved is right. Run the check cell on your change, and save it only when it passes" in text
    assert "Press Ctrl+S" not in text


def test_of_two_solves_the_one_that_counts_is_told_once(session, hand_in):
    """What the difference says is not said again in a note; a right one that counts is handed in."""
    upper = LISTS.replace("len(q)) for", "len(K)) for")
    session.save(add_cell(hand_in(LISTS), upper))
    session.run(LISTS, upper)
    session.check()
    text = " ".join(session.before().split())

    assert "both define `solve`" in text
    assert "is defined in cells" not in text
    assert text.endswith("Next: Hand in this notebook.")


def test_nobody_is_sent_to_a_cell_that_is_not_there(session, hand_in):
    """Where no cell begins with `def solve`, no sentence speaks of such a cell."""
    session.save(hand_in(LISTS.replace("def solve", "def slove")))
    session.run(LISTS)
    text = session.before()

    assert "No cell of the saved notebook defines `solve`" in text
    assert "in the cell that begins with" not in text
