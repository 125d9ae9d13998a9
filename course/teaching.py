"""Say what a failing check teaches: the likely mistake, else a broken property. Compares numbers, never code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from course.clues import broken_property, broken_shape, name_places, step_returned
from course.compare import Kind, Verdict, compare
from course.diagnosis import Known, find_mistake, sum_up
from course.judging import Example, write_call
from course.outcomes import Answered, Outcome, Raised, numbers_of
from course.practice import KnownMistake, Pair, Practice, outcome_again
from course.report import Clue, ExampleResult, LikelyMistake
from course.values import Numbers
from course.xray_steps import Finding

_ONE_OR_OTHER: Final = "That step goes another way, or a line of yours does several steps at once."
_LOOK: Final = "Give the numbers of step {} a name of their own and print them: `hint()` says what they should be."
_WATCHED: Final = {Kind.SHAPE, Kind.NOT_FINITE, Kind.VALUES}  # an error says its own line, a wrong type its name


@dataclass(frozen=True)
class Taught:
    """What a failing check teaches: the likely mistake, else a clue; what is right already, and what to do next."""

    mistake: LikelyMistake | None = None
    clue: Clue | None = None
    already: str = ""
    action: str = ""


def teach(  # noqa: PLR0913  # all that is known of one failing check
    practice: Practice,
    outcomes: Sequence[Outcome],
    probed: Sequence[Outcome],
    finding: Finding | None,
    failing: ExampleResult,
    *,
    by_error: bool,
) -> Taught:
    """Name the likely mistake; else say which property is broken and where the code goes another way.

    `outcomes` belong to the examples, `probed` to the probes; `finding` is what watching the running function showed,
    `failing` the first example that fails. `by_error`: a mistake may be named by its error, which says little itself.
    """
    right = finding.right if finding else ()
    mistake = name_mistake(practice, outcomes, probed, finding)
    if mistake is None and by_error:
        mistake = _name_by_error(practice, (*outcomes, *probed), finding)
    if mistake is not None:
        seen = (finding.cause or finding.loop) if finding and finding.step in {None, mistake.step} else ""
        mistake = replace(mistake, advice=f"{mistake.advice} {seen}".rstrip())
        return Taught(mistake, already=_list(practice, [step for step in right if step < mistake.step]))
    return _teach_unnamed(practice, outcomes, probed, finding, failing)


def _teach_unnamed(
    practice: Practice,
    outcomes: Sequence[Outcome],
    probed: Sequence[Outcome],
    finding: Finding | None,
    failing: ExampleResult,
) -> Taught:
    """Say what the error, a loop, the shape or the numbers show, where no mistake is named."""
    already = _list(practice, finding.right if finding else ())
    step = (finding.step if finding else None) or 0
    if failing.kind is Kind.RAISED and finding is not None:
        step = step or len(practice.steps)  # all numbers are there: it stopped at the end
        return Taught(clue=Clue("", step, practice.title(step)), already=already)
    if failing.kind not in _WATCHED:
        return Taught()
    step = 0 if finding and finding.inside else step
    if finding is not None and finding.cause:
        return Taught(clue=Clue(finding.cause, step, practice.title(step)), already=already)
    at = failing.number - 1
    if failing.kind is Kind.SHAPE and (shape := _say_shape(outcomes[at], practice.examples[at].returns)):
        return replace(shape, already=already)
    says = _say_numbers(practice, outcomes, probed, finding, at) if failing.kind is Kind.VALUES else ""
    if finding is None:
        return Taught(clue=Clue(says) if says else None)
    said = " ".join(filter(None, [says, _say_finding(finding)]))
    action = _LOOK.format(finding.step) if _is_unseen(finding) else ""
    return Taught(clue=Clue(said, step, practice.title(step)), already=already, action=action)


def _say_numbers(
    practice: Practice, outcomes: Sequence[Outcome], probed: Sequence[Outcome], finding: Finding | None, at: int
) -> str:
    """Say which property the wrong numbers break; `at` is the place of the first example that fails."""
    right = finding.right if finding else ()
    open_steps = [title for number, title in enumerate(practice.steps, start=1) if number not in right]
    says = step_returned(practice.step_values, practice.examples, outcomes)
    says = says or find_clue(practice.examples[at : at + 1], outcomes[at : at + 1], open_steps)
    if says or (finding and finding.says):
        return says
    return find_clue(practice.probes, probed, open_steps, probing=True)


def _is_unseen(finding: Finding) -> bool:
    """Tell whether all that is known is that a step's numbers were not seen: several steps may stand in one line."""
    return bool(finding.step and (finding.inside or not finding.right) and not finding.missing and not finding.says)


