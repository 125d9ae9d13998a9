"""A kernel in which a learner works, with their saved notebook beside it."""

import json

from conftest import cell_of
from lesson_helpers import RIGHT

from autograder.practice import write_practice
from course.report import Report

LISTS = RIGHT["lists"]
HELPER = """
import math

def softmax(scores):
    top = max(scores)
    exps = [math.exp(score - top) for score in scores]
    return [e / sum(exps) for e in exps]
"""
OTHER_HELPER = HELPER.replace("score - top", "score")
WRONG_HELPER = HELPER.replace("e / sum(exps)", "e")
STUB = "def solve(Q, K, V, causal):\n    raise NotImplementedError"
WITH_HELPER = """
import math

def solve(Q, K, V, causal):
    out = []
    for i, q in enumerate(Q):
        n = i + 1 if causal else len(K)
        weights = softmax([sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:n]])
        out.append([sum(w * v[c] for w, v in zip(weights, V)) for c in range(len(V[0]))])
    return out
"""
CALL = "from course.before import check_before_submitting\nresult = check_before_submitting()\n"


class Session:
    """A kernel, the learner's notebook as it is saved beside it, and what they have run."""

    def __init__(self, client, folder, lesson):
        self._client = client
        self.file = folder / "attention.ipynb"
        write_practice(lesson, folder)
        self.run(f"%reset -f\nimport os\nos.chdir({str(folder)!r})")

    def save(self, notebook):
        """Save a notebook."""
        self.file.write_text(json.dumps(notebook), encoding="utf-8")

    def run(self, *sources):
        """Run cells in this order; return what they print."""
        printed = []
        for source in sources:
            reply = self._client.execute_interactive(
                source,
                timeout=90,
                output_hook=lambda message: printed.append(message["content"].get("text", "")),
            )
            assert reply["content"]["status"] == "ok", reply["content"]
        return "".join(printed)

    def check(self):
        """Press the check cell of the notebook."""
        self.run(f"from course import check\n{source_of(json.loads(self.file.read_text('utf-8')), 'examples')}\nNone")

    def before(self):
        """Run `check_before_submitting()`; return its text."""
        return self.run(f"{CALL}print(result)")

    def report(self):
        """Run `check_before_submitting()`; return its report."""
        return Report.from_json(self.run(f"{CALL}print(result.report.to_json())"))


def source_of(notebook, grade_id):
    """Return the text of a graded cell."""
    source = cell_of(notebook, grade_id)["source"]
    return source if isinstance(source, str) else "".join(source)


def add_cell(notebook, source, *, after=None):
    """Put a code cell in front of the solution cell, or after the graded cell with this id."""
    place = notebook["cells"].index(cell_of(notebook, after or "solve"))
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    notebook["cells"].insert(place + bool(after), cell | {"id": f"own-{len(notebook['cells'])}"})
    return notebook


def number_of(notebook, source):
    """Return the number of the cell with this text, counted as in the notebook."""
    return 1 + next(at for at, cell in enumerate(notebook["cells"]) if cell["source"] == source)
