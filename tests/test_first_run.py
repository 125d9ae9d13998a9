"""A cell that asks for `solve` before the learner's own cell was run says which cell to run first."""

import pytest

SAID = "There is no `solve` yet. Run your own cell first"


@pytest.fixture
def run(client):
    """Return a function that runs a cell in a fresh session; it gives what was printed, and how the cell ended."""
    client.execute_interactive("%reset -f\nfrom course import check", timeout=90, output_hook=[].append)

    def run_it(source):
        heard = []
        reply = client.execute_interactive(
            source, timeout=90, output_hook=lambda message: heard.append(message["content"].get("text", ""))
        )
        return "".join(heard), reply["content"]["status"]

    return run_it


def test_a_check_before_the_own_cell_says_what_to_run(run):
    """Python's own error stays, and one plain sentence stands below it."""
    said, status = run("check(solve, [], lesson='attention')")

    assert status == "error"
    assert SAID in said


@pytest.mark.parametrize("source", ["nothing", "1 / 0", "x = 1", "def solve(Q): return Q\ncheck(solve, [])"])
def test_all_other_cells_are_left_alone(run, source):
    """Other names, other errors, and a `solve` that is there."""
    assert SAID not in run(source)[0]