def _say_shape(outcome: Outcome, want: Numbers) -> Taught | None:
    numbers = numbers_of(outcome)
    says, action = broken_shape(numbers, want) if numbers else ("", "")
    return Taught(clue=Clue(says), action=action) if says else None


def _say_finding(finding: Finding) -> str:
    if finding.step is None:
        return "The right numbers of every step appear in your code. Look at what happens to them at the end."
    if finding.says:
        return finding.says
    if _is_unseen(finding):
        return f"The right numbers of step {finding.step} were not seen. {_ONE_OR_OTHER}"
    missing = f": the numbers of {' and '.join(finding.missing)} do not appear in it" if finding.missing else ""
    return f"Step {finding.step} is where your code goes another way{missing}."


def _name_by_error(practice: Practice, outcomes: Sequence[Outcome], finding: Finding | None) -> LikelyMistake | None:
    """Name the known mistake that stops with the very same errors, where the running function ends in its step."""
    verdicts = [compare(each, want) for each, want in zip(outcomes, _wanted(practice), strict=True)]
    stopped = [isinstance(each, Raised) or verdict.passed for each, verdict in zip(outcomes, verdicts, strict=True)]
    if finding is None or finding.missing or not all(stopped):
        return None
    for place, known in enumerate(_known(practice)[0]):
        if practice.mistakes[place].step == finding.step and _same_ends(known, outcomes, verdicts):
            return _say(practice, practice.mistakes[place])
    return None


