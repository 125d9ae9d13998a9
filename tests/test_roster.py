"""The list of students and Canvas's gradebook file: odd names and ids in, every student out again."""

import csv
import io

import pytest
from conftest import NEEDS_CASES
from shared_cases import made_cases

from autograder.roster import RosterError, Student, fill_canvas, missing_in_canvas, read_roster

FIRST = Student("007", "O'Last", "First", "s007@example.edu")
SECOND = Student("0070", "Größe Zwei", "Zwölf", "s0070@example.edu")
TEXT = "id,last_name,first_name,email\n007,O'Last,First,s007@example.edu\n0070,Größe Zwei,Zwölf, s0070@example.edu \n"

ROSTERS = {
    "plain": TEXT.encode(),
    "byte-order mark": TEXT.encode("utf-8-sig"),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
    "semicolons": TEXT.replace(",", ";").encode(),
    "tabs": TEXT.replace(",", "\t").encode(),
    "UTF-16 with tabs, as Excel saves it": TEXT.replace(",", "\t").encode("utf-16"),
    "Windows letters": TEXT.encode("cp1252"),
    "a line for Excel": b"sep=;\r\n" + TEXT.replace(",", ";").encode(),
    "quoted": '"id","last_name","first_name","email"\n"007","O\'Last","First","s007@example.edu"\n'
    '0070,"Größe Zwei",Zwölf,"s0070@example.edu"\n'.encode(),
    "blank lines": TEXT.replace("\n", "\n\n,,,\n").encode(),
    "other columns and order": b"Email,ID,group,First Name,Last Name\ns007@example.edu,007,x,First,O'Last\n"
    + "s0070@example.edu,0070,y,Zwölf,Größe Zwei\n".encode(),
    "names in one column": "id,name,email\n007,First O'Last,s007@example.edu\n"
    "0070,Zwölf Größe Zwei,s0070@example.edu\n".encode(),
}


@pytest.mark.parametrize("situation", ROSTERS)
def test_rosters(situation):
    """However a spreadsheet wrote the list, the same two students come out."""
    assert read_roster(ROSTERS[situation]) == (FIRST, SECOND)


def test_ids_stay_text():
    """Ids that look like numbers or formulas stay as they are."""
    ids = ["7", "07", "1e5", "100000", "=1+1", "-1", "a b", "CAMPUS\\s2", "学生"]

    assert [student.id for student in read_roster("\n".join(["id", *ids]).encode())] == ids


def test_platforms_ids_are_kept():
    """The numbers of Canvas and Moodle are read where the list has them."""
    (student,) = read_roster(b"id,canvas_id,moodle_id\ns1,1001,2001\n")

    assert (student.canvas_id, student.moodle_id) == ("1001", "2001")


BROKEN = {
    "no id column": (b"name,email\nx,y\n", "Line 1: there is no column `id`"),
    "an id twice": (b"id\ns1\ns2\ns1\n", "Line 4: the id 's1' is already in line 2."),
    "no id": (b"id,email\ns1,x\n,y\n", "Line 3: the id is missing."),
    "an id that leads out": (b"id\n../x\n", "Line 2: '../x' cannot be an id: it is no plain folder name."),
    "a line number after a name of two lines": (b'id,first_name\ns1,"a\nb"\ns1,x\n', "Line 4: the id 's1'"),
    "empty": (b"\n", "is empty"),
    "two columns of ids": (b"id,id\ns1,s2\n", "Line 1: there are several columns `id`: keep one."),
    "two columns of ids, one in capitals": (b"id,name,ID \ns1,x,s2\n", "Line 1: there are several columns `id`"),
    "two columns of names": (b"id,last_name,Last Name\ns1,x,y\n", "Line 1: there are several columns `last_name`"),
    "two columns of numbers": (b"id,canvas_id,canvas_id\ns1,7,8\n", "Line 1: there are several columns `canvas_id`"),
    "a number of Canvas twice": (
        b"id,canvas_id\ns1,7\ns2,\ns3,\ns4,7\n",
        "Line 5: the canvas_id '7' is already in line 2",
    ),
    "a number of Moodle twice": (b"id,moodle_id\ns1,7\ns2, 7\n", "Line 3: the moodle_id '7' is already in line 2: "),
    "a quote not closed": (b'id,name\ns1,A B\ns2,"C D\ns3,E F\ns4,G H\n', "Line 3: a quote is not closed"),
    "a quote closed too early": (
        b'id,name\ns1,"A "B" C"\n',
        "Line 2: a quote is not closed, or something stands",
    ),
    "an id too long": (b"id\n" + b"x" * 129 + b"\n", "it has 129 letters, and the gradebook has room for 128"),
    "a name too long": (b"id,last_name\ns1," + b"x" * 129 + b"\n", "Line 2: the last_name 'xxx"),
    "an address with a NUL": (b"id,email\ns1,a\0b\n", "Line 2: the email 'a\\x00b' is longer"),
}


