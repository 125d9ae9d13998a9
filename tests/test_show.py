"""What a learner reads after pressing check."""

from __future__ import annotations

import io
import math
import re
import subprocess
import sys
from contextlib import redirect_stdout
from html.parser import HTMLParser

import pytest

from course.checking import check
from course.compare import Kind
from course.handed_out import EXAMPLES_CHANGED
from course.judging import Example, judge_examples, read_examples
from course.outcomes import Answered, Raised
from course.report import LikelyMistake, Report
from course.show import summary_line, to_text
from course.show_html import to_html
from course.values import read_value
from course.wording import align, clean

EYE = [[1, 0], [0, 1]]
TEN = [[10, 0], [0, 10]]
EXAMPLES = [
    {"Q": EYE, "K": EYE, "V": TEN, "causal": False, "returns": [[6.69762, 3.30238], [3.30238, 6.69762]]},
    {"Q": EYE, "K": EYE, "V": TEN, "causal": True, "returns": [[10, 0], [3.30238, 6.69762]]},
    {"Q": [[0], [0]], "K": [[0], [0]], "V": [[2], [6]], "causal": False, "returns": [[4], [4]]},
]


def attention(Q, K, V, causal):
    """Give the right answer with plain lists."""
    out = []
    for i, q in enumerate(Q):
        keys = K[: i + 1] if causal else K
        exps = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q))) for k in keys]
        out.append([sum(e * V[j][c] for j, e in enumerate(exps)) / sum(exps) for c in range(len(V[0]))])
    return out


def no_mask(Q, K, V, causal):
    """Forget the causal mask."""
    del causal
    return attention(Q, K, V, causal=False)


def stub(Q, K, V, causal):
    """Stand for the cell as it is handed out."""
    raise NotImplementedError


def says(solve: object, hidden_cases: int = 0) -> str:
    """Return the text a learner reads."""
    return repr(check(solve, EXAMPLES, hidden_cases))


class Tags(HTMLParser):
    """Collect the tags and attributes of a fragment, and see that every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        """Hold a closing tag against the last open one."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Collect text."""
        self.text += data


def test_a_right_answer_is_said_in_one_line_with_what_is_still_to_come():
    """All examples pass: the text says so and how many hidden cases follow."""
    assert says(attention, 36) == "All 3 examples pass.\n36 hidden cases are run when you hand in."


def test_the_stub_gets_one_calm_sentence():
    """A `solve` that is not written yet is no failure: one sentence, no table, no Fail."""
    result = check(stub, EXAMPLES)
    html = result._repr_mimebundle_()["text/html"]

    assert repr(result).startswith("`solve` is not written yet.")
    assert "\n" not in repr(result)
    assert "Fail" not in html
    assert "<table" not in html


def test_a_wrong_answer_shows_call_expected_got_and_difference():
    """The first failing example is shown with numbers that stand below each other."""
    text = says(no_mask)

    assert "Example 2 of 3 gives a different answer.   Passed so far: 1, 3." in text
    assert "solve(Q = [[1, 0], [0, 1]], K = [[1, 0], [0, 1]], V = [[10, 0], [0, 10]], causal = True)" in text
    assert "   expected    10         0             3.30238   6.69762\n" in text
    assert "   got          6.69762   3.30238       3.30238   6.69762\n" in text
    assert "   difference  -3.30238  +3.30238      ok        ok\n" in text
    assert len(text.splitlines()) <= 15


async def awaited(*_):
    """Stand for an `async` function."""


FAULTS = {
    "async": (awaited, "returned a coroutine"),
    "not callable": ([1], "`solve` is a list, not a function."),
    "wrong inputs": (lambda Q, K: Q + K, "in this order: `solve(Q, K, V, causal)`. Python says: "),
    "no return": (lambda *_: None, "Did you forget `return`?"),
    "shape": (lambda Q, *_: Q[0], "returned a flat list of 2 numbers"),
    "generator": (lambda *_: (n for n in [1]), "returned a generator"),
    "nan": (lambda *_: [[math.nan, 1], [1, 1]], "holds nan (not a number) in row 0, column 0"),
    "string": (lambda *_: "<b>", "returned a string"),
}


