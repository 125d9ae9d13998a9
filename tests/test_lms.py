"""Downloads of Canvas, Moodle and others: every notebook reaches its student, every file is in the list."""

import io
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import LESSON, NEEDS_CASES, ROOT, points_of
from shared_cases import made_cases
from traitlets.config import Configurable

from autograder.lms import LmsCollector
from autograder.lms_plan import lines_of_all, make_plan
from autograder.lms_unpack import Line, unpack_downloads
from autograder.roster import RosterError, Student, read_roster
from autograder.submitted import LATE_TEXT, find_work
from course.reading import read_notebook

NOTEBOOK = b'{"cells": [{"cell_type": "code", "source": "def solve(x): return x"}], "nbformat": 4}'
OLDER = NOTEBOOK.replace(b"return x", b"return 1")
STUDENTS = tuple(Student(f"s{at:02}", canvas_id=str(1000 + at), moodle_id=str(2000 + at)) for at in (1, 2, 3, 12))

TWO = Student("s2", canvas_id="1002", moodle_id="2002")
DOUBTFUL = {
    "alone": (),
    "beside a name of each platform": ("s3_1003_5_attention.ipynb", "s3_attempt_2026-01-01_attention.ipynb"),
    "beside a name of no student": ("index.html",),
    "in another folder than the others": ("other/s3_1003_5_attention.ipynb",),
}


@pytest.mark.parametrize("situation", DOUBTFUL)
@pytest.mark.parametrize("students", [(), (TWO,), (Student("s1", canvas_id="1001"), TWO)])
def test_a_doubtful_name_is_nobodys(tmp_path, situation, students):
    """Where the other names do not tell the platform, a name that says two students is refused with the reason."""
    name = "studentone_1001_55501_s2_attempt_2027-01-01-00-00-00_attention.ipynb"
    (tmp_path / "other").mkdir()
    paths = [tmp_path / each for each in (name, *DOUBTFUL[situation])]
    for path in paths:
        path.write_bytes(NOTEBOOK)
    plan = make_plan(paths, tmp_path, LESSON, students)

    assert paths[0] not in plan.collected
    assert [line.what for line in plan.lines if line.path == name] == ["refused"]


def test_nobody_takes_the_place_of_another(tmp_path):
    """Whatever a student calls a file or packs into a zip, it is their own work; the other keeps theirs."""
    names = (
        "studentone_1001_55501_s2_attempt_2027-01-01-00-00-00_attention.ipynb",
        "studenttwo_1002_55502_attention.ipynb",
        "s3_1003_55503_work.zip",
    )
    hidden = zipped({"studenttwo_1002_99999_attention.ipynb": OLDER})
    students = (Student("s1", canvas_id="1001"), TWO, Student("s3", canvas_id="1003"))
    collected, _ = collect(tmp_path, dict(zip(names, (OLDER, NOTEBOOK, hidden), strict=True)), students)

    got = {who: path.read_bytes() for (who, _), path in collected.items()}
    assert got == {"s1": OLDER, "s2": NOTEBOOK, "s3": OLDER}


OWN_ZIPS = {
    "a picture": ("attention.ipynb", "fig_1_2_final.png", "fig_2_2_final.png"),
    "a draft": ("attention_attempt_2_final.ipynb",),
    "drafts": ("attention_attempt_1_a.ipynb", "attention_attempt_2_final.ipynb"),
    "another's name": ("studenttwo_1002_9_attention.ipynb",),
    "two readings": ("x_1002_9_s2_attempt_2_attention.ipynb",),
}