def _same_ends(known: Known, outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a mistake passes the same cases, and stops with the same error and message in all others."""
    cases = zip(known.outcomes, known.passes, outcomes, verdicts, strict=True)
    return all(
        passes == verdict.passed and (passes or _same_error(mistake, got)) for mistake, passes, got, verdict in cases
    )


def _same_error(one: Outcome, two: Outcome) -> bool:
    both = isinstance(one, Raised) and isinstance(two, Raised)
    return both and (one.error, one.message) == (two.error, two.message)  # type: ignore[union-attr]  # narrowed above


def _list(practice: Practice, steps: Sequence[int]) -> str:
    """Write "step 1 (its title)", or "steps 1 and 2"."""
    if len(steps) <= 1:
        return "".join(f"step {step} ({practice.title(step)})." for step in steps)
    return f"steps {', '.join(map(str, steps[:-1]))} and {steps[-1]}."


def name_mistake(
    practice: Practice, outcomes: Sequence[Outcome], probed: Sequence[Outcome], finding: Finding | None = None
) -> LikelyMistake | None:
    """Name the known mistake, or the two at once, whose numbers these are; None if there is none.

    `outcomes` belong to the examples, `probed` to the probes: a name that these refute is not said. The step to reread
    is none that `finding` proves to be right.
    """
    verdicts = [compare(each, want) for each, want in zip((*outcomes, *probed), _wanted(practice), strict=True)]
    if all(each.passed for each in verdicts[: len(outcomes)]):
        return None
    failing = next(at for at, each in enumerate(verdicts) if not each.passed)
    known = zip(practice.mistakes, _known(practice)[0], strict=True)
    able = [each for each in known if not _is_too_late(each, outcomes[failing], failing, finding)]
    place = find_mistake([row for _, row in able], (*outcomes, *probed), verdicts)
    if place is not None:
        return _say(practice, able[place][0], finding)
    there = sum_up(probed)
    if there is None:
        return None
    return name_both(practice, outcomes, lambda both: compare(Answered(there), both.probed).passed, finding)


def _is_too_late(each: tuple[KnownMistake, Known], got: Outcome, at: int, finding: Finding | None) -> bool:
    """Tell whether the call at this place stopped with an error before it came to the step of a mistake."""
    mistake, known = each
    if not isinstance(got, Raised) or finding is None or finding.step is None:
        return False
    there = known.outcomes[at]
    same = isinstance(there, Raised) and there.error == got.error
    return not same and finding.step < mistake.step


def name_both(
    practice: Practice, outcomes: Sequence[Outcome], fits: Callable[[Pair], bool], finding: Finding | None = None
) -> LikelyMistake | None:
    """Name the two mistakes at once whose numbers the examples have, where the two fit all other cases too."""
    if _is_constant(outcomes):
        return None  # among many pairs one gives that by chance
    verdicts = [compare(each, want.returns) for each, want in zip(outcomes, practice.examples, strict=True)]
    known = zip(practice.pairs, _known(practice)[1], strict=True)
    left = [(pair, row) for pair, row in known if find_mistake([row], outcomes, verdicts) is not None and fits(pair)]
    place = find_mistake([row for _, row in left], outcomes, verdicts)
    if place is None:
        return None
    failing = next(at for at, each in enumerate(verdicts) if not each.passed)
    return _say_both(practice, left[place][0], failing, finding)


def _is_constant(outcomes: Sequence[Outcome]) -> bool:
    """Tell whether all answers are one and the same number, or each table holds only one, again and again."""
    answers = [numbers.flat for numbers in map(numbers_of, outcomes) if numbers]
    return len(set().union(*answers)) <= 1 or all(len(set(flat)) <= 1 < len(flat) for flat in answers)


def find_clue(
    examples: Sequence[Example], outcomes: Sequence[Outcome], steps: Sequence[str] = (), *, probing: bool = False
) -> str:
    """Say the first property that an answer breaks, in the words of the lesson's `steps`.

    With `probing`, the learner sees this input here only.
    """
    for example, outcome in zip(examples, outcomes, strict=True):
        numbers = numbers_of(outcome)
        if numbers is not None:
            places = name_places(list(example.arguments.values()), steps)
            says = broken_property(numbers, example.returns, places)
            if says:
                return f"Try `{write_call(example.arguments)}`. {says}" if probing else says
    return ""


@lru_cache(maxsize=8)
def _known(practice: Practice) -> tuple[tuple[Known, ...], tuple[Known, ...]]:
    wanted = _wanted(practice)
    return (
        tuple(Known.of(map(outcome_again, each.gives), wanted) for each in practice.mistakes),
        tuple(Known.of(map(outcome_again, each.gives), wanted[: len(practice.examples)]) for each in practice.pairs),
    )


def _wanted(practice: Practice) -> list[Numbers]:
    return [example.returns for example in practice.cases]


def _say(practice: Practice, mistake: KnownMistake, finding: Finding | None = None) -> LikelyMistake:
    """Name a mistake and the step where it is, or where its numbers come to be although its own step is right."""
    proved = finding.proved if finding else ()
    own = [step for step in (mistake.step, mistake.or_step) if step]
    last = len(practice.steps)
    step = next((step for step in (*own, *range(own[-1] + 1, last)) if step not in proved), last)
    says = mistake.advice if step <= own[-1] else f"{mistake.advice} {_say_unused(own[-1], step, proved)}"
    return LikelyMistake(mistake.name, says, step, practice.title(step))


def _say_unused(right: int, step: int, proved: Sequence[int]) -> str:
    if step in proved:
        return "The right numbers of every step appear in your code: look at what happens to them at the end."
    return f"The right numbers of step {right} appear in your code, but step {step} does not go on with them."


def _say_both(practice: Practice, pair: Pair, first: int, finding: Finding | None) -> LikelyMistake | None:
    """Name two mistakes; the one that the example at place `first` shows comes first, and is to be mended first.

    None where a step of theirs is right: then the two together have these numbers by chance.
    """
    want = practice.examples[first].returns
    both = sorted((practice.mistakes[at] for at in (pair.first, pair.second)), key=lambda each: each.step)
    if finding is not None and any(each.step in finding.proved for each in both):
        return None
    shown = [each for each in both if not compare(outcome_again(each.gives[first]), want).passed]
    one, other = both if len(shown) != 1 else (shown[0], next(each for each in both if each is not shown[0]))
    if len(shown) == 1:
        second = f"There is a second mistake, in step {other.step}. It shows in another example:"
        says = f"{one.advice} {second} {other.advice}"
    elif one.step == other.step:
        says = f"Two things at once, both in step {one.step}. {one.advice} {other.advice}"
    else:
        says = f"Two things at once. Step {one.step}: {one.advice} Step {other.step}: {other.advice}"
    return LikelyMistake(f"{one.name}; {other.name}", says, one.step, practice.title(one.step))
