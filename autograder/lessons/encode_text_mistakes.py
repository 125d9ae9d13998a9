"""Lesson 01, encode_text: the known mistakes.

Most are the greedy longest match with one part replaced: how the text is read, which pieces match, which one is
chosen, what is written down, how far to move on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final

from autograder.lesson import Mistake, Solve

Vocab = list[str]
Ids = list[int]
Match = Callable[[str, int, Vocab], Sequence[int]]
_FEW: Final = 3


def _all_matches(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(1, len(vocab)) if text.startswith(vocab[number], at)]


def _longest(matches: Sequence[int], vocab: Vocab) -> int:
    return max(matches, key=lambda number: len(vocab[number]), default=0)


def _longer_than_the_name(matches: Sequence[int], vocab: Vocab) -> int:
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
    match: Match = _all_matches,
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


def _with_the_unknown(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(len(vocab)) if text.startswith(vocab[number], at)]


def _anywhere(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(1, len(vocab)) if vocab[number] in text[at:]]


def _pairs_only(text: str, at: int, vocab: Vocab) -> Ids:
    rest = text[at:]
    return [n for n in range(1, len(vocab)) if all(a == b for a, b in zip(vocab[n], rest, strict=False))]


def _patterns(text: str, at: int, vocab: Vocab) -> Ids:
    return [number for number in range(1, len(vocab)) if re.match(vocab[number], text[at:])]


def _up_to(most: int) -> Match:
    return lambda text, at, vocab: [n for n in _all_matches(text, at, vocab) if len(vocab[n]) <= most]


def _without_a_gap(start: Callable[[Ids, Vocab], int]) -> Match:
    """Let a piece grow by one character as long as what comes out is in the vocabulary."""

    def match(text: str, at: int, vocab: Vocab) -> Ids:
        matches = _all_matches(text, at, vocab)
        lengths = {len(vocab[number]) for number in matches}
        length = start(matches, vocab)
        while length + 1 in lengths:
            length += 1
        return [number for number in matches if len(vocab[number]) == length]

    return match


def _shortest_length(matches: Ids, vocab: Vocab) -> int:
    return min((len(vocab[number]) for number in matches), default=0)


def _as_far_as_it_goes(text: str, at: int, vocab: Vocab) -> Ids:
    """Go on while some piece begins like this, and do not look back to the last whole piece."""
    end = at
    while end < len(text) and any(piece.startswith(text[at : end + 1]) for piece in vocab[1:]):
        end += 1
    return [number for number in range(1, len(vocab)) if vocab[number] == text[at:end]]


def _letters_only(text: str) -> str:
    return "".join(each for each in text if each.isalnum() or each.isspace())


def _zeros_as_one(ids: Ids) -> Ids:
    return [each for number, run in groupby(ids) for each in ([0] if number == 0 else run)]


def _until_the_unknown(ids: Ids) -> Ids:
    return ids[: ids.index(0)] if 0 in ids else ids


def _skip_unknown_run(text: str, vocab: Vocab) -> Ids:
    """Give one 0 for the rest of a word that holds something unknown."""
    ids: Ids = []
    at = 0
    while at < len(text):
        best = _longest(_all_matches(text, at, vocab), vocab)
        ids.append(best)
        if best:
            at += len(vocab[best])
        else:
            at += 1
            while at < len(text) and text[at] != " ":
                at += 1
    return ids


def _best_split(cost: Callable[[int], Any]) -> Solve:
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


def _longest_in_the_text(text: str, vocab: Vocab) -> Ids:
    """Cut out the longest piece wherever it stands, then go on with what is left at both sides."""
    for piece in sorted(vocab[1:], key=len, reverse=True):
        before, found, after = text.partition(piece)
        if found:
            number = vocab.index(piece)
            return [*_longest_in_the_text(before, vocab), number, *_longest_in_the_text(after, vocab)]
    return [0 for _ in text]


def _from_the_end(text: str, vocab: Vocab) -> Ids:
    turned = encode(text[::-1], [piece[::-1] for piece in vocab])
    return list(reversed(turned))


def _sorted_ids(text: str, vocab: Vocab) -> Ids:
    """Take the ids from a vocabulary that has been sorted, longest piece first."""
    return [int(each) for each in encode(text, [vocab[0], *_by_length(vocab[1:])])]


def _places_in(order: Callable[[Vocab], Vocab]) -> Solve:
    """Write down the place of each piece in another list than the vocabulary."""
    return lambda text, vocab: encode(
        text, vocab, write=lambda best, _: [order(vocab).index(vocab[best]) if best else 0]
    )


def _by_length(pieces: Vocab) -> Vocab:
    return sorted(pieces, key=len, reverse=True)


def _all_with_the_unknown(text: str, vocab: Vocab) -> Ids:
    """Sort the name of the unknown token along with the pieces."""
    return [int(each) for each in encode(text, _by_length(vocab), match=_with_the_unknown)]


def _one_character_each(text: str, vocab: Vocab) -> Ids:
    return [vocab.index(each, 1) if each in vocab[1:] else 0 for each in text]


def _first_character_read(text: str, vocab: Vocab) -> Ids:
    return encode(text, vocab) if text[0] else []


def _from_the_longest_length(text: str, vocab: Vocab) -> Ids:
    most = max(len(piece) for piece in vocab[1:])
    ids: Ids = encode(text, vocab, match=_up_to(most))
    return ids


def _one_call_per_token(text: str, vocab: Vocab) -> Ids:
    if not text:
        return []
    best = _longest(_all_matches(text, 0, vocab), vocab)
    return [best, *_one_call_per_token(text[len(vocab[best]) if best else 1 :], vocab)]


def _takes_the_unknown_out(text: str, vocab: Vocab) -> Ids:
    ids: Ids = encode(text, vocab)
    vocab.pop(0)
    return ids


def _sorts_the_input(text: str, vocab: Vocab) -> Ids:
    ids: Ids = encode(text, vocab)
    vocab.sort(key=len, reverse=True)
    return ids


def _remembering() -> Solve:
    """Keep the last answer, and look only at the text to decide whether it can be given again."""
    last: dict[str, Ids] = {}

    def solve(text: str, vocab: Vocab) -> Ids:
        if text not in last:
            last.clear()
            last[text] = encode(text, vocab)
        return last[text]

    return solve


MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the longest piece that matches
    Mistake(
        "the name of the unknown token is matched with the text",
        "`vocab[0]` is only a name. Where the text holds the same characters, they are like any others: begin at id 1.",
        1,
        partial(encode, match=_with_the_unknown),
    ),
    Mistake(
        "capital letters are made small",
        "You changed the text with lower(). A and a are different characters: take the text as it is.",
        1,
        partial(encode, read=str.lower),
    ),
    Mistake(
        "spaces are left out",
        "The spaces are missing. A space is a character like any other: a piece, or unknown.",
        1,
        partial(encode, read=lambda text: text.replace(" ", "")),
        (partial(encode, read=lambda text: "".join(text.split())),),
    ),
    Mistake(
        "spaces at both ends are cut off",
        "Spaces and line breaks at the ends of the text are lost. Take the text as it is, without strip().",
        1,
        partial(encode, read=str.strip),
        (partial(encode, read=str.rstrip), partial(encode, read=str.lstrip)),
    ),
    Mistake(
        "several spaces become one",
        "You cut the text with split(), and that loses spaces and line breaks. Take the text as it is.",
        1,
        partial(encode, read=lambda text: " ".join(text.split())),
    ),
    Mistake(
        "signs are left out",
        "Only letters and digits are kept. Every character of the text counts, signs too.",
        1,
        partial(encode, read=_letters_only),
    ),
    Mistake(
        "pieces are read as patterns",
        "re.match gives signs such as . and + a meaning of their own. Use text.startswith(piece, start).",
        1,
        partial(encode, match=_patterns),
    ),
    Mistake(
        "the piece may stand anywhere in the rest",
        "`piece in text[start:]` is also true for a piece that comes later. Use text.startswith(piece, start).",
        1,
        partial(encode, match=_anywhere),
    ),
    Mistake(
        "a piece may go on after the end of the text",
        "zip stops at the shorter one, so a piece that is too long seems to match. Compare the whole piece.",
        1,
        partial(encode, match=_pairs_only),
    ),
    Mistake(
        "only single characters are looked up",
        "You look up one character at a time. A piece can be longer: compare every piece with the text here.",
        1,
        _one_character_each,
    ),
    Mistake(
        "only pieces of up to three characters",
        "Longer pieces are never found. A piece can have any length: compare every piece of the vocabulary.",
        1,
        partial(encode, match=_up_to(_FEW)),
        tuple(partial(encode, match=_up_to(most)) for most in (4, 5, 10)),
    ),
    Mistake(
        "only pieces of up to two characters",
        "Longer pieces are never found. A piece can have any length: compare every piece of the vocabulary.",
        1,
        partial(encode, match=_up_to(_FEW - 1)),
    ),
    Mistake(
        "a piece grows only from one character",
        "You stop when a shorter piece is missing. abc can be a piece although a and ab are none: try every piece.",
        1,
        partial(encode, match=_without_a_gap(lambda _matches, _vocab: 0)),
    ),
    Mistake(
        "a piece grows until a length is missing",
        "After the shortest piece you go on one by one, and stop at a gap. abcd can be a piece although abc is none.",
        1,
        partial(encode, match=_without_a_gap(_shortest_length)),
    ),
    Mistake(
        "no way back to the last whole piece",
        "You go on while some piece begins like this, and then find no piece. Go back to the longest whole one.",
        1,
        partial(encode, match=_as_far_as_it_goes),
    ),
    Mistake(
        "the last piece of the vocabulary is never tried",
        "The loop over the vocabulary stops one too early. Its last id is len(vocab) - 1.",
        1,
        partial(encode, match=lambda text, at, vocab: _all_matches(text, at, vocab[:-1])),
    ),
    Mistake(
        "the piece with id 1 is never tried",
        "The loop over the vocabulary begins at id 2. Only id 0 is left out.",
        1,
        partial(encode, match=lambda text, at, vocab: [n for n in _all_matches(text, at, vocab) if n > 1]),
    ),
    Mistake(
        "the longest length of no pieces",
        "A vocabulary can hold the unknown token alone. Then max has nothing to look at: give it default=0.",
        1,
        _from_the_longest_length,
    ),
    Mistake(
        "the first character is read before there is one",
        "The text can be empty. Look at a character only inside the loop, after the comparison with len(text).",
        1,
        _first_character_read,
    ),
    Mistake(
        "the first piece that matches",
        "You stop at the first match. Look at all pieces that match here, and take the longest one.",
        1,
        partial(encode, choose=lambda matches, _vocab: min(matches, default=0)),
    ),
    Mistake(
        "the last piece that matches",
        "A later match replaces a longer one. Replace it only if the new piece is longer.",
        1,
        partial(encode, choose=lambda matches, _vocab: max(matches, default=0)),
    ),
    Mistake(
        "longer than the name of the unknown token",
        "The best piece so far is vocab[0] at first, and that is only a name. Begin with the best length 0.",
        1,
        partial(encode, choose=_longer_than_the_name),
        (partial(encode, choose=_longer_than_the_name, move=lambda _length, best, vocab: len(vocab[best])),),
    ),
    Mistake(
        "the shortest piece that matches",
        "You take the shortest match. Take the longest one.",
        1,
        partial(encode, choose=lambda matches, vocab: min(matches, key=lambda n: len(vocab[n]), default=0)),
    ),
    Mistake(
        "the longest piece of the whole text comes first",
        "You cut out long pieces wherever they stand. Go from left to right: the longest piece that begins here.",
        1,
        _longest_in_the_text,
    ),
    Mistake(
        "cut from the end",
        "You cut the text from right to left. Begin at its first character.",
        1,
        _from_the_end,
    ),
    Mistake(
        "the best cut of the whole text",
        "You look for the best way to cut the whole text. This rule never looks ahead: take the longest piece here.",
        1,
        _best_split(lambda number: 1 + 1000 * (number == 0)),
        (_best_split(lambda _number: 1),),
    ),
    # Step 3: the ids
    Mistake(
        "unknown characters are left out",
        "An unknown character leaves no trace in your answer. Write id 0 for it.",
        3,
        partial(encode, write=lambda best, _vocab: [best] if best else []),
    ),
    Mistake(
        "one 0 for several unknown characters",
        "Unknown characters side by side gave one 0 together. Each of them gets its own 0.",
        3,
        partial(encode, finish=_zeros_as_one),
    ),
    Mistake(
        "one 0 for the rest of the word",
        "After an unknown character you skip the rest of the word. Go on with the very next character.",
        2,
        _skip_unknown_run,
    ),
    Mistake(
        "the end at the first unknown character",
        "Your answer stops before the first unknown character. Write 0 for it, and go on after it.",
        3,
        partial(encode, finish=_until_the_unknown),
        (partial(encode, finish=lambda ids: [*_until_the_unknown(ids), *([0] if 0 in ids else [])]),),
    ),
    Mistake(
        "-1 for an unknown character",
        "find gives -1 when it finds nothing. The id of an unknown character is 0.",
        3,
        partial(encode, write=lambda best, _vocab: [best or -1]),
    ),
    Mistake(
        "an unknown character gets a new id",
        "An unknown character got the id len(vocab), which no piece has. Its id is 0.",
        3,
        partial(encode, write=lambda best, vocab: [best or len(vocab)]),
    ),
    Mistake(
        "ids counted from 1",
        "Every id is one too high. The place of a piece in the vocabulary is counted from 0.",
        3,
        partial(encode, write=lambda best, _vocab: [best + 1]),
    ),
    Mistake(
        "ids counted without the unknown token",
        "The ids are one too low. vocab[0] has id 0, so the piece after it has id 1.",
        3,
        partial(encode, write=lambda best, _vocab: [best - 1] if best else [0]),
    ),
    Mistake(
        "ids of a sorted vocabulary",
        "The id is the place in `vocab` as it was given, not in your sorted list: `vocab.index(piece)` gives it.",
        3,
        _sorted_ids,
        (
            _all_with_the_unknown,
            _places_in(_by_length),
            _places_in(lambda vocab: _by_length(vocab[1:])),
            _places_in(sorted),
            _places_in(lambda vocab: sorted(vocab, key=len)),
        ),
    ),
    Mistake(
        "the lengths instead of the ids",
        "These are the lengths of the pieces. Write down the id of each piece, its place in the vocabulary.",
        3,
        partial(encode, write=lambda best, vocab: [len(vocab[best]) if best else 0]),
    ),
    Mistake(
        "each id only once",
        "An id that comes again is missing. Write an id down every time its piece comes.",
        3,
        partial(encode, finish=lambda ids: list(dict.fromkeys(ids))),
    ),
    Mistake(
        "the ids are sorted",
        "The ids are right, but in another order. Keep the order of the text.",
        3,
        partial(encode, finish=sorted),
    ),
    Mistake(
        "the order is turned around",
        "The ids are right, but the last one comes first. Put each new id at the end: ids.append(best).",
        3,
        partial(encode, finish=lambda ids: ids[::-1]),
    ),
    Mistake(
        "one list for each id",
        "Each id has a list of its own. Return one list of numbers with no list inside: append the id itself.",
        3,
        partial(encode, finish=lambda ids: [[each] for each in ids]),
    ),
    Mistake(
        "only the first id",
        "Your answer has one id only. Move the return out of the loop.",
        3,
        partial(encode, finish=lambda ids: ids[:1]),
        (partial(encode, finish=lambda ids: ids[0] if ids else []),),
    ),
    Mistake(
        "one 0 too many at the end",
        "The loop goes one round too far: the last place of the text is len(text) - 1. Use < instead of <=.",
        3,
        partial(encode, finish=lambda ids: [*ids, 0]),
    ),
    Mistake(
        "the last token is missing",
        "The last token is not written down. Write down an id in every round of the loop.",
        3,
        partial(encode, finish=lambda ids: ids[:-1]),
    ),
    Mistake(
        "a 0 for an empty text",
        "An empty text has no character, so there is nothing unknown in it. Return an empty list.",
        3,
        partial(encode, finish=lambda ids: ids or [0]),
    ),
    # Step 2: how far to move on
    Mistake(
        "one character further each time",
        "A piece of three characters uses up three of them. Move on by the length of the piece.",
        2,
        partial(encode, move=lambda _length, _best, _vocab: 1),
    ),
    Mistake(
        "one character too far",
        "After each piece you skip a character. Move on by len(piece), no further.",
        2,
        partial(encode, move=lambda length, _best, _vocab: length + 1),
    ),
    Mistake(
        "an unknown character is as long as its name",
        "After an unknown character you move on by len(vocab[0]), but that is a name. Move on by 1.",
        2,
        partial(encode, move=lambda length, best, vocab: length if best else len(vocab[0])),
    ),
    Mistake(
        "one call for each token",
        "Your function calls itself once for each token, and Python stops it in a long text. Use a while loop.",
        3,
        _one_call_per_token,
    ),
    # Between calls: the ids are right, but only in a first call
    Mistake(
        "the unknown token is taken out of the vocabulary",
        "Your function removes vocab[0] from the list that it was given. Use vocab[1:], which is a new list.",
        1,
        _takes_the_unknown_out,
    ),
    Mistake(
        "the given vocabulary is sorted",
        "vocab.sort() changes the list that you were given, and a second call gives other ids. Use sorted(vocab).",
        1,
        _sorts_the_input,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the text. Compute each call from both inputs.",
        3,
        _remembering(),
    ),
)
