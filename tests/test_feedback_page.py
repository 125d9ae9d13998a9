"""The page a student gets back."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import nbformat
import pytest
from conftest import LESSON

from autograder.feedback_comparison import describe, picture_of
from autograder.feedback_page import CellScore, FeedbackInput, render_feedback
from autograder.nbgrader_plugin import FeedbackExporter, ScoresOfSubmission
from autograder.notebooks import mend, write_report
from course.compare import Kind
from course.report import Clue, ExampleResult, GroupResult, LikelyMistake, Report, Table
from course.submission import Cell, read_submission

CALL = "solve(Q = [[1, 0]], causal = True)"
TABLE = Table(CALL, (("10", "0"),), (("6.69762", "3.30238"),), (("-3.30238", "+3.30238"),))
GOOD = ExampleResult(1, Kind.PASSED, "The answer is right.", CALL)
WRONG = ExampleResult(2, Kind.VALUES, "The answer is different: 6.69762 instead of 10.", CALL, TABLE)
RAISED = ExampleResult(
    1, Kind.RAISED, "Your code stopped with `KeyError` in cell 9, line 2: `return d[k]`.", CALL, line=2, cell=9
)
PASSED_GROUP = GroupResult("One token", "There is only one token.", 2.0, 2.0, 3, 3, "")
FAILED_GROUP = GroupResult("Large scores", "The scores are very large.", 3.0, 0.0, 4, 1, "Your answer holds nan.")
REPORT = Report(
    lesson="09_attention",
    examples=(GOOD, WRONG),
    points_for_examples=5.0,
    groups=(PASSED_GROUP, FAILED_GROUP),
    hidden_cases=7,
    mistake=LikelyMistake("m", "These are the numbers without the mask.", 1, "A causal query sees only keys 0 to i"),
    notes=("The check cell was put back.",),
    printed="<i>mine</i>\n",
)
PAGE = FeedbackInput(
    REPORT, (Cell(9, "def solve(Q):\n    return d[k]\n"),), "student-01", 11.0, 15.0, comments=("Well tried.\n<3",)
)
VOID = {"meta", "br", "img", "link"}


class Page(HTMLParser):
    """Read a page: its tags in order and its visible text; every tag must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        """Hold a closing tag against the last open one."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Collect text."""
        if "style" not in self.open:
            self.text += re.sub(r"\s+", " ", data)

    def names(self) -> list[str]:
        """Return the tags in order."""
        return [tag for tag, _ in self.tags]


def test_points_and_the_next_step_come_first():
    """Before anything else a student reads the points and what to do next."""
    text = Page(render_feedback(PAGE)).text

    assert text.index("Lesson 09: attention") < text.index("11 of 15 points") < text.index("Next step:")
    assert text.index("Next step:") < text.index("Well tried.") < text.index("Look at example 2 first")
    assert "Read step 1 again" in text


@pytest.mark.parametrize(
    "ungraded",
    [
        replace(PAGE, score=None),
        replace(PAGE, score=None, cell_scores=(CellScore("Hidden cases", None, 10.0),)),
        replace(PAGE, score=0.0, cell_scores=(CellScore("Hidden cases", None, 10.0),)),
    ],
)
def test_ungraded_is_said_and_never_zero(ungraded):
    """A submission without all its scores is "not graded yet": no part of it is shown as 0, even where it failed."""
    text = Page(render_feedback(ungraded)).text

    assert "Not graded yet" in text
    assert ("Hidden cases: not graded yet" in text) == bool(ungraded.cell_scores)
    assert not re.search(r"\b0 (of|points)", text)
    assert "Fail0 of 3" in Page(render_feedback(PAGE)).text


