"""Collect downloads of Canvas, Moodle and others with `nbgrader zip_collect`: two plug-ins for `nbgrader_config.py`.

The extractor unpacks what may be unpacked, the collector says which file is whose. Between them every file of a
download is in the printed list: collected, not needed, no notebook, renamed, ignored or refused, and why.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin
from traitlets import Unicode

from autograder.lms_plan import Plan, lines_of_all, make_plan
from autograder.lms_unpack import unpack_downloads
from autograder.roster import RosterError, Student, read_roster


class SafeExtractor(ExtractorPlugin):  # type: ignore[misc]  # nbgrader has no type hints
    """Unpack downloads and the zips of students inside them; refuse what leads out of the folder, and bombs."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack or copy every file of the archive folder, and print what was not."""
        for line in unpack_downloads(Path(archive_path), Path(extracted_path)):
            print(line)


class LmsCollector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Say whose each file is and what it is called in `submitted/`; the newest notebook of a student counts."""

    roster = Unicode(
        "roster.csv", help="The list of students, with their canvas_id and moodle_id, in the course folder."
    ).tag(config=True)

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student and the file's name in their folder; None for a file that is not needed."""
        found = self._plan.collected.get(Path(submitted_file))
        if found is None:
            return None
        info = {"student_id": found.student, "file_id": found.name}
        return info | ({"timestamp": found.time} if found.time else {})

    @cached_property
    def _plan(self) -> Plan:
        """Look at all files at once, when nbgrader asks for the first, and print the list."""
        app = self.parent
        folder = Path(app._format_collect_path(app.extracted_directory))  # noqa: SLF001  # nbgrader has no other way
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        plan = make_plan(files, folder, app.coursedir.assignment_id, self._students())
        for line in lines_of_all(plan.lines):
            print(line)
        return plan

    def _students(self) -> tuple[Student, ...]:
        """Read the list of students, if there is one. Collecting by a wrong list would lose work, so that ends it."""
        path = Path(self.parent.coursedir.root, self.roster)
        try:
            return read_roster(path.read_bytes()) if path.is_file() else ()
        except RosterError as error:
            self.parent.fail(f"The list of students, {path}, cannot be used:\n{error}")
            raise
