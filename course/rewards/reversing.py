"""The reward of chapter 3: a small model reverses words with the learner's own functions.

Its weights are data, written once by `tools/train_reversing.py`. What the lessons teach is not here: the vectors, the
layer norm, attention and the block come from the notebook. Here is only what joins them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from course.compare import compare
from course.judging import read_examples
from course.outcomes import Answered
from course.pictures.picture import Examples, Picture, ask, is_finite, rows_of
from course.rewards.looking import Head, draw_head
from course.show_html import inline_code
from course.wording import count

Rows = list[list[float]]

LENGTH: Final = 5  # letters in a word, as the model was trained
BAR: Final = "|"  # ends the word; the answer follows
_EPS: Final = 1e-5
_WORD: Final = re.compile(rf"[a-z]{{{LENGTH}}}")
_CELL: Final = "padding:2px 18px 2px 0;text-align:left;font-weight:normal"
_EARLIER: Final = ("embed_tokens", "layer_norm", "attention")
_OWN: Final = "course.carry_on"  # where a learner's own earlier function comes from
_CHECK_FIRST: Final = "The check says what to do first."


class _NotYetError(Exception):
    """The model cannot run on these functions. The message is for the learner."""


@dataclass(frozen=True, repr=False)
class Reversed:
    """Words and what the model wrote for each, what there is to say about it, and where a head looked."""

    pairs: tuple[tuple[str, str], ...]
    says: tuple[str, ...]
    picture: Picture | None = None

    def __repr__(self) -> str:
        """Return everything as text."""
        lines = [f"{word}  ->  {written}   {_judge(word, written)}" for word, written in self.pairs]
        return "\n".join([*lines, *self.says, *([repr(self.picture)] if self.picture else [])])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" style="{_CELL};font-family:monospace">{escape(word)}</th>'
            f'<td style="{_CELL};font-family:monospace">{escape(written)}</td>'
            f'<td style="{_CELL}">{_judge(word, written)}</td></tr>'
            for word, written in self.pairs
        )
        titles = ("Word", "The model writes", "Result")
        head = "".join(f'<th scope="col" style="{_CELL}">{title}</th>' for title in titles)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
        told = "".join(f'<p style="margin:6px 0;max-width:760px">{inline_code(each)}</p>' for each in self.says)
        return f"<div>{table}{told}{self.picture._repr_html_() if self.picture else ''}</div>"


@dataclass(frozen=True)
class ReversingModel:
    """The trained model with the functions that it runs on. Call it with words of five letters."""

    solve: object
    examples: Examples
    embed_tokens: object
    layer_norm: object
    attention: object

    def __call__(self, *words: str) -> Reversed:
        """Let the model reverse each word, and show where it looks while it writes the first one that is right."""
        if not words or not all(isinstance(word, str) and _WORD.fullmatch(word) for word in words):
            return Reversed((), (f"The model reads words of {LENGTH} small letters, a to z: `model`, for example.",))
        try:
            self._insist_on_the_examples()
            pairs = tuple((word, self.write(word)) for word in words)
            right = [word for word, written in pairs if _is_right(word, written)]
            head = self.best_head(right[0]) if right else None
        except _NotYetError as reason:
            return Reversed((), (str(reason),))
        says = [f"{len(right)} of {count(len(pairs), 'word')} right.", self._whose()]
        if len(right) < len(pairs):
            says.insert(1, f"The model was trained with another block than this one. {_CHECK_FIRST}")
        return Reversed(pairs, (*says, head.sentence) if head else tuple(says), draw_head(head) if head else None)

    def write(self, word: str) -> str:
        """Let the model read the word and write five letters, each the one with the highest score."""
        model, text = _model(), word + BAR
        for _ in range(LENGTH):
            X = self._vectors(text)
            after = self._numbers("solve", X, model["blocks"][0], model["n_heads"], size=len(X[0]))
            normed = self._numbers("layer_norm", after, model["lnf_gain"], model["lnf_bias"], _EPS, size=len(X[0]))
            (scores,) = _times(normed[-1:], model["w_out"])
            text += model["letters"][scores.index(max(scores))]
        return text[-LENGTH:]

    def best_head(self, word: str) -> Head:
        """Return the head that looks most at the letters to copy, while the model writes `word` back to front."""
        text = word + BAR + word[:0:-1]
        heads = [Head(number, text, rows[LENGTH:]) for number, rows in enumerate(self.weights(text))]
        return max(heads, key=lambda head: sum(head.copied))

    def weights(self, text: str) -> list[Rows]:
        """Ask the notebook's attention for the weights of each head, with the queries and keys that the block makes.

        With the identity matrix as values, each output row is the row of weights.
        """
        model, X = _model(), self._vectors(text)
        block, width = model["blocks"][0], len(X[0]) // model["n_heads"]
        normed = self._numbers("layer_norm", X, block["ln1_gain"], block["ln1_bias"], _EPS, size=len(X[0]))
        Q, K = _times(normed, block["w_q"]), _times(normed, block["w_k"])
        identity = [[float(i == j) for j in range(len(X))] for i in range(len(X))]
        heads = []
        for start in range(0, len(X[0]), width):
            q, k = ([row[start : start + width] for row in rows] for rows in (Q, K))
            heads.append(self._numbers("attention", q, k, identity, True, size=len(X)))  # noqa: FBT003  # as lessons do
        return heads

    def _insist_on_the_examples(self) -> None:
        """Refuse a block that is not the lesson's: the trained weights forgive many mistakes, and would hide them."""
        for example in read_examples(self.examples):
            numbers = ask(self.solve, *example.arguments.values(), shape=example.returns.shape)
            if numbers is None or not compare(Answered(numbers), example.returns).passed:
                message = f"The model waits for a `solve` that gives every example of the check. {_CHECK_FIRST}"
                raise _NotYetError(message)

    def _vectors(self, text: str) -> Rows:
        model = _model()
        ids = [model["letters"].index(letter) for letter in text]
        return self._numbers("embed_tokens", ids, model["tokens"], model["positions"], 0, size=len(model["w_out"]))

    def _numbers(self, name: str, *arguments: Any, size: int) -> Rows:  # noqa: ANN401  # whatever the lesson takes
        """Call one of the functions: it must give one row of `size` numbers for each row of its first argument."""
        rows = len(arguments[0])
        numbers = ask(getattr(self, name), *arguments, shape=(rows, size))
        if numbers is None or not is_finite(numbers):
            advice = _CHECK_FIRST if name == "solve" else "Run the check of its lesson again."
            message = f"The model needs {rows} rows of {size} numbers from `{name}`, and did not get them. {advice}"
            raise _NotYetError(message)
        return [list(row) for row in rows_of(numbers)]

    def _whose(self) -> str:
        """Say which functions are the learner's own."""
        own = [name for name in _EARLIER if getattr(getattr(self, name), "__module__", "") == _OWN]
        given = [f"`{name}`" for name in _EARLIER if name not in own]
        mine = f"These are your own: {', '.join(f'`{name}`' for name in ('solve', *own))}."
        return f"{mine} The course's: {', '.join(given)}." if given else mine


def reversing_model(
    solve: object, examples: Examples, *, embed_tokens: object, layer_norm: object, attention: object
) -> ReversingModel:
    """Return the trained model, running on the learner's block and on the functions of lessons 05, 07 and 09.

    It waits until `solve` gives every one of the `examples`.
    """
    return ReversingModel(solve, examples, embed_tokens, layer_norm, attention)


def _is_right(word: str, written: str) -> bool:
    return written == word[::-1]


def _judge(word: str, written: str) -> str:
    return "right" if _is_right(word, written) else f"not {word[::-1]}"


def _times(rows: Rows, matrix: Rows) -> Rows:
    """Multiply two matrices."""
    columns = list(zip(*matrix, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in rows]


@cache
def _model() -> dict[str, Any]:
    """Read the weights, once. `ask` hands out copies, so no function can change them."""
    model: dict[str, Any] = json.loads(files("course.rewards").joinpath("reversing.json").read_text(encoding="utf-8"))
    return model