def test_where_the_gradebook_has_no_score_the_page_says_so(lesson, released):
    """Nbgrader reads a missing score as 0; the page it writes with our stages says that it is missing."""
    submission = read_submission(released, lesson.released)
    mend(released, lesson, submission.roles, ())
    write_report(released, REPORT, {})
    scores = {
        "examples": SimpleNamespace(auto_score=None, manual_score=None, score=0.0, max_score=5.0),
        "hidden": SimpleNamespace(auto_score=None, manual_score=4.0, score=4.0, max_score=10.0),
    }
    stage = ScoresOfSubmission()
    stage.notebook_id, stage.assignment_id, stage.student_id = "attention", LESSON, "s1"
    stage.gradebook = SimpleNamespace(
        find_grade=lambda cell, *_: scores[cell], find_comment=lambda *_: SimpleNamespace(comment=None)
    )
    notebook = nbformat.from_dict(released)
    for at, cell in enumerate(notebook.cells):
        stage.preprocess_cell(cell, {}, at)
    marks = {"assignment": LESSON, "student": "s1", "score": 4.0, "max_score": 15.0}
    page, _ = FeedbackExporter().from_notebook_node(notebook, {"nbgrader": marks})
    text = Page(page).text

    assert "Not graded yet" in text
    assert "Worked examples: not graded yet" in text
    assert "Hidden cases: 4 of 5 points (changed by your instructor)" in text
    assert not re.search(r"\b0 (of|points)", text)


def test_the_structure_serves_a_screen_reader():
    """One language, one main, one h1, then h2; header cells with a scope; every region has a name."""
    page = Page(render_feedback(PAGE))
    headings = [tag for tag in page.names() if re.fullmatch(r"h\d", tag)]

    assert ("html", {"lang": "en"}) in page.tags
    assert page.names().count("main") == 1
    assert headings[0] == "h1"
    assert set(headings[1:]) == {"h2"}
    assert all(names.get("scope") for tag, names in page.tags if tag == "th")
    assert all(names.get("aria-label") for _, names in page.tags if "tabindex" in names)
    ids = {names["id"] for _, names in page.tags if "id" in names}
    assert {names["aria-labelledby"] for tag, names in page.tags if tag == "section"} <= ids


def test_the_page_is_one_file_without_script_or_network():
    """Nothing is loaded and nothing runs."""
    html = render_feedback(PAGE)

    assert not {"script", "link", "img", "iframe"} & set(Page(html).names())
    assert not re.search(r"https?:|url\(|@import", html)


def test_it_reads_in_the_dark_on_a_phone_and_on_paper():
    """The style has a dark, a narrow and a print form, and shows the focus."""
    html = render_feedback(PAGE)

    assert all(
        part in html for part in ("prefers-color-scheme: dark", "max-width: 30rem", "@media print", ":focus-visible")
    )


def test_every_part_has_a_row_with_its_points():
    """Each example and each hidden group has one row: name, passed or not in words, points."""
    rows = [Page(row).text for row in re.findall(r'<tr><th scope="row"><span class="name">.*?</tr>', page_of())]

    assert [re.sub(r"^(Example \d|One token|Large scores).*?([✓✗].*)$", r"\1: \2", row) for row in rows] == [
        "Example 1: ✓ Pass2.5 of 2.5",
        "Example 2: ✗ Fail0 of 2.5",
        "One token: ✓ Pass2 of 2",
        "Large scores: ✗ Fail0 of 3",
    ]


def page_of(**changes):
    """Render the page of the report with these changes."""
    return render_feedback(replace(PAGE, report=replace(REPORT, **changes)))


def test_the_first_failing_example_is_shown_in_full():
    """The call, expected, got, difference, the likely mistake by name and in words, and the step are on the page."""
    text = Page(render_feedback(PAGE)).text

    assert CALL in text
    assert all(part in text for part in ("expected", "got", "difference", "6.69762", "-3.30238"))
    assert "Likely mistake: m These are the numbers without the mask." in text
    assert "step 1, “A causal query sees only keys 0 to i”." in text


def test_the_first_failing_example_has_a_picture():
    """Two heat maps, each with a text alternative; what differs is outlined and has a sign; the words say the same."""
    page = Page(render_feedback(PAGE))
    labels = [names["aria-label"] for tag, names in page.tags if tag == "svg" and names["role"] == "img"]
    squares = [names["class"] for tag, names in page.tags if tag == "rect"]

    assert labels == [
        "Expected answer: 1 row, 2 columns. The table above has its numbers.",
        "Your answer: 1 row, 2 columns. The table above has its numbers.",
    ]
    assert squares == ["plus", "plus", "plus differs", "plus differs"]
    assert "6.70▼" in page.text
    assert "3.30▲" in page.text
    assert "All 2 numbers are different." in page.text