@pytest.mark.parametrize("situation", FAULTS)
def test_every_fault_of_a_learner_becomes_a_sentence(situation):
    """Nothing a learner's function does escapes from `check` as an exception."""
    solve, sentence = FAULTS[situation]

    text = says(solve)

    assert sentence in text
    assert "Traceback" not in text
    assert len(text.splitlines()) <= 15


@pytest.mark.parametrize("error", [SystemExit, GeneratorExit, RecursionError, MemoryError, StopIteration])
def test_no_kind_of_error_escapes(error):
    """Errors outside of `Exception` become a report as well."""

    def solve(*_):
        raise error

    assert "Example 1 of 3" in says(solve)


def test_an_error_that_cannot_write_itself_is_reported():
    """An error class whose text fails is named without its text."""

    class OddError(Exception):
        def __str__(self) -> str:
            raise ValueError

    def solve(*_):
        raise OddError

    assert "Your code stopped with `OddError` in line" in says(solve)


def test_an_error_points_at_the_innermost_line_of_the_learner():
    """The line quoted is the learner's own, not one inside a library, and it is in the report."""
    names = {"__name__": "__main__"}
    source = "import json\n\ndef help_me(x):\n    return json.loads(x)\n\ndef solve(*_):\n    return help_me('{')\n"
    exec(compile(source, "cell", "exec"), names)  # noqa: S102

    result = check(names["solve"], EXAMPLES)

    assert "in line 4" in repr(result)
    assert result.report.examples[0].line == 4


def test_an_interrupt_is_reported_calmly_and_ends_the_check():
    """Stopping the kernel keeps what passed and calls nothing more."""
    called = []

    def solve(*arguments):
        called.append(1)
        if arguments[3]:
            raise KeyboardInterrupt
        return attention(*arguments)

    text = says(solve)

    assert "You stopped this call." in text
    assert "Passed so far: 1." in text
    assert len(called) == 2
    assert "Fail" not in to_html(check(solve, EXAMPLES).report)


def test_prints_go_to_the_screen_and_are_noticed():
    """A function that prints instead of returning is told so, and its prints are shown."""
    screen = io.StringIO()
    with redirect_stdout(screen):
        text = says(lambda *_: print("here"))

    assert screen.getvalue() == "example 1:\nhere\nexample 2:\nhere\nexample 3:\nhere\n"
    assert "It printed instead" in text


def test_changed_inputs_are_noted_and_the_examples_still_pass():
    """Changing an input gives a note; the learner's changes never reach the examples."""

    def solve(Q, K, V, causal):
        answer = attention(Q, K, V, causal)
        Q[0][0] = V[0] = 7
        return answer

    before = repr(EXAMPLES)
    result = check(solve, EXAMPLES)

    assert result.points == 3.0
    assert "Your function changes its inputs Q and V. Hidden cases look for that, and it costs a point." in repr(result)
    assert repr(EXAMPLES) == before


