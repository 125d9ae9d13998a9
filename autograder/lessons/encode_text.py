"""Lesson 01, encode_text: the hidden groups. The known mistakes stand in `encode_text_mistakes.py`.

Expected values are not written here: they come from the notebook's reference solution. The long texts are made from
seeds, so every run of the course has the same ones.
"""

from __future__ import annotations

import random
from typing import Final

from autograder.lesson import Call, Group
from autograder.lessons.encode_text_mistakes import MISTAKES
from course.practice import Question

__all__ = ["GROUPS", "MISTAKES", "PROBES", "QUESTION"]

QUESTION: Final = Question("Which line of your code writes an id down?", step=3)

# Repeated pieces, and unknown characters side by side.
PROBES: Final = (Call(("baabzzab", ["?", "b", "ab", "a"])),)

_LETTERS: Final = ["?", "n", "e", "ne", "one", "t", "o"]


def _text(seed: int, length: int, letters: str) -> str:
    """Make a random text of these letters."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    return "".join(rng.choice(letters) for _ in range(length))


def _vocab(seed: int, count: int, letters: str) -> list[str]:
    """Make an unknown token and `count` different pieces of 1 to 4 of these letters."""
    rng = random.Random(seed)  # noqa: S311  # cases, not secrets
    pieces: dict[str, None] = {}
    while len(pieces) < count:
        pieces["".join(rng.choice(letters) for _ in range(rng.randint(1, 4)))] = None
    return ["[?]", *pieces]


GROUPS: Final = (
    Group(
        "very short inputs",
        "The text is empty or short, or the vocabulary holds the unknown token alone.",
        1,
        (
            Call(("", _LETTERS)),
            Call(("t", _LETTERS)),
            Call(("z", _LETTERS)),
            Call(("", ["?"])),
            Call(("xx", ["[?]"])),
            Call(("one", ["?", "one"])),
        ),
    ),
    Group(
        "long texts",
        "The text has up to 2,000 characters, or the vocabulary has many pieces.",
        1,
        (
            Call((_text(21, 2000, "one"), ["?", "o", "on", "e", "neo"])),
            Call((_text(22, 300, "abcd"), _vocab(23, 60, "abcd"))),
            Call(("z" * 1500, ["?", "zz"])),
        ),
    ),
    Group(
        "long pieces",
        "Pieces have up to 20 characters.",
        1,
        (
            Call(("transformers transform forms", ["?", "transform", "s", "form", "transformer", " ", "r", "trans"])),
            Call(("internationalizations", ["?", "internationalization", "nation", "s", "inter"])),
            Call(("abcdeabcdabcdef", ["?", "abcd", "abcdef", "abcde", "f"])),
        ),
    ),
    Group(
        "gaps between lengths",
        "A longer piece matches although some shorter ones are not in the vocabulary.",
        1,
        (
            Call(("abcdabcab", ["?", "a", "b", "abcd", "c"])),
            Call(("nonenon", ["?", "no", "none", "n", "o"])),
            Call(("xyzxyzxy", ["?", "xyz", "x", "y"])),
        ),
    ),
    Group(
        "almost a longer piece",
        "The text begins like a longer piece, but does not go on like it.",
        1,
        (
            Call(("abcabcdab", ["?", "ab", "abcd", "c"])),
            Call(("tentent", ["?", "tenth", "te", "n", "t"])),
            Call(("aaaaaaa", ["?", "aaaa", "a"])),
        ),
    ),
    Group(
        "spaces and capital letters",
        "Spaces and line breaks stand at the ends and side by side, and capital letters are different from small ones.",
        1,
        (
            Call(("  one  t ", [*_LETTERS, " "])),
            Call(("one  t", [*_LETTERS, "  ", " "])),
            Call(("\n t\to\n", ["?", "t", "\n", "o", " "])),
            Call(("One oNe NE", [*_LETTERS, "O", " "])),
            Call((" one one", ["?", "one", " one", " "])),
        ),
    ),
    Group(
        "signs and accents",
        "The text holds signs, digits, letters with accents, or letters of other alphabets.",
        1,
        (
            Call(("a.b+(c)*", ["?", ".", "a", "+", "b+", "(", ")*"])),
            Call(("ha!? 3.14", ["?", "!", "ha", "3.1", ".", "?"])),
            Call(("caféé", ["?", "ca", "é", "e", "fé"])),
            Call(("日本日本語", ["?", "日本", "日", "本語"])),
        ),
    ),
    Group(
        "the name of the unknown token",
        "The text holds the very characters of that name, and they are treated like any others.",
        1,
        (
            Call(("a[unk]a", ["[unk]", "a", "[", "unk"])),
            Call(("a<?>a", ["<?>", "a"])),
            Call(("nonezero", ["none", "zero", "on"])),
        ),
    ),
    Group(
        "inputs are not changed",
        "The function is called twice with the same list, and the second answer counts.",
        1,
        (
            Call(("onetone", _LETTERS), twice=True),
            Call(("abbab", ["?", "b", "bab", "a"]), twice=True),
        ),
    ),
    Group(
        "a second call",
        "Calls come one after another with the same text, and each answer fits its own vocabulary.",
        1,
        (
            Call(("tone", _LETTERS)),
            Call(("tone", ["?", "one", "ton", "t", "e"])),
            Call(("tone", ["?", "o"])),
            Call(("noted", ["?", "t", "note"])),
            Call(("noted", ["?", "ted", "no"])),
            Call(("tone", _LETTERS)),
        ),
    ),
)