@pytest.mark.parametrize("examples", [(GOOD,), (RAISED,), (replace(WRONG, kind=Kind.SHAPE, table=None),)])
def test_without_numbers_to_compare_there_is_no_picture(examples):
    """A picture compares two answers of one shape; where all examples pass, one calm line stands in its place."""
    text = page_of(examples=examples)

    assert "<svg" not in text
    assert ("nothing to compare in a picture" in text) == (examples == (GOOD,))


@pytest.mark.parametrize(
    ("difference", "says"),
    [
        (("+1",), "The number is different."),
        (("ok -1", "ok -1"), "2 of 4 numbers are different. Column 0 is right. They are all too small."),
        (("ok ok", "+1 ok"), "1 of 4 numbers is different. Row 0 is right. Column 1 is right. It is too large."),
        (("ok ok", "+1 -1", "ok ok"), "2 of 6 numbers are different. Rows 0 and 2 are right."),
        (("nan nan", "nan nan"), "All 4 numbers are different."),
    ],
)
def test_the_picture_is_told_in_words(difference, says):
    """How many numbers differ, which rows and columns are right, and whether all differences go one way."""
    rows = tuple(tuple(row.split()) for row in difference)
    same = tuple(("1",) * len(row) for row in rows)

    assert describe(Table(CALL, same, same, rows)) == says


def test_a_picture_takes_any_number():
    """Nothing, infinity, huge and tiny numbers are drawn; a large answer is cut as its table is."""
    numbers = ("nan", "inf", "-inf", "1e+300", "-1.5e-07", "0")
    picture = picture_of(Table(CALL, (("0",) * 6,), (numbers,), (("nan", "+inf", "-inf", "+1e+300", "ok", "ok"),)))
    large = picture_of(Table(CALL, *((("0.12345",) * 40,) * 40,) * 2, (("-0.5",) * 40,) * 40))

    assert re.findall(r'class="n"[^>]*>([^<]*)<', picture.got) == ["nan", "inf", "-inf", "1e+300", "-1.50e-07", "0"]
    assert re.findall(r'class="sign"[^>]*>([^<]*)<', picture.got) == ["✗", "▲", "▼", "▲"]
    assert picture.key.startswith("Outlined: different (▲ too large, ▼ too small, ✗ no number).")
    assert large.got.count("<rect") == 36
    assert len(large.got) < 20_000


def test_a_hidden_group_shows_its_name_its_sentence_and_safe_words_only():
    """Of a hidden group nothing else of the report is on the page, not even the number of failed cases."""
    html = render_feedback(replace(PAGE, report=replace(REPORT, examples=(GOOD,), mistake=None)))
    row = Page(re.search(r"<tr><th scope=\"row\"><span class=\"name\">Large scores.*?</tr>", html)[0]).text

    assert row == "Large scores The scores are very large. Your answer holds nan.✗ Fail0 of 3"
    assert "7 hidden cases in 2 groups." in Page(html).text


def test_the_line_that_stopped_is_marked():
    """The student's code has line numbers, and the line of the error says so in words."""
    page = Page(render_feedback(replace(PAGE, report=replace(REPORT, examples=(RAISED, WRONG), mistake=None))))

    assert page.text.count("your code stopped here") == 1
    assert "return d[k]↑ your code stopped here" in page.text
    assert [names["href"] for tag, names in page.tags if tag == "a"] == ["#stopped"]
    assert [names["class"] for _, names in page.tags if names.get("id") == "stopped"] == ["stopped"]
    assert "Start with example 1, below. Look at line 2" in page.text


def test_a_line_of_another_cell_is_not_marked():
    """An error in a helper of another cell marks no line of the cell that is shown."""
    page = Page(
        render_feedback(replace(PAGE, report=replace(REPORT, examples=(RAISED,)), cells=(Cell(5, "a = 1\nb = 2"),)))
    )

    assert "your code stopped here" not in page.text
    assert "a" not in page.names()


def test_notes_prints_and_comments_are_there_and_escaped():
    """What was mended, what the code printed and what the instructor wrote are text, never markup."""
    html = render_feedback(PAGE)

    assert "The check cell was put back." in html
    assert "&lt;i&gt;mine&lt;/i&gt;" in html
    assert "Well tried.\n&lt;3" in html


def test_everything_passing_says_well_done():
    """A full score has no failing part and points forward."""
    report = Report("09_attention", (GOOD,), 5.0, (PASSED_GROUP,), 3)
    text = Page(render_feedback(FeedbackInput(report, (Cell(9, "x"),), "student-02", 7.0, 7.0))).text

    assert "7 of 7 points" in text
    assert "Everything passes. Well done." in text
    assert "Fail" not in text
    assert "What your code printed" not in text