def test_stock_nbgrader_reads_the_number_of_passed_examples(monkeypatch):
    """While nbgrader runs the cell its text is the number that becomes partial credit."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")

    assert check(no_mask, EXAMPLES)._repr_mimebundle_()["text/plain"] == "2.0"
    assert check(stub, EXAMPLES)._repr_mimebundle_()["text/plain"] == "0.0"


def test_two_different_numbers_never_look_alike():
    """As many digits are shown as it takes to see the difference."""
    text = repr(check(lambda _: 1_500_045_000.5, [{"x": 1, "returns": 1_500_000_000.5}]))

    expected, got = (line.split()[1] for line in text.splitlines() if line.startswith(("   expected", "   got")))
    assert expected != got


def test_a_large_table_is_cut_and_says_so():
    """Of a large answer the different rows and columns are shown, with a line about the rest."""
    want = [[float(i + j) for j in range(20)] for i in range(30)]
    got = [[n + (i == 17 and j == 11) for j, n in enumerate(row)] for i, row in enumerate(want)]

    report = check(lambda _: got, [{"x": 1, "returns": want}]).report

    assert re.search(r"\d of 30 rows and 6 of 20 columns are shown", to_text(report))
    assert len(to_text(report).splitlines()) <= 15
    assert "row 17" in to_text(report)
    assert "column 11" in to_html(report)


def test_an_empty_list_of_examples_is_never_a_pass():
    """No examples is never "all examples pass": the report says that their cell was changed, and gives no points."""
    result = check(attention, [])

    assert repr(result) == EXAMPLES_CHANGED
    assert result.points == 0.0


def test_an_example_without_numbers_is_an_error_of_the_course():
    """An example must have an answer to compare with."""
    with pytest.raises(ValueError, match='"returns" of an example is None'):
        read_examples([{"x": 1}])


def test_judging_is_a_function_of_outcomes_alone():
    """The grader judges outcomes of its sandbox with the same function and the same words."""
    examples = [Example({"x": 1}, read_value([1.0])), Example({"x": 2}, read_value([2.0]))]
    outcomes = [Answered(read_value([1])), Raised("KeyError", "'k'", cell=3, line=2, code="d['k']")]

    first, second = judge_examples(examples, outcomes)

    assert (first.passed, first.call, first.table) == (True, "solve(x = 1)", None)
    assert (second.kind, second.line) == (Kind.RAISED, 2)
    assert "`KeyError` ('k') in cell 3, line 2: `d['k']`" in second.says


def with_mistake(report: Report) -> Report:
    """Add a known mistake to a report."""
    mistake = LikelyMistake("m", "These are the numbers of another formula.", 2, "Score each key")
    return Report("", report.examples, report.points_for_examples, mistake=mistake)


def test_a_known_mistake_names_one_step_to_reread():
    """A known mistake gives its advice, one step, and one next action, in 15 lines."""
    text = to_text(with_mistake(check(no_mask, EXAMPLES).report))

    assert "Likely mistake: These are the numbers of another formula." in text
    assert "Reread: step 2, “Score each key”." in text
    assert text.count("Next: ") == 1
    assert len(text.splitlines()) <= 15


def test_the_fragment_needs_nothing_that_an_untrusted_notebook_drops():
    """Only plain tags with inline styles, links to the lesson, real header cells, no colour, no script, no class."""
    page = Tags(to_html(with_mistake(check(no_mask, EXAMPLES).report)))

    assert {tag for tag, _ in page.tags} == {
        *("div", "p", "a", "strong", "table", "thead", "tbody", "tr", "th", "td"),
    }
    assert not page.open
    assert all(set(names) <= {"style", "href", "scope", "tabindex"} for _, names in page.tags)
    assert {names["scope"] for tag, names in page.tags if tag == "th"} == {"col", "row"}
    assert not any(
        re.search(r"(^|;)color:|background:(?!transparent)", names.get("style") or "") for _, names in page.tags
    )
    assert "✗ Fail. Example 2 of 3" in page.text


def test_what_a_learner_wrote_is_escaped():
    """Markup and terminal codes in an error message stay text."""

    def solve(*_):
        raise ValueError("<script>`x`</script>\x1b[31m\u202e\ud800")

    html = to_html(check(solve, EXAMPLES).report)

    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert html.encode("utf-8")
    assert "\x1b" not in html
    assert "\u202e" not in html


def test_long_text_is_cut_and_says_so():
    """A flood of text is cut."""
    assert clean("x" * 9000, 10) == "xxxxxxxxxx ... (cut)"


def test_numbers_are_aligned_at_their_points():
    """Numbers with and without a point stand below each other."""
    assert align(["10", "6.5", "-3.25"]) == ["10   ", " 6.5 ", "-3.25"]


def test_a_report_has_one_line_of_summary():
    """The summary says what failed first."""
    assert summary_line(check(attention, EXAMPLES).report) == "All 3 examples pass."
    assert summary_line(check(no_mask, EXAMPLES).report).startswith(
        "Example 2 of 3 gives a different answer. The answer"
    )


def test_checking_a_lesson_imports_the_standard_library_only():
    """`course` is imported and checks a lesson where neither numpy nor matplotlib is installed."""
    code = (
        "import sys; sys.modules.update(numpy=None, matplotlib=None); from course import check; "
        "print(check(lambda x: x, [{'x': 1, 'returns': 1}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("The example passes.\n", "")
