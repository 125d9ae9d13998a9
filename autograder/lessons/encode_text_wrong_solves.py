"""Lesson 01, encode_text: the wrong solutions behind the known mistakes.

Most are the greedy longest match with one part replaced: how the text is read, which pieces match, which one is
chosen, what is written down, how far to move on.
"""

# ruff: noqa: D103  # the names say what each does

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Final

from autograder.lesson import Solve

Vocab = list[str]
Ids = list[int]
Match = Callable[[str, int, Vocab], Sequence[int]]
FEW: Final = 3


def all_matches(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(1, len(vocab)) if text.startswith(vocab[number], at)]


def _longest(matches: Sequence[int], vocab: Vocab) -> int:
    return max(matches, key=lambda number: len(vocab[number]), default=0)


def longer_than_the_name(matches: Sequence[int], vocab: Vocab) -> int:
    """Let the name of the unknown token be the best piece at first."""
    return _longest([0, *matches], vocab)


def _write(best: int, _vocab: Vocab) -> Ids:
    return [best]


def _length(length: int, _best: int, _vocab: Vocab) -> int:
    return length


def encode(  # noqa: PLR0913  # the parts of the method
    text: str,
    vocab: Vocab,
    *,
    read: Callable[[str], str] = str,
    match: Match = all_matches,
    choose: Callable[[Sequence[int], Vocab], int] = _longest,
    write: Callable[[int, Vocab], Ids] = _write,
    move: Callable[[int, int, Vocab], int] = _length,
    finish: Callable[[Ids], Any] = list,
) -> Any:  # noqa: ANN401  # some mistakes hand back something else
    """Cut the text into the longest pieces, with the parts given."""
    text = read(text)
    ids: Ids = []
    at = 0
    while at < len(text):
        matches = match(text, at, vocab)
        best = choose(matches, vocab)
        ids += write(best, vocab)
        at += move(len(vocab[best]) if best in matches else 1, best, vocab)
    return finish(ids)


def with_the_unknown(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(len(vocab)) if text.startswith(vocab[number], at)]


def anywhere(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(1, len(vocab)) if vocab[number] in text[at:]]


def anywhere_in_the_text(text: str, _at: int, vocab: Vocab) -> Ids:
    return anywhere(text, 0, vocab)


def pairs_only(text: str, at: int, vocab: Vocab) -> Ids:
    rest = text[at:]
    return [n for n in range(1, len(vocab)) if all(a == b for a, b in zip(vocab[n], rest, strict=False))]


def patterns(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(1, len(vocab)) if re.match(vocab[number], text[at:])]


def up_to(most: int) -> Match:
    return lambda text, at, vocab: [n for n in all_matches(text, at, vocab) if len(vocab[n]) <= most]


def without_a_gap(start: Callable[[Ids, Vocab], int]) -> Match:
    """Let a piece grow by one character as long as what comes out is in the vocabulary."""

    def match(text: str, at: int, vocab: Vocab) -> Ids:
        matches = all_matches(text, at, vocab)
        lengths = {len(vocab[number]) for number in matches}
        length = start(matches, vocab)
        while length + 1 in lengths:
            length += 1
        return [number for number in matches if len(vocab[number]) == length]

    return match


def shortest_length(matches: Ids, vocab: Vocab) -> int:
    return min((len(vocab[number]) for number in matches), default=0)


def as_far_as_it_goes(text: str, at: int, vocab: Vocab) -> Ids:
    """Go on while some piece begins like this, and do not look back to the last whole piece."""
    end = at
    while end < len(text) and any(piece.startswith(text[at : end + 1]) for piece in vocab[1:]):
        end += 1
    return [number for number in range(1, len(vocab)) if vocab[number] == text[at:end]]


def letters_only(text: str) -> str:
    return "".join(each for each in text if each.isalnum() or each.isspace())


def zeros_as_one(ids: Ids) -> Ids:
    return [each for number, run in groupby(ids) for each in ([0] if number == 0 else run)]


def until_the_unknown(ids: Ids) -> Ids:
    return ids[: ids.index(0)] if 0 in ids else ids


