"""What a learner reads where Python could not read a cell."""

import pytest

from course.unreadable import UNREADABLE, place_in_cell, plain_words, why_unreadable

RIGHT = "def solve(x):\n    y = 2 * x\n    return y\n"
KINDS = {
    "a colon is missing": (RIGHT.replace("):", ")"), 1, "A `:` is missing"),
    "a bracket stays open": (RIGHT.replace("2 * x", "(2 * x"), 2, "The bracket `(` on this line is never closed."),
    "a bracket too many": (RIGHT.replace("2 * x", "2 * x)"), 2, "The bracket `)` closes nothing"),
    "brackets of two kinds": (RIGHT.replace("2 * x", "(2 * x]"), 2, "The bracket `]` closes a `(`"),
    "too many spaces": (RIGHT.replace("    return", "      return"), 3, "more spaces in front than the line above"),
    "too few spaces": (RIGHT.replace("    return", "  return"), 3, "not that of any line above it"),
    "no spaces": (RIGHT.replace("    y", "y"), 2, "must be indented"),
    "nothing inside": ("def solve(x):\n", 1, "`solve` has no lines yet"),
    "notes inside": ("def solve(x):\n\n    # step 1\n    # step 2\n", 1, "`solve` has no lines yet"),
    "several lines of inputs": ("import math\n\ndef solve(\n    x,\n):\n\n", 3, "`solve` has no lines yet"),
    "a helper without lines": (f"def helper(x):\n\n\n{RIGHT}", 1, "`helper` has no lines yet"),
    "a loop at the end": ("def solve(x):\n    y = 1\n    for i in x:\n", 3, "begins in line 3 has no lines yet"),
    "a loop with a note": ("def solve(x):\n    for i in x:\n        # add\n\n", 2, "begins in line 2 has no lines yet"),
    "an if above its else": (
        "def solve(x):\n    if x:\n        # 1\n    else:\n        y = 1\n    return 1\n",
        2,
        "begins in line 2 has no lines yet",
    ),
    "an else at the end": (
        "def solve(x):\n    if x:\n        y = 1\n    else:\n",
        4,
        "begins in line 4 has no lines yet",
    ),
    "a loop above a line further left": (
        "def solve(x):\n    for i in x:\n        for j in x:\n    return 1\n",
        3,
        "begins in line 3 has no lines yet",
    ),
    "tabs and spaces": (RIGHT.replace("    return", "\treturn"), 3, "Tabs and spaces are mixed"),
    "return outside": (RIGHT.replace("    return", "return"), 3, "This `return` is outside the function"),
    "a fence": (f"{RIGHT}```\n", 4, "It is no Python: delete it."),
    "a text without end": (RIGHT.replace("2 * x", "'2"), 2, "the quote that ends it is missing"),
    "one equals sign": (RIGHT.replace("y = 2 * x", "if y = x: pass"), 2, "To compare, write `==`"),
    "a quote from a book": (RIGHT.replace("2 * x", "“2”"), 2, "none of Python's"),
    "def is misspelt": (RIGHT.replace("def", "de"), 1, "on this line or on the one above it. Python says: invalid"),
}


@pytest.mark.parametrize(("source", "line", "says"), KINDS.values(), ids=KINDS)
def test_each_kind_is_said_in_plain_words_with_its_line(source, line, says):
    """The line is quoted, and what is wrong with it is said without a word of Python's where the kind is known."""
    fault = why_unreadable(source)

    assert fault.error in UNREADABLE
    assert fault.line == line
    assert says in plain_words(fault)
    code = source.splitlines()[line - 1].strip()
    assert place_in_cell(fault) == (f"line {line}" if "`" in code else f"line {line}, `{code}`")


READABLE = {
    "plain": RIGHT,
    "magics": "%time y = 1\n!ls\nx = %pwd\n",
    "another language": "%%bash\nfor i in *; do",
    "await": "await f()",
}


@pytest.mark.parametrize("source", READABLE.values(), ids=READABLE)
def test_what_jupyter_runs_is_no_fault(source):
    """Magics, shell lines and a bare `await` are read as Jupyter reads them."""
    assert why_unreadable(source) is None


def test_no_text_breaks_it():
    """Empty, huge and odd texts come to a value."""
    for source in ("", "\x00", "\ufeff", "(" * 5000, "1+" * 100_000 + "1", "def f(:\r\n", "x = '\ud800'"):
        fault = why_unreadable(source)

        assert fault is None or (place_in_cell(fault) and plain_words(fault))
