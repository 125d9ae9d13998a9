"""A mistake that is named by its numbers sends the learner to its own step: not past it, and to no right one."""

import re
import shutil

import pytest
from conftest import ROOT
from run_cells import run_cell

from autograder.loading import lesson_ids
from autograder.practice import practice_of
from course import session
from course.checking import check
from course.practice import Practice, outcome_again
from course.teaching import name_both
from course.values import to_lists

pytestmark = pytest.mark.slow  # whole checks, one after the other

NINE, TEN, ELEVEN = "09_attention", "10_multi_head_attention", "11_transformer_block"


@pytest.fixture
def press(tmp_path, monkeypatch, grader):
    """Return a function that checks a lesson's own solution after a change, beside its practice file."""
    monkeypatch.setattr(session, "_last", [])
    monkeypatch.chdir(tmp_path)

    def pressed(lesson_id, old, new):
        lesson = grader.lesson(lesson_id)
        assert old in lesson.reference_source
        code = lesson.reference_source.replace(old, new)
        shutil.copy(ROOT / "release" / lesson_id / f"{lesson.name}.json", tmp_path)
        names = {}
        exec(lesson.earlier, names)  # noqa: S102  # the functions of earlier lessons
        run_cell(code, names)
        examples = [{**each.arguments, "returns": each.returns} for each in lesson.practice.examples]
        written = Practice.from_json((tmp_path / f"{lesson.name}.json").read_text(encoding="utf-8"))
        assert written.to_json() == lesson.practice.to_json()
        shown = [each | {"returns": to_lists(each["returns"])} for each in examples]
        return check(names["solve"], shown, lesson=lesson.name).report

    return pressed


# The lesson, the change, the step that is changed, and the mistake with the same numbers.
SEVERAL_CAUSES = {
    "every score is that of one key": (NINE, "zip(q, k)", "zip(q, K[0])", 2, "the same weight for every key"),
    "the query's own index for the key": (NINE, "zip(q, k)", "zip(q, K[i])", 2, "the same weight for every key"),
    "every score is 0": (NINE, "for score in scores]", "for score in [0.0] * count]", 3, "the same weight for every"),
    "a minus sign before the scores": (NINE, "sum(a * b", "-sum(a * b", 2, "minus sign in the exponent"),
    "each weight is 1": (NINE, "e / total for", "total / total for", 3, "the values are added without weights"),
    "no weight is used": (NINE, "sum(w * number", "sum(number", 4, "the values are added without weights"),
    "the weights are sorted": (NINE, "for e in exps]", "for e in sorted(exps)[::-1]]", 3, "weights in the wrong order"),
    "sorted in the mix": (NINE, "zip(weights,", "zip(sorted(weights)[::-1],", 4, "weights in the wrong order"),
    "an unknown character uses up 2": ("01_encode_text", "else 1", "else 2", 2, "one 0 for several unknown characters"),
}


@pytest.mark.parametrize("kind", SEVERAL_CAUSES)
def test_the_same_numbers_can_come_to_be_in_several_steps(press, kind):
    """The earliest counts that the running code does not show to be right: nobody is sent past the mistake."""
    *change, step, name = SEVERAL_CAUSES[kind]
    report = press(*change)

    assert report.mistake.name.startswith(name)
    assert report.mistake.step == step


# A step that is right, and a later one that does not use what it made.
UNUSED = {
    "exps in place of weights": (NINE, "zip(weights, column)", "zip(exps, column)", 4),
    "counts in place of smoothed": ("04_bigram_model", "in smoothed:", "in counts:", 3),
    "hidden in place of bent": ("06_feed_forward", "zip(bent, column)", "zip(hidden, column)", 3),
    "the row in place of centred": ("07_layer_norm", "number / root for number in centred", "n / root for n in row", 3),
    "centred in place of standardised": ("07_layer_norm", "zip(standardised,", "zip(centred,", 4),
    "the keys are cut from Q": (TEN, "for row in K]", "for row in Q]", 2),
    "queries for queries and keys": (TEN, "attention(q, k, v", "attention(q, q, v", 3),
    "not the normed rows": (ELEVEN, "multi_head_attention(normed", "multi_head_attention(X", 2),
    "not the second normed rows": (ELEVEN, "feed_forward(normed_again", "feed_forward(stream", 5),
}


@pytest.mark.parametrize("kind", UNUSED)
def test_a_right_step_that_is_not_used_is_not_blamed(press, kind):
    """Its numbers appear in the running code, so the step after it is to be changed; the report says so."""
    *change, step = UNUSED[kind]
    report = press(*change)

    assert report.mistake.step == step
    assert re.search(rf"The right numbers of step \d appear in your code, but step {step} does ", report.mistake.advice)


@pytest.mark.parametrize("joined", ["[r + f for r, f in zip(stream, thought)]", "stream + thought"])
def test_a_sum_that_joins_lists_is_not_called_unused(press, joined):
    """The same mistake in the second sum stands in step 6, which does go on with the numbers of step 3."""
    report = press(ELEVEN, "return add(stream, thought)", f"return {joined}")

    assert report.mistake.step == 6
    assert "does not go on with them" not in report.mistake.advice


def test_two_mistakes_are_not_named_where_a_step_of_theirs_is_right(press):
    """Then the two together have these numbers by chance; what the running code shows is said."""
    report = press("04_bigram_model", "return table", "return counts")

    assert report.mistake is None or ";" not in report.mistake.name
    assert "The right numbers of every step appear in your code." in f"{report.mistake} {report.clue}"


def test_two_things_at_once_say_their_steps(grader):
    """Each advice names its step, also where both stand in the same one, or where the second shows further down."""
    practice = grader.lesson(NINE).practice
    for pair in practice.pairs:
        said = name_both(practice, list(map(outcome_again, pair.gives)), lambda _: True)
        both = [practice.mistakes[at] for at in (pair.first, pair.second)]
        if said is None or ";" not in said.name:
            continue
        steps = {each.step for each in both}
        assert said.step in steps
        if "There is a second mistake" in said.advice:
            assert re.search(r"There is a second mistake, in step \d\. It shows in another example: ", said.advice)
        elif len(steps) == 1:
            assert said.advice.startswith(f"Two things at once, both in step {said.step}. ")
        else:
            assert all(f"Step {each.step}: {each.advice}" in said.advice for each in both)


@pytest.mark.parametrize("lesson_id", lesson_ids(ROOT))
def test_the_other_step_of_a_mistake_is_a_later_one(grader, lesson_id):
    """The first of two steps is the one to reread where nothing more is known; the practice file keeps both."""
    lesson = grader.lesson(lesson_id)
    told = {each.name: each.or_step for each in practice_of(lesson).mistakes}

    for each in lesson.mistakes:
        assert each.or_step == 0 or each.step < each.or_step <= len(lesson.steps)
        assert told.get(each.name, each.or_step) == each.or_step
