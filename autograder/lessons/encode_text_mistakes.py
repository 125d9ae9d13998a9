"""Lesson 01, encode_text: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `encode_text_wrong_solves.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import encode_text_wrong_solves as wrong
from autograder.lessons.common_mistakes import remembering
from autograder.lessons.encode_text_wrong_solves import FEW, all_matches, by_length, by_length_upwards, encode

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the longest piece that matches
    Mistake(
        "the name of the unknown token is matched with the text",
        "`vocab[0]` is only a name. Where the text holds the same characters, they are like any others: begin at id 1.",
        1,
        partial(encode, match=wrong.with_the_unknown),
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
        partial(encode, read=wrong.letters_only),
    ),
    Mistake(
        "pieces are read as patterns",
        "re.match gives signs such as . and + a meaning of their own. Use text.startswith(piece, start).",
        1,
        partial(encode, match=wrong.patterns),
    ),
    Mistake(
        "the piece may stand anywhere in the rest",
        "`in` is also true for a piece that stands at another place. Use text.startswith(piece, start).",
        1,
        partial(encode, match=wrong.anywhere),
        (partial(encode, match=wrong.anywhere_in_the_text),),
    ),
    Mistake(
        "always the beginning of the text",
        "You look at the text from its beginning, not at the place where you are. Use text.startswith(piece, start).",
        1,
        partial(encode, match=lambda text, _at, vocab: all_matches(text, 0, vocab)),
    ),
    Mistake(
        "a piece may go on after the end of the text",
        "zip stops at the shorter one, so a piece that is too long seems to match. Compare the whole piece.",
        1,
        partial(encode, match=wrong.pairs_only),
    ),
    Mistake(
        "only single characters are looked up",
        "You look up one character at a time. A piece can be longer: compare every piece with the text here.",
        1,
        wrong.one_character_each,
    ),
    Mistake(
        "only pieces of up to three characters",
        "Longer pieces are never found. A piece can have any length: compare every piece of the vocabulary.",
        1,
        partial(encode, match=wrong.up_to(FEW)),
        tuple(partial(encode, match=wrong.up_to(most)) for most in (4, 5, 10)),
    ),
    Mistake(
        "only pieces of up to two characters",
        "Longer pieces are never found. A piece can have any length: compare every piece of the vocabulary.",
        1,
        partial(encode, match=wrong.up_to(FEW - 1)),
    ),
    Mistake(
        "a piece grows only from one character",
        "You stop when a shorter piece is missing. abc can be a piece although a and ab are none: try every piece.",
        1,
        partial(encode, match=wrong.without_a_gap(lambda _matches, _vocab: 0)),
    ),
    Mistake(
        "a piece grows until a length is missing",
        "After the shortest piece you go on one by one, and stop at a gap. abcd can be a piece although abc is none.",
        1,
        partial(encode, match=wrong.without_a_gap(wrong.shortest_length)),
    ),
    Mistake(
        "no way back to the last whole piece",
        "You go on while some piece begins like this, and then find no piece. Go back to the longest whole one.",
        1,
        partial(encode, match=wrong.as_far_as_it_goes),
    ),
    Mistake(
        "the last piece of the vocabulary is never tried",
        "The loop over the vocabulary stops one too early. Its last id is len(vocab) - 1.",
        1,
        partial(encode, match=lambda text, at, vocab: all_matches(text, at, vocab[:-1])),
    ),
    Mistake(
        "the piece with id 1 is never tried",
        "The loop over the vocabulary begins at id 2. Only id 0 is left out.",
        1,
        partial(encode, match=lambda text, at, vocab: [n for n in all_matches(text, at, vocab) if n > 1]),
    ),
    Mistake(
        "the longest length of no pieces",
        "A vocabulary can hold the unknown token alone. Then max has nothing to look at: give it default=0.",
        1,
        wrong.from_the_longest_length,
    ),
    Mistake(
        "the first character is read before there is one",
        "The text can be empty. Look at a character only inside the loop, after the comparison with len(text).",
        1,
        wrong.first_character_read,
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
        partial(encode, choose=wrong.longer_than_the_name),
        (partial(encode, choose=wrong.longer_than_the_name, move=lambda _length, best, vocab: len(vocab[best])),),
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
        wrong.longest_in_the_text,
    ),
    Mistake(
        "cut from the end",
        "You cut the text from right to left. Begin at its first character.",
        1,
        wrong.from_the_end,
    ),
    Mistake(
        "the best cut of the whole text",
        "You look for the best way to cut the whole text. This rule never looks ahead: take the longest piece here.",
        1,
        wrong.best_split(lambda number: 1 + 1000 * (number == 0)),
        (wrong.best_split(lambda _number: 1),),
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
        "Unknown characters side by side gave one 0 together. Each uses up 1 character and gets its own 0.",
        2,
        partial(encode, finish=wrong.zeros_as_one),
        or_step=3,
    ),
    Mistake(
        "one 0 for the rest of the word",
        "After an unknown character you skip the rest of the word. Go on with the very next character.",
        2,
        wrong.skip_unknown_run,
    ),
    Mistake(
        "the end at the first unknown character",
        "Your answer stops before the first unknown character. Write 0 for it, and go on after it.",
        3,
        partial(encode, finish=wrong.until_the_unknown),
        (partial(encode, finish=lambda ids: [*wrong.until_the_unknown(ids), *([0] if 0 in ids else [])]),),
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
        wrong.sorted_ids,
        (*wrong.in_order(by_length), *wrong.in_order(sorted), *wrong.in_order(by_length_upwards)),
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
        "Your answer has one id only. Is the return inside the loop, or does the loop end too early?",
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
        wrong.one_call_per_token,
    ),
    # Between calls: the ids are right, but only in a first call
    Mistake(
        "the unknown token is taken out of the vocabulary",
        "Your function removes vocab[0] from the list that it was given. Use vocab[1:], which is a new list.",
        1,
        wrong.takes_the_unknown_out,
    ),
    Mistake(
        "the given vocabulary is sorted",
        "vocab.sort() changes the list that you were given, and a second call gives other ids. Use sorted(vocab).",
        1,
        wrong.sorts_the_input,
    ),
    Mistake(
        "an old answer is given again",
        "Your function remembers an answer and looks only at the text. Compute each call from both inputs.",
        3,
        remembering(encode, lambda text, _vocab: text),
    ),
)
