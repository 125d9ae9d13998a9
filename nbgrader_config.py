"""The course root: every nbgrader command, Formgrader included, reads this file."""

from pathlib import Path

from nbconvert.preprocessors import TagRemovePreprocessor
from nbgrader import preprocessors as stock
from nbgrader.converters import GenerateAssignment

from autograder import nbgrader_plugin as ours
from autograder.export import GradesExport

c = get_config()  # noqa: F821  # the config loader defines it
root = Path(__file__).resolve().parent

c.CourseDirectory.root = str(root)
c.CourseDirectory.course_id = "transformer"
# The exchange and nbgrader's cache stay in the course folder; a hub sets its own shared folder here.
c.Exchange.root = str(root / "exchange")
c.Exchange.cache = str(root / "exchange" / ".cache")

# A learner's tries and opened hints (`.course/`) stay with the learner. Take ".course" out here, and in the learners'
# own configuration, to have them handed in.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", ".course"]

# What the stub of a lesson says.
c.ClearSolutions.code_stub = {
    "python": "# YOUR CODE HERE: follow the numbered steps above.\n"
    "# Put your lines in place of the next one, and return your answer.\n"
    "raise NotImplementedError"
}
# The step-by-step explanation stays in the source and in the solution notebook.
c.TagRemovePreprocessor.enabled = True
c.TagRemovePreprocessor.remove_cell_tags = {"solution-only"}
# release/ is committed, so it is always there already: make it again and note the lesson in the gradebook.
c.GenerateAssignment.force = True
c.GenerateAssignment.pre_convert_hook = ours.write_files_beside
c.GenerateAssignment.preprocessors = [TagRemovePreprocessor, *GenerateAssignment.preprocessors.default()]

c.ExchangeFactory.collect = ours.CollectWithoutLinks

# This project's engine stands in place of nbgrader's `Execute`: student code runs in the sandbox only.
c.Autograde.exporter_class = ours.SubmissionExporter
c.Autograde.sanitize_preprocessors = [
    stock.ClearOutput,
    ours.MendSubmission,
    stock.OverwriteKernelspec,
    stock.OverwriteCells,
    stock.CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    ours.GradeSubmission,
    stock.LimitOutput,
    stock.SaveAutoGrades,
    ours.CommentOnSubmission,
    stock.AssignLatePenalties,
    stock.CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [ours.ScoresOfSubmission]
c.GenerateFeedback.exporter_class = ours.FeedbackExporter
# A score that is missing is blank in the export, not 0.
c.ExportApp.plugin_class = GradesExport
c.GenerateFeedback.post_convert_hook = ours.make_returnable

# Downloads from Canvas, Moodle and others: unpacked safely, renamed files found, every file in the printed list.
# `roster.csv` (columns id, canvas_id, moodle_id) gives a platform's numbers the students' ids.
c.ZipCollectApp.extractor_plugin = "autograder.lms.SafeExtractor"
c.ZipCollectApp.collector_plugin = "autograder.lms.LmsCollector"
