"""Names of claims, as the documentation and the tables write them."""

from __future__ import annotations

import difflib
import re

from . import _library as lib

OTHERS = {"keeps_hidden_constraint": "keeps_hidden", "order_of_the_solve": "order_solve"}


def named(word: str) -> str:
    """Return the attribute for a name such as "order of q", "order-q" or "order_q", also if there is no such claim."""
    plain = re.sub("[^a-z0-9]+", "_", word.lower().replace("'", "")).strip("_")
    plain = OTHERS.get(plain, plain)
    return plain if plain in lib.CLAIMS else plain.replace("order_of_", "order_")


def meant(word: str) -> str:
    """Return the claim that is most similar to an unknown word, or an empty text."""
    near = difflib.get_close_matches(named(word), lib.CLAIMS, 1, 0.8)
    return near[0] if near else ""


def claim(word: str) -> str:
    """Return the attribute of a claim. Raises `ValueError` for other words."""
    found = named(word)
    if found in lib.CLAIMS:
        return found
    near = meant(word)
    raise ValueError("there is no claim %r%s" % (word, "; did you mean %s?" % near if near else
                                                 ": it is one of " + ", ".join(lib.CLAIMS)))
