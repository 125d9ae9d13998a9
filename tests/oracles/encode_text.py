"""The greedy longest match by way of one regular expression: longer pieces come first, any other character last."""

import re


def legal(rng):
    """Return inputs that the text allows: few letters, so that pieces overlap, with spaces, signs and capitals."""
    letters = "abcAB .+\n"[: int(rng.integers(2, 10))]
    count = int(rng.integers(0, 12))
    sizes = rng.integers(1, int(rng.choice([2, 4, 20])) + 1, size=count)
    pieces = {_text(rng, letters, int(size)) for size in sizes}
    name = str(rng.choice(["?", "[?]", "<unk>"]))
    vocab = [name, *rng.permutation(sorted(pieces)).tolist()]
    return _text(rng, letters + "z", int(rng.integers(0, 60))), vocab


def limits():
    """Return the emptiest, the longest and the most even inputs, and names that stand in the text."""
    return [
        ("", ["?"]),
        ("", ["?", "a"]),
        ("z" * 2000, ["?"]),
        ("a" * 2000, ["?", "a" * 20, "a"]),
        ("ab" * 1000, ["?", *(chr(number) for number in range(200, 298)), "ab"]),
        ("<unk>" * 3, ["<unk>", "<unk"]),
    ]


def oracle(text, vocab):
    """Match one of the pieces, longest first, or else any one character; return the ids, (n_tokens,)."""
    ids = {piece: number for number, piece in enumerate(vocab) if number}
    longest_first = sorted(ids, key=len, reverse=True)
    pattern = "|".join([*map(re.escape, longest_first), "(?s:.)"])
    return [ids.get(token, 0) for token in re.findall(pattern, text)]


def _text(rng, letters, length):
    return "".join(rng.choice(list(letters), size=length)) if length else ""