def skip_unknown_run(text: str, vocab: Vocab) -> Ids:
    """Give one 0 for the rest of a word that holds something unknown."""
    ids: Ids = []
    at = 0
    while at < len(text):
        best = _longest(all_matches(text, at, vocab), vocab)
        ids.append(best)
        if best:
            at += len(vocab[best])
        else:
            at += 1
            while at < len(text) and text[at] != " ":
                at += 1
    return ids


def best_split(cost: Callable[[int], Any]) -> Solve:
    """Look at every way to cut the text, and take the one whose tokens cost least."""

    def solve(text: str, vocab: Vocab) -> Ids:
        best: list[tuple[float, Ids]] = [(0, [])]
        for end in range(1, len(text) + 1):
            pieces = [(number, piece) for number, piece in enumerate(vocab) if number and text[:end].endswith(piece)]
            ways = []
            for number, piece in [*pieces, (0, "?")]:
                before, ids = best[end - len(piece)]
                ways.append((before + cost(number), [*ids, number]))
            best.append(min(ways, key=lambda way: way[0]))
        return best[-1][1]

    return solve


def longest_in_the_text(text: str, vocab: Vocab) -> Ids:
    """Cut out the longest piece wherever it stands, then go on with what is left at both sides."""
    for piece in sorted(vocab[1:], key=len, reverse=True):
        before, found, after = text.partition(piece)
        if found:
            number = vocab.index(piece)
            return [*longest_in_the_text(before, vocab), number, *longest_in_the_text(after, vocab)]
    return [0 for _ in text]


def from_the_end(text: str, vocab: Vocab) -> Ids:
    turned = encode(text[::-1], [piece[::-1] for piece in vocab])
    return list(reversed(turned))


def sorted_ids(text: str, vocab: Vocab) -> Ids:
    """Take the ids from a vocabulary that has been sorted, longest piece first."""
    return [int(each) for each in encode(text, [vocab[0], *by_length(vocab[1:])])]


def places_in(order: Callable[[Vocab], Vocab]) -> Solve:
    """Write down the place of each piece in another list than the vocabulary."""
    return lambda text, vocab: encode(
        text, vocab, write=lambda best, _: [order(vocab).index(vocab[best]) if best else 0]
    )


def by_length(pieces: Vocab) -> Vocab:
    return sorted(pieces, key=len, reverse=True)


def by_length_upwards(pieces: Vocab) -> Vocab:
    return sorted(pieces, key=len)


def in_order(order: Callable[[Vocab], Vocab]) -> tuple[Solve, ...]:
    """Sort the pieces, with the name of the unknown token or without, and take the ids from the sorted list."""
    return (
        lambda text, vocab: encode(text, order(vocab), match=with_the_unknown),
        lambda text, vocab: encode(text, order(vocab)),
        lambda text, vocab: encode(text, [vocab[0], *order(vocab[1:])]),
        places_in(order),
        places_in(lambda vocab: order(vocab[1:])),
    )


def one_character_each(text: str, vocab: Vocab) -> Ids:
    return [vocab.index(each, 1) if each in vocab[1:] else 0 for each in text]


def first_character_read(text: str, vocab: Vocab) -> Ids:
    return encode(text, vocab) if text[0] else []


def from_the_longest_length(text: str, vocab: Vocab) -> Ids:
    most = max(len(piece) for piece in vocab[1:])
    ids: Ids = encode(text, vocab, match=up_to(most))
    return ids


def one_call_per_token(text: str, vocab: Vocab) -> Ids:
    if not text:
        return []
    best = _longest(all_matches(text, 0, vocab), vocab)
    return [best, *one_call_per_token(text[len(vocab[best]) if best else 1 :], vocab)]


def takes_the_unknown_out(text: str, vocab: Vocab) -> Ids:
    ids: Ids = encode(text, vocab)
    vocab.pop(0)
    return ids


def sorts_the_input(text: str, vocab: Vocab) -> Ids:
    ids: Ids = encode(text, vocab)
    vocab.sort(key=len, reverse=True)
    return ids