@pytest.mark.parametrize("inside", OWN_ZIPS.values(), ids=OWN_ZIPS)
@pytest.mark.parametrize("packed", ["in the class's zip", "beside others", "alone"])
def test_a_students_own_zip_is_the_students(tmp_path, packed, inside):
    """No name in a student's own zip is another student's, wherever the zip lies."""
    zips = {"studentone_LATE_1001_55501_work.zip": zipped(dict.fromkeys(inside, NOTEBOOK))}
    s2 = {"studenttwo_1002_55502_attention.ipynb": OLDER}
    files = {"alone": zips, "beside others": zips | s2}.get(packed) or {"class.zip": zipped(zips | s2)}
    collected, lines = collect(tmp_path, files, (Student("s1", canvas_id="1001"), TWO))

    assert collected["s1", "attention.ipynb"].read_bytes() == NOTEBOOK
    assert ("s1", "late.txt") in collected
    assert [path.read_bytes() for (who, _), path in collected.items() if who == "s2"] == [OLDER] * (packed != "alone")
    assert "refused" not in {line.what for line in lines}


def test_a_zip_of_several_beside_others_is_refused(tmp_path):
    """A zip that may be a class's or a student's with packed names of others is refused, with what to do."""
    several = zipped({"studenttwo_1002_9_attention.ipynb": OLDER, "s3_1003_9_attention.ipynb": OLDER})
    files = {"studentone_1001_5_work.zip": several, "studenttwo_1002_55502_attention.ipynb": NOTEBOOK}
    collected, lines = collect(tmp_path, files, (Student("s1", canvas_id="1001"), TWO))

    assert {who for who, _ in collected} == {"s2"}
    assert [line.why for line in lines if line.what == "refused"] == [
        "its name says a student, and names in it say several; if it is a class's, rename it"
    ]


def test_a_backslash_is_no_folder(tmp_path):
    """A backslash in a file's name makes it nobody else's work, and leads out of no folder."""
    names = ("studentone_1001_5_x\\studenttwo_1002_9_attention.ipynb", "studentone_1001_6_x\\..\\..\\..\\evil.ipynb")
    files = dict.fromkeys(names, OLDER) | {"studenttwo_1002_7_attention.ipynb": NOTEBOOK}
    students = (Student("s1", canvas_id="1001"), Student("s2", canvas_id="1002"))
    collected, _ = collect(tmp_path, files, students)

    assert {who for who, _ in collected} == {"s1", "s2"}
    assert collected["s2", "attention.ipynb"].read_bytes() == NOTEBOOK
    assert not [path for path in tmp_path.rglob("*evil.ipynb") if path.name == "evil.ipynb"]


def test_no_time_stops_a_class(tmp_path):
    """A time that no clock has, in a name inside a student's zip, says nothing and stops nobody."""
    odd = zipped({"x_attempt_2026-99999999999999999999-1_a.ipynb": OLDER})
    files = {"studentone_1001_5_work.zip": odd, "studenttwo_1002_7_attention.ipynb": NOTEBOOK}
    collected, _ = collect(tmp_path, files, (Student("s1", canvas_id="1001"), Student("s2", canvas_id="1002")))

    assert ("s2", "attention.ipynb") in collected


def zipped(files):
    """Make a zip of names and contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def collect(tmp_path, files, students=STUDENTS):
    """Unpack a class's zip and decide: (what is collected by student and name, the list of all files)."""
    source, target = tmp_path / "archive", tmp_path / "extracted"
    source.mkdir()
    target.mkdir()
    for name, data in files.items():
        (source / name).write_bytes(data)
    lines = list(unpack_downloads(source, target))
    plan = make_plan(sorted(path for path in target.rglob("*") if path.is_file()), target, LESSON, students)
    collected = {(found.student, found.name): path for path, found in plan.collected.items()}
    return collected, [*lines, *plan.lines]


def what(lines, part):
    """Return what became of the file whose path holds `part`."""
    return {line.what for line in lines if part in line.path}


CLASS = {
    "studentone_1001_55501_attention.ipynb": OLDER,
    "studentone_1001_55509_attention-1.ipynb": NOTEBOOK,
    "studenttwo_LATE_1002_55502_Hausaufgabe.ipynb": NOTEBOOK,
    "studenttwo_LATE_1002_55503_screen.png": b"x",
    "studenttwo_LATE_1002_55504_helpers-1.py": b"x = 1",
    "studentthree_1003_55506_attention.ipynb.txt": NOTEBOOK,
    "studenttwelve_1012_55507_essay.docx": b"PK no",
    "nobody_1099_55508_attention.ipynb": NOTEBOOK,
    "__MACOSX/._studenttwo_1002_55502_attention.ipynb": b"x",
    "index.html": b"<html>",
}


