"""A name that the examples suggest is said only where no other case refutes it, in the notebook and by the grader."""

import pytest
from conftest import ROOT

from autograder.judge import judge
from autograder.lesson import outcome_of
from autograder.loading import lesson_ids
from autograder.practice import combine
from autograder.sandbox import Run
from course.diagnosis import sum_up
from course.outcomes import Answered, numbers_of
from course.practice import outcome_again
from course.submission import Submission
from course.teaching import name_mistake
from course.values import Numbers


@pytest.fixture(params=lesson_ids(ROOT))
def lesson(request, grader):
    """Every lesson once."""
    return grader.lesson(request.param)


def spoiled(wanted):
    """Return wrong numbers of the right shape that no mistake gives."""
    return [Answered(Numbers(each.shape, tuple(1.37 * number + 0.123 for number in each.flat))) for each in wanted]


def grade(lesson, shown, hidden):
    """Judge outcomes that stand for a submission."""
    runs = (Run(tuple(each), (), "", printed_cut=False, cpu_seconds=0.0, layers=()) for each in (shown, hidden))
    return judge(lesson, Submission(()), *runs)


def starts(lesson):
    """Give what the known mistakes, and many pairs of them, come to in the examples."""
    practice, cut = lesson.practice, len(lesson.examples)
    for each in (*practice.mistakes, *practice.pairs[::5]):
        yield [outcome_again(answer) for answer in each.gives[:cut]]


def test_a_name_that_a_probe_refutes_is_not_said(lesson):
    """The examples are those of a mistake, or of two at once, and the probes those of neither."""
    practice = lesson.practice
    probed = spoiled(each.returns for each in practice.probes)

    assert not [said for shown in starts(lesson) if (said := name_mistake(practice, shown, probed)) is not None]


def test_a_name_that_the_hidden_cases_refute_is_not_said(lesson):
    """The grader has many cases; what fits the few that are shown is not enough."""
    hidden = spoiled(lesson.expected)

    assert not [said for shown in starts(lesson) if (said := grade(lesson, shown, hidden).mistake) is not None]


def both_of(lesson):
    """Give some pairs of mistakes with the function that makes both."""
    practice = lesson.practice
    names = {each.name: each for each in lesson.mistakes}
    for pair in practice.pairs[:: max(1, len(practice.pairs) // 8)]:
        first, second = (names[practice.mistakes[at].name] for at in (pair.first, pair.second))
        yield pair, combine(first, second)


def test_two_mistakes_at_once_are_named_where_everything_agrees(lesson):
    """Both names are said, or one whose numbers are the same; the practice file and the grader agree."""
    practice = lesson.practice
    for pair, solve in both_of(lesson):
        shown = [outcome_of(solve, call) for call in lesson.example_calls]
        probed = [outcome_of(solve, call) for call in lesson.probes]
        hidden = [outcome_of(solve, call) for call in lesson.hidden_calls]
        if len({number for each in shown for number in numbers_of(each).flat}) == 1:
            continue  # among many pairs one gives that by chance
        names = {practice.mistakes[at].name for at in (pair.first, pair.second)}
        said = name_mistake(practice, shown, probed)
        assert said is not None
        graded = grade(lesson, shown, hidden).mistake
        assert graded is not None
        assert set(graded.name.split("; ")) == names or ";" not in graded.name or graded.name == said.name


def test_one_number_tells_the_answers_to_the_probes_apart():
    """Numbers that have changed places do not add up to the same; an error and nan have no such number."""
    one, other, nan = (Answered(Numbers((2,), flat)) for flat in ((1.0, 2.0), (2.0, 1.0), (1.0, float("nan"))))

    assert sum_up([one, other]) != sum_up([other, one])
    assert sum_up([one, nan]) is None
    assert sum_up([one, outcome_again("ValueError: no")]) is None
    assert sum_up([]) == Numbers((), (0.0,))
