"""Lesson 05, embed_tokens: the known mistakes, in the order of the steps.

The wrong solutions themselves stand in `embed_tokens_wrong_solves.py`.
"""

from __future__ import annotations

from functools import partial
from operator import mul, sub
from typing import Final

from autograder.lesson import Mistake
from autograder.lessons import embed_tokens_wrong_solves as wrong
from autograder.lessons.common_mistakes import (
    changing,
    flattened,
    one_column_flat,
    one_row_flat,
    pair_sums,
    remembering,
    rounded,
    running_sums,
    turned,
)
from autograder.lessons.embed_tokens_wrong_solves import BYTE, WINDOW, embed

_changing = partial(changing, embed)  # compute the right rows and then hand back something else

MISTAKES: Final[tuple[Mistake, ...]] = (
    # Step 1: the token
    Mistake(
        "the row before the token's row",
        "Every token gets the vector of the id before it. Rows are counted from 0: id 2 is token_table[2].",
        1,
        partial(embed, token=lambda table, token_id, _i: table[token_id - 1]),
    ),
    Mistake(
        "token looked up by position",
        "Token i gets row i of token_table. Use its id instead: token_table[ids[i]].",
        1,
        partial(embed, token=lambda table, _id, i: table[i]),
    ),
    Mistake(
        "start is added to the token id",
        "The start moves the row of token_table. It is about the place: use it with position_table only.",
        1,
        lambda ids, tokens, positions, start: embed([each + start for each in ids], tokens, positions, start),
    ),
    Mistake(
        "a column instead of a row",
        "You read column id of token_table. A token's vector is a row: token_table[id].",
        1,
        partial(embed, token=lambda table, token_id, _i: [row[token_id] for row in table]),
    ),
    Mistake(
        "id 0 gets no vector",
        "A token with id 0 gets zeros. 0 is an id like all others, and its vector is the first row.",
        1,
        partial(embed, token=lambda table, token_id, _i: table[token_id] if token_id else [0.0] * len(table[0])),
    ),
    Mistake(
        "ids are kept in 8 bits",
        "Ids of 256 and more became other ids: uint8 ends at 255. Keep ids as plain ints.",
        1,
        partial(embed, token=lambda table, token_id, _i: table[token_id % BYTE]),
    ),
    Mistake(
        "ids are read digit by digit",
        "An id such as 12 was read as 1 and 2. Take each id from the list as one number.",
        1,
        wrong.other_ids(lambda ids: [int(digit) for each in ids for digit in str(each)]),
    ),
    Mistake(
        "each token once",
        "A token that comes again is left out. Every place in the text gets a row of its own.",
        1,
        wrong.other_ids(lambda ids: list(dict.fromkeys(ids))),
    ),
    Mistake(
        "the ids are sorted",
        "Your rows come in the order of the ids. Keep the order of the text.",
        1,
        wrong.other_ids(sorted),
    ),
    Mistake(
        "the whole vocabulary",
        "You return a row for each token of the vocabulary. Go through ids: one row for each of them.",
        1,
        lambda _ids, tokens, positions, start: embed(range(len(tokens)), tokens, positions, start),
    ),
    Mistake(
        "the text is cut at 8 tokens",
        "A long text loses its end. Go through all ids, however many there are.",
        1,
        wrong.other_ids(lambda ids: ids[:WINDOW]),
    ),
    Mistake(
        "the last token is left out",
        "Your answer ends one row too early. range(len(ids)) reaches the last id: take nothing away from it.",
        1,
        wrong.other_ids(lambda ids: ids[:-1]),
    ),
    Mistake(
        "ids before start are left out",
        "You begin at ids[start], and not at ids[0]. All ids count: only the row of position_table begins at start.",
        1,
        lambda ids, tokens, positions, start: embed(ids[start:], tokens, positions, start),
        (wrong.ids_from_start, wrong.ids_and_places_from_start),
    ),
    Mistake(
        "only the first token",
        "Your answer stops after the first token. Is the return inside the loop, or is its range too short?",
        1,
        wrong.other_ids(lambda ids: ids[:1]),
    ),
    # Step 2: the position
    Mistake(
        "position looked up by token id",
        "The position vector comes from row id. Use the place of the token: row start + i.",
        2,
        partial(embed, place=lambda i, ids, _start, _rows: ids[i]),
    ),
    Mistake(
        "start is ignored",
        "Your positions begin at row 0. The first token stands at start: use row start + i.",
        2,
        wrong.at_start(lambda _start: 0),
    ),
    Mistake(
        "start for every token",
        "All tokens get the position vector of row start. Each token stands one place further: row start + i.",
        2,
        partial(embed, place=lambda _i, _ids, start, _rows: start),
    ),
    Mistake(
        "positions are counted from 1",
        "Your positions are one row too far. The first token stands exactly at start: use row start + i, i from 0.",
        2,
        wrong.at_start(lambda start: start + 1),
    ),
    Mistake(
        "start is subtracted",
        "You use row i - start. The text begins later, so the row is start + i.",
        2,
        wrong.at_start(lambda start: -start),
    ),
    Mistake(
        "start times i",
        "You multiply start by the place. Add them: row start + i.",
        2,
        partial(embed, place=lambda i, _ids, start, _rows: start * i),
    ),
    Mistake(
        "a token that comes again gets its first place",
        "ids.index(id) finds the first place of a token. Count the places with enumerate or range instead.",
        2,
        partial(embed, place=lambda i, ids, start, _rows: start + ids.index(ids[i])),
    ),
    Mistake(
        "the last rows of the position table",
        "You take the last rows of position_table. Begin at row start.",
        2,
        partial(embed, place=lambda i, ids, _start, rows: rows - len(ids) + i),
    ),
    Mistake(
        "positions in reverse order",
        "The last token gets the first place. Positions grow from left to right: row start + i.",
        2,
        partial(embed, place=lambda i, ids, start, _rows: start + len(ids) - 1 - i),
    ),
    Mistake(
        "the slice ends too early",
        "position_table[start:len(ids)] is too short once start is above 0. It ends at start + len(ids).",
        2,
        wrong.slice_too_short,
    ),
    Mistake(
        "the positions are left out",
        "Your rows are the token vectors alone. Add the position vector to each of them.",
        2,
        partial(embed, join=lambda token, _position: list(token)),
    ),
    Mistake(
        "the place itself is added",
        "You add the number of the place. Add the vector of the place: a row of position_table.",
        2,
        wrong.plus_the_place,
    ),
    # Step 3: the sum
    Mistake(
        "the token vectors are left out",
        "Your rows are the position vectors alone. Add the token vector to each of them.",
        3,
        partial(embed, join=lambda _token, position: list(position)),
    ),
    Mistake(
        "one vector behind the other",
        "You put one row behind the other. Add the numbers in pairs, so that the width stays the same.",
        3,
        partial(embed, join=lambda token, position: token + position),
    ),
    Mistake(
        "numbers stand in pairs",
        "The numbers of the two vectors stand side by side in pairs. Add the two numbers of each pair.",
        3,
        partial(embed, join=lambda token, position: [list(pair) for pair in zip(token, position, strict=True)]),
    ),
    Mistake(
        "multiplied instead of added",
        "The two vectors are multiplied number by number. Add them.",
        3,
        partial(embed, join=lambda token, position: list(map(mul, token, position))),
    ),
    Mistake(
        "subtracted instead of added",
        "The position vector is subtracted. Add it.",
        3,
        partial(embed, join=lambda token, position: list(map(sub, token, position))),
    ),
    Mistake(
        "the mean instead of the sum",
        "Your numbers are half as large as they should be: they are means. Only add, without dividing by 2.",
        3,
        partial(embed, join=lambda token, position: [number / 2 for number in pair_sums(token, position)]),
    ),
    Mistake(
        "token vectors times the square root of d",
        "Some books multiply the token vectors by sqrt(d). GPT does not: add them as they are.",
        3,
        partial(embed, join=wrong.scaled),
    ),
    Mistake(
        "one number of the position vector for all",
        "You add the first number of the position vector everywhere. Each number has a partner in its own column.",
        3,
        partial(embed, join=lambda token, position: [number + position[0] for number in token]),
    ),
    Mistake(
        "added into the token table",
        "row = token_table[id] is the row itself, so += changes the table. Make a new list for each sum.",
        3,
        wrong.added_into(wrong.into),
    ),
    Mistake(
        "added into the token table, then copied",
        "Your += changes the token table, so a token that comes again has two positions. Make a new list first.",
        3,
        wrong.added_into(lambda token, position: list(wrong.into(token, position))),
    ),
    Mistake(
        "added into the position table",
        "Your += changes the position table, so a second call gives other numbers. Make a new list for each sum.",
        3,
        wrong.added_into(lambda token, position: list(wrong.into(position, token))),
    ),
    Mistake(
        "the sum goes on from row to row",
        "Each row holds the rows before it as well. Start a new row for every token.",
        3,
        _changing(running_sums),
    ),
    Mistake(
        "all rows are added into one",
        "You return one row, the sum of all. Return one row for each token.",
        3,
        _changing(lambda rows: [list(map(sum, zip(*rows, strict=True)))]),
        (_changing(lambda rows: list(map(sum, zip(*rows, strict=True)))),),
    ),
    Mistake(
        "only two columns",
        "Your rows hold two numbers. A vector can be wider: go through all columns.",
        3,
        partial(embed, join=lambda token, position: pair_sums(token, position)[:2]),
    ),
    Mistake(
        "columns are counted with len(token_table)",
        "len(token_table) counts rows: the vocabulary. len(token_table[0]) is the width of a vector.",
        3,
        wrong.columns_by_rows,
    ),
    Mistake(
        "one flat list",
        "All numbers stand in one list. Make one row per token: append each row, and do not extend or flatten.",
        3,
        _changing(flattened),
    ),
    Mistake(
        "the answer is turned",
        "Your answer has one row per column. It needs one row per token.",
        3,
        _changing(turned),
    ),
    Mistake(
        "every row is the last row",
        "All rows of your answer are the same list, and it holds the last result. Make a new list for every token.",
        3,
        _changing(lambda rows: [rows[-1] for _ in rows]),
    ),
    Mistake(
        "one list too many",
        "Your rows are inside one more list or tuple. A comma at the end of the return line does this.",
        3,
        _changing(lambda rows: [rows]),
    ),
    Mistake(
        "one token gives a flat row",
        "With one token you return one row. Return a list that holds this row.",
        3,
        _changing(one_row_flat),
    ),
    Mistake(
        "a side of length 1 is lost",
        "With one token or one column your answer is a flat list. Return rows even then, without np.squeeze.",
        3,
        _changing(wrong.squeezed),
    ),
    Mistake(
        "one column gives a flat list",
        "When vectors hold one number, your rows became plain numbers. Return a list of rows even then.",
        3,
        _changing(one_column_flat),
    ),
    Mistake(
        "whole numbers like the token table",
        "The decimals are cut off when the token table holds whole numbers: an array made like it. Use dtype=float.",
        3,
        wrong.in_an_array_like(1),
    ),
    Mistake(
        "whole numbers like the position table",
        "The decimals are cut off when the position table holds whole numbers: an array made like it. Use dtype=float.",
        3,
        wrong.in_an_array_like(2),
    ),
    Mistake(
        "an array of whole numbers cannot take decimals",
        "With += numpy cannot add decimals into an array of whole numbers. Make it with dtype=float.",
        3,
        wrong.in_place_like(1, 2),
        (wrong.in_place_like(2, 1),),
    ),
    Mistake(
        "floats of 32 bits",
        "float32 keeps about 7 digits, so large numbers lose their decimals. Use dtype=float.",
        3,
        partial(embed, join=wrong.in_single),
    ),
    Mistake(
        "rounded to two decimals",
        "Your numbers are cut to two decimals. Return them as they are, without round.",
        3,
        _changing(rounded(2)),
    ),
    Mistake(
        "rounded to four decimals",
        "Your numbers are cut to four decimals, and that is not exact enough. Return them without round.",
        3,
        _changing(rounded(4)),
    ),
    # Between calls: the rows are right, but only in a first call
    Mistake(
        "ids are removed",
        "Your function takes the ids out of the list, so a second call finds none. Go through them without pop.",
        1,
        wrong.uses_up_the_ids,
    ),
    Mistake(
        "the list of ids is sorted",
        "Your function sorts the list of ids itself, so a second call has another order. Leave the list as it is.",
        1,
        wrong.sorts_the_ids,
    ),
    Mistake(
        "positions are removed",
        "Your function removes rows of the position table, so a second call does not find them. Use a slice.",
        2,
        wrong.removes_positions,
    ),
    Mistake(
        "an old answer is given again for the same ids",
        "Your function remembers an answer and looks only at ids. Compute each call from all four inputs.",
        3,
        remembering(embed, lambda ids, *_: ids),
    ),
    Mistake(
        "an old answer is given again for the same ids and start",
        "Your function remembers an answer and does not look at the tables. Compute each call from all four inputs.",
        3,
        remembering(embed, lambda ids, _tokens, _positions, start: (ids, start)),
    ),
)