def test_class_from_canvas(tmp_path):
    """The newest notebook counts, its modules and the late mark go along, and every file is in the list."""
    collected, lines = collect(tmp_path, {"submissions.zip": zipped(CLASS)})

    assert set(collected) == {
        ("s01", "attention.ipynb"),
        ("s02", "attention.ipynb"),
        ("s02", "helpers.py"),
        ("s02", "late.txt"),
        ("s03", "attention.ipynb"),
    }
    assert collected["s01", "attention.ipynb"].read_bytes() == NOTEBOOK
    assert "late" in collected["s02", "late.txt"].read_text()
    assert all(what(lines, name) for name in CLASS)
    assert what(lines, "55501") == what(lines, "screen.png") == what(lines, "index") == {"not needed"}
    assert what(lines, "1099") == {"not in list"}
    assert what(lines, "essay") == {"no notebook"}
    assert what(lines, ".ipynb.txt") == {"renamed"}
    assert what(lines, "MACOSX") == {"ignored"}


def test_students_who_are_not_in_the_list_are_counted_and_said(tmp_path):
    """Work of students whom the list does not have is a word of its own, counted, with what to do at the end."""
    files = {f"x_{number}_5_attention.ipynb": NOTEBOOK for number in (1001, 1098, 1099)}
    _, lines = collect(tmp_path, files)
    *_, counts, said = lines_of_all(lines)

    assert counts == "1 collected, 2 not in list"
    assert "2 of these files" in said
    assert "collect again" in said


@pytest.mark.parametrize("late", ["", "LATE_"])
def test_a_students_own_late_txt_is_no_mark(tmp_path, late):
    """A file `late.txt` in a student's zip never reaches the notebook's folder; the platform's mark does."""
    inside = {"late.txt": LATE_TEXT.encode(), "attention.ipynb": NOTEBOOK, "sub/late.txt": b"mine"}
    collected, _ = collect(tmp_path, {"class.zip": zipped({f"two_{late}1002_5_work.zip": zipped(inside)})})
    marks = [path.read_text() for (_, name), path in collected.items() if name == "late.txt"]

    assert marks == [LATE_TEXT] * bool(late)


STUB = NOTEBOOK.replace(b"def solve(x): return x", b"def solve(x):\\n    raise NotImplementedError")


@pytest.mark.parametrize("useless", [STUB, NOTEBOOK[:60], b""])
def test_a_notebook_without_a_solve_gives_way(tmp_path, useless):
    """A newer file with the stub, a broken or an empty one gives way to the notebook in which `solve` is written."""
    files = {"one_1001_5_attention_final.ipynb": NOTEBOOK, "one_1001_6_attention.ipynb": useless}
    collected, _ = collect(tmp_path, files)

    assert {who: path.read_bytes() for (who, _), path in collected.items()} == {"s01": NOTEBOOK}


def test_a_zip_in_a_zip_in_a_zip_is_told(tmp_path):
    """What lies too deep to be opened is said to be a zip."""
    packed = zipped({"two_1002_5_work.zip": zipped({"in.zip": zipped({"attention.ipynb": NOTEBOOK})})})
    _, lines = collect(tmp_path, {"class.zip": packed})

    assert [str(line) for line in lines if "in.zip" in line.path] == [
        "no notebook class/two_1002_5_work.zip/in.zip: s02, a zip in a zip, which was not opened"
    ]


