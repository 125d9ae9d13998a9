"""Cells and notebooks as students hand them in, for the tests of reading them."""

RELEASED = {
    "examples": "examples = [1, 2, 3]\ncheck(solve, examples)",
    "hidden": "# Hidden cases run when you hand in.",
}
RIGHT = "def solve(x):\n    return x"


def code(source, grade_id=None, **mark):
    """Make a code cell, with nbgrader's mark if it has an id."""
    metadata = {"nbgrader": {"grade_id": grade_id, **mark}} if grade_id else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def text(source):
    """Make a Markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


STUB = 'def solve(x):\n    """Give x:\n\n    return it.\n    """\n    # YOUR CODE HERE\n    raise NotImplementedError'
WORKED = f"The worked solution:\n\n```python\n{RIGHT}\n```\nDone."


def locked():
    """Return the two locked cells as released."""
    return [code(RELEASED["examples"], "examples"), code(RELEASED["hidden"], "hidden")]
