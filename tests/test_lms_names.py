"""Whose work a file of a download is: what the platforms' names say, whatever a student called the file."""

import pytest

from autograder.lms_names import Directory, Names, Platform, TwoStudentsError
from autograder.roster import Student

STUDENTS = tuple(Student(f"s{at:02}", canvas_id=str(1000 + at), moodle_id=str(2000 + at)) for at in (1, 2, 3, 12))


def read_name(path):
    """Read a path by itself."""
    return Names().read(path)


NAMES = {
    "Canvas": ("studentone_1001_55501_attention.ipynb", (Platform.CANVAS, "1001", "attention.ipynb", False)),
    "Canvas, late": (
        "studenttwo_LATE_1002_55502_attention-2.ipynb",
        (Platform.CANVAS, "1002", "attention-2.ipynb", True),
    ),
    "Canvas, a zip": (
        "x/studenttwo_1002_55502_work.zip/a/b.ipynb",
        (Platform.CANVAS, "1002", "work.zip/a/b.ipynb", False),
    ),
    "Moodle": ("one, o'student_2001_assignsubmission_file_/a.ipynb", (Platform.MOODLE, "2001", "a.ipynb", False)),
    "Moodle without folders": (
        "two stüdent_2002_assignsubmission_file_a.ipynb",
        (Platform.MOODLE, "2002", "a.ipynb", False),
    ),
    "Moodle, below a folder": (
        "class/two stüdent_2_assignsubmission_file/a/b.ipynb",
        (Platform.MOODLE, "2", "a/b.ipynb", False),
    ),
    "plain": ("s01_attempt_2026-01-30-15-00-00_attention.ipynb", (Platform.PLAIN, "s01", "attention.ipynb", False)),
}


@pytest.mark.parametrize("situation", NAMES)
def test_names(situation):
    """The three forms of a name are read, wherever the download was put."""
    path, wanted = NAMES[situation]
    found = read_name(path)

    assert (found.platform, found.user, found.file, found.late) == wanted


@pytest.mark.parametrize("path", ["attention.ipynb", "grades_2026_01_30/attention.ipynb", "a/b/c.txt", ""])
def test_other_names_say_nothing(path):
    """A name of no platform's form says no student."""
    assert read_name(path) is None


TAILS = (
    "s2_attempt_2027-01-01-00-00-00_attention.ipynb",
    "x_1002_99999_attention.ipynb",
    "x_late_1002_99999_attention.ipynb",
    "x_2002_assignsubmission_file_attention.ipynb",
    "2002_assignsubmission_file_/attention.ipynb",
    "_1002_99999_.ipynb",
)
PREFIXES = {
    "Canvas": "studentone_1001_55501_",
    "Canvas, late": "studentone_LATE_1001_55501_",
    "Canvas, a zip": "studentone_1001_55501_work.zip/",
    "Moodle": "Student One_2001_assignsubmission_file_/",
    "Moodle without folders": "Student One_2001_assignsubmission_file_",
    "plain": "hw_s1_attempt_2026-01-01-00-00-00_",
}


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("platform", PREFIXES)
def test_the_students_part_of_a_name_names_nobody_else(platform, tail):
    """Whatever name a student chose for the file, it is the platform's student who handed it in, or nobody."""
    alone = read_name(f"{PREFIXES[platform]}attention.ipynb")
    try:
        found = read_name(f"{PREFIXES[platform]}{tail}")
    except TwoStudentsError:
        return
    assert (found.platform, found.user, found.order[0]) == (alone.platform, alone.user, alone.order[0])


@pytest.mark.parametrize("shown", ["x_2002_assignsubmission_file_a", "Two_2002", "x_1002_5"])
def test_the_name_of_a_person_names_nobody_else(shown):
    """Moodle lets a person choose the name that is shown: with a number of another in it, nobody is named."""
    for form in ("assignsubmission_file_/attention.ipynb", "assignsubmission_file_attention.ipynb"):
        try:
            found = read_name(f"{shown}_2001_{form}")
        except TwoStudentsError:
            continue
        assert found.user == "2001"


@pytest.mark.parametrize("tail", [*TAILS, "attention_attempt_2_final.ipynb", "fig_1_2_final.png"])
@pytest.mark.parametrize("platform", PREFIXES)
def test_the_names_of_a_class_tell_how_to_read_one(platform, tail):
    """Beside other names of its platform, a name with two readings is the platform's student's, and not refused."""
    own, tail = PREFIXES[platform], tail.replace("/", "_")
    other = own.replace("One", "Two").replace("one", "two").replace("s1", "s2").replace("001_", "002_")
    names = Names([f"class/{name}" for name in (own + tail, f"{other}attention.ipynb", other + tail, "index.html")])
    alone = read_name(f"{own}attention.ipynb")
    try:
        found = names.read(f"class/{own}{tail}")
    except TwoStudentsError:  # two persons in one form: a person may choose the name that Moodle shows
        assert platform == "Moodle without folders"
        assert "_assignsubmission_" in tail
        return
    assert (found.platform, found.user, found.order[0]) == (alone.platform, alone.user, alone.order[0])


def test_time_of_a_plain_name():
    """The time in a plain name is written as nbgrader reads it; a wrong one is left out."""
    assert read_name("s01_attempt_2026-01-30-15-00-00_a.ipynb").time == "2026-01-30 15:00:00"
    assert read_name("s01_attempt_2026-99-30_a.ipynb").time == ""


def test_students_behind_the_numbers():
    """A number is looked up in the list; one that is not there is no student; without a list it is the id."""
    canvas, plain = read_name("x_1002_5_a.ipynb"), read_name("hw_s01_b_attempt_2026-01-01_a.ipynb")

    assert Directory(STUDENTS).student(canvas) == "s02"
    assert Directory(STUDENTS[:1]).student(canvas) is None
    assert Directory(()).student(canvas) == "1002"
    assert Directory((Student("s01_b"),)).student(plain) == "s01_b"
    assert Directory(()).student(plain) == "b"