def test_class_from_moodle(tmp_path):
    """Two students of one name stay apart by their numbers; a student's own zip is opened once."""
    files = {
        "two stüdent_2002_assignsubmission_file_/work.zip": zipped(
            {"hand in/attention.ipynb": NOTEBOOK, "in.zip": zipped({"a": b""})}
        ),
        "two stüdent_2012_assignsubmission_file_/attention.ipynb": OLDER,
        "one_2001_assignsubmission_file_/attention.ipynb": b"",
        "one_2001_assignsubmission_file_/.ipynb_checkpoints/attention-checkpoint.ipynb": NOTEBOOK,
        "../../escaped/attention.ipynb": NOTEBOOK,
    }
    collected, lines = collect(tmp_path, {"class.zip": zipped(files)})

    assert {key: path.read_bytes() for key, path in collected.items()} == {
        ("s02", "attention.ipynb"): NOTEBOOK,
        ("s12", "attention.ipynb"): OLDER,
    }
    assert any("s01, the file is empty" in str(line) for line in lines)
    assert what(lines, "checkpoint") == {"ignored"}
    assert what(lines, "escaped") == {"refused"}
    assert what(lines, "in.zip") == {"not needed"}
    assert not list(tmp_path.rglob("escaped*"))


def test_folder_of_a_download_without_a_zip(tmp_path):
    """A download that was unpacked by hand is collected too, and a student's zip in it."""
    files = {
        "studenttwo_1002_55502_work.zip": zipped({"attention.ipynb": NOTEBOOK}),
        "studentone_1001_55501_attention.py": b"def solve(x): ...",
    }
    collected, _ = collect(tmp_path, files)

    assert set(collected) == {("s02", "attention.ipynb"), ("s01", "attention.py")}


def test_zip_of_a_class_with_a_date_in_its_name(tmp_path):
    """A class's zip whose own name looks like a student's is still a class's."""
    collected, _ = collect(tmp_path, {"gradebook_2026_01_30.zip": zipped(CLASS)})

    assert {student for student, _ in collected} == {"s01", "s02", "s03"}


def link_entry():
    """Make a zip entry that is a link to a file outside."""
    entry = zipfile.ZipInfo("x_1001_1_attention.ipynb")
    entry.external_attr = 0o120777 << 16
    return entry


REFUSED = {
    "a path that leads out": ("../../x_1001_1_attention.ipynb", NOTEBOOK, "leads out"),
    "an absolute path": ("/tmp/x_1001_1_attention.ipynb", NOTEBOOK, "leads out"),  # noqa: S108
    "a backslash path": ("..\\..\\x_1001_1_attention.ipynb", NOTEBOOK, "leads out"),
    "a drive": ("C:\\x_1001_1_attention.ipynb", NOTEBOOK, "leads out"),
    "a link": (link_entry(), b"/etc/passwd", "is a link"),
    "a bomb": ("x_1001_1_attention.ipynb", bytes(30_000_000), "zip bomb"),
    "a control character": ("x_1001_1_att\x1bention.ipynb", NOTEBOOK, "cannot be a file's"),
    "a name too long": ("x_1001_1_" + "a" * 300 + ".ipynb", NOTEBOOK, "cannot be written"),
}


@pytest.mark.parametrize("situation", REFUSED)
def test_refused_entries(tmp_path, situation):
    """Each of these is refused by name, nothing of it is written, and the others are collected."""
    name, data, why = REFUSED[situation]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        archive.writestr("studenttwo_1002_2_attention.ipynb", NOTEBOOK)
    collected, lines = collect(tmp_path, {"class.zip": packed.getvalue()})

    assert set(collected) == {("s02", "attention.ipynb")}
    assert any(line.what == "refused" and why in line.why for line in lines)
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {
        "class.zip",
        "studenttwo_1002_2_attention.ipynb",
    }