@pytest.mark.parametrize("situation", BROKEN)
def test_broken_rosters(situation):
    """What cannot be used is said with the number of its line."""
    data, problem = BROKEN[situation]
    with pytest.raises(RosterError) as refused:
        read_roster(data)

    assert problem in str(refused.value)


def test_all_problems_are_said_at_once():
    """An instructor sees every problem of the list in one go."""
    with pytest.raises(RosterError) as refused:
        read_roster(b"id\ns1\ns1\n..\n")

    assert len(refused.value.problems) == 2


CANVAS = (
    '\ufeffStudent,ID,SIS User ID,SIS Login ID,"09_attention (9001)",Total (12)\r\n'
    "    Points Possible,,,,15,(read only)\r\n"
    '"=HYPERLINK(""http://x""), one",3006,=1+1,s1@example.edu,,\r\n'
    '"two, student",3002,"CAMPUS\\s2",+two,,-\r\n'
    '"three, student",3009,nosub,@q,,\r\n'
    '"two\nlines",3010,x,x,3,'
).encode()


def test_canvas_file_comes_back_with_one_column_filled():
    """Only the assignment's cells change: all other characters, quotes and ends of lines stay."""
    filled = fill_canvas(CANVAS, {"=1+1": 12.5, "CAMPUS\\s2": 0.0}, "09_attention")
    wanted = CANVAS.replace(b"s1@example.edu,,", b"s1@example.edu,12.5,").replace(b"+two,,-", b"+two,0,-")

    assert filled == wanted
    assert fill_canvas(CANVAS, {}, "09_attention (9001)") == CANVAS


def test_canvas_students_are_found_by_login():
    """Where the ids are logins, the column of logins is used."""
    assert b"@q,7," in fill_canvas(CANVAS, {"@q": 7}, "09_attention")
    assert missing_in_canvas(CANVAS, {"@q": 7, "+nobody": 1}) == ("+nobody",)


@pytest.mark.parametrize(
    ("data", "scores", "column", "problem"),
    [
        (CANVAS, {}, "10_heads", "no column named '10_heads'"),
        (CANVAS, {"nosub": float("nan")}, "09_attention", "is not a number"),
        (b"Student,09_attention\n", {}, "09_attention", "none of the columns"),
        (b"ID,a\n1,\n1,\n", {"1": 2}, "a", "twice"),
        (b'ID,a\n"1,\n', {"1": 2}, "a", "Line 2: a quote is not closed"),
        (b"ID,\xff\n", {}, "a", "not UTF-8"),
    ],
)
def test_canvas_file_that_cannot_be_filled(data, scores, column, problem):
    """A file, a column or a score that does not fit is refused in words."""
    with pytest.raises(RosterError, match=problem):
        fill_canvas(data, scores, column)


def test_many_quotes_cost_little():
    """A cell of quotes only is read in time in proportion to its length."""
    with pytest.raises(RosterError):
        fill_canvas(b"ID,a\n" + b'"' * 100_001, {}, "a")


@pytest.mark.slow
@NEEDS_CASES
def test_shared_rosters_and_canvas_file():
    """Both shared rosters give the same ten students, and each gets a score in the shared Canvas file."""
    folder = made_cases() / "B16"
    students = read_roster((folder / "roster_bom_crlf.csv").read_bytes())
    before = (folder / "canvas_gradebook.csv").read_bytes()
    scores = {student.id: 1.5 + at for at, student in enumerate(students) if student.id != "nosub"}
    after = fill_canvas(before, scores, "09_attention")
    rows = [list(csv.reader(io.StringIO(data.decode()))) for data in (before, after)]

    assert len(students) == 10
    assert students == read_roster((folder / "roster_semicolons.csv").read_bytes())
    assert [row[:-1] for row in rows[0]] == [row[:-1] for row in rows[1]]
    assert [row[-1] for row in rows[1][2:]] == [str(1.5 + at) for at in range(9)] + [""]
    assert missing_in_canvas(before, scores) == ()
