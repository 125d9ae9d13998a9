"""The class report: what it counts, what its page shows and hides, and that it comes from the records alone."""

import csv
import io
import json
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import LESSON, ROOT
from course_root import Round

from autograder.class_report import write_csv
from autograder.class_report_facts import Mark, count_class
from autograder.class_report_page import render_class
from autograder.class_report_records import ClassRecords, Student, read_records
from autograder.gradebook import Gradebook
from autograder.loading import load_lesson
from autograder.marks import Marks
from autograder.regrades import Change, Regrade
from autograder.sample_class import PLAIN, RIGHT, Answer, fill_in
from course.compare import Kind
from course.report import ExampleResult, GroupResult, LikelyMistake, Report

AT = "2026-01-31T12:00:00+00:00"
ONE_TOKEN = "one token"  # noqa: S105  # a hidden group
COLUMNS = LikelyMistake("columns", "Go along `rows`.", 3, "Weights")
SCALE = LikelyMistake("scale", "Divide by the width.", 2, "Scores")
RIGHT_IMAGE = re.compile(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,[^"]+" width="\d+" height="\d+">')


def made(lesson, *, kind=Kind.PASSED, examples=(), groups=(), mistake=None):
    """Make a report in which these examples and groups fail with this kind."""
    shown = tuple(ExampleResult(n, kind if n in examples else Kind.PASSED, "said", "solve()") for n in range(1, 6))
    hidden = tuple(
        GroupResult(g.name, g.sentence, 1, float(g.name not in groups), 2, 0 if g.name in groups else 2, "", kind=k)
        for g in lesson.groups
        for k in [kind if g.name in groups else Kind.PASSED]
    )
    return Report(lesson.id, shown, 5, hidden, mistake=mistake)


def marked(name, report, points):
    """Make a student with a mark."""
    return Student(name, handed_in=True, report=report, points=points)


@pytest.fixture(scope="module")
def records():
    """A class of eight: three right, two with one mistake, one with another, one stub, one that cannot be read."""
    lesson = load_lesson(LESSON, ROOT)
    names = [group.name for group in lesson.groups]
    scaled = made(lesson, kind=Kind.VALUES, examples=[5], groups=names[1:], mistake=SCALE)
    stub = made(lesson, kind=Kind.NOT_WRITTEN, examples=range(1, 6), groups=names)
    students = (
        *(marked(f"right-{n}", made(lesson), 15.0) for n in range(3)),
        marked("scaled-1", scaled, 5.0),
        marked("scaled-2", scaled, 5.0),
        marked("columns", made(lesson, kind=Kind.RAISED, groups=[ONE_TOKEN], mistake=COLUMNS), 14.0),
        marked("stub", stub, 0.0),
        Student("=broken", handed_in=True, why="<b>=broken</b> is no notebook"),
        Student("absent", handed_in=False),
    )
    changes = (Change("columns", 13.0, 14.0, "Hidden cases: one token."),)
    return ClassRecords(lesson, students, ("submitted/absent.txt",), Regrade(AT, changes))


@pytest.fixture(scope="module")
def page(records):
    """The page of this class."""
    return render_class(count_class(records), AT)


# --- what is counted ---


def test_nobody_is_counted_twice_or_left_out(records):
    """Handed in, graded and passed are told apart; what cannot be graded is no zero."""
    facts = count_class(records)

    assert (facts.students, facts.handed_in, facts.graded) == (9, 8, 7)
    assert (facts.all_right, facts.examples_right, facts.not_started) == (3, 4, 1)
    assert [(bar.label, bar.number) for bar in facts.points if bar.number] == [("0", 1), ("5", 2), ("14", 1), ("15", 3)]
    assert [work.student for work in facts.not_graded] == ["=broken"]
    assert facts.missing == ("absent",)


def test_mistakes_come_by_frequency_with_advice_and_step(records):
    """The most frequent mistake is first, with its advice, its students and the step to reteach."""
    facts = count_class(records)

    assert [(each.mistake, each.students) for each in facts.mistakes] == [
        (SCALE, ("scaled-1", "scaled-2")),
        (COLUMNS, ("columns",)),
    ]
    assert [(step.label, step.number) for step in facts.steps] == [("Step 2. Scores", 2), ("Step 3. Weights", 1)]
    assert [(each.label, each.number) for each in facts.first_failing] == [
        ("example 5", 2),
        ("hidden: one token", 1),
        ("example 1", 1),
    ]


def test_groups_that_tell_little_are_named(records):
    """A group that caught nobody, or everybody who wrote something, is named; stubs do not count."""
    facts = count_class(records)
    some = replace(records, students=tuple(s for s in records.students if s.id.startswith(("scaled", "columns"))))

    assert facts.caught_nobody == (records.lesson.groups[0].name,)
    assert facts.caught_everybody == ()
    assert count_class(some).caught_everybody == (ONE_TOKEN,)


def test_each_case_has_its_mark(records):
    """A wrong answer, no answer and a case that an older lesson did not have are three different marks."""
    report = replace(made(records.lesson), groups=())
    old = replace(records, students=(*records.students, marked("old", report, 5.0)))
    facts = count_class(old)
    marks = {
        line.student: dict(zip([case.label for case in facts.cases], line.marks, strict=True)) for line in facts.lines
    }

    assert marks["scaled-1"]["example 5"] is marks["scaled-1"][ONE_TOKEN] is Mark.WRONG
    assert marks["columns"][ONE_TOKEN] is marks["stub"]["example 1"] is Mark.NO_ANSWER
    assert marks["old"][ONE_TOKEN] is Mark.NOT_RUN
    assert facts.lines[0].student == "stub"
    assert facts.all_right == 3
    assert "one token (not run)" in render_class(facts, AT)


def test_points_by_hand_and_part_points_have_their_bar(records):
    """Half points and points above the most are counted too."""
    odd = replace(records, students=tuple(marked(f"s{p}", made(records.lesson), p) for p in (2.5, 3.0, 16.0)))
    bars = count_class(odd).points

    assert [(bar.label, bar.number) for bar in bars if bar.number] == [
        ("2 to under 3", 1),
        ("3 to under 4", 1),
        ("16 to under 17", 1),
    ]


# --- the page and the files ---


def test_page_is_self_contained(page):
    """No script, no network, a language; every picture has a dark form, and a description with its numbers."""
    pictures = RIGHT_IMAGE.findall(page)

    assert '<html lang="en">' in page
    assert not re.search(r"<script|<link|<iframe|javascript:|https?://|@import|url\(", page)
    assert len(pictures) == page.count("<img") == page.count('prefers-color-scheme: dark)" srcset=') == 4
    assert "scale: 2; columns: 1" in pictures[0]
    assert "0: 1; 5: 2; 14: 1; 15: 3" in pictures[1]
    assert "example 5: 2" in pictures[2]
    assert "one token (4)" in pictures[3]


def test_page_says_what_to_reteach_and_why_work_has_no_mark(page):
    """The step to reteach, the advice, the reason for a missing mark and the regrade's changes are on the page."""
    for words in (
        "Reteach first: Step 2. Scores.",
        ">rows</code>.",
        "&lt;b&gt;=broken&lt;/b&gt; is no notebook",
        "Nothing handed in",
        "submitted/absent.txt",
        "Hidden cases: one token.",
    ):
        assert words in page, words


def test_every_picture_has_its_table(page):
    """Mistakes, points, first failing cases, cases and students are tables too."""
    for words in (
        ">Points as a table<",
        ">First failing cases as a table<",
        ">Cases as a table<",
        ">Students as a table<",
    ):
        assert words in page, words
    assert re.search(r'columns</span>.*<td class="number">1<br>', page)
    assert re.search(r">scaled-1</th><td[^>]*>5</td><td>example 5, ", page)


def test_an_anonymous_report_names_nobody(records):
    """Page, CSV and JSON of an anonymous report hold no id, also not in a reason."""
    facts = count_class(records, anonymous=True)
    texts = render_class(facts, AT), write_csv(facts), repr(facts)

    for text in texts:
        assert [
            student.id for student in records.students if student.id not in {"columns", "stub"} and student.id in text
        ] == []
    assert {line.student for line in facts.lines} == {""}
    assert facts.regrade.changes[0].student == ""


def test_csv_has_every_student_and_no_formula(records):
    """One row for each student with a mark for each case; what looks like a formula is text."""
    table = list(csv.DictReader(io.StringIO(write_csv(count_class(records)))))
    rows = {row["student"]: row for row in table}

    assert len(table) == len(records.students)
    assert rows["'=broken"]["status"] == "not graded"
    assert rows["absent"]["status"] == "nothing handed in"
    assert rows["scaled-1"]["points"] == "5"
    assert rows["scaled-1"][ONE_TOKEN] == "another answer"


def test_a_class_without_marks_has_a_page(records):
    """Before grading, the page says which command to run."""
    empty = replace(records, students=(Student("absent", handed_in=False),), regrade=None)

    assert f"autograder grade {LESSON}" in render_class(count_class(empty), AT)


def test_the_same_class_gives_the_same_bytes(records, page):
    """A page is made from the records alone."""
    assert render_class(count_class(records), AT) == page


# --- from a graded class ---


def autograder(this, *words):
    """Run `autograder` in a course root; return what it printed and the CPU seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "autograder", *words]
    done = subprocess.run(command, cwd=this.course, env=this.environment, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of four, graded: right, wrong, a file that is no notebook, and one whose second try is none."""
    this = Round(tmp_path_factory.mktemp("class"))
    this.run("generate_assignment", LESSON)
    released = this.notebook("release").read_text("utf-8")
    codes = {"s1": RIGHT, "s2": PLAIN.replace("SCALE", "math.sqrt(len(K))"), "s3": None, "s4": RIGHT}
    for student, code in codes.items():
        path = this.notebook("submitted", student)
        path.parent.mkdir(parents=True)
        path.write_text("{" if student == "s3" else fill_in(released, Answer(code)), encoding="utf-8")
    autograder(this, "grade", LESSON)
    this.notebook("submitted", "s4").write_text("{", encoding="utf-8")
    with sqlite3.connect(this.course / "gradebook.db") as database:
        database.execute("update grade set auto_score = 1 where auto_score = 10")
    database.close()
    autograder(this, "grade", LESSON, "--regrade")
    autograder(this, "grade", LESSON)
    return this


@pytest.mark.slow
def test_report_comes_from_the_records_alone(graded):
    """With the submissions gone bad after grading, the three files tell the marks that stand."""
    for path in (graded.course / "submitted").glob(f"*/{LESSON}/attention.ipynb"):
        path.write_text("gone", encoding="utf-8")
    said, _ = autograder(graded, "report", LESSON)
    facts = json.loads((graded.course / "reports" / f"{LESSON}.json").read_text("utf-8"))
    page = (graded.course / "reports" / f"{LESSON}.html").read_text("utf-8")

    assert re.search(r"^s1 +15/15 +-$", said, re.MULTILINE)
    assert f"reports/{LESSON}.html" in said
    assert (facts["version"], facts["handed_in"], facts["graded"], facts["all_right"]) == (1, 4, 3, 2)
    assert facts["mistakes"][0]["mistake"]["name"] == "square root of the number of keys"
    assert "square root of the number of keys" in page


@pytest.mark.slow
def test_reasons_come_from_the_receipt(graded):
    """Work that could not be graded is told with the receipt's reason; an earlier mark stands."""
    told = {work.student: work for work in count_class(read_records(LESSON, graded.course)).not_graded}

    assert "breaks off in line 1" in told["s3"].why
    assert not told["s3"].stands
    assert "breaks off in line 1" in told["s4"].why
    assert told["s4"].stands


LOST = {
    "the grades are gone": ("delete from grade", {"s1", "s2", "s4"}),
    "the submissions are gone": ("delete from submitted_notebook", {"s1", "s2", "s4"}),
    "one part has no score": ("update grade set auto_score = null where auto_score = 5", {"s1", "s4"}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("loses", "who"), LOST.values(), ids=LOST)
def test_without_a_mark_in_the_gradebook_nothing_counts_as_graded(graded, tmp_path, loses, who):
    """Work that was graded, and has no mark in this gradebook, is told as not graded, with what to do."""
    copied = shutil.copy(graded.course / "gradebook.db", tmp_path)
    with sqlite3.connect(copied) as database:
        database.execute(loses)
    database.close()
    facts = count_class(read_records(LESSON, graded.course, f"sqlite:///{copied}"))
    told = {work.student: work for work in facts.not_graded}

    assert {line.student for line in facts.lines} == {"s1", "s2", "s4"} - who
    assert who <= told.keys()
    assert not any(told[student].stands for student in who)
    assert "the gradebook has no mark for it: run `autograder grade" in told["s1"].why


@pytest.mark.slow
def test_a_mark_is_the_gradebooks(graded, tmp_path):
    """Where gradebook and autograded notebook differ, the report tells the mark that is exported, and no hand's."""
    copied = shutil.copy(graded.course / "gradebook.db", tmp_path)
    with sqlite3.connect(copied) as database:
        database.execute("update grade set auto_score = 1")
    database.close()
    students = {each.id: each for each in read_records(LESSON, graded.course, f"sqlite:///{copied}").students}

    assert [(students[name].points, students[name].by_hand) for name in ("s1", "s2")] == [(2.0, False)] * 2


@pytest.mark.slow
def test_what_a_regrade_changed_is_kept(graded):
    """Who changed is still told after an ordinary run; work that the regrade could not read did not change."""
    regrade = count_class(read_records(LESSON, graded.course)).regrade

    assert [(change.student, change.before, change.after) for change in regrade.changes] == [("s1", 6.0, 15.0)]


@pytest.mark.slow
def test_a_thousand_submissions_take_seconds(graded):
    """1,000 submissions are reported in under 10 s of CPU on a slow machine, and the terminal's table stays short."""
    one, many = graded.course / "autograded" / "s2", [f"many-{number}" for number in range(1000)]
    for student in many:
        shutil.copytree(one, graded.course / "autograded" / student)
        (graded.course / "submitted" / student / LESSON).mkdir(parents=True)
    book = Gradebook(f"sqlite:///{graded.course / 'gradebook.db'}", load_lesson(LESSON, ROOT))
    book.record([Marks(student, {"examples": 1.0, "hidden": 1.0}, "") for student in many])
    book.close()
    said, cpu_seconds = autograder(graded, "report", LESSON)

    assert "1004 students: 1004 handed in, 1003 graded" in said
    assert len(said.splitlines()) < 10
    assert cpu_seconds < 10