def test_broken_zip_and_link_in_the_folder(tmp_path):
    """A broken zip and a link are refused, and it is said."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "link").symlink_to(outside)
    (tmp_path / "archive" / "class.zip").write_bytes(b"PK\x03\x04" + bytes(99))
    lines = list(unpack_downloads(tmp_path / "archive", tmp_path / "extracted"))

    assert {(line.what, line.path) for line in lines} == {("refused", "class.zip"), ("refused", "link")}


def test_unsafe_student_in_a_name(tmp_path):
    """An id that cannot be a folder is refused by name."""
    files = {".._attempt_2026-01-01_attention.ipynb": NOTEBOOK}
    collected, _lines = collect(tmp_path, {}, ())
    assert not collected
    path = tmp_path / "extracted" / next(iter(files))
    path.write_bytes(NOTEBOOK)
    plan = make_plan([path], path.parent, LESSON, ())

    assert not plan.collected
    assert [line.what for line in plan.lines] == ["refused"]


def test_list_is_plain_text():
    """A name with control characters prints as plain text, and the list ends with a count."""
    lines = list(lines_of_all([Line("collected", "a\x1b[31m", "s01"), Line("ignored", "b")]))

    assert lines == ["collected   a?[31m: s01", "ignored     b", "1 collected, 1 ignored"]


def test_unusable_list_of_students_ends_the_collecting(tmp_path):
    """Nothing is collected by a list of students that cannot be used; the reason names the line."""
    (tmp_path / "roster.csv").write_bytes(b"id\ns1\ns1\n")
    said = []
    app = Configurable()
    app._format_collect_path = lambda step: str(tmp_path / step)  # noqa: SLF001  # nbgrader's own name
    app.extracted_directory = "extracted"
    app.coursedir = SimpleNamespace(root=str(tmp_path), assignment_id=LESSON)
    app.fail = said.append
    collector = LmsCollector(parent=app)

    with pytest.raises(RosterError):
        collector.collect(str(tmp_path / "extracted" / "x_1001_1_attention.ipynb"))
    assert "Line 3: the id 's1' is already in line 2." in said[0]


CONFIG = """
c = get_config()
c.CourseDirectory.root = {root!r}
c.Exchange.root = {root!r}
c.ZipCollectApp.extractor_plugin = "autograder.lms.SafeExtractor"
c.ZipCollectApp.collector_plugin = "autograder.lms.LmsCollector"
"""


@pytest.mark.slow
def test_nbgrader_zip_collect(tmp_path):
    """`nbgrader zip_collect` with both plug-ins fills `submitted/`; the class is found there as it was sent."""
    (tmp_path / "nbgrader_config.py").write_text(CONFIG.format(root=str(tmp_path)))
    shutil.copytree(ROOT / "release", tmp_path / "release")
    rows = "".join(f"{s.id},{s.canvas_id}\n" for s in STUDENTS)
    (tmp_path / "roster.csv").write_text(f"id,canvas_id\n{rows}")
    archive = tmp_path / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True)
    (archive / "submissions.zip").write_bytes(zipped(CLASS))
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "zip_collect", LESSON],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    works = {work.student: work for work in find_work(tmp_path, LESSON)}

    assert done.returncode == 0, done.stderr
    assert "5 collected" in done.stdout
    assert set(works) == {"s01", "s02", "s03"}
    assert works["s01"].file.read_bytes() == NOTEBOOK
    assert list(works["s02"].beside) == ["helpers.py"]
    assert works["s02"].notes == ("The learning platform marked this work as late.",)


@pytest.mark.slow
@NEEDS_CASES
@pytest.mark.parametrize(
    ("download", "points", "said"),
    [
        ("canvas", {"s01": 15, "s02": 15, "s03": 15, "s04": 15, "s05": 15}, ["s06, not a notebook", "s02, late"]),
        ("moodle", {"s01": 15, "s02": 15, "s03": 15, "s04": 15, "s12": 0}, ["s05, the file is empty", "leads out"]),
    ],
)
def test_shared_downloads(tmp_path, grader, download, points, said):
    """The shared downloads of Canvas and Moodle give each student their marks; every file is in the list."""
    folder = made_cases() / "B09"
    packed = folder / f"{download}_submissions.zip"
    students = read_roster((folder / "roster.csv").read_bytes())
    collected, lines = collect(tmp_path, {packed.name: packed.read_bytes()}, students)
    got = {
        student: points_of(grader.grade_notebook(read_notebook(path.read_bytes(), name).notebook, LESSON))
        for (student, name), path in collected.items()
        if name == "attention.ipynb"
    }
    listed = "\n".join(map(str, lines))
    with zipfile.ZipFile(packed) as archive:
        missing = [name for name in archive.namelist() if Path(name).name not in listed and "work.zip" not in name]

    assert got == points
    assert all(part in listed for part in said)
    assert missing == []
