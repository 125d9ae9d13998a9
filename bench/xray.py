"""Measure the X-ray on files of wrong and right solutions: the step it names, and whether that is the right one.

    python bench/xray.py                    the wrong files that fail an example, then the right and the doubtful ones
    python bench/xray.py scores mask        only files whose name holds one of these words

Each file runs in a process of its own, with a time limit. What check says without the X-ray stands beside it: the
X-ray is for the files whose mistake nothing else names. `DUE` was judged by reading each file and its note.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import multiprocessing
import os
import sys
import time
import types
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import numpy  # noqa: F401, ICN001  # loaded here once, for all files

from course.checking import check
from course.compare import Kind, compare
from course.judging import Example
from course.outcomes import Answered
from course.practice import find_practice
from course.values import read_value
from course.xray_steps import find_step

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT.parent / "shared" / "cases" / "solutions" / "attention"
LESSON = ROOT / "source" / "09_attention"
SECONDS = 60.0
LEAST = 0.8
_FORK = multiprocessing.get_context("fork")  # numpy and the course are loaded once
_NO_RESULT: dict[str, object] = {"fails": False, "step": None, "said": "no result", "ms": 0}
SAID_BY_CHECK = {Kind.RAISED, Kind.NO_RETURN, Kind.TYPE, Kind.SHAPE}

# The first wrong step of each wrong file that fails an example; two where the mistake lies between them.
DUE = {
    1: """always_triu attends_forward else_branch_swapped future_score_zero inf_times_zero loop_variable_rebound
    mask_minus_ten mask_none_if_causal never_masks only_itself plus_infinity range_i_empty tril_after_softmax triu_k2
    typo_in_causal_branch""",
    2: """cosine decimal_four_digits drops_last_feature first_key floor_division inplace_divide_int k_with_k over_d
    over_sqrt_len_q over_sqrt_shape0_k positional_term power_one_slash_two q_at_k q_with_q scale_computed_unused
    scores_round_3 sqrt_two_constant times_sqrt v_shape_minus_one weights_over_sqrt exp_minus_s""",
    3: """axis_zero best_key_only dropout_on_weights exp_minus_s l2_normalised log_softmax_weights max_no_keepdims
    np_sum_no_axis online_no_rescale powers_of_ten relu_normalise sigmoid_normalised sum_no_keepdims taylor_exp
    values_misaligned weights_over_sqrt""",
    4: """averaged_rows column_lists columns_len_v default_list dropout_on_weights flattened memo_by_q_only
    np_mean_of_weighted output_round_2 prints_rows return_in_loop row_accumulates same_list_appended squeezed
    string_rows trailing_comma values_misaligned w_at_v_t weights_array weights_t_at_v zeros_like_v""",
}


def main(words: list[str]) -> int:
    """Print one line per file, then the shares. Return 1 where the promise is not kept: 80 %, and no right file."""
    entries = json.loads((CASES / "index.json").read_text(encoding="utf-8"))["entries"]
    kept = True
    for kind in ("wrong", "right", "doubtful"):
        named = [each for each in entries if each["kind"] == kind]
        chosen = [each for each in named if not words or any(word in each["file"] for word in words)]
        print(f"{kind:<29}{'tag':<30}{'X-ray':<7}{'due':<8}{'':<7}what check says without it", flush=True)
        kept = report(kind, [(each, look(CASES / each["file"])) for each in chosen]) and kept
    return 0 if kept else 1


def report(kind: str, looked: list[tuple[dict[str, str], dict[str, object]]]) -> bool:
    """Print the table of one kind and the shares that count; tell whether the promise is kept."""
    accused = 0
    right = {True: [0, 0], False: [0, 0]}
    for entry, seen in looked:
        name, step = Path(entry["file"]).stem, seen["step"]
        if kind != "wrong" or not seen["fails"]:
            if step is not None and not (kind == "doubtful" and seen["fails"]):
                accused += 1
                print(f"{name:<29}{entry['tag']:<30}{step!s:<7}none    WRONG")
            continue
        due = [number for number, names in DUE.items() if name in names.split()]
        alone = not seen["said"]
        good = step in due
        right[alone][0] += good
        right[alone][1] += 1
        shown = ", ".join(map(str, due)) or "none"
        print(f"{name:<29}{entry['tag']:<30}{step!s:<7}{shown:<8}{'' if good else 'WRONG':<7}{seen['said']}")
    if kind == "wrong":
        for alone, (good, all_) in right.items():
            print(f"{good} of {all_} right where {'nothing else names the mistake' if alone else 'check names it'}")
    slowest = max((float(str(seen["ms"])) for _, seen in looked), default=0.0)
    print(f"{len(looked)} {kind} files, the slowest X-ray {slowest:.0f} ms\n")
    good, all_ = right[True]
    return not accused and good >= LEAST * all_


def look(file: Path) -> dict[str, object]:
    """Look at one file in a process of its own."""
    receiver, sender = _FORK.Pipe(duplex=False)
    sys.stdout.flush()
    process = _FORK.Process(target=_look_and_send, args=(file, sender))
    process.start()
    sender.close()
    try:
        found: dict[str, object] = receiver.recv() if receiver.poll(SECONDS) else _NO_RESULT
    except EOFError:
        found = _NO_RESULT
    process.kill()
    process.join()
    return found


def _look_and_send(file: Path, sender: Connection) -> None:
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            sender.send(look_here(file))
        except ImportError:  # a module that is not installed here
            sender.send(_NO_RESULT)


def look_here(file: Path) -> dict[str, object]:
    """Say what check and the X-ray find in this file."""
    os.chdir(LESSON)
    practice = find_practice("attention")
    assert practice is not None  # noqa: S101  # the release wrote it
    module = types.ModuleType("learner")
    sys.modules["learner"] = module
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(file.read_bytes(), str(file), "exec"), module.__dict__)  # noqa: S102  # honest work, alone here
        examples = [dict(each.arguments) for each in practice.examples]
        asked = [
            values | {"returns": list_of(each.returns)}
            for values, each in zip(examples, practice.examples, strict=True)
        ]
        found = check(module.solve, asked, lesson="attention").report
    failing = [each for each in found.examples if not each.passed]
    said = found.mistake.name if found.mistake else ""
    if not said and failing and failing[0].kind in SAID_BY_CHECK:
        said = f"({failing[0].kind})"
    cases = practice.cases if failing else practice.examples  # check asks for no X-ray where all examples pass
    passed = [_passes(module.solve, case) if failing else False for case in cases]
    start = time.perf_counter()
    finding = find_step(module.solve, [case.arguments for case in cases], passed, practice.step_values[: len(cases)])
    took = 1000 * (time.perf_counter() - start)
    step = finding.step if finding else None
    if finding and finding.step is None and failing:
        step = len(practice.steps)
    return {"fails": bool(failing), "step": step, "said": said, "ms": took}


def _passes(solve: Callable[..., object], case: Example) -> bool:
    """Tell whether a file gives the right answer here."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = read_value(solve(*copy.deepcopy(list(case.arguments.values()))))
    except Exception:  # noqa: BLE001  # a learner's code may raise anything
        return False
    return compare(Answered(value), case.returns).passed


def list_of(numbers: object) -> list[list[float]]:
    """Write a table as lists."""
    flat, width = numbers.flat, numbers.shape[-1]
    return [list(flat[at : at + width]) for at in range(0, len(flat), width)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
