"""Every lesson's reference agrees with an independent oracle, `tests/oracles/<name>.py`."""

import copy
import importlib.util

import numpy as np
import pytest
from conftest import ROOT

from course.compare import compare
from course.outcomes import Answered
from course.syllabus import LESSONS
from course.values import read_value

BUILT = [each for each in LESSONS if (ROOT / "source" / each.id).is_dir()]


@pytest.fixture(params=BUILT, ids=lambda each: each.name)
def pair(request, grader):
    """A lesson's reference solution, and its oracle."""
    file = ROOT / "tests" / "oracles" / f"{request.param.name}.py"
    spec = importlib.util.spec_from_file_location(f"oracle_{request.param.name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return grader.lesson(request.param.id).reference, module


def agree(reference, oracle, arguments):
    """Hold the reference's answer against the oracle's."""
    want = read_value(np.array(oracle(*copy.deepcopy(arguments)), dtype=float))
    given = copy.deepcopy(arguments)
    verdict = compare(Answered(read_value(reference(*given))), want)
    assert verdict.passed, f"{verdict.says} for {str(arguments)[:400]}"
    assert given == arguments, "the reference changed its inputs"


def test_a_hundred_random_inputs(pair):
    """On legal inputs of all sizes and kinds the reference gives the oracle's numbers and leaves its inputs alone."""
    reference, module = pair
    rng = np.random.default_rng(2026)
    for _ in range(100):
        agree(reference, module.oracle, module.legal(rng))


def test_the_limits_of_what_the_text_allows(pair):
    """One token, one column, large and equal values: the reference holds at every limit."""
    reference, module = pair
    assert module.limits()
    for arguments in module.limits():
        agree(reference, module.oracle, arguments)