def test_the_stub_is_told_once():
    """A `solve` that is not written gets one next step, not the same sentence in every row."""
    says = "`solve` is not written yet. Write your code in its cell, then run this cell again."
    examples = tuple(ExampleResult(number, Kind.NOT_WRITTEN, says, CALL) for number in (1, 2))
    report = Report("09_attention", examples, 5.0, (replace(FAILED_GROUP, says=says),) * 3, 7)
    text = Page(render_feedback(FeedbackInput(report, (), "student-03", 0.0, 15.0))).text

    assert "Next step: Write solve in your notebook" in text
    assert "run this cell again" not in text


def test_a_missing_function_is_said():
    """Where there is no `solve`, the page says so in its first lines."""
    says = "There is no function `solve`. Write it in the cell that begins with `def solve`, then run that cell."
    report = replace(REPORT, examples=(ExampleResult(1, Kind.MISSING, says, CALL),), mistake=None)

    assert "15 points There is no function solve." in Page(render_feedback(replace(PAGE, report=report))).text


def test_the_same_error_in_every_example_is_told_once():
    """The first failing example is told in full once; its row and a repeated sentence point back to that."""
    page = page_of(examples=(RAISED, replace(RAISED, number=2)), mistake=None)

    assert page.count("Your code stopped with") == 1
    assert "Shown in full above." in page
    assert "The same as in example 1." in page


def test_hidden_failures_alone_give_a_next_step_without_any_data():
    """When only hidden cases fail, the page begins with the group: its sentence and the safe words."""
    text = Page(page_of(examples=(GOOD,), mistake=None)).text

    assert "The example passes. Of 2 groups of hidden cases, 1 still fails." in text
    assert "Think of a call of your own for “Large scores”" in text
    assert "Look at “Large scores” first The scores are very large. Your answer holds nan." in text


def test_a_mistake_that_only_hidden_cases_show_is_named():
    """Where the hidden answers are those of a known mistake, its name, its advice and the step are on the page."""
    text = Page(page_of(examples=(GOOD,))).text

    assert text.index("Look at “Large scores” first") < text.index("Likely mistake: m These are the numbers")
    assert "Next step: Read step 1 again" in text


def test_without_a_known_mistake_the_page_says_what_the_answer_shows():
    """Where no known mistake fits, what is right already, the clue and its step stand in the mistake's place."""
    page = Page(page_of(mistake=None, clue=Clue("Row 1 adds up to 0.83.", 3, "Softmax"), already="step 1."))
    text = " ".join(page.text.split())

    assert "Right already: step 1. What your answer shows Row 1 adds up to 0.83. Reread: step 3, “Softmax”." in text
    assert "Next step: Read step 3 again" in text
    assert "Reread" not in page_of(mistake=None, clue=Clue("Each number is 2 times too large."))


def test_the_page_has_no_formula_that_needs_a_program(lesson):
    """Steps, advice and sentences of hidden groups are plain text, so the page shows them without MathJax."""
    texts = [*lesson.steps, *(m.advice for m in lesson.mistakes), *(g.sentence for g in lesson.groups)]

    assert len(texts) > 20
    assert [text for text in texts if re.search(r"[$\\]", text)] == []


@pytest.mark.parametrize("flood", ["'", "<", "\x1b[31m\ud800", "a\n", "\u202e", "`"])
def test_a_flood_stays_under_100_kb(flood):
    """Whatever a submission holds, the page stays small and can be written as UTF-8."""
    much = flood * 50_000
    examples = tuple(replace(RAISED, number=number, says=f"{number}{much}") for number in range(1, 6))
    groups = tuple(replace(FAILED_GROUP, name=str(number), says=f"{number}{much}") for number in range(10))
    report = replace(REPORT, examples=examples, groups=groups, printed=much, notes=(much,) * 20)

    page = render_feedback(replace(PAGE, report=report, cells=(Cell(9, much),) * 30, comments=(much,) * 9))

    assert len(page.encode("utf-8")) < 100_000
    Page(page)


def test_the_same_input_gives_the_same_page():
    """No time, no random number is on the page."""
    assert render_feedback(PAGE) == render_feedback(PAGE)
